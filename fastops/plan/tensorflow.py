"""The plans of `fastops.tensorflow`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import public_dir as _public_dir
from fastops.ops.tensorflow import (
    _batch_to_space_nd,
    _depth_to_space,
    _extract_patches,
    _pad,
    _range,
    _reverse,
    _roll,
    _slice,
    _space_to_batch_nd,
    _space_to_depth,
    _split,
    _strided_slice,
    _tile,
    _transpose,
)

batch_to_space_nd = _batch_to_space_nd.lower_batch_to_space_nd
depth_to_space = _depth_to_space.lower_depth_to_space
extract_patches = _extract_patches.lower_extract_patches
pad = _pad.lower_pad
range = _range.lower_range
reverse = _reverse.lower_reverse
roll = _roll.lower_roll
slice = _slice.lower_slice
space_to_batch_nd = _space_to_batch_nd.lower_space_to_batch_nd
space_to_depth = _space_to_depth.lower_space_to_depth
split = _split.lower_split
strided_slice = _strided_slice.lower_strided_slice
tile = _tile.lower_tile
transpose = _transpose.lower_transpose

__dir__ = _public_dir(globals())
