"""The operators of TensorRT; each module has one family of operators."""

from fastops.ops.tensorrt._slice import *
