"""NumPy's basic indexing."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((4, 5, 6), {"index": np.s_[0, ..., ::-2]}, lambda x: x[0, ..., ::-2]),
    Call((4, 5), {"index": np.s_[1:]}, lambda x: x[1:]),
    Call((4, 5), {"index": -1}, lambda x: x[-1]),
    Call((4, 5), {"index": np.s_[:, None, 2:2]}, lambda x: x[:, None, 2:2]),
    Call((4, 5), {"index": (np.int64(2), slice(np.int32(1), None))}, lambda x: x[2, 1:]),
    Call((5,), {"index": np.s_[-8:-10:-1]}, lambda x: x[-8:-10:-1]),
    Call((4, 5), {"index": ()}, lambda x: x),
    Call((), {"index": ...}, lambda x: x),
    Call((), {"index": None}, lambda x: x[None]),
    Call((3, 4), {"index": (1, 2)}, lambda x: x[1, 2]),
]

REFUSALS = [
    Refusal((3,), {"index": (0, 0)}, ValueError, r"index must name at most 1 axis, not 2, got \(0, 0\)"),
    Refusal((3,), {"index": 3}, IndexError, r"index must be in -3..2, got 3 \(axis 0, extent 3\)"),
    Refusal((3,), {"index": (..., ...)}, ValueError, "index must have at most one ellipsis"),
    Refusal((3,), {"index": slice(None, None, 0)}, ValueError, "index must have no slice of step 0"),
    Refusal((3,), {"index": [0, 1]}, TypeError, r"index must be a basic index: .* got \[0, 1\]"),
    Refusal((3,), {"index": np.array([0])}, TypeError, "index must be a basic index"),
    Refusal((3,), {"index": True}, TypeError, "index must be"),
    Refusal((3,), {"index": "..."}, TypeError, "index must be a basic index"),
    Refusal((3,), {"index": slice(0.5)}, TypeError, "index must be an integer"),
    Refusal((0,), {"index": 0}, IndexError, "index must not take an element of an empty axis"),
]

test_take_slice = contract(fo.numpy.take_slice, CALLS, REFUSALS)
