"""The command line, one module a command. None of them loads Numba before a kernel has to run."""
