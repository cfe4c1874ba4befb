"""PyTorch's slicing family on tensors of the CPU, by PyTorch's own names, without a copy on the way in or out.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch._flip import flip as flip
from fastops.ops.torch._narrow import narrow as narrow
from fastops.ops.torch._pad import pad as pad
from fastops.ops.torch._roll import roll as roll
from fastops.ops.torch._split import split as split
