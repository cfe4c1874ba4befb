"""The operators of fo.openvino: blocks and patches, moves, Slice, Split and Pad."""

from functools import partial

import numpy as np

import fastops as fo
from tests.helpers.oracle import depth_to_space, shuffle_channels, space_to_depth
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
    return {"block_shape": [1, *blocks], "pads_begin": [0, *before], "pads_end": [0, *after]}


test_space_to_batch = contract(
    fo.openvino.space_to_batch, (2, 3, 4), block_shape=[1, 1, 1], pads_begin=[0, 0, 0], pads_end=[0, 0, 0]
)(
    *space_to_batches(pads),
    refuse(r"block_shape must divide each axis with its pads, got \[1, 2, 1\] \(axis 1, ext", block_shape=[1, 2, 1]),
    refuse("block_shape must have 3 values, one for each axis of data", block_shape=[1, 1]),
    refuse("pads_end must begin with 0, for the batch, got", pads_end=[1, 0, 0]),
    refuse("data must have at least 2 axes", ValueError, (2,), block_shape=[1], pads_begin=[0], pads_end=[0]),
)


def crops(blocks, before, after):
    return {"block_shape": [1, *blocks], "crops_begin": [0, *before], "crops_end": [0, *after]}


test_batch_to_space = contract(
    fo.openvino.batch_to_space, (2, 3, 4), block_shape=[1, 1, 1], crops_begin=[0, 0, 0], crops_end=[0, 0, 0]
)(
    *batch_to_spaces(crops),
    refuse(r"block_shape must .* divides the batch, got \[1, 4, 1\] \(axis 0, extent 2\)", block_shape=[1, 4, 1]),
    refuse("crops_begin must crop at most 3 elements together", crops_begin=[0, 3, 0], crops_end=[0, 2, 0]),
    refuse(r"crops_end .* at most 4 .* \[0, 0, 3\] \(axis 2, ext", crops_begin=[0, 0, 2], crops_end=[0, 0, 3]),
    refuse(r"crops_begin must have 3 values, .*, got \[0, 0\]", crops_begin=[0, 0]),
    refuse("block_shape must begin with 1, for the batch, got", block_shape=[2, 1, 1]),
)


def moved(function):
    """Return a function that calls an oracle with OpenVINO's mode and size."""
    return lambda x, mode, size: function(x, size, depth_first=mode.lower() == "depth_first")


ROWS = [((2, 8, 2, 3), "blocks_first", 2), ((2, 8, 2, 3), "depth_first", 2), ((1, 6, 4), "DEPTH_FIRST", 2)]
ROWS += [((1, 16, 2, 1, 3), "blocks_first", 2), ((1, 32, 1, 2, 1, 2), "depth_first", 2)]
test_depth_to_space = contract(fo.openvino.depth_to_space, (1, 6, 2, 2), mode="blocks_first", block_size=2)(
    *alike(moved(depth_to_space), "mode block_size", *ROWS, ((0, 4, 2, 2), "blocks_first", 2)),
    Call((1, 3, 2), {"mode": "depth_first"}, lambda x: x),
    refuse("block_size must divide the channels, to the power of 2, got 2"),
    refuse(r"block_size must divide the channels, got 2 \(axis 1, extent 3\)", ValueError, (1, 3, 2)),
    refuse(r"data must have at least 3 axes, got \(1, 4\)", ValueError, (1, 4)),
)

ROWS = [((2, 2, 4, 6), "blocks_first", 2), ((2, 2, 4, 6), "depth_first", 2), ((1, 3, 4), "Blocks_First", 2)]
ROWS += [((1, 2, 4, 2, 2), "depth_first", 2), ((1, 2, 0, 2), "depth_first", 2)]
test_space_to_depth = contract(fo.openvino.space_to_depth, (1, 2, 4, 3), mode="blocks_first", block_size=2)(
    *alike(moved(space_to_depth), "mode block_size", *ROWS),
    Call((1, 2, 3), {"mode": "blocks_first"}, lambda x: x),
    refuse(r"block_size must divide the axis, got 2 \(axis 3, extent 3\)"),
    refuse(r"data must have at least 3 axes, got \(1, 2\)", ValueError, (1, 2)),
)

ROWS = [((2, 6, 3), 1, 2), ((2, 6, 3), -2, 3), ((6,), 0, 3), ((2, 6, 2), 1, 6), ((2, 0, 3), 1, 4)]
test_shuffle_channels = contract(fo.openvino.shuffle_channels, (2, 6), group=2)(
    *alike(shuffle_channels, "axis group", *ROWS),
    Call((2, 6, 3), {"group": 2}, lambda x: shuffle_channels(x, 1, 2)),
    Call((2, 6), {}, lambda x: x),
    refuse(r"group must divide the axis, got 4 \(axis 1, extent 6\)", group=4),
    refuse(r"data must have at least one axis, got \(\)", ValueError, (), axis=0),
)


def cut(shape, sizes, strides, rates, auto_pad, pieces=1, expected=None):
    arguments = {"sizes": sizes, "strides": strides, "rates": rates, "auto_pad": auto_pad}
    own = partial(patches_as_depth, sizes=sizes, strides=strides, rates=rates, padding=auto_pad.lower(), channels=1)
    return Call(shape, arguments, expected or own, pieces=pieces)


test_extract_image_patches = contract(
    fo.openvino.extract_image_patches, (1, 1, 3, 3), sizes=[2, 2], strides=[1, 1], rates=[1, 1], auto_pad="valid"
)(
    cut((2, 3, 5, 7), [2, 3], [1, 2], [1, 1], "valid"),
    cut((1, 2, 6, 9), [3, 2], [2, 3], [2, 3], "VALID"),
    cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "same_upper", 6),
    cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "Same_Lower", 6),
    cut((1, 2, 5, 6), [2, 4], [2, 3], [3, 2], "same_lower", 6),
    cut((1, 2, 3, 3), [5, 4], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0, :0].reshape(1, 40, 0, 0)),
    cut((1, 2, 3, 3), [9, 1], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0].reshape(1, 18, 0, 3)),
    cut((1, 0, 3, 3), [2, 2], [1, 1], [1, 1], "same_upper", expected=lambda x: x),
    refuse("data must have 4 axes", ValueError, (3, 3, 1)),
    refuse("rates must have 2 values", rates=[1]),
)

ROWS = [((4, 3), [1, -2], [0, 1]), ((4, 3), 1, [0, 1]), ((5,), 2, 0), ((4, 3), [3, 4, -2], [0, 0, -2])]
ROWS += [((4,), [-4], [0]), ((0, 2), [1], [0]), ((2, 2), [], [])]
test_roll = contract(fo.openvino.roll, (4, 3), shift=[1], axes=[0])(
    *alike(np.roll, "shift axes", *ROWS),
    Call((7,), {"shift": [10**20], "axes": [0]}, lambda x: np.roll(x, 10**20 % 7)),
    refuse(r"shift must have 2 values, one for each axis, got \[1\]", axes=[0, 1]),
    refuse("shift must be of type int32 or int64", TypeError, shift=np.array([1], "i1")),
)

test_reverse = contract(fo.openvino.reverse, (3, 4), mode="mask")(
    Call((3, 4), {"axis": [0], "mode": "index"}, lambda x: x[::-1]),
    Call((3, 4), {"axis": [-1, 0, 1], "mode": "index"}, lambda x: x[::-1, ::-1]),
    Call((3, 4), {"axis": [False, True], "mode": "mask"}, lambda x: x[:, ::-1]),
    Call((3, 4), {"axis": [0, 0], "mode": "MASK"}, lambda x: x),
    Call((0, 2), {"axis": [0, 1], "mode": "index"}, lambda x: x),
    Call((), {"axis": [], "mode": "mask"}, lambda x: x),
    refuse("axis must have 2 values, one for each axis of data", axis=[1]),
    refuse("axis must be a list of zeros and ones", axis=[2, 0]),
    refuse("axis must hold integers only", TypeError, axis=[True], mode="index"),
)

test_transpose = contract(fo.openvino.transpose, (2, 3))(
    Call((2, 3), {"input_order": []}, np.transpose),
    *transposes("input_order"),
    refuse(r"input_order must be in 0..1, .*, got \[-1, 0\]", input_order=[-1, 0]),
    refuse("input_order must be a list of integers", input_order=1),
)
test_tile = contract(fo.openvino.tile, (2, 3))(
    *tiles("repeats", ((3,), [2, 2]), ((2, 3), [2]), ((), [3])),
    Call((2, 3), {"repeats": [-4, 2]}, lambda x: np.tile(x, (0, 2))),
    refuse("repeats must be a list of integers", repeats=3),
)


def spread(shape, target, mapping, expected, mode="explicit"):
    return Call(shape, {"target_shape": target, "axes_mapping": mapping, "mode": mode}, expected)


EXPLICIT = {"mode": "explicit", "target_shape": [2, 3]}
test_broadcast = contract(fo.openvino.broadcast, (3,), target_shape=[3])(
    Call((3, 1), {"target_shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    spread((3,), [3, 2], [0], lambda x: np.broadcast_to(x[:, None], (3, 2))),
    spread((2, 3), [2, 4, 3], [0, 2], lambda x: np.broadcast_to(x[:, None], (2, 4, 3)), mode="EXPLICIT"),
    spread((), [2, 3], [], lambda x: np.broadcast_to(x, (2, 3))),
    Call((3, 1), {"target_shape": [1, 4], "mode": "bidirectional"}, lambda x: np.broadcast_to(x, (3, 4))),
    Call((1,), {"target_shape": [0], "mode": "bidirectional"}, lambda x: x[:0]),
    Call((0,), {"target_shape": [2, 0]}, lambda x: np.zeros((2, 0), x.dtype)),
    refuse(r"be 3 where the data's length .* \[1, 4\] \(axis 0", ValueError, (3, 1), target_shape=[1, 4]),
    refuse("target_shape must have at least 2 values", ValueError, (2, 3)),
    refuse("target_shape must be 1 or 3", target_shape=[2], mode="bidirectional"),
    refuse("axes_mapping must be given in mode explicit only, not in numpy", axes_mapping=[0]),
    refuse("axes_mapping must be given in mode explicit", **EXPLICIT),
    refuse("target_shape must be 3 where axes_mapping puts axis 0 of data", axes_mapping=[0], **EXPLICIT),
    *[
        refuse("axes_mapping must be ascending", ValueError, (2, 3), axes_mapping=axes, **EXPLICIT)
        for axes in ([1, 0], [1, 1])
    ],
    *[refuse("axes_mapping must be axes of target_shape, in 0..1", axes_mapping=[k], **EXPLICIT) for k in (2, -1)],
)

test_slice = contract(fo.openvino.slice, (3,), start=[0], stop=[1], step=[1])(
    Call((4, 6), {"start": [1], "stop": [-1], "step": [2], "axes": [1]}, lambda x: x[:, 1:-1:2]),
    Call((4, 6), {"start": [-1, 0], "stop": [-99, 5], "step": [-1, 2]}, lambda x: x[::-1, 0:5:2]),
    Call((5,), {"start": [-8], "stop": [-10], "step": [-1], "axes": [0]}, lambda x: x[:1]),
    Call((4, 6), {"start": [3], "stop": [3], "step": [1], "axes": [-1]}, lambda x: x[:, 3:3]),
    Call((), {"start": [], "stop": [], "step": []}, lambda x: x),
    refuse("step must have 1 value, one for each start", step=[1, 1]),
    refuse(r"step must not be 0, got \[0\] \(axis 0", step=[0]),
)

test_split = contract(fo.openvino.split, (6,), axis=0, num_splits=2)(
    *alike(lambda x, axis, n: np.split(x, n, axis), "axis num_splits", ((6, 4), 0, 3), ((6, 4), -1, 2), ((5,), 0, 1)),
    Call((0, 2), {"axis": 0, "num_splits": 2}, lambda x: [x, x]),
    refuse(r"num_splits must divide 6, got 4 \(axis 0, extent 6\)", num_splits=4),
    refuse("num_splits must give at most 1048576 parts", ValueError, (0,), num_splits=1 << 21),
    refuse(r"axis must be a scalar, got \[0\]", axis=[0]),
    refuse("data must have at least one axis", ValueError, ()),
)


def pad(shape, begin, end, mode, expected, dtypes=DTYPES, **value):
    return Call(shape, {"pads_begin": begin, "pads_end": end, "pad_mode": mode, **value}, expected, dtypes)


test_pad = contract(fo.openvino.pad, (3,), pads_begin=[1], pads_end=[0], pad_mode="edge")(
    pad((3, 4), [0, 1], [2, 3], "constant", lambda x: np.pad(x, ((0, 2), (1, 3)))),
    pad((3, 4), [2, 3], [1, 0], "reflect", lambda x: np.pad(x, ((2, 1), (3, 0)), "reflect")),
    pad((3,), [3], [3], "SYMMETRIC", lambda x: np.pad(x, 3, "symmetric")),
    pad((3,), [7], [1], "edge", lambda x: np.pad(x, (7, 1), "edge")),
    pad((5,), [-2], [2], "reflect", lambda x: x[[2, 3, 4, 3, 2]]),
    pad((0, 3), [0, 1], [0, 1], "reflect", lambda x: np.zeros((0, 5), x.dtype)),
    pad((4,), [-1], [0], "edge", lambda x: x[1:]),
    pad((2,), [1], [1], "constant", lambda x: np.pad(x, 1, constant_values=5), ("u1", "f4"), pad_value=5),
    pad((2,), [1], [1], "edge", lambda x: np.pad(x, 1, "edge"), pad_value=5),
    pad((), [], [], "edge", lambda x: x),
    refuse(r"pads_begin must be at most 2 in mode reflect, .*\(axis 0, ext", pads_begin=[3], pad_mode="reflect"),
    refuse("pads_end must be at most 3 in mode symmetric", pads_end=[4], pad_mode="symmetric"),
    refuse("leave at least 0 elements of each axis", pads_begin=[-2], pads_end=[-2]),
    refuse("be 0 on an empty axis in mode edge", ValueError, (0,)),
    refuse("pads_begin must have 1 value, one for each axis of arg", pads_begin=[1, 1]),
    refuse("pads_end must be a list of integers, got None", TypeError, pads_end=None),
    refuse("pad_value must be a real number", TypeError, pad_mode="constant", pad_value="x"),
)
