"""PyTorch's slicing functions on CPU tensors, with PyTorch's names. No call converts or copies its tensors.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch import *
