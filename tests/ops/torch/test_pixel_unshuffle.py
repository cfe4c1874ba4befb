"""torch.nn.functional.pixel_unshuffle."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract


def unshuffled(x: Array, r: int) -> Array:
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c, h // r, r, w // r, r)
    order = (*range(k), k, k + 2, k + 4, k + 1, k + 3)
    return split.transpose(order).reshape(*n, c * r**2, h // r, w // r)


CALLS = [
    Call((2, 4, 6), {"downscale_factor": 2}, lambda x: unshuffled(x, 2)),
    Call((2, 1, 3, 9), {"downscale_factor": 3}, lambda x: unshuffled(x, 3)),
    Call((4, 3, 2), {"downscale_factor": 1}, lambda x: x),
    Call((2, 0, 4), {"downscale_factor": 2}, lambda x: unshuffled(x, 2)),
]

REFUSALS = [
    Refusal((1, 4, 5), {"downscale_factor": 2}, ValueError, "downscale_factor must divide the axis"),
    Refusal((4, 2), {"downscale_factor": 2}, ValueError, "input must have at least three axes"),
    Refusal((1, 4, 4), {"downscale_factor": 0}, ValueError, "downscale_factor must be at least 1, got 0"),
]

test_pixel_unshuffle = contract(fo.torch.pixel_unshuffle, CALLS, REFUSALS)
