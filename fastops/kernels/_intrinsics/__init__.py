"""The intrinsics that loops are made of: memory, vectors, shuffles, objects, units. What emits LLVM, and no loop over a table."""
