"""PyTorch's slicing functions on CPU tensors, with PyTorch's names. Calls read the tensors' memory directly.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch import *
