"""The plans of `fastops.onnx`: each function takes the shape where the operator takes data."""

from fastops.ops.onnx import (
    _center_crop_pad,
    _depth_to_space,
    _expand,
    _pad,
    _range,
    _slice,
    _space_to_depth,
    _split,
    _tile,
    _transpose,
)
from fastops.plan._as_plan import as_plan as _as_plan

center_crop_pad = _as_plan(_center_crop_pad.lower_center_crop_pad)
depth_to_space = _as_plan(_depth_to_space.lower_depth_to_space)
expand = _as_plan(_expand.lower_expand)
pad = _as_plan(_pad.lower_pad)
range = _as_plan(_range.lower_range)
slice = _as_plan(_slice.lower_slice)
space_to_depth = _as_plan(_space_to_depth.lower_space_to_depth)
split = _as_plan(_split.lower_split)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
