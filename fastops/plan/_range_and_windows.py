"""The plans of `fastops.range` and `fastops.windows`, whose modules load what runs them."""

from fastops.ops._range import lower_range
from fastops.ops._windows import lower_windows
from fastops.plan._as_plan import as_plan

range = as_plan(lower_range)
windows = as_plan(lower_windows)
