"""torch.nn.functional.pixel_unshuffle."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser


def unshuffled(x, r):
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c, h // r, r, w // r, r)
    return split.transpose(*range(k), k, k + 2, k + 4, k + 1, k + 3).reshape(*n, c * r**2, h // r, w // r)


CALLS = [
    Call(shape, {"downscale_factor": r}, lambda x, r=r: unshuffled(x, r))
    for shape, r in (((2, 4, 6), 2), ((2, 1, 3, 9), 3), ((4, 3, 2), 1), ((2, 0, 4), 2))
]

refuse = refuser((1, 4, 5), downscale_factor=2)
REFUSALS = [
    refuse("downscale_factor must divide the axis"),
    refuse("input must have at least 3 axes", ValueError, (4, 2)),
]

test_pixel_unshuffle = contract(fo.torch.pixel_unshuffle, CALLS, REFUSALS)
