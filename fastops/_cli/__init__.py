"""The command line: one module for each command. No command loads Numba before a kernel must run."""
