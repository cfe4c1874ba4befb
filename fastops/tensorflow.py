"""TensorFlow's slicing family, each function by its own name and arguments. `fastops.plan.tensorflow` has the plans."""

from fastops.ops.tensorflow._batch_to_space_nd import batch_to_space_nd as batch_to_space_nd
from fastops.ops.tensorflow._depth_to_space import depth_to_space as depth_to_space
from fastops.ops.tensorflow._extract_patches import extract_patches as extract_patches
from fastops.ops.tensorflow._pad import pad as pad
from fastops.ops.tensorflow._range import range as range
from fastops.ops.tensorflow._reverse import reverse as reverse
from fastops.ops.tensorflow._roll import roll as roll
from fastops.ops.tensorflow._slice import slice as slice
from fastops.ops.tensorflow._space_to_batch_nd import space_to_batch_nd as space_to_batch_nd
from fastops.ops.tensorflow._space_to_depth import space_to_depth as space_to_depth
from fastops.ops.tensorflow._split import split as split
from fastops.ops.tensorflow._strided_slice import strided_slice as strided_slice
from fastops.ops.tensorflow._tile import tile as tile
from fastops.ops.tensorflow._transpose import transpose as transpose
