"""The plans of `fastops.openvino`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import public_dir as _public_dir
from fastops.ops import _range, _strided_slice, _variadic_split
from fastops.ops.openvino import (
    _batch_to_space,
    _broadcast,
    _depth_to_space,
    _extract_image_patches,
    _pad,
    _reverse,
    _roll,
    _shuffle_channels,
    _slice,
    _space_to_batch,
    _space_to_depth,
    _split,
    _tile,
    _transpose,
)

batch_to_space = _batch_to_space.lower_batch_to_space
broadcast = _broadcast.lower_broadcast
depth_to_space = _depth_to_space.lower_depth_to_space
extract_image_patches = _extract_image_patches.lower_extract_image_patches
pad = _pad.lower_pad
range = _range.lower_range
reverse = _reverse.lower_reverse
roll = _roll.lower_roll
shuffle_channels = _shuffle_channels.lower_shuffle_channels
slice = _slice.lower_slice
space_to_batch = _space_to_batch.lower_space_to_batch
space_to_depth = _space_to_depth.lower_space_to_depth
split = _split.lower_split
strided_slice = _strided_slice.lower_strided_slice
tile = _tile.lower_tile
transpose = _transpose.lower_transpose
variadic_split = _variadic_split.lower_variadic_split

__dir__ = _public_dir(globals())
