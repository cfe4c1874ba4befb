"""Slicing, splitting, padding and ranges of tensor data on the CPU, with each framework's exact semantics.

The four operators are `strided_slice`, `variadic_split`, `slice` and `range`. `plan` has the same four as geometry,
from shapes alone. Importing this package loads neither Numba nor a thread; the first call compiles a kernel, or loads
it from the cache on disk.
"""

from __future__ import annotations

from importlib.metadata import version as _version

from fastops import plan
from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError, OutputError
from fastops._modes import SampleMode
from fastops.ops._range import range
from fastops.ops._slice import slice
from fastops.ops._strided_slice import strided_slice
from fastops.ops._variadic_split import variadic_split

__version__ = _version("fastops-numba")

__all__ = [
    "AttributeValueError",
    "DTypeError",
    "FastopsError",
    "OutOfBoundsError",
    "OutputError",
    "SampleMode",
    "__version__",
    "plan",
    "range",
    "slice",
    "strided_slice",
    "variadic_split",
]
