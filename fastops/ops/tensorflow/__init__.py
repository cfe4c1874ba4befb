"""The operators of TensorFlow; each module has one family of operators."""

from fastops.ops.tensorflow._blocks import *
from fastops.ops.tensorflow._moves import *
from fastops.ops.tensorflow._range import *
from fastops.ops.tensorflow._slices import *
