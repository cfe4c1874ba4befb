"""ONNX's slicing family, each operator by its own inputs and attributes.

`from_node` makes calls of a model's nodes, `plans` gives the plans of all of them, and `reference_ops` operators of
onnx's reference evaluator. `fastops.plan.onnx` has the plans of calls.
"""

from fastops._interop._nodes import from_node as from_node
from fastops._interop._nodes import plans as plans
from fastops._interop._nodes import reference_ops as reference_ops
from fastops.ops.onnx._depths import depth_to_space as depth_to_space
from fastops.ops.onnx._depths import space_to_depth as space_to_depth
from fastops.ops.onnx._pads import center_crop_pad as center_crop_pad
from fastops.ops.onnx._pads import pad as pad
from fastops.ops.onnx._parts import slice as slice
from fastops.ops.onnx._parts import split as split
from fastops.ops.onnx._range import range as range
from fastops.ops.onnx._repeats import expand as expand
from fastops.ops.onnx._repeats import tile as tile
from fastops.ops.onnx._transpose import transpose as transpose
