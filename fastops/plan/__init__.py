"""Plans from shapes alone: shape inference and lowering, without data and without Numba.

Each function takes the shape where the operator takes data, and the operator's other arguments. A `SlicePlan` shows
its ``axes``, ``shape`` and ``source_shape``, and runs when it is called with data. `openvino`, `tensorrt`, `onnx`,
`tensorflow`, `numpy` and `torch` have the plans of the modules of `fastops` that are called so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastops._process._lazy_names import lazy_names as _lazy_names
from fastops._process._lazy_names import public_dir as _public_dir

if TYPE_CHECKING:
    from fastops._geometry._axis_map import AxisMap
    from fastops._geometry._plan_fields import SourceWindow
    from fastops._geometry._plan_list import PlanList
    from fastops._geometry._range_plan import RangePlan
    from fastops._geometry._run_map import Run, RunMap
    from fastops._geometry._slice_plan import SlicePlan
    from fastops._geometry._windows_plan import WindowsPlan
    from fastops._interop._node_plan import NodePlan
    from fastops.ops._frame import lower_frame as frame
    from fastops.ops._range import lower_range as range
    from fastops.ops._slice import lower_slice as slice
    from fastops.ops._strided_slice import lower_strided_slice as strided_slice
    from fastops.ops._variadic_split import lower_variadic_split as variadic_split
    from fastops.ops._windows import lower_windows as windows
    from fastops.plan import numpy, onnx, openvino, tensorflow, tensorrt, torch

_DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")

__all__ = [
    "AxisMap",
    "NodePlan",
    "PlanList",
    "RangePlan",
    "Run",
    "RunMap",
    "SlicePlan",
    "SourceWindow",
    "WindowsPlan",
    "frame",
    "numpy",
    "onnx",
    "openvino",
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
        "AxisMap": "fastops._geometry._axis_map:AxisMap",
        "NodePlan": "fastops._interop._node_plan:NodePlan",
        "PlanList": "fastops._geometry._plan_list:PlanList",
        "RangePlan": "fastops._geometry._range_plan:RangePlan",
        "Run": "fastops._geometry._run_map:Run",
        "RunMap": "fastops._geometry._run_map:RunMap",
        "SlicePlan": "fastops._geometry._slice_plan:SlicePlan",
        "SourceWindow": "fastops._geometry._plan_fields:SourceWindow",
        "frame": "fastops.ops._frame:lower_frame",
        "range": "fastops.ops._range:lower_range",
        "slice": "fastops.ops._slice:lower_slice",
        "strided_slice": "fastops.ops._strided_slice:lower_strided_slice",
        "WindowsPlan": "fastops._geometry._windows_plan:WindowsPlan",
        "variadic_split": "fastops.ops._variadic_split:lower_variadic_split",
        "windows": "fastops.ops._windows:lower_windows",
        **{name: f"fastops.plan.{name}" for name in _DIALECTS},
    },
    _DIALECTS,
)

# Checkers know the names from above, and would take any for one.
if not TYPE_CHECKING:
    __getattr__ = _find

__dir__ = _public_dir(globals())
