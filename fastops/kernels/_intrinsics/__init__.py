"""What loops are made of: intrinsics for memory, vectors, shuffles, objects and calls. No loop over a table."""
