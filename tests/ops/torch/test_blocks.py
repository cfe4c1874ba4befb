"""pixel_shuffle, pixel_unshuffle, channel_shuffle and unfold of torch.nn.functional."""

import numpy as np

import fastops as fo
from tests.helpers.oracle import Cut, patches, shuffle_channels
from tests.ops._tables import Call, Refusal, contract, refuser


def shuffled(x, r):
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c // r**2, r, r, h, w)
    return split.transpose(*range(k), k, k + 3, k + 1, k + 4, k + 2).reshape(*n, c // r**2, h * r, w * r)


refuse = refuser((4, 2, 2), upscale_factor=2)

test_pixel_shuffle = contract(
    fo.torch.pixel_shuffle,
    [
        Call(shape, {"upscale_factor": r}, lambda x, r=r: shuffled(x, r))
        for shape, r in (((8, 3, 5), 2), ((2, 2, 9, 1, 4), 3), ((4, 3, 2), 1), ((4, 0, 2), 2))
    ],
    [
        refuse("upscale_factor must divide the channels, to the power of 2", ValueError, (6, 2, 2)),
        refuse("input must have at least 3 axes", ValueError, (4, 2)),
    ],
)


def unshuffled(x, r):
    *n, c, h, w = x.shape
    k = len(n)
    split = x.reshape(*n, c, h // r, r, w // r, r)
    return split.transpose(*range(k), k, k + 2, k + 4, k + 1, k + 3).reshape(*n, c * r**2, h // r, w // r)


refuse = refuser((1, 4, 5), downscale_factor=2)

test_pixel_unshuffle = contract(
    fo.torch.pixel_unshuffle,
    [
        Call(shape, {"downscale_factor": r}, lambda x, r=r: unshuffled(x, r))
        for shape, r in (((2, 4, 6), 2), ((2, 1, 3, 9), 3), ((4, 3, 2), 1), ((2, 0, 4), 2))
    ],
    [
        refuse("downscale_factor must divide the axis"),
        refuse("input must have at least 3 axes", ValueError, (4, 2)),
    ],
)


test_channel_shuffle = contract(
    fo.torch.channel_shuffle,
    [
        Call(shape, {"groups": groups}, lambda x, groups=groups: shuffle_channels(x, 1, groups))
        for shape, groups in (((2, 6, 3), 2), ((2, 6, 3, 2), 3), ((1, 4, 2), 1), ((1, 4, 2), 4))
    ],
    [
        Refusal((2, 6, 3), {"groups": 4}, ValueError, "groups must divide the axis"),
        Refusal((2, 6), {"groups": 2}, ValueError, "input must have at least 3 axes"),
    ],
)


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


refuse = refuser((1, 1, 4, 4), kernel_size=2)

test_unfold = contract(
    fo.torch.unfold,
    [
        unfold((2, 3, 5, 6), 3),
        unfold((3, 4, 5), [2, 1]),
        unfold((2, 2, 4, 5), 3, 9, padding=1),
        unfold((2, 6, 7), [2, 3], 3, dilation=[2, 1], padding=[0, 2], stride=[1, 2]),
        # Blocks of zeros alone are one piece.
        unfold((1, 2, 2, 3), [1, 2], 15, padding=[4, 5]),
        unfold((1, 1, 8, 8), 4, stride=4),
        unfold((0, 1, 4, 4), 2, padding=1),
    ],
    [
        refuse("input must have 3 or 4 axes", ValueError, (4, 4)),
        refuse("input must have no empty axis but the batch", ValueError, (1, 0, 4, 4)),
        refuse("kernel_size must be at most 5 long.*got 6", ValueError, (1, 1, 3, 9), kernel_size=6, padding=1),
        refuse("kernel_size must have 2 values", kernel_size=[2]),
    ],
)
