"""OpenVINO Broadcast-3."""

from __future__ import annotations

import numpy as np

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((3, 1), {"target_shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    Call(
        (3,),
        {"target_shape": [3, 2], "axes_mapping": [0], "mode": "explicit"},
        lambda x: np.broadcast_to(x[:, None], (3, 2)),
    ),
    Call(
        (2, 3),
        {"target_shape": [2, 4, 3], "axes_mapping": [0, 2], "mode": "EXPLICIT"},
        lambda x: np.broadcast_to(x[:, None], (2, 4, 3)),
    ),
    Call((3, 1), {"target_shape": [1, 4], "mode": "bidirectional"}, lambda x: np.broadcast_to(x, (3, 4))),
    Call((1,), {"target_shape": [0], "mode": "bidirectional"}, lambda x: x[:0]),
    Call((0,), {"target_shape": [2, 0]}, lambda x: np.zeros((2, 0), x.dtype)),
    Call((), {"target_shape": [2]}, lambda x: np.broadcast_to(x, (2,))),
    Call(
        (),
        {"target_shape": [2, 3], "axes_mapping": [], "mode": "explicit"},
        lambda x: np.broadcast_to(x, (2, 3)),
    ),
]

REFUSALS = [
    Refusal(
        (3, 1),
        {"target_shape": [1, 4]},
        ValueError,
        r"target_shape must be 3 where the data's length is not 1, got \[1, 4\] \(axis 0, extent 3\)",
    ),
    Refusal((2, 3), {"target_shape": [3]}, ValueError, "target_shape must have at least 2 values"),
    Refusal(
        (3,),
        {"target_shape": [3, 2], "axes_mapping": [1], "mode": "explicit"},
        ValueError,
        "target_shape must be 3 where axes_mapping puts axis 0 of data",
    ),
    Refusal(
        (2, 3),
        {"target_shape": [3, 4, 2], "axes_mapping": [2, 0], "mode": "explicit"},
        ValueError,
        r"axes_mapping must rise, got \[2, 0\]",
    ),
    Refusal(
        (3,),
        {"target_shape": [2, 3], "axes_mapping": [2], "mode": "explicit"},
        ValueError,
        "axes_mapping must be axes of target_shape, in 0..1",
    ),
    Refusal(
        (3,),
        {"target_shape": [2, 3], "axes_mapping": [-1], "mode": "explicit"},
        ValueError,
        "axes_mapping must be axes of target_shape, in 0..1",
    ),
    Refusal((3,), {"target_shape": [3], "mode": "explicit"}, ValueError, "axes_mapping must be given in mode explicit"),
    Refusal(
        (3,),
        {"target_shape": [3], "axes_mapping": [0]},
        ValueError,
        "axes_mapping must be given in mode explicit only, not in numpy",
    ),
    Refusal((3,), {"target_shape": [2], "mode": "bidirectional"}, ValueError, "target_shape must be 1 or 3"),
    Refusal(
        (3,), {"target_shape": [3], "mode": "pdpd"}, ValueError, "mode must be one of numpy, explicit, bidirectional"
    ),
]

test_broadcast = contract(fo.openvino.broadcast, CALLS, REFUSALS)
