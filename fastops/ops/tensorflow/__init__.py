"""TensorFlow's operators, one module a family: the `__all__` of each lists them."""

from fastops.ops.tensorflow._blocks import *
from fastops.ops.tensorflow._moves import *
from fastops.ops.tensorflow._range import *
from fastops.ops.tensorflow._slices import *
