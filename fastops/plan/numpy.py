"""The plans of `fastops.numpy`: each function takes the shape where the operator takes data."""

from fastops.ops.numpy import (
    _broadcast_to,
    _copy,
    _flip,
    _moveaxis,
    _pad,
    _repeat,
    _roll,
    _rot90,
    _sliding_window_view,
    _split,
    _take_slice,
    _tile,
    _transpose,
)
from fastops.plan._as_plan import as_plan as _as_plan

array_split = _as_plan(_split.lower_array_split)
ascontiguousarray = _as_plan(_copy.lower_ascontiguousarray)
broadcast_to = _as_plan(_broadcast_to.lower_broadcast_to)
copy = _as_plan(_copy.lower_copy)
flip = _as_plan(_flip.lower_flip)
fliplr = _as_plan(_flip.lower_fliplr)
flipud = _as_plan(_flip.lower_flipud)
moveaxis = _as_plan(_moveaxis.lower_moveaxis)
pad = _as_plan(_pad.lower_pad)
permute_dims = _as_plan(_transpose.lower_permute_dims)
repeat = _as_plan(_repeat.lower_repeat)
roll = _as_plan(_roll.lower_roll)
rot90 = _as_plan(_rot90.lower_rot90)
sliding_window_view = _as_plan(_sliding_window_view.lower_sliding_window_view)
split = _as_plan(_split.lower_split)
swapaxes = _as_plan(_moveaxis.lower_swapaxes)
take_slice = _as_plan(_take_slice.lower_take_slice)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
