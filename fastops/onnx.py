"""ONNX's slicing family, each operator by its own inputs and attributes. `fastops.plan.onnx` has the plans."""

from fastops.ops.onnx._center_crop_pad import center_crop_pad as center_crop_pad
from fastops.ops.onnx._expand import expand as expand
from fastops.ops.onnx._pad import pad as pad
from fastops.ops.onnx._range import range as range
from fastops.ops.onnx._slice import slice as slice
from fastops.ops.onnx._split import split as split
from fastops.ops.onnx._tile import tile as tile
