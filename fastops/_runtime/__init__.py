"""Numba policy: which kernels are compiled, when, by how many threads, and where machine code is kept. No calls."""
