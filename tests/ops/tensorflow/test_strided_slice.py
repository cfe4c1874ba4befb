"""tf.strided_slice."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3, 4), {"begin": [1, 0], "end": [2, 0], "end_mask": 0b10, "shrink_axis_mask": 0b1}, lambda x: x[1, 0:]),
    Call((4, 5), {"begin": [0, -1], "end": [4, -9], "strides": [2, -2]}, lambda x: x[::2, ::-2]),
    Call((5,), {"begin": [-8], "end": [-10], "strides": [-1]}, lambda x: x[-8:-10:-1]),
    Call((2, 3), {"begin": [0, 0], "end": [0, 2], "ellipsis_mask": 0b1}, lambda x: x[..., 0:2]),
    Call((2, 3), {"begin": [0, 0], "end": [0, 2], "new_axis_mask": 0b1}, lambda x: x[None, 0:2]),
    Call((2, 3), {"begin": [0, 0], "end": [1, 2], "begin_mask": -1, "end_mask": -1}, lambda x: x),
    Call((), {"begin": [], "end": []}, lambda x: x),
]

REFUSALS = [
    Refusal((3,), {"begin": [0], "end": [3], "strides": [0]}, ValueError, r"strides must not be 0, got \[0\] \(axis 0"),
    Refusal(
        (3,),
        {"begin": [1], "end": [0], "strides": [-1], "shrink_axis_mask": 1},
        ValueError,
        "strides must be positive where shrink_axis_mask is set",
    ),
    Refusal(
        (3,),
        {"begin": [3], "end": [0], "shrink_axis_mask": 1},
        IndexError,
        r"begin must be in -3..2 where shrink_axis_mask is set, got 3",
    ),
    Refusal(
        (3, 3),
        {"begin": [0, 0], "end": [1, 1], "ellipsis_mask": 3},
        ValueError,
        "ellipsis_mask must have at most one bit set",
    ),
    Refusal(
        (3, 3),
        {"begin": [0, 0], "end": [1, 1], "ellipsis_mask": -1},
        ValueError,
        "ellipsis_mask must have at most one bit set",
    ),
    Refusal((3,), {"begin": [0, 0], "end": [1, 1]}, ValueError, "begin must name at most 1 axis"),
    Refusal(
        (3,), {"begin": [0], "end": [1], "begin_mask": 1 << 31}, ValueError, "begin_mask must be an integer of 32 bits"
    ),
    Refusal((3,), {"begin": [0], "end": [1], "begin_mask": [1]}, ValueError, "begin_mask must be a scalar"),
]

test_strided_slice = contract(fo.tensorflow.strided_slice, CALLS, REFUSALS)
