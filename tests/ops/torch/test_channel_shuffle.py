"""torch.nn.functional.channel_shuffle."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract


def shuffled(x: Array, groups: int) -> Array:
    n, c, *rest = x.shape
    return x.reshape(n, groups, c // groups, *rest).swapaxes(1, 2).reshape(x.shape)


CALLS = [
    Call((2, 6, 3), {"groups": 2}, lambda x: shuffled(x, 2)),
    Call((2, 6, 3, 2), {"groups": 3}, lambda x: shuffled(x, 3)),
    Call((1, 4, 2), {"groups": 1}, lambda x: x),
    Call((1, 4, 2), {"groups": 4}, lambda x: x),
]

REFUSALS = [
    Refusal((2, 6, 3), {"groups": 4}, ValueError, "groups must divide the axis"),
    Refusal((2, 6, 3), {"groups": 0}, ValueError, "groups must be at least 1, got 0"),
]

test_channel_shuffle = contract(fo.torch.channel_shuffle, CALLS, REFUSALS)
