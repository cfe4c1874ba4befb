"""The plans of `fastops.torch`: each function takes a shape in place of the operator's data."""

from fastops.plan._as_plan import plans_of as _plans_of

globals().update(_plans_of("fastops.ops.torch"))
