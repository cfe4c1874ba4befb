"""OpenVINO's operators of blocks."""

import fastops as fo
from tests.helpers.oracle import (
    Cut,
    as_depth,
    batch_to_space,
    cut_same,
    depth_to_space,
    patches,
    shuffle_channels,
    space_to_batch,
    space_to_depth,
)
from tests.ops._tables import BATCH_TO_SPACE, SPACE_TO_BATCH, Call, contract, of_blocks, refuser


def pads(blocks, before, after):
    return {"block_shape": [1, *blocks], "pads_begin": [0, *before], "pads_end": [0, *after]}


refuse = refuser((2, 3, 4), block_shape=[1, 1, 1], pads_begin=[0, 0, 0], pads_end=[0, 0, 0])

test_space_to_batch = contract(
    fo.openvino.space_to_batch,
    of_blocks(space_to_batch, SPACE_TO_BATCH, pads),
    [
        refuse(
            r"block_shape must divide each axis with its pads, got \[1, 2, 1\] \(axis 1, ext", block_shape=[1, 2, 1]
        ),
        refuse("block_shape must give at most 4096 pieces", block_shape=[1, 4097, 1], pads_end=[0, 4094, 0]),
        refuse("block_shape must have 3 values, one for each axis of data", block_shape=[1, 1]),
        refuse("pads_end must begin with 0, for the batch, got", pads_end=[1, 0, 0]),
        refuse("data must have at least 2 axes", ValueError, (2,), block_shape=[1], pads_begin=[0], pads_end=[0]),
    ],
)


def crops(blocks, before, after):
    return {"block_shape": [1, *blocks], "crops_begin": [0, *before], "crops_end": [0, *after]}


refuse = refuser((2, 3, 4), block_shape=[1, 1, 1], crops_begin=[0, 0, 0], crops_end=[0, 0, 0])

test_batch_to_space = contract(
    fo.openvino.batch_to_space,
    of_blocks(batch_to_space, BATCH_TO_SPACE, crops),
    [
        refuse(r"block_shape must .* divides the batch, got \[1, 4, 1\] \(axis 0, extent 2\)", block_shape=[1, 4, 1]),
        refuse("crops_begin must crop at most 3 elements together", crops_begin=[0, 3, 0], crops_end=[0, 2, 0]),
        refuse(r"crops_end .* at most 4 .* \[0, 0, 3\] \(axis 2, ext", crops_begin=[0, 0, 2], crops_end=[0, 0, 3]),
        refuse(r"crops_begin must have 3 values, .*, got \[0, 0\]", crops_begin=[0, 0]),
        refuse("block_shape must begin with 1, for the batch, got", block_shape=[2, 1, 1]),
    ],
)


def blocks(shape, mode, size=2):
    is_first = mode.lower() == "depth_first"
    return Call(shape, {"mode": mode, "block_size": size}, lambda x: depth_to_space(x, size, depth_first=is_first))


refuse = refuser((1, 6, 2, 2), mode="blocks_first", block_size=2)

test_depth_to_space = contract(
    fo.openvino.depth_to_space,
    [
        blocks((2, 8, 2, 3), "blocks_first"),
        blocks((2, 8, 2, 3), "depth_first"),
        blocks((1, 6, 4), "DEPTH_FIRST"),
        blocks((1, 16, 2, 1, 3), "blocks_first"),
        blocks((1, 32, 1, 2, 1, 2), "depth_first"),
        blocks((0, 4, 2, 2), "blocks_first"),
        Call((1, 3, 2), {"mode": "depth_first"}, lambda x: x),
    ],
    [
        refuse("block_size must divide the channels, to the power of 2, got 2"),
        refuse(r"block_size must divide the channels, got 2 \(axis 1, extent 3\)", ValueError, (1, 3, 2)),
        refuse(r"data must have at least 3 axes, got \(1, 4\)", ValueError, (1, 4)),
    ],
)


def depths(shape, mode, size=2):
    is_first = mode.lower() == "depth_first"
    return Call(shape, {"mode": mode, "block_size": size}, lambda x: space_to_depth(x, size, depth_first=is_first))


refuse = refuser((1, 2, 4, 3), mode="blocks_first", block_size=2)

test_space_to_depth = contract(
    fo.openvino.space_to_depth,
    [
        depths((2, 2, 4, 6), "blocks_first"),
        depths((2, 2, 4, 6), "depth_first"),
        depths((1, 3, 4), "Blocks_First"),
        depths((1, 2, 4, 2, 2), "depth_first"),
        depths((1, 2, 0, 2), "depth_first"),
        Call((1, 2, 3), {"mode": "blocks_first"}, lambda x: x),
    ],
    [
        refuse(r"block_size must divide the axis, got 2 \(axis 3, extent 3\)"),
        refuse(r"data must have at least 3 axes, got \(1, 2\)", ValueError, (1, 2)),
    ],
)


refuse = refuser((2, 6), group=2)

test_shuffle_channels = contract(
    fo.openvino.shuffle_channels,
    [
        Call((2, 6, 3), {"group": 2}, lambda x: shuffle_channels(x, 1, 2)),
        Call((2, 6, 3), {"axis": -2, "group": 3}, lambda x: shuffle_channels(x, 1, 3)),
        Call((6,), {"axis": 0, "group": 3}, lambda x: shuffle_channels(x, 0, 3)),
        Call((2, 6), {}, lambda x: x),
        Call((2, 6, 2), {"axis": 1, "group": 6}, lambda x: x),
        Call((2, 0, 3), {"axis": 1, "group": 4}, lambda x: x),
    ],
    [
        refuse(r"group must divide the axis, got 4 \(axis 1, extent 6\)", group=4),
        refuse(r"data must have at least one axis, got \(\)", ValueError, (), axis=0),
    ],
)


def cut(shape, sizes, strides, rates, auto_pad, pieces=1, expected=None):
    def found(x):
        of_axes = [(2 + k, sizes[k], strides[k], rates[k]) for k in (0, 1)]
        is_lower = auto_pad.lower() == "same_lower"
        is_valid = auto_pad.lower() == "valid"
        cuts = [Cut(*each) if is_valid else cut_same(x, *each, more_before=is_lower) for each in of_axes]
        return as_depth(patches(x, *cuts), first=1, channels=1)

    arguments = {"sizes": sizes, "strides": strides, "rates": rates, "auto_pad": auto_pad}
    return Call(shape, arguments, expected or found, pieces=pieces)


refuse = refuser((1, 1, 3, 3), sizes=[2, 2], strides=[1, 1], rates=[1, 1], auto_pad="valid")

test_extract_image_patches = contract(
    fo.openvino.extract_image_patches,
    [
        cut((2, 3, 5, 7), [2, 3], [1, 2], [1, 1], "valid"),
        cut((1, 2, 6, 9), [3, 2], [2, 3], [2, 3], "VALID"),
        cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "same_upper", 6),
        cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "Same_Lower", 6),
        cut((1, 2, 5, 6), [2, 4], [2, 3], [3, 2], "same_lower", 6),
        cut((1, 2, 3, 3), [5, 4], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0, :0].reshape(1, 40, 0, 0)),
        cut((1, 2, 3, 3), [9, 1], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0].reshape(1, 18, 0, 3)),
        cut((1, 0, 3, 3), [2, 2], [1, 1], [1, 1], "same_upper", expected=lambda x: x),
    ],
    [
        refuse("data must have 4 axes", ValueError, (3, 3, 1)),
        refuse("rates must have 2 values", rates=[1]),
    ],
)
