"""The plans of `fastops.onnx`: each function takes the shape where the operator takes data."""

from fastops._process._lazy_names import public_dir as _public_dir
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

center_crop_pad = _center_crop_pad.lower_center_crop_pad
depth_to_space = _depth_to_space.lower_depth_to_space
expand = _expand.lower_expand
pad = _pad.lower_pad
range = _range.lower_range
slice = _slice.lower_slice
space_to_depth = _space_to_depth.lower_space_to_depth
split = _split.lower_split
tile = _tile.lower_tile
transpose = _transpose.lower_transpose

__dir__ = _public_dir(globals())
