"""The operators of ONNX; each module has one family of operators."""

from fastops.ops.onnx._moves import *
from fastops.ops.onnx._range import *
from fastops.ops.onnx._slices import *
