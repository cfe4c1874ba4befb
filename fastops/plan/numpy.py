"""The plans of `fastops.numpy`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import public_dir as _public_dir
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

array_split = _split.lower_array_split
ascontiguousarray = _copy.lower_ascontiguousarray
broadcast_to = _broadcast_to.lower_broadcast_to
copy = _copy.lower_copy
flip = _flip.lower_flip
fliplr = _flip.lower_fliplr
flipud = _flip.lower_flipud
moveaxis = _moveaxis.lower_moveaxis
pad = _pad.lower_pad
permute_dims = _transpose.lower_permute_dims
repeat = _repeat.lower_repeat
roll = _roll.lower_roll
rot90 = _rot90.lower_rot90
sliding_window_view = _sliding_window_view.lower_sliding_window_view
split = _split.lower_split
swapaxes = _moveaxis.lower_swapaxes
take_slice = _take_slice.lower_take_slice
tile = _tile.lower_tile
transpose = _transpose.lower_transpose

__dir__ = _public_dir(globals())
