"""What loops are made of: intrinsics for memory, vectors, shuffles and objects, and units. No loop over a table."""
