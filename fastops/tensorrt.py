"""TensorRT's Slice, by its own names. `fastops.plan.tensorrt` has its plan."""

from fastops._process._lazy_names import public_dir as _public_dir
from fastops.ops.tensorrt._slice import slice as slice

__dir__ = _public_dir(globals())
