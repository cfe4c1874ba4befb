"""The plans of `fastops.torch`: each function takes the shape where the operator takes data."""

from fastops.ops.torch import (
    _channel_shuffle,
    _flip,
    _narrow,
    _pad,
    _permute,
    _pixel_shuffle,
    _pixel_unshuffle,
    _repeat_interleave,
    _roll,
    _rot90,
    _slice,
    _split,
    _take_slice,
    _tile,
    _transpose,
    _unfold,
)
from fastops.plan._as_plan import as_plan as _as_plan

channel_shuffle = _as_plan(_channel_shuffle.lower_channel_shuffle)
flip = _as_plan(_flip.lower_flip)
narrow = _as_plan(_narrow.lower_narrow)
pad = _as_plan(_pad.lower_pad)
permute = _as_plan(_permute.lower_permute)
pixel_shuffle = _as_plan(_pixel_shuffle.lower_pixel_shuffle)
pixel_unshuffle = _as_plan(_pixel_unshuffle.lower_pixel_unshuffle)
repeat_interleave = _as_plan(_repeat_interleave.lower_repeat_interleave)
roll = _as_plan(_roll.lower_roll)
rot90 = _as_plan(_rot90.lower_rot90)
slice = _as_plan(_slice.lower_slice)
split = _as_plan(_split.lower_split)
take_slice = _as_plan(_take_slice.lower_take_slice)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
unfold = _as_plan(_unfold.lower_unfold)
