"""The plans of `fastops.numpy`: each function takes the shape where the operator takes data."""

from fastops.ops.numpy import (
    _copy,
    _fixed_splits,
    _moves,
    _pad,
    _parts,
    _repeats,
    _sliding_window_view,
    _transpositions,
)
from fastops.plan._as_plan import as_plan as _as_plan

array_split = _as_plan(_parts.lower_array_split)
ascontiguousarray = _as_plan(_copy.lower_ascontiguousarray)
broadcast_to = _as_plan(_repeats.lower_broadcast_to)
copy = _as_plan(_copy.lower_copy)
dsplit = _as_plan(_fixed_splits.lower_dsplit)
flip = _as_plan(_moves.lower_flip)
fliplr = _as_plan(_moves.lower_fliplr)
flipud = _as_plan(_moves.lower_flipud)
hsplit = _as_plan(_fixed_splits.lower_hsplit)
moveaxis = _as_plan(_transpositions.lower_moveaxis)
pad = _as_plan(_pad.lower_pad)
permute_dims = _as_plan(_transpositions.lower_permute_dims)
repeat = _as_plan(_repeats.lower_repeat)
roll = _as_plan(_moves.lower_roll)
rollaxis = _as_plan(_transpositions.lower_rollaxis)
rot90 = _as_plan(_moves.lower_rot90)
sliding_window_view = _as_plan(_sliding_window_view.lower_sliding_window_view)
split = _as_plan(_parts.lower_split)
swapaxes = _as_plan(_transpositions.lower_swapaxes)
take_slice = _as_plan(_parts.lower_take_slice)
tile = _as_plan(_repeats.lower_tile)
transpose = _as_plan(_transpositions.lower_transpose)
vsplit = _as_plan(_fixed_splits.lower_vsplit)
