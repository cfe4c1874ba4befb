"""tf.slice."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((3, 4), {"begin": [1, 2], "size": [-1, 2]}, lambda x: x[1:, 2:4]),
    Call((3, 4), {"begin": [3, 0], "size": [0, 4]}, lambda x: x[3:]),
    Call((0,), {"begin": [0], "size": [-1]}, lambda x: x),
    Call((), {"begin": [], "size": []}, lambda x: x),
]

REFUSALS = [
    Refusal((3,), {"begin": [-1], "size": [1]}, ValueError, r"begin must be in 0..3, got \[-1\] \(axis 0, extent 3\)"),
    Refusal(
        (3,),
        {"begin": [1], "size": [3]},
        ValueError,
        r"size must be in 0..2, or -1 for all that is left, from 1 on, got \[3\]",
    ),
    Refusal((3,), {"begin": [1], "size": [-2]}, ValueError, "size must be in 0..2"),
    Refusal((3,), {"begin": [1, 1], "size": [1]}, ValueError, "begin must have 1 value, one for each axis of input_"),
]

test_slice = contract(fo.tensorflow.slice, CALLS, REFUSALS)
