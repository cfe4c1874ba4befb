"""The plans of the functions that `fastops` itself has: each takes the shape where the operator takes data."""

from fastops.ops._crop_or_pad import lower_crop_or_pad
from fastops.ops._fold import lower_fold
from fastops.ops._frame import lower_frame
from fastops.ops._patches import lower_patches
from fastops.ops._slice import lower_slice
from fastops.ops._strided_slice import lower_strided_slice
from fastops.ops._variadic_split import lower_variadic_split
from fastops.plan._as_plan import as_plan

crop_or_pad = as_plan(lower_crop_or_pad)
fold = as_plan(lower_fold)
frame = as_plan(lower_frame)
patches = as_plan(lower_patches)
slice = as_plan(lower_slice)
strided_slice = as_plan(lower_strided_slice)
variadic_split = as_plan(lower_variadic_split)
