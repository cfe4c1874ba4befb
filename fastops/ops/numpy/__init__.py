"""NumPy's operators, one module a family: the `__all__` of each lists them."""

from fastops.ops.numpy._copy import *
from fastops.ops.numpy._moves import *
from fastops.ops.numpy._pad import *
from fastops.ops.numpy._parts import *
from fastops.ops.numpy._repeats import *
