"""The operators: each file has one family of a dialect, with a pure lowering and a public function per operator."""

# If another thread is importing NumPy, Python waits here until that import is complete. An import of a module of NumPy,
# such as ``numpy.typing``, would not wait.
import numpy as _numpy  # noqa: F401
