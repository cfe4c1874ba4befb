"""torch.nn.functional.pixel_shuffle."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser


def shuffled(x, r):
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c // r**2, r, r, h, w)
    return split.transpose(*range(k), k, k + 3, k + 1, k + 4, k + 2).reshape(*n, c // r**2, h * r, w * r)


CALLS = [
    Call(shape, {"upscale_factor": r}, lambda x, r=r: shuffled(x, r))
    for shape, r in (((8, 3, 5), 2), ((2, 2, 9, 1, 4), 3), ((4, 3, 2), 1), ((4, 0, 2), 2))
]

refuse = refuser((4, 2, 2), upscale_factor=2)
REFUSALS = [
    refuse("upscale_factor must divide the channels, to the power of 2", ValueError, (6, 2, 2)),
    refuse("input must have at least 3 axes", ValueError, (4, 2)),
]

test_pixel_shuffle = contract(fo.torch.pixel_shuffle, CALLS, REFUSALS)
