"""The operators of OpenVINO; each module has one family of operators."""

from fastops.ops._range import *
from fastops.ops._slices import strided_slice as strided_slice, variadic_split as variadic_split
from fastops.ops.openvino._blocks import *
from fastops.ops.openvino._moves import *
from fastops.ops.openvino._slices import *
