"""PyTorch's slicing family on tensors of the CPU, by PyTorch's own names, without a copy on the way in or out.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch import *
