"""torch.nn.functional.channel_shuffle."""

import fastops as fo
from tests.helpers.layout_oracle import shuffle_channels
from tests.ops._tables import Call, Refusal, contract

CALLS = [
    Call(shape, {"groups": groups}, lambda x, groups=groups: shuffle_channels(x, 1, groups))
    for shape, groups in (((2, 6, 3), 2), ((2, 6, 3, 2), 3), ((1, 4, 2), 1), ((1, 4, 2), 4))
]

REFUSALS = [
    Refusal((2, 6, 3), {"groups": 4}, ValueError, "groups must divide the axis"),
    Refusal((2, 6), {"groups": 2}, ValueError, "input must have at least 3 axes"),
]

test_channel_shuffle = contract(fo.torch.channel_shuffle, CALLS, REFUSALS)
