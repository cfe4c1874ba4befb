"""TensorFlow's operators of blocks."""

import numpy as np
import pytest

import fastops as fo
from tests.helpers.oracle import (
    Cut,
    as_depth,
    batch_to_space,
    cut_same,
    depth_to_space,
    patches,
    space_to_batch,
    space_to_depth,
    with_channels_last,
    with_vectors_last,
)
from tests.ops._tables import BATCH_TO_SPACE, SPACE_TO_BATCH, Call, contract, of_blocks, refuser

# Axes behind those of space, and none of these.
PADDED = [*SPACE_TO_BATCH, ((2, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]


def pads(blocks, before, after):
    return {"block_shape": blocks, "paddings": list(zip(before, after, strict=True))}


CALLS = of_blocks(space_to_batch, PADDED, pads)
NOTHING = {"block_shape": np.zeros(0, np.int32), "paddings": np.zeros((0, 2), np.int32)}
CALLS.append(Call((2, 4), NOTHING, lambda x: x))

refuse = refuser((2, 4), block_shape=[2], paddings=[[0, 0]])

test_space_to_batch_nd = contract(
    fo.tensorflow.space_to_batch_nd,
    CALLS,
    [
        refuse(r"block_shape must divide each axis with its pads, got \[3\] \(axis 1, extent 4\)", block_shape=[3]),
        refuse(
            "block_shape must give at most 4096 pieces", ValueError, (1, 1), block_shape=[4097], paddings=[[1, 4095]]
        ),
        refuse("paddings must be a list of integers", TypeError, block_shape=[], paddings=np.zeros((0, 2))),
        refuse("paddings must be a list", block_shape=[], paddings=np.zeros((0, 3), int)),
        refuse(r"paddings must be at least 0, got \[\[0, -1\]\]", paddings=[[0, -1]]),
        refuse("paddings must be 1 pair of integers", paddings=[[0, 0], [0, 0]]),
        refuse("paddings must be 1 pair of integers", paddings=[0]),
        refuse("paddings must be 1 pair of integers", TypeError, paddings=0),
        refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], paddings=[[0, 0], [0, 0]]),
    ],
)


# Axes behind those of space, and none of these.
CROPPED = [*BATCH_TO_SPACE, ((4, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]


def crops(blocks, before, after):
    return {"block_shape": blocks, "crops": list(zip(before, after, strict=True))}


refuse = refuser((2, 4), block_shape=[2], crops=[[0, 0]])

test_batch_to_space_nd = contract(
    fo.tensorflow.batch_to_space_nd,
    of_blocks(batch_to_space, CROPPED, crops),
    [
        refuse(
            r"block_shape must have a product that divides the batch, got \[4\] \(axis 0, extent 2\)", block_shape=[4]
        ),
        refuse(r"crops must crop at most 8 elements together, got \[\[4, 5\]\] \(axis 1, extent 4\)", crops=[[4, 5]]),
        refuse(r"crops must be at least 0, got \[\[0, -1\]\]", crops=[[0, -1]]),
        refuse("crops must be 1 pair of integers", crops=[[0, 0], [0, 0]]),
        refuse("crops must be 1 pair of integers", TypeError, crops=0),
        refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], crops=[[0, 0], [0, 0]]),
    ],
)


VECTORS = {"block_size": 2, "data_format": "NCHW_VECT_C"}

refuse = refuser((1, 4, 3, 4), block_size=2)

test_depth_to_space = contract(
    fo.tensorflow.depth_to_space,
    [
        Call(
            (1, 1, 2, 9), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(depth_to_space, x, 3)
        ),
        Call((2, 8, 2, 3), {"block_size": 2, "data_format": "NCHW"}, lambda x: depth_to_space(x, 2, depth_first=False)),
        Call((1, 8, 2, 1, 4), VECTORS, lambda x: with_vectors_last(depth_to_space, x, 2)),
        *[
            Call(shape, {"block_size": 2}, lambda x: with_channels_last(depth_to_space, x, 2))
            for shape in [(2, 2, 3, 8), (0, 1, 2, 4), (1, 0, 4, 4), (1, 2, 2, 0)]
        ],
    ],
    [
        refuse(
            r"block_size must divide the channels, to the power of 2, got 2 \(axis 3, extent 6\)",
            ValueError,
            (1, 2, 2, 6),
        ),
        refuse(r"got 2 \(axis 1, extent 6\)", ValueError, (1, 6, 2, 4), data_format="NCHW"),
        refuse("block_size must be a scalar", block_size=[2]),
        refuse(r"input must have 5 axes in format NCHW_VECT_C, got \(1, 4, 3, 4\)", data_format="NCHW_VECT_C"),
        refuse("input must have a last axis of 4 in format", ValueError, (1, 4, 2, 2, 3), data_format="NCHW_VECT_C"),
    ],
)


DEPTH_VECTORS = {"block_size": 2, "data_format": "NCHW_VECT_C"}

refuse = refuser((1, 4, 3, 4), block_size=2)

test_space_to_depth = contract(
    fo.tensorflow.space_to_depth,
    [
        Call(
            (1, 3, 6, 2), {"block_size": 3, "data_format": "NHWC"}, lambda x: with_channels_last(space_to_depth, x, 3)
        ),
        Call((2, 3, 4, 6), {"block_size": 2, "data_format": "NCHW"}, lambda x: space_to_depth(x, 2, depth_first=False)),
        Call((1, 2, 4, 2, 4), DEPTH_VECTORS, lambda x: with_vectors_last(space_to_depth, x, 2)),
        *[
            Call(shape, {"block_size": 2}, lambda x: with_channels_last(space_to_depth, x, 2))
            for shape in [(2, 4, 6, 3), (0, 2, 4, 1), (1, 0, 4, 1), (1, 2, 2, 0)]
        ],
    ],
    [
        refuse(r"block_size must divide the axis, got 2 \(axis 2, extent 3\)"),
        refuse(r"got 2 \(axis 2, extent 3\)", data_format="NCHW"),
        refuse("block_size must be a scalar", block_size=[2]),
        refuse(r"input must have 4 axes in format NHWC, got \(1, 4, 4\)", ValueError, (1, 4, 4)),
    ],
)


def cut(shape, sizes, strides, rates, padding, pieces=1, expected=None):
    def found(x):
        of_axes = [(1 + k, sizes[k], strides[k], rates[k]) for k in (0, 1)]
        cuts = [Cut(*each) if padding == "VALID" else cut_same(x, *each) for each in of_axes]
        return as_depth(patches(x, *cuts), first=3, channels=3)

    lists = {"sizes": [1, *sizes, 1], "strides": [1, *strides, 1], "rates": [1, *rates, 1]}
    return Call(shape, {**lists, "padding": padding}, expected or found, pieces=pieces)


refuse = refuser((1, 3, 3, 1), sizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")

test_extract_patches = contract(
    fo.tensorflow.extract_patches,
    [
        cut((2, 5, 7, 3), (2, 3), (1, 2), (1, 1), "VALID"),
        cut((1, 6, 9, 2), (3, 2), (2, 3), (2, 3), "VALID"),
        cut((1, 4, 6, 1), (2, 3), (2, 3), (1, 1), "VALID"),
        cut((2, 3, 3, 2), (1, 1), (1, 1), (5, 5), "SAME"),
        cut((2, 5, 4, 3), (3, 3), (1, 1), (1, 1), "SAME", 9),
        cut((1, 5, 6, 2), (2, 4), (2, 3), (2, 1), "SAME", 6),
        # No patch lies inside.
        cut((1, 2, 1, 2), (5, 3), (1, 1), (1, 2), "SAME", 2),
        cut((0, 3, 3, 2), (2, 2), (1, 1), (1, 1), "SAME"),
        cut((1, 3, 3, 0), (2, 2), (1, 1), (1, 1), "SAME"),
        # TensorFlow rounds to no patches.
        cut((1, 2, 2, 3), (5, 2), (2, 1), (1, 1), "VALID", expected=lambda x: x[:, :0, :1].reshape(1, 0, 1, 30)),
    ],
    [
        refuse("images must have 4 axes", ValueError, (3, 3, 1)),
        refuse(
            r"sizes must reach over less .*, 4 elements, with VALID, .* \(axis 1", sizes=[1, 5, 5, 1], padding="VALID"
        ),
        refuse("strides must be 4 values, of which the first and the last are 1", strides=[1, 1]),
        refuse("sizes must be 4 values, of which the first and the last are 1", sizes=[1, 2, 2, 2]),
    ],
)


def test_patches_that_overlap_are_a_read_only_view() -> None:
    image, ones = np.arange(4 * 5).reshape(1, 4, 5, 1), [1, 1, 1, 1]
    # In their ends alone.
    view = fo.tensorflow.extract_patches(image, [1, 1, 3, 1], [1, 1, 2, 1], ones, "VALID", copy=False)
    assert np.shares_memory(view, image)
    assert not view.flags.writeable
    for sizes, padding, what in (([1, 2, 2, 1], "VALID", "merges axes"), ([1, 3, 3, 1], "SAME", "reads out of bounds")):
        with pytest.raises(fo.AttributeValueError, match=f"copy must be True or None for a result that {what}"):
            fo.tensorflow.extract_patches(image, sizes, ones, ones, padding, copy=False)
