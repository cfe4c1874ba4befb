"""The plans of `fastops.tensorrt`: each function takes the shape where the operator takes data."""

import fastops.ops.tensorrt as _operators
from fastops.plan._as_plan import plans_of as _plans_of

globals().update(_plans_of(_operators))
