"""What users' own compiled code gets in place of operators: stubs, and how they find the kernels. Numba loads it."""
