"""torch.nn.functional.pixel_shuffle."""

from __future__ import annotations

import fastops as fo
from tests.helpers.contract import Array, Call, Refusal, contract


def shuffled(x: Array, r: int) -> Array:
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c // r**2, r, r, h, w)
    order = (*range(k), k, k + 3, k + 1, k + 4, k + 2)
    return split.transpose(order).reshape(*n, c // r**2, h * r, w * r)


CALLS = [
    Call((8, 3, 5), {"upscale_factor": 2}, lambda x: shuffled(x, 2)),
    Call((2, 2, 9, 1, 4), {"upscale_factor": 3}, lambda x: shuffled(x, 3)),
    Call((4, 3, 2), {"upscale_factor": 1}, lambda x: x),
    Call((4, 0, 2), {"upscale_factor": 2}, lambda x: shuffled(x, 2)),
]

REFUSALS = [
    Refusal((6, 2, 2), {"upscale_factor": 2}, ValueError, "upscale_factor must have a square that divides the axis"),
    Refusal((4, 2), {"upscale_factor": 2}, ValueError, "input must have at least three axes"),
    Refusal((4, 2, 2), {"upscale_factor": 0}, ValueError, "upscale_factor must be at least 1, got 0"),
    Refusal((4, 2, 2), {"upscale_factor": 2.0}, TypeError, "upscale_factor must be an integer"),
]

test_pixel_shuffle = contract(fo.torch.pixel_shuffle, CALLS, REFUSALS)
