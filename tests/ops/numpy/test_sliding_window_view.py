"""np.lib.stride_tricks.sliding_window_view, as a copy, with steps."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

view = np.lib.stride_tricks.sliding_window_view

CALLS = [
    Call((9,), {"window_shape": 4}, lambda x: view(x, 4)),
    Call((9,), {"window_shape": [4], "step": 3}, lambda x: view(x, 4)[::3]),
    Call((4, 5), {"window_shape": [2, 3]}, lambda x: view(x, (2, 3))),
    Call((4, 5, 6), {"window_shape": [2, 3], "axis": [-1, 0]}, lambda x: view(x, (2, 3), (-1, 0))),
    Call((4, 5, 6), {"window_shape": 5, "axis": 1, "step": [9]}, lambda x: view(x, 5, 1)),
    Call(
        (4, 7, 6),
        {"window_shape": [1, 2], "axis": [1, 2], "step": [3, 2]},
        lambda x: view(x, (1, 2), (1, 2))[:, ::3, ::2],
    ),
    Call((9, 4), {"window_shape": [3, 2], "axis": [0, 0]}, lambda x: view(x, (3, 2), (0, 0))),
    Call(
        (9, 4),
        {"window_shape": [3, 2, 2], "axis": [0, 1, -2], "step": [2, 1, 2]},
        lambda x: view(x, (3, 2, 2), (0, 1, 0))[::2],
    ),
    Call((3, 4), {"window_shape": [0, 2]}, lambda x: view(x, (0, 2))),
    Call((3, 0, 4), {"window_shape": 2, "axis": 2}, lambda x: view(x, 2, 2)),
    Call((2, 3), {"window_shape": [], "axis": []}, lambda x: x),
    Call((), {"window_shape": []}, lambda x: x),
]

REFUSALS = [
    Refusal((3, 4), {"window_shape": 2}, ValueError, "window_shape must have 2 values, one for each axis of x"),
    Refusal((3, 4), {"window_shape": [2, 5]}, ValueError, r"window_shape must be at most 4, got \[2, 5\] \(axis 1"),
    Refusal((3,), {"window_shape": -1}, ValueError, "window_shape must be at least 0"),
    Refusal(
        (3,), {"window_shape": [3, 2], "axis": [0, 0]}, ValueError, r"window_shape must be at most 1, got \[3, 2\]"
    ),
    Refusal((3,), {"window_shape": 2, "step": 0}, ValueError, "step must be at least 1"),
    Refusal((3, 4), {"window_shape": 2, "axis": 2}, ValueError, "axis must be in -2..1"),
    Refusal(
        (5,),
        {"window_shape": [2, 2], "axis": [0, 0], "step": [1, 2]},
        ValueError,
        "step must be one number for an axis that is named twice",
    ),
    Refusal((3, 4), {"window_shape": [2, 2], "step": [1]}, ValueError, "step must have 2 values"),
    Refusal((3,), {"window_shape": 2.0}, TypeError, "window_shape must be an integer"),
]

test_sliding_window_view = contract(fo.numpy.sliding_window_view, CALLS, REFUSALS)


def test_the_view_is_numpys() -> None:
    x = np.arange(30).reshape(5, 6)
    own, theirs = fo.numpy.sliding_window_view(x, (2, 3), copy=False), view(x, (2, 3))
    assert own.strides == theirs.strides
    assert np.shares_memory(own, x)
    assert not own.flags.writeable
    assert not fo.numpy.sliding_window_view(x, (2, 3), step=(2, 3), copy=False).flags.writeable
