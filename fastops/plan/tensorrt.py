"""The plans of `fastops.tensorrt`: each function takes the shape where the operator takes data."""

from fastops.ops.tensorrt import _slice
from fastops.plan._as_plan import as_plan as _as_plan

slice = _as_plan(_slice.lower_slice)
