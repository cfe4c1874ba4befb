"""The plans of `fastops.openvino`: each function takes the shape where the operator takes data."""

from fastops.ops.openvino import _batches, _depths, _extract_image_patches, _moves, _pad, _parts, _repeats
from fastops.plan._as_plan import as_plan as _as_plan
from fastops.plan._operators import strided_slice as strided_slice
from fastops.plan._operators import variadic_split as variadic_split
from fastops.plan._range_and_windows import range as range

batch_to_space = _as_plan(_batches.lower_batch_to_space)
broadcast = _as_plan(_repeats.lower_broadcast)
depth_to_space = _as_plan(_depths.lower_depth_to_space)
extract_image_patches = _as_plan(_extract_image_patches.lower_extract_image_patches)
pad = _as_plan(_pad.lower_pad)
reverse = _as_plan(_moves.lower_reverse)
roll = _as_plan(_moves.lower_roll)
shuffle_channels = _as_plan(_depths.lower_shuffle_channels)
slice = _as_plan(_parts.lower_slice)
space_to_batch = _as_plan(_batches.lower_space_to_batch)
space_to_depth = _as_plan(_depths.lower_space_to_depth)
split = _as_plan(_parts.lower_split)
tile = _as_plan(_repeats.lower_tile)
transpose = _as_plan(_moves.lower_transpose)
