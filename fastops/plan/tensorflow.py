"""The plans of `fastops.tensorflow`: each function takes the shape where the operator takes data."""

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
from fastops.plan._as_plan import as_plan as _as_plan

batch_to_space_nd = _as_plan(_batch_to_space_nd.lower_batch_to_space_nd)
depth_to_space = _as_plan(_depth_to_space.lower_depth_to_space)
extract_patches = _as_plan(_extract_patches.lower_extract_patches)
pad = _as_plan(_pad.lower_pad)
range = _as_plan(_range.lower_range)
reverse = _as_plan(_reverse.lower_reverse)
roll = _as_plan(_roll.lower_roll)
slice = _as_plan(_slice.lower_slice)
space_to_batch_nd = _as_plan(_space_to_batch_nd.lower_space_to_batch_nd)
space_to_depth = _as_plan(_space_to_depth.lower_space_to_depth)
split = _as_plan(_split.lower_split)
strided_slice = _as_plan(_strided_slice.lower_strided_slice)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
