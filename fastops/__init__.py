"""Slicing, splitting, padding and ranges of tensor data on the CPU, with each framework's exact semantics.

The four operators are `strided_slice`, `variadic_split`, `slice` and `range`. `openvino`, `tensorrt`, `onnx`,
`tensorflow`, `numpy` and `torch` have the family around them, by each framework's own names and rules. `plan` has all
of them as geometry, from shapes alone; `lazy` collects several on an array, and runs them in one pass. Tensors of
PyTorch give tensors, and arrays of dask give arrays of dask, for which `dask` has more. Importing this package loads
neither NumPy nor Numba nor a thread: a name loads what it needs when it is first used, and the first call loads the
kernels, which are compiled before if the package has none for this machine.
"""

from __future__ import annotations

from itertools import chain as _chain
from typing import TYPE_CHECKING

from fastops._process import DIALECTS as _DIALECTS
from fastops._process import lazy_names as _lazy_names
from fastops._process import public_dir as _public_dir

# It watches forks from now on: Numba's threads may be started by others, long before a kernel is loaded.
from fastops._runtime._threads import load_tbb as _load_tbb

if TYPE_CHECKING:
    from fastops import dask as dask
    from fastops import numpy as numpy
    from fastops import onnx as onnx
    from fastops import openvino as openvino
    from fastops import plan as plan
    from fastops import tensorflow as tensorflow
    from fastops import tensorrt as tensorrt
    from fastops import torch as torch
    from fastops import typing as typing
    from fastops._errors import AttributeValueError as AttributeValueError
    from fastops._errors import DTypeError as DTypeError
    from fastops._errors import FastopsError as FastopsError
    from fastops._errors import KernelError as KernelError
    from fastops._errors import OutOfBoundsError as OutOfBoundsError
    from fastops._errors import OutputError as OutputError
    from fastops._geometry._sample_mode import SampleMode as SampleMode
    from fastops._lowering._bounds import AxisError as AxisError
    from fastops.ops._crop_or_pad import *
    from fastops.ops._fold import *
    from fastops.ops._patches import *
    from fastops.ops._range import *
    from fastops.ops._slices import *
    from fastops.ops._windows import *
    from fastops.plan._lazy import lazy as lazy

# The version of the package, which the build reads from here.
__version__ = "0.1.0"

# The public names by the module that each of them is in.
_HOMES = {
    "fastops._errors": (
        *("AttributeValueError", "DTypeError", "FastopsError"),
        *("KernelError", "OutOfBoundsError", "OutputError"),
    ),
    "fastops._geometry._sample_mode": ("SampleMode",),
    "fastops._lowering._bounds": ("AxisError",),
    "fastops.ops._crop_or_pad": ("crop_or_pad",),
    "fastops.ops._fold": ("fold",),
    "fastops.ops._patches": ("frame", "patches"),
    "fastops.ops._range": ("range",),
    "fastops.ops._slices": ("slice", "strided_slice", "variadic_split"),
    "fastops.ops._windows": ("windows",),
    "fastops.plan._lazy": ("lazy",),
}

# Whoever starts Numba's threads gets them on TBB.
_load_tbb()

# Checkers know the names from above.
if not TYPE_CHECKING:
    __all__ = sorted([*_chain(*_HOMES.values()), *_DIALECTS, "__version__", "dask", "plan", "typing"])
    __getattr__ = _lazy_names(globals(), _HOMES)

__dir__ = _public_dir(globals())
