"""OpenVINO's slicing family, each operator by its own name, argument order and rules.

`strided_slice`, `variadic_split` and `range` are those of the top level. `from_ir` makes calls of a model's layers, and
`plans` gives the plans of all of them. `fastops.plan.openvino` has the plans of calls.
"""

from fastops._interop._ir import from_ir as from_ir
from fastops._interop._ir import plans as plans
from fastops.ops._range import range as range
from fastops.ops._strided_slice import strided_slice as strided_slice
from fastops.ops._variadic_split import variadic_split as variadic_split
from fastops.ops.openvino._batches import batch_to_space as batch_to_space
from fastops.ops.openvino._batches import space_to_batch as space_to_batch
from fastops.ops.openvino._depths import depth_to_space as depth_to_space
from fastops.ops.openvino._depths import shuffle_channels as shuffle_channels
from fastops.ops.openvino._depths import space_to_depth as space_to_depth
from fastops.ops.openvino._extract_image_patches import extract_image_patches as extract_image_patches
from fastops.ops.openvino._moves import reverse as reverse
from fastops.ops.openvino._moves import roll as roll
from fastops.ops.openvino._moves import transpose as transpose
from fastops.ops.openvino._pad import pad as pad
from fastops.ops.openvino._parts import slice as slice
from fastops.ops.openvino._parts import split as split
from fastops.ops.openvino._repeats import broadcast as broadcast
from fastops.ops.openvino._repeats import tile as tile
