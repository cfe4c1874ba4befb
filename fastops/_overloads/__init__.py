"""Operators in users' own compiled code: the stubs that Numba compiles in their place, and the link to the kernels."""
