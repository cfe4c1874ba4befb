"""TensorFlow's slicing functions, with their own names and arguments. `fastops.plan.tensorflow` has the plans."""

from fastops.ops.tensorflow import *
