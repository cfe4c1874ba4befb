"""PyTorch's slicing family on tensors of the CPU, by PyTorch's own names, without a copy on the way in or out.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch._depths import channel_shuffle as channel_shuffle
from fastops.ops.torch._depths import pixel_shuffle as pixel_shuffle
from fastops.ops.torch._depths import pixel_unshuffle as pixel_unshuffle
from fastops.ops.torch._moves import flip as flip
from fastops.ops.torch._moves import permute as permute
from fastops.ops.torch._moves import roll as roll
from fastops.ops.torch._moves import rot90 as rot90
from fastops.ops.torch._moves import transpose as transpose
from fastops.ops.torch._pad import pad as pad
from fastops.ops.torch._parts import narrow as narrow
from fastops.ops.torch._parts import slice as slice
from fastops.ops.torch._parts import split as split
from fastops.ops.torch._parts import take_slice as take_slice
from fastops.ops.torch._repeats import repeat_interleave as repeat_interleave
from fastops.ops.torch._repeats import tile as tile
from fastops.ops.torch._unfold import unfold as unfold
