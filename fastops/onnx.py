"""ONNX's slicing family, each operator by its own inputs and attributes.

`from_node` makes calls of a model's nodes, `plans` gives the plans of all of them, and `reference_ops` operators of
onnx's reference evaluator. `fastops.plan.onnx` has the plans of calls.
"""

from fastops._interop._nodes import from_node as from_node
from fastops._interop._nodes import plans as plans
from fastops._interop._nodes import reference_ops as reference_ops
from fastops.ops.onnx import *
