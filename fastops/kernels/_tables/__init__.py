"""The layouts of the int64 tables that kernels run: all that the host and a kernel know of each other. No code."""
