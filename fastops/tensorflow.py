"""TensorFlow's slicing family, each function by its own name and arguments. `fastops.plan.tensorflow` has the plans."""

from fastops.ops.tensorflow import *
