"""begin : end : stride as start, stride, count, under a named clamping rule.

Frameworks agree on everything here but one number, so the rule is a value and not a copy of the function.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from fastops.kernels._arithmetic import bounds_of

#: Start, stride and count of an axis.
Bounds: TypeAlias = tuple[int, int, int]


class ClampRule(Enum):
    """How far below 0 a begin that lies before the axis is moved when the stride is negative.

    ``arange(5)[-8:-10:-1]`` is ``[0]`` under OPENVINO (StridedSlice-1, Slice-8, ONNX Slice) and ``[]`` under NUMPY
    (NumPy, TensorFlow, JAX).
    """

    OPENVINO = 0
    NUMPY = -1


def resolve_bounds(
    extent: int,
    begin: int,
    end: int,
    stride: int,
    rule: ClampRule,
    begin_masked: bool | int = False,
    end_masked: bool | int = False,
) -> Bounds:
    """Return the start, stride and count of ``begin : end : stride`` on an axis.

    Negative bounds count from the end, then out-of-range ones are clamped; a masked bound is the axis's own end.
    ``stride`` must not be 0. Exact for integers of any size.

    Examples
    --------
    >>> resolve_bounds(5, -8, -10, -1, ClampRule.OPENVINO)
    (0, -1, 1)
    >>> resolve_bounds(5, 1, 99, 2, ClampRule.NUMPY)
    (1, 2, 2)
    """
    # What `value` is found by is a function of Python's.
    start, count = bounds_of(extent, begin, end, stride, rule._value_, begin_masked, end_masked)
    return start, stride, count
