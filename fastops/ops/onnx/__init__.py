"""ONNX's operators, one module a family: the `__all__` of each lists them."""

from fastops.ops.onnx._moves import *
from fastops.ops.onnx._range import *
from fastops.ops.onnx._slices import *
