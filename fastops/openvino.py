"""OpenVINO's slicing operators, with their own names, order of arguments and rules.

`strided_slice`, `variadic_split` and `range` are those of the top level. `from_ir` turns a slicing layer of a model
into a call, and `plans` returns the plans of all such layers. `fastops.plan.openvino` has the plans of calls.
"""

from fastops._interop._ir import from_ir as from_ir, plans as plans
from fastops.ops.openvino import *
