"""The operators of NumPy; each module has one family of operators."""

from fastops.ops.numpy._copies import *
from fastops.ops.numpy._moves import *
from fastops.ops.numpy._pad import *
from fastops.ops.numpy._parts import *
