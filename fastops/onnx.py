"""ONNX's slicing operators, with their own inputs and attributes.

`from_node` turns a slicing node of a model into a call, `plans` returns the plans of all such nodes, and
`reference_ops` returns operators for onnx's reference evaluator. `fastops.plan.onnx` has the plans of calls.
"""

from fastops._interop._nodes import from_node as from_node, plans as plans, reference_ops as reference_ops
from fastops.ops.onnx import *
