"""TensorRT's Slice, by its own names. `fastops.plan.tensorrt` has its plan."""

from fastops.ops.tensorrt import *
