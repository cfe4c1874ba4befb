"""The plans of `fastops.onnx`: each function takes the shape where the operator takes data."""

from fastops.ops.onnx import _depths, _pads, _parts, _range, _repeats, _transpose
from fastops.plan._as_plan import as_plan as _as_plan

center_crop_pad = _as_plan(_pads.lower_center_crop_pad)
depth_to_space = _as_plan(_depths.lower_depth_to_space)
expand = _as_plan(_repeats.lower_expand)
pad = _as_plan(_pads.lower_pad)
range = _as_plan(_range.lower_range)
slice = _as_plan(_parts.lower_slice)
space_to_depth = _as_plan(_depths.lower_space_to_depth)
split = _as_plan(_parts.lower_split)
tile = _as_plan(_repeats.lower_tile)
transpose = _as_plan(_transpose.lower_transpose)
