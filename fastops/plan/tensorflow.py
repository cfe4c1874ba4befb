"""The plans of `fastops.tensorflow`: each function takes the shape where the operator takes data."""

from fastops.ops.tensorflow import _batches, _depths, _extract_patches, _moves, _pad, _parts, _range, _tile
from fastops.plan._as_plan import as_plan as _as_plan

batch_to_space_nd = _as_plan(_batches.lower_batch_to_space_nd)
depth_to_space = _as_plan(_depths.lower_depth_to_space)
extract_patches = _as_plan(_extract_patches.lower_extract_patches)
pad = _as_plan(_pad.lower_pad)
range = _as_plan(_range.lower_range)
reverse = _as_plan(_moves.lower_reverse)
roll = _as_plan(_moves.lower_roll)
slice = _as_plan(_parts.lower_slice)
space_to_batch_nd = _as_plan(_batches.lower_space_to_batch_nd)
space_to_depth = _as_plan(_depths.lower_space_to_depth)
split = _as_plan(_parts.lower_split)
strided_slice = _as_plan(_parts.lower_strided_slice)
tile = _as_plan(_tile.lower_tile)
transpose = _as_plan(_moves.lower_transpose)
