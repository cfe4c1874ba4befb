"""torch.nn.functional.unfold."""

import numpy as np

import fastops as fo
from tests.helpers.patch_oracle import Cut, patches
from tests.ops._tables import Call, contract, refuser


def unfold(shape, kernel_size, pieces=1, **options):
    """Return a call that gives patches of images as columns."""

    def columns(x):
        images = x if x.ndim == 4 else x[None]
        numbers = [kernel_size, *[options.get(name, n) for name, n in (("stride", 1), ("dilation", 1), ("padding", 0))]]
        pairs = [np.broadcast_to(each, 2) for each in numbers]
        found = patches(images, *[Cut(2 + k, *[pair[k] for pair in pairs], pairs[-1][k]) for k in (0, 1)])
        found = found.transpose(0, 1, 4, 5, 2, 3)
        result = found.reshape(len(images), int(np.prod(found.shape[1:4])), int(np.prod(found.shape[4:])))
        return result if x.ndim == 4 else result[0]

    return Call(shape, {"kernel_size": kernel_size, **options}, columns, pieces=pieces)


CALLS = [
    unfold((2, 3, 5, 6), 3),
    unfold((3, 4, 5), [2, 1]),
    unfold((2, 2, 4, 5), 3, 9, padding=1),
    unfold((2, 6, 7), [2, 3], 3, dilation=[2, 1], padding=[0, 2], stride=[1, 2]),
    # Blocks of zeros alone are one piece.
    unfold((1, 2, 2, 3), [1, 2], 15, padding=[4, 5]),
    unfold((1, 1, 8, 8), 4, stride=4),
    unfold((0, 1, 4, 4), 2, padding=1),
]

refuse = refuser((1, 1, 4, 4), kernel_size=2)
REFUSALS = [
    refuse("input must have 3 or 4 axes", ValueError, (4, 4)),
    refuse("input must have no empty axis but the batch", ValueError, (1, 0, 4, 4)),
    refuse("kernel_size must be at most 5 long.*got 6", ValueError, (1, 1, 3, 9), kernel_size=6, padding=1),
    refuse("kernel_size must have 2 values", kernel_size=[2]),
]

test_unfold = contract(fo.torch.unfold, CALLS, REFUSALS)
