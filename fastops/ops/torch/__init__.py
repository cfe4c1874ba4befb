"""PyTorch's operators, one module a family: the `__all__` of each lists them."""

from fastops.ops.torch._blocks import *
from fastops.ops.torch._moves import *
from fastops.ops.torch._slices import *
