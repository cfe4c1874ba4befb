"""Slicing, splitting, padding and ranges of tensor data on the CPU, with each framework's exact semantics.

The four operators are `strided_slice`, `variadic_split`, `slice` and `range`. `openvino`, `tensorrt`, `onnx`,
`tensorflow`, `numpy` and `torch` have the family around them, by each framework's own names and rules. `plan` has all
of them as geometry, from shapes alone; `lazy` collects several on an array, and runs them in one pass. Tensors of
PyTorch give tensors, and arrays of dask give arrays of dask, for which `dask` has more. Importing this package loads
neither NumPy nor Numba nor a thread: a name loads what it needs when it is first used, and the first call loads the
kernels, which are compiled before if the package has none for this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastops._process import lazy_names as _lazy_names
from fastops._process import public_dir as _public_dir

# It watches forks from now on: Numba's threads may be started by others, long before a kernel is loaded.
from fastops._runtime._threads import load_tbb as _load_tbb

if TYPE_CHECKING:
    from fastops import dask, numpy, onnx, openvino, plan, tensorflow, tensorrt, torch, typing
    from fastops._errors import (
        AttributeValueError,
        DTypeError,
        FastopsError,
        KernelError,
        OutOfBoundsError,
        OutputError,
    )
    from fastops._geometry._sample_mode import SampleMode
    from fastops._lowering._bounds import AxisError
    from fastops.ops._crop_or_pad import crop_or_pad
    from fastops.ops._fold import fold
    from fastops.ops._frame import frame
    from fastops.ops._patches import patches
    from fastops.ops._range import range
    from fastops.ops._slice import slice
    from fastops.ops._strided_slice import strided_slice
    from fastops.ops._variadic_split import variadic_split
    from fastops.ops._windows import windows
    from fastops.plan._lazy import lazy

# The one place that has it: the package's metadata are made of this.
__version__ = "0.1.0"

__all__ = [
    "AttributeValueError",
    "AxisError",
    "DTypeError",
    "FastopsError",
    "KernelError",
    "OutOfBoundsError",
    "OutputError",
    "SampleMode",
    "__version__",
    "crop_or_pad",
    "dask",
    "fold",
    "frame",
    "lazy",
    "numpy",
    "onnx",
    "openvino",
    "patches",
    "plan",
    "range",
    "slice",
    "strided_slice",
    "tensorflow",
    "tensorrt",
    "torch",
    "typing",
    "variadic_split",
    "windows",
]

# Where public names are that are no modules.
_HOMES = {
    "fastops._errors": [each for each in __all__ if each.endswith("Error") and each != "AxisError"],
    "fastops._geometry._sample_mode": ("SampleMode",),
    "fastops._lowering._bounds": ("AxisError",),
    "fastops.ops._crop_or_pad": ("crop_or_pad",),
    "fastops.ops._fold": ("fold",),
    "fastops.ops._frame": ("frame",),
    "fastops.ops._patches": ("patches",),
    "fastops.ops._range": ("range",),
    "fastops.ops._slice": ("slice",),
    "fastops.ops._strided_slice": ("strided_slice",),
    "fastops.ops._variadic_split": ("variadic_split",),
    "fastops.ops._windows": ("windows",),
    "fastops.plan._lazy": ("lazy",),
}

# Whoever starts Numba's threads gets them on TBB.
_load_tbb()

_find = _lazy_names(globals(), _HOMES)

# Checkers know the names from above, and would take any for one.
if not TYPE_CHECKING:
    __getattr__ = _find


__dir__ = _public_dir(globals())
