# python -m tests.signatures writes this file.

from fastops._geometry._numbers import Indices
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._sample_mode import TensorRTMode
from fastops.plan._slice_plan import SlicePlan

def slice(input_shape: Indices, start: Indices, shape: Indices, stride: Indices, *, axes: Indices | None = None, mode: TensorRTMode = SampleMode.STRICT_BOUNDS) -> SlicePlan: ...
