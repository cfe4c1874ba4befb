"""The operators of fo.tensorflow but the range: blocks and patches, moves, pads, slices and splits."""

from functools import partial

import numpy as np

import fastops as fo
from tests.helpers.oracle import depth_to_space, in_format, space_to_depth
from tests.ops._tables import (
    DTYPES,
    Call,
    alike,
    batch_to_spaces,
    contract,
    patches_as_depth,
    refuse,
    space_to_batches,
    tiles,
    transposes,
)


def pads(blocks, before, after):
    return {"block_shape": blocks, "paddings": list(zip(before, after, strict=True))}


# Data with an axis behind the spatial axes, and data without spatial axes.
ROWS = [((2, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]
NOTHING = {"block_shape": np.zeros(0, np.int32), "paddings": np.zeros((0, 2), np.int32)}
PAIRS = "paddings must be 1 pair of integers"
test_space_to_batch_nd = contract(fo.tensorflow.space_to_batch_nd, (2, 4), block_shape=[2], paddings=[[0, 0]])(
    *space_to_batches(pads, *ROWS),
    Call((2, 4), NOTHING, lambda x: x),
    refuse(r"block_shape must divide each axis with its pads, got \[3\] \(axis 1, extent 4\)", block_shape=[3]),
    refuse("paddings must be a list of integers", TypeError, block_shape=[], paddings=np.zeros((0, 2))),
    refuse("paddings must be a list", block_shape=[], paddings=np.zeros((0, 3), int)),
    refuse(r"paddings must be at least 0, got \[\[0, -1\]\]", paddings=[[0, -1]]),
    *[refuse(PAIRS, paddings=wrong) for wrong in ([[0, 0], [0, 0]], [0])],
    refuse(PAIRS, TypeError, paddings=0),
    refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], paddings=[[0, 0], [0, 0]]),
)


def crops(blocks, before, after):
    return {"block_shape": blocks, "crops": list(zip(before, after, strict=True))}


ROWS = [((4, 3, 2, 3), [2], [1], [0], 2), ((2, 3), [], [], [], 1)]
test_batch_to_space_nd = contract(fo.tensorflow.batch_to_space_nd, (2, 4), block_shape=[2], crops=[[0, 0]])(
    *batch_to_spaces(crops, *ROWS),
    refuse(r"block_shape must have a product that divides the batch, got \[4\] \(axis 0, ext", block_shape=[4]),
    refuse(r"crops must crop at most 8 elements together, got \[\[4, 5\]\] \(axis 1, extent 4\)", crops=[[4, 5]]),
    refuse(r"crops must be at least 0, got \[\[0, -1\]\]", crops=[[0, -1]]),
    refuse("crops must be 1 pair of integers", crops=[[0, 0], [0, 0]]),
    refuse("crops must be 1 pair of integers", TypeError, crops=0),
    refuse(r"input must have at least 3 axes, got \(2, 4\)", block_shape=[1, 1], crops=[[0, 0], [0, 0]]),
)


ROWS = [((1, 1, 2, 9), 3, "NHWC"), ((2, 8, 2, 3), 2, "NCHW"), ((1, 8, 2, 1, 4), 2, "NCHW_VECT_C"), ((2, 2, 3, 8), 2)]
ROWS += [((0, 1, 2, 4), 2), ((1, 0, 4, 4), 2), ((1, 2, 2, 0), 2)]
test_depth_to_space = contract(fo.tensorflow.depth_to_space, (1, 4, 3, 4), block_size=2)(
    *alike(partial(in_format, depth_to_space), "block_size data_format", *ROWS),
    refuse(r"divide the channels, to the power of 2, got 2 \(axis 3, extent 6\)", ValueError, (1, 2, 2, 6)),
    refuse(r"got 2 \(axis 1, extent 6\)", ValueError, (1, 6, 2, 4), data_format="NCHW"),
    refuse("block_size must be a scalar", block_size=[2]),
    refuse(r"input must have 5 axes in format NCHW_VECT_C, got \(1, 4, 3, 4\)", data_format="NCHW_VECT_C"),
    refuse("input must have a last axis of 4 in format", ValueError, (1, 4, 2, 2, 3), data_format="NCHW_VECT_C"),
)

ROWS = [((1, 3, 6, 2), 3, "NHWC"), ((2, 3, 4, 6), 2, "NCHW"), ((1, 2, 4, 2, 4), 2, "NCHW_VECT_C"), ((2, 4, 6, 3), 2)]
ROWS += [((0, 2, 4, 1), 2), ((1, 0, 4, 1), 2), ((1, 2, 2, 0), 2)]
test_space_to_depth = contract(fo.tensorflow.space_to_depth, (1, 4, 3, 4), block_size=2)(
    *alike(partial(in_format, space_to_depth), "block_size data_format", *ROWS),
    refuse(r"block_size must divide the axis, got 2 \(axis 2, extent 3\)"),
    refuse(r"got 2 \(axis 2, extent 3\)", data_format="NCHW"),
    refuse("block_size must be a scalar", block_size=[2]),
    refuse(r"input must have 4 axes in format NHWC, got \(1, 4, 4\)", ValueError, (1, 4, 4)),
)


def cut(shape, sizes, strides, rates, padding, pieces=1, expected=None):
    own = partial(patches_as_depth, sizes=sizes, strides=strides, rates=rates, padding=padding.lower(), channels=3)
    lists = {"sizes": [1, *sizes, 1], "strides": [1, *strides, 1], "rates": [1, *rates, 1]}
    return Call(shape, {**lists, "padding": padding}, expected or own, pieces=pieces)


LARGE = {"sizes": [1, 5, 5, 1], "padding": "VALID"}
test_extract_patches = contract(
    fo.tensorflow.extract_patches,
    (1, 3, 3, 1),
    sizes=[1, 2, 2, 1],
    strides=[1, 1, 1, 1],
    rates=[1, 1, 1, 1],
    padding="SAME",
)(
    cut((2, 5, 7, 3), (2, 3), (1, 2), (1, 1), "VALID"),
    cut((1, 6, 9, 2), (3, 2), (2, 3), (2, 3), "VALID"),
    cut((1, 4, 6, 1), (2, 3), (2, 3), (1, 1), "VALID"),
    # The last column of a patch is the first column of the next.
    cut((1, 4, 5, 1), (1, 3), (1, 2), (1, 1), "VALID"),
    cut((2, 3, 3, 2), (1, 1), (1, 1), (5, 5), "SAME"),
    cut((2, 5, 4, 3), (3, 3), (1, 1), (1, 1), "SAME", 9),
    cut((1, 5, 6, 2), (2, 4), (2, 3), (2, 1), "SAME", 6),
    # No patch lies inside the image.
    cut((1, 2, 1, 2), (5, 3), (1, 1), (1, 2), "SAME", 2),
    cut((0, 3, 3, 2), (2, 2), (1, 1), (1, 1), "SAME"),
    cut((1, 3, 3, 0), (2, 2), (1, 1), (1, 1), "SAME"),
    # TensorFlow rounds the number of patches to 0.
    cut((1, 2, 2, 3), (5, 2), (2, 1), (1, 1), "VALID", expected=lambda x: x[:, :0, :1].reshape(1, 0, 1, 30)),
    refuse("images must have 4 axes", ValueError, (3, 3, 1)),
    refuse(r"sizes must reach over at most 4 elements, .* for VALID, .* \(axis 1", **LARGE),
    refuse("strides must have 4 values, 1 as the first and 1 as the last", strides=[1, 1]),
    refuse("sizes must have 4 values, 1 as the first and 1 as the last", sizes=[1, 2, 2, 2]),
)


test_roll = contract(fo.tensorflow.roll, (4, 3), shift=1)(
    *alike(np.roll, "shift axis", ((4, 3), [1, -2], [0, 1]), ((5,), 2, 0), ((4, 3), [3, 4], [0, -2]), ((0, 2), 1, 0)),
    refuse("shift must have 2 values, one for each axis", axis=[0, 1]),
    refuse("input must have at least 1 axis", ValueError, (), axis=0),
)
test_reverse = contract(fo.tensorflow.reverse, (3,))(
    *alike(np.flip, "axis", ((3, 4), [0, -1]), ((3, 4), []), ((0, 4), [0])),
    refuse("axis must be a list of integers", axis=0),
)

test_transpose = contract(fo.tensorflow.transpose, (2, 3))(
    *alike(np.transpose, "perm", ((2, 3),), ((2, 3, 4), [-3, -1, 1])),
    *transposes("perm"),
    refuse(r"perm must name each of the 2 axes once, got \[\]", perm=[]),
    refuse("perm must be a list of integers", perm=0),
)
test_tile = contract(fo.tensorflow.tile, (2, 3))(
    *tiles("multiples"), refuse("multiples must have 2 values, one for each axis of input", multiples=[2])
)


def pad(shape, paddings, expected, dtypes=DTYPES, **options):
    return Call(shape, {"paddings": paddings, **options}, expected, dtypes)


EMPTY = {"paddings": [[0, 0]] * 2, "mode": "REFLECT"}
test_pad = contract(fo.tensorflow.pad, (3,), paddings=[[1, 1]])(
    pad((2, 3), [[1, 0], [2, 1]], lambda x: np.pad(x, ((1, 0), (2, 1)))),
    pad((2, 3), [(1, 1), (2, 2)], lambda x: np.pad(x, ((1, 1), (2, 2)), "reflect"), mode="reflect"),
    pad((2, 3), np.array([[2, 2], [3, 0]]), lambda x: np.pad(x, ((2, 2), (3, 0)), "symmetric"), mode="SYMMETRIC"),
    pad((2,), [[1, 1]], lambda x: np.pad(x, 1, constant_values=3), ("u1", "f4"), constant_values=3),
    pad((2,), [[0, 0]], lambda x: x),
    pad((0,), [[1, 2]], lambda x: np.zeros(3, x.dtype)),
    pad((0, 2), [[0, 0], [1, 1]], lambda x: np.zeros((0, 4), x.dtype), mode="SYMMETRIC"),
    pad((), [], lambda x: x),
    refuse("tensor must have no empty axis in mode reflect", ValueError, (0, 2), **EMPTY),
    refuse(r"paddings must be at least 0, got \[\[-1, 0\]\]", paddings=[[-1, 0]]),
    refuse("paddings must be at most 2 in mode reflect", paddings=[[3, 0]], mode="REFLECT"),
    refuse("paddings must be at most 3 in mode symmetric", paddings=[[0, 4]], mode="SYMMETRIC"),
    *[refuse(PAIRS, paddings=wrong) for wrong in ([[1, 1], [1, 1]], [[1, 1, 1]], [1])],
    refuse(PAIRS, TypeError, paddings=1),
    refuse("paddings must hold integers only", TypeError, paddings=[[1.0, 1]]),
    refuse("constant_values must be a real number", TypeError, constant_values="x"),
)

test_slice = contract(fo.tensorflow.slice, (3,), begin=[1], size=[1])(
    Call((3, 4), {"begin": [1, 2], "size": [-1, 2]}, lambda x: x[1:, 2:4]),
    Call((3, 4), {"begin": [3, 0], "size": [0, 4]}, lambda x: x[3:]),
    Call((0,), {"begin": [0], "size": [-1]}, lambda x: x),
    Call((), {"begin": [], "size": []}, lambda x: x),
    refuse(r"begin must be in 0..3, got \[-1\] \(axis 0, extent 3\)", begin=[-1]),
    refuse("size must be in 0..2, or -1 for the rest of the axis, from 1 on, got", size=[3]),
    refuse("size must be in 0..2", size=[-2]),
    refuse("begin must have 1 value, one for each axis of input_", begin=[1, 1]),
)


def cut_by(begin, end, strides=None, **masks):
    return {"begin": begin, "end": end, **({"strides": strides} if strides else {}), **masks}


test_strided_slice = contract(fo.tensorflow.strided_slice, (3, 3), begin=[0, 0], end=[1, 1])(
    Call((2, 3, 4), cut_by([1, 0], [2, 0], end_mask=0b10, shrink_axis_mask=0b1), lambda x: x[1, 0:]),
    Call((4, 5), cut_by([0, -1], [4, -9], [2, -2]), lambda x: x[::2, ::-2]),
    Call((5,), cut_by([-8], [-10], [-1]), lambda x: x[-8:-10:-1]),
    Call((2, 3), cut_by([0, 0], [0, 2], ellipsis_mask=0b1), lambda x: x[..., 0:2]),
    Call((2, 3), cut_by([0, 0], [0, 2], new_axis_mask=0b1), lambda x: x[None, 0:2]),
    Call((2, 3), cut_by([0, 0], [1, 2], begin_mask=-1, end_mask=-1), lambda x: x),
    Call((), cut_by([], []), lambda x: x),
    refuse(r"strides must not be 0, got \[1, 0\] \(axis 1", strides=[1, 0]),
    refuse("strides must be positive where shrink_axis_mask is set", strides=[-1, 1], shrink_axis_mask=1),
    refuse("begin must be in -3..2 where shrink_axis_mask is", IndexError, begin=[3, 0], shrink_axis_mask=1),
    *[refuse("ellipsis_mask must have at most one bit set", ellipsis_mask=mask) for mask in (3, -1)],
    refuse("begin must name at most 1 axis", ValueError, (3,)),
    refuse("begin_mask must be an integer of 32 bits", begin_mask=1 << 31),
    refuse("begin_mask must be a scalar", begin_mask=[1]),
)

test_split = contract(fo.tensorflow.split, (6,), num_or_size_splits=2)(
    Call((6, 4), {"num_or_size_splits": 3}, lambda x: np.split(x, 3)),
    Call((6, 4), {"num_or_size_splits": [1, -1], "axis": -1, "num": 2}, lambda x: np.split(x, [1], axis=1)),
    Call((3,), {"num_or_size_splits": [0, 3]}, lambda x: [x[:0], x]),
    refuse("num_or_size_splits must divide 6, got 4", num_or_size_splits=4),
    refuse(r"num_or_size_splits must sum to 6, got \[1, 2\]", num_or_size_splits=[1, 2]),
    refuse("num_or_size_splits must have -1 at most once", num_or_size_splits=[-1, -1]),
    refuse("num_or_size_splits must have at least one length", num_or_size_splits=[]),
    refuse("num must be the number of sizes, 1, got 2", num_or_size_splits=[6], num=2),
    refuse("value must have at least one axis", ValueError, ()),
)
