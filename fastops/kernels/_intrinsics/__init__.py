"""Intrinsics that loops call: memory, vectors, shuffles, objects and calls. No loop over a table."""
