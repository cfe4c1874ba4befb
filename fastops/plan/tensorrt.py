"""The plans of `fastops.tensorrt`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import public_dir as _public_dir
from fastops.ops.tensorrt import _slice

slice = _slice.lower_slice

__dir__ = _public_dir(globals())
