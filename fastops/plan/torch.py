"""The plans of `fastops.torch`: each function takes the shape where the operator takes data."""

from fastops.ops.torch import _depths, _moves, _pad, _parts, _repeats, _unfold
from fastops.plan._as_plan import as_plan as _as_plan

channel_shuffle = _as_plan(_depths.lower_channel_shuffle)
flip = _as_plan(_moves.lower_flip)
narrow = _as_plan(_parts.lower_narrow)
pad = _as_plan(_pad.lower_pad)
permute = _as_plan(_moves.lower_permute)
pixel_shuffle = _as_plan(_depths.lower_pixel_shuffle)
pixel_unshuffle = _as_plan(_depths.lower_pixel_unshuffle)
repeat_interleave = _as_plan(_repeats.lower_repeat_interleave)
roll = _as_plan(_moves.lower_roll)
rot90 = _as_plan(_moves.lower_rot90)
slice = _as_plan(_parts.lower_slice)
split = _as_plan(_parts.lower_split)
take_slice = _as_plan(_parts.lower_take_slice)
tile = _as_plan(_repeats.lower_tile)
transpose = _as_plan(_moves.lower_transpose)
unfold = _as_plan(_unfold.lower_unfold)
