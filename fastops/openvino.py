"""OpenVINO's slicing family, each operator by its own name, argument order and rules.

`strided_slice`, `variadic_split` and `range` are those of the top level. `from_ir` makes calls of a model's layers, and
`plans` gives the plans of all of them. `fastops.plan.openvino` has the plans of calls.
"""

from fastops._interop._ir import from_ir as from_ir
from fastops._interop._ir import plans as plans
from fastops.ops.openvino import *
