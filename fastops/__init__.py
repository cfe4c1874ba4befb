"""Slicing, splitting, padding and ranges of tensor data on the CPU, with each framework's exact semantics.

The four operators are `strided_slice`, `variadic_split`, `slice` and `range`. `plan` has the same four as geometry,
from shapes alone. Importing this package loads neither NumPy nor Numba nor a thread: a name loads what it needs when it
is first used, and the first call compiles a kernel, or loads it from the cache on disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any as _Any

# It watches forks from now on: Numba's threads may be started by others, long before a kernel is loaded.
from fastops import _layers as _layers
from fastops._fork_lock import import_whole as _import_whole

if TYPE_CHECKING:
    from fastops import plan
    from fastops._errors import (
        AttributeValueError,
        DTypeError,
        FastopsError,
        KernelError,
        OutOfBoundsError,
        OutputError,
    )
    from fastops._modes import SampleMode
    from fastops.ops._range import range
    from fastops.ops._slice import slice
    from fastops.ops._strided_slice import strided_slice
    from fastops.ops._variadic_split import variadic_split

    __version__: str

__all__ = [
    "AttributeValueError",
    "DTypeError",
    "FastopsError",
    "KernelError",
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

# The module of each public name; `plan` is one itself.
_HOMES = {
    "AttributeValueError": "fastops._errors",
    "DTypeError": "fastops._errors",
    "FastopsError": "fastops._errors",
    "KernelError": "fastops._errors",
    "OutOfBoundsError": "fastops._errors",
    "OutputError": "fastops._errors",
    "SampleMode": "fastops._modes",
    "range": "fastops.ops._range",
    "slice": "fastops.ops._slice",
    "strided_slice": "fastops.ops._strided_slice",
    "variadic_split": "fastops.ops._variadic_split",
}


def __getattr__(name: str) -> _Any:
    """Return a public name that is used for the first time, and keep it."""
    if name == "plan":
        return _import_whole("fastops.plan")
    if name == "__version__":
        value: _Any = _import_whole("importlib.metadata").version("fastops-numba")
    elif name in _HOMES:
        value = getattr(_import_whole(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
