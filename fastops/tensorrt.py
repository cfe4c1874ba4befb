"""TensorRT's Slice, with its own names of arguments. `fastops.plan.tensorrt` has its plan."""

from fastops.ops.tensorrt import *
