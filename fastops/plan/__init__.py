"""Plans from shapes alone: shape inference and lowering, without data and without Numba.

Each function takes the shape where the operator takes data, and the operator's other arguments. A `SlicePlan` shows
its ``axes``, ``shape`` and ``source_shape``, and runs when it is called with data. `openvino`, `tensorrt`, `onnx`,
`tensorflow`, `numpy` and `torch` have the plans of the modules of `fastops` that are called so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastops._process import lazy_names as _lazy_names
from fastops._process import public_dir as _public_dir

if TYPE_CHECKING:
    from fastops._geometry._axis_map import AxisMap, Run, RunMap
    from fastops._geometry._geometry import SourceWindow
    from fastops.plan import numpy, onnx, openvino, tensorflow, tensorrt, torch
    from fastops.plan._open_plan import NodePlan, OpenPlan
    from fastops.plan._operators import crop_or_pad, fold, frame, patches, slice, strided_slice, variadic_split
    from fastops.plan._range_and_windows import range, windows
    from fastops.plan._range_and_windows_plan import PlanList, RangePlan, WindowsPlan
    from fastops.plan._slice_plan import SlicePlan

__all__ = [
    "AxisMap",
    "NodePlan",
    "OpenPlan",
    "PlanList",
    "RangePlan",
    "Run",
    "RunMap",
    "SlicePlan",
    "SourceWindow",
    "WindowsPlan",
    "crop_or_pad",
    "fold",
    "frame",
    "numpy",
    "onnx",
    "openvino",
    "patches",
    "range",
    "slice",
    "strided_slice",
    "tensorflow",
    "tensorrt",
    "torch",
    "variadic_split",
    "windows",
]

_find = _lazy_names(
    globals(),
    {
        "fastops._geometry._geometry": ("SourceWindow",),
        "fastops._geometry._axis_map": ("AxisMap", "Run", "RunMap"),
        "fastops.plan._open_plan": ("NodePlan", "OpenPlan"),
        "fastops.plan._operators": (
            "crop_or_pad",
            "fold",
            "frame",
            "patches",
            "slice",
            "strided_slice",
            "variadic_split",
        ),
        "fastops.plan._range_and_windows": ("range", "windows"),
        "fastops.plan._range_and_windows_plan": ("PlanList", "RangePlan", "WindowsPlan"),
        "fastops.plan._slice_plan": ("SlicePlan",),
    },
)

# Checkers know the names from above, and would take any for one.
if not TYPE_CHECKING:
    __getattr__ = _find

__dir__ = _public_dir(globals())
