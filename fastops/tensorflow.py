"""TensorFlow's slicing family, each function by its own name and arguments. `fastops.plan.tensorflow` has the plans."""

from fastops.ops.tensorflow._batches import batch_to_space_nd as batch_to_space_nd
from fastops.ops.tensorflow._batches import space_to_batch_nd as space_to_batch_nd
from fastops.ops.tensorflow._depths import depth_to_space as depth_to_space
from fastops.ops.tensorflow._depths import space_to_depth as space_to_depth
from fastops.ops.tensorflow._extract_patches import extract_patches as extract_patches
from fastops.ops.tensorflow._moves import reverse as reverse
from fastops.ops.tensorflow._moves import roll as roll
from fastops.ops.tensorflow._moves import transpose as transpose
from fastops.ops.tensorflow._pad import pad as pad
from fastops.ops.tensorflow._parts import slice as slice
from fastops.ops.tensorflow._parts import split as split
from fastops.ops.tensorflow._parts import strided_slice as strided_slice
from fastops.ops.tensorflow._range import range as range
from fastops.ops.tensorflow._tile import tile as tile
