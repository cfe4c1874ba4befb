"""OpenVINO ShuffleChannels-1."""

import fastops as fo
from tests.helpers.layout_oracle import shuffle_channels
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((2, 6, 3), {"group": 2}, lambda x: shuffle_channels(x, 1, 2)),
    Call((2, 6, 3), {"axis": -2, "group": 3}, lambda x: shuffle_channels(x, 1, 3)),
    Call((6,), {"axis": 0, "group": 3}, lambda x: shuffle_channels(x, 0, 3)),
    Call((2, 6), {}, lambda x: x),
    Call((2, 6, 2), {"axis": 1, "group": 6}, lambda x: x),
    Call((2, 0, 3), {"axis": 1, "group": 4}, lambda x: x),
]

refuse = refuser((2, 6), group=2)
REFUSALS = [
    refuse(r"group must divide the axis, got 4 \(axis 1, extent 6\)", group=4),
    refuse(r"data must have at least one axis, got \(\)", ValueError, (), axis=0),
]

test_shuffle_channels = contract(fo.openvino.shuffle_channels, CALLS, REFUSALS)
