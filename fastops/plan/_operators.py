"""The plans of the operators of `fastops` itself: each function takes a shape in place of the operator's data."""

from fastops.ops import _crop_or_pad, _patches, _range, _slices, _windows
from fastops.plan._as_plan import plans_of as _plans_of

for _module in (_crop_or_pad, _patches, _range, _slices, _windows):
    globals().update(_plans_of(_module, *_module.__all__))
