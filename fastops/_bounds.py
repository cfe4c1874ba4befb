"""begin : end : stride as start, stride, count, under a named clamping rule.

Frameworks agree on everything here but one number, so the rule is a value and not a copy of the function.
"""

from __future__ import annotations

from enum import Enum


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
    *,
    begin_masked: bool = False,
    end_masked: bool = False,
) -> tuple[int, int, int]:
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
    if extent == 0:
        return 0, stride, 0
    begin += extent if begin < 0 else 0
    end += extent if end < 0 else 0
    if stride > 0:
        start = 0 if begin_masked else min(max(begin, 0), extent)
        stop = extent if end_masked else min(max(end, 0), extent)
        count = -((start - stop) // stride)
    else:
        start = extent - 1 if begin_masked else min(max(begin, rule.value), extent - 1)
        stop = -1 if end_masked else min(max(end, -1), extent - 1)
        count = -((stop - start) // -stride)
    return start, stride, max(count, 0)
