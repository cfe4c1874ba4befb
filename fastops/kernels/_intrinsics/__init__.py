"""Intrinsics that loops call: memory, vectors, shuffles, objects and calls. No intrinsic loops over a table."""
