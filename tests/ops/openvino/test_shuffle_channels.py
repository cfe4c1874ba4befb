"""OpenVINO ShuffleChannels-1."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Call, Refusal, contract
from tests.helpers.layout_oracle import shuffle_channels

CALLS = [
    Call((2, 6, 3), {"group": 2}, lambda x: shuffle_channels(x, 1, 2)),
    Call((2, 6, 3), {"axis": -2, "group": 3}, lambda x: shuffle_channels(x, 1, 3)),
    Call((6,), {"axis": 0, "group": 3}, lambda x: shuffle_channels(x, 0, 3)),
    Call((2, 6), {}, lambda x: shuffle_channels(x, 1, 1)),
    Call((2, 6, 2), {"axis": 1, "group": 6}, lambda x: shuffle_channels(x, 1, 6)),
    Call((2, 0, 3), {"axis": 1, "group": 4}, lambda x: shuffle_channels(x, 1, 4)),
]

REFUSALS = [
    Refusal((2, 6), {"group": 4}, ValueError, r"group must divide the axis, got 4 \(axis 1, extent 6\)"),
    Refusal((2, 6), {"group": 0}, ValueError, "group must be at least 1, got 0"),
    Refusal((6,), {"group": 2}, ValueError, r"axis must be in -1..0, for data of rank 1, got 1"),
    Refusal((), {"axis": 0}, ValueError, r"data must have at least one axis, got \(\)"),
    Refusal((2, 6), {"group": 2.0}, TypeError, "group must be an integer"),
]

test_shuffle_channels = contract(fo.openvino.shuffle_channels, CALLS, REFUSALS)
