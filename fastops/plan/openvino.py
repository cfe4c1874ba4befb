"""The plans of `fastops.openvino`: each function takes the shape where the operator takes data."""

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
from fastops.plan._as_plan import as_plan as _as_plan
from fastops.plan._operators import strided_slice as strided_slice
from fastops.plan._operators import variadic_split as variadic_split
from fastops.plan._range_and_windows import range as range

batch_to_space = _as_plan(_batch_to_space.lower_batch_to_space)
broadcast = _as_plan(_broadcast.lower_broadcast)
depth_to_space = _as_plan(_depth_to_space.lower_depth_to_space)
extract_image_patches = _as_plan(_extract_image_patches.lower_extract_image_patches)
pad = _as_plan(_pad.lower_pad)
reverse = _as_plan(_reverse.lower_reverse)
roll = _as_plan(_roll.lower_roll)
shuffle_channels = _as_plan(_shuffle_channels.lower_shuffle_channels)
slice = _as_plan(_slice.lower_slice)
space_to_batch = _as_plan(_space_to_batch.lower_space_to_batch)
space_to_depth = _as_plan(_space_to_depth.lower_space_to_depth)
split = _as_plan(_split.lower_split)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
