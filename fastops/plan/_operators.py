"""The plans of the operators of `fastops` itself: each function takes a shape in place of the operator's data."""

from fastops.plan._as_plan import plans_of as _plans_of

for _name in ("_crop_or_pad", "_patches", "_range", "_slices", "_windows"):
    globals().update(_plans_of(f"fastops.ops.{_name}"))
