"""PyTorch's slicing family on tensors of the CPU, by PyTorch's own names, without a copy on the way in or out.

`fastops.plan.torch` has the plans.
"""

from fastops.ops.torch._channel_shuffle import channel_shuffle as channel_shuffle
from fastops.ops.torch._flip import flip as flip
from fastops.ops.torch._narrow import narrow as narrow
from fastops.ops.torch._pad import pad as pad
from fastops.ops.torch._permute import permute as permute
from fastops.ops.torch._pixel_shuffle import pixel_shuffle as pixel_shuffle
from fastops.ops.torch._pixel_unshuffle import pixel_unshuffle as pixel_unshuffle
from fastops.ops.torch._repeat_interleave import repeat_interleave as repeat_interleave
from fastops.ops.torch._roll import roll as roll
from fastops.ops.torch._rot90 import rot90 as rot90
from fastops.ops.torch._slice import slice as slice
from fastops.ops.torch._split import split as split
from fastops.ops.torch._take_slice import take_slice as take_slice
from fastops.ops.torch._tile import tile as tile
from fastops.ops.torch._transpose import transpose as transpose
from fastops.ops.torch._unfold import unfold as unfold
