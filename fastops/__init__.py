"""Slicing, splitting, padding and ranges of tensor data on the CPU, with each framework's exact semantics.

The operators of this module are `strided_slice`, `variadic_split`, `slice`, `range`, `crop_or_pad`, `windows`, `frame`,
`patches` and `fold`. `openvino`, `tensorrt`, `onnx`, `tensorflow`, `numpy` and `torch` have operators of these
frameworks, with each framework's own names and rules. `plan` makes plans of all operators from shapes alone, and `lazy`
runs several operators on an array in one pass. PyTorch tensors give tensors, and dask arrays give dask arrays.

Importing this package loads neither NumPy nor Numba, and starts no thread: each name loads its modules when it is first
used. The first call loads the kernels; if there are none for this machine, it compiles them first.
"""

from __future__ import annotations

from itertools import chain as _chain
from typing import TYPE_CHECKING

from fastops._process import DIALECTS as _DIALECTS, lazy_names as _lazy_names, public_dir as _public_dir

# From now on, `_threads` watches forks, because other code may start Numba's threads before any kernel is loaded.
from fastops._runtime._threads import load_tbb as _load_tbb

if TYPE_CHECKING:
    from fastops import (
        numpy as numpy,
        onnx as onnx,
        openvino as openvino,
        plan as plan,
        tensorflow as tensorflow,
        tensorrt as tensorrt,
        torch as torch,
        typing as typing,
    )
    from fastops._errors import (
        AttributeValueError as AttributeValueError,
        DTypeError as DTypeError,
        FastopsError as FastopsError,
        KernelError as KernelError,
        OutOfBoundsError as OutOfBoundsError,
        OutputError as OutputError,
    )
    from fastops._geometry._sample_mode import SampleMode as SampleMode
    from fastops._lowering._bounds import AxisError as AxisError
    from fastops.ops._crop_or_pad import *
    from fastops.ops._patches import *
    from fastops.ops._range import *
    from fastops.ops._slices import *
    from fastops.ops._windows import *
    from fastops.plan._lazy import lazy as lazy

# The version of the package, which the build reads from here.
__version__ = "0.1.0"

_ERRORS = "AttributeValueError", "DTypeError", "FastopsError", "KernelError", "OutOfBoundsError", "OutputError"

# The private modules that define public names, and these names.
_HOMES = {
    "fastops._errors": _ERRORS,
    "fastops._geometry._sample_mode": ("SampleMode",),
    "fastops._lowering._bounds": ("AxisError",),
    "fastops.ops._crop_or_pad": ("crop_or_pad",),
    "fastops.ops._patches": ("fold", "frame", "patches"),
    "fastops.ops._range": ("range",),
    "fastops.ops._slices": ("slice", "strided_slice", "variadic_split"),
    "fastops.ops._windows": ("windows",),
    "fastops.plan._lazy": ("lazy",),
}

# If TBB is installed, Numba's threads run on it, whatever code starts them.
_load_tbb()

# Type checkers take the names from the imports above.
if not TYPE_CHECKING:
    __all__ = sorted([*_chain(*_HOMES.values()), *_DIALECTS, "__version__", "plan", "typing"])
    __getattr__ = _lazy_names(globals(), _HOMES)

__dir__ = _public_dir(globals())
