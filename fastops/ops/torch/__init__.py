"""The operators of PyTorch; each module has one family of operators."""

from fastops.ops.torch._blocks import *
from fastops.ops.torch._moves import *
from fastops.ops.torch._slices import *
