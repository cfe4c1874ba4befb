"""The operators: a file for each family of a dialect, which has a pure lowering and a public function per operator."""

# If another thread is importing NumPy, Python waits here until that import is complete. It does not wait if a module of
# NumPy is imported instead.
import numpy as _numpy  # noqa: F401
