"""Plans from shapes alone: shape inference and lowering, without data and without Numba.

Each function takes a shape in place of the operator's data, and the operator's other arguments. A `SlicePlan` has
the attributes ``axes``, ``shape`` and ``source_shape``, and runs when it is called with data. The modules `openvino`,
`tensorrt`, `onnx`, `tensorflow`, `numpy` and `torch` have the plans of the modules of `fastops` with the same names.
"""

from __future__ import annotations

from itertools import chain as _chain
from typing import TYPE_CHECKING

from fastops._process import DIALECTS as _DIALECTS, lazy_names as _lazy_names, public_dir as _public_dir

if TYPE_CHECKING:
    from fastops._geometry._axis_map import AxisMap as AxisMap, Run as Run, RunMap as RunMap
    from fastops._geometry._geometry import SourceWindow as SourceWindow
    from fastops.plan import (
        numpy as numpy,
        onnx as onnx,
        openvino as openvino,
        tensorflow as tensorflow,
        tensorrt as tensorrt,
        torch as torch,
    )
    from fastops.plan._open_plan import NodePlan as NodePlan, OpenPlan as OpenPlan
    from fastops.plan._operators import *
    from fastops.plan._range_and_windows_plan import (
        PlanList as PlanList,
        RangePlan as RangePlan,
        WindowsPlan as WindowsPlan,
    )
    from fastops.plan._slice_plan import SlicePlan as SlicePlan

# The public names, by the module that defines them.
_HOMES = {
    "fastops._geometry._axis_map": ("AxisMap", "Run", "RunMap"),
    "fastops._geometry._geometry": ("SourceWindow",),
    "fastops.plan._open_plan": ("NodePlan", "OpenPlan"),
    "fastops.plan._operators": (
        *("crop_or_pad", "fold", "frame", "patches", "range"),
        *("slice", "strided_slice", "variadic_split", "windows"),
    ),
    "fastops.plan._range_and_windows_plan": ("PlanList", "RangePlan", "WindowsPlan"),
    "fastops.plan._slice_plan": ("SlicePlan",),
}

# Type checkers read the imports above.
if not TYPE_CHECKING:
    __all__ = sorted([*_chain(*_HOMES.values()), *_DIALECTS])
    __getattr__ = _lazy_names(globals(), _HOMES)

__dir__ = _public_dir(globals())
