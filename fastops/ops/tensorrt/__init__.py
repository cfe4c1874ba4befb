"""TensorRT's operators, one module a family: the `__all__` of each lists them."""

from fastops.ops.tensorrt._slice import *
