"""OpenVINO's Roll, Reverse, Transpose, Tile and Broadcast."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, Refusal, contract, refuser, tiles, transposes, wrong_orders

refuse = refuser((4, 3), shift=[1], axes=[0])

test_roll = contract(
    fo.openvino.roll,
    [
        Call((4, 3), {"shift": [1, -2], "axes": [0, 1]}, lambda x: np.roll(x, (1, -2), (0, 1))),
        Call((4, 3), {"shift": 1, "axes": [0, 1]}, lambda x: np.roll(x, 1, (0, 1))),
        Call((5,), {"shift": 2, "axes": 0}, lambda x: np.roll(x, 2)),
        Call((4, 3), {"shift": [3, 4, -2], "axes": [0, 0, -2]}, lambda x: np.roll(x, 5, 0)),
        Call((7,), {"shift": [10**20], "axes": [0]}, lambda x: np.roll(x, 10**20 % 7)),
        Call((4,), {"shift": [-4], "axes": [0]}, lambda x: x),
        Call((0, 2), {"shift": [1], "axes": [0]}, lambda x: x),
        Call((2, 2), {"shift": [], "axes": []}, lambda x: x),
    ],
    [
        refuse(r"shift must have 2 values, one for each axis, got \[1\]", axes=[0, 1]),
        refuse("shift must be of type int32 or int64", TypeError, shift=np.array([1], "i1")),
    ],
)


refuse = refuser((3, 4), mode="mask")

test_reverse = contract(
    fo.openvino.reverse,
    [
        Call((3, 4), {"axis": [0], "mode": "index"}, lambda x: x[::-1]),
        Call((3, 4), {"axis": [-1, 0, 1], "mode": "index"}, lambda x: x[::-1, ::-1]),
        Call((3, 4), {"axis": [False, True], "mode": "mask"}, lambda x: x[:, ::-1]),
        Call((3, 4), {"axis": [0, 0], "mode": "MASK"}, lambda x: x),
        Call((0, 2), {"axis": [0, 1], "mode": "index"}, lambda x: x),
        Call((), {"axis": [], "mode": "mask"}, lambda x: x),
    ],
    [
        refuse("axis must have 2 values, one for each axis of data", axis=[1]),
        refuse("axis must be a list of zeros and ones", axis=[2, 0]),
        refuse("axis must hold integers only", TypeError, axis=[True], mode="index"),
    ],
)


test_transpose = contract(
    fo.openvino.transpose,
    [Call((2, 3), {"input_order": []}, np.transpose), *transposes("input_order")],
    [
        *wrong_orders("input_order"),
        Refusal((2, 3), {"input_order": [-1, 0]}, ValueError, r"input_order must be in 0..1, .*, got \[-1, 0\]"),
        Refusal((2, 3), {"input_order": 1}, ValueError, "input_order must be a list of integers"),
    ],
)


test_tile = contract(
    fo.openvino.tile,
    [
        *tiles("repeats", ((3,), [2, 2]), ((2, 3), [2]), ((), [3])),
        Call((2, 3), {"repeats": [-4, 2]}, lambda x: np.tile(x, (0, 2))),
    ],
    [Refusal((2,), {"repeats": 3}, ValueError, "repeats must be a list of integers")],
)


def spread(shape, target, mapping, expected, mode="explicit"):
    return Call(shape, {"target_shape": target, "axes_mapping": mapping, "mode": mode}, expected)


refuse = refuser((3,), target_shape=[3])
refuse_explicit = refuser((3,), mode="explicit", target_shape=[2, 3])

test_broadcast = contract(
    fo.openvino.broadcast,
    [
        Call((3, 1), {"target_shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
        spread((3,), [3, 2], [0], lambda x: np.broadcast_to(x[:, None], (3, 2))),
        spread((2, 3), [2, 4, 3], [0, 2], lambda x: np.broadcast_to(x[:, None], (2, 4, 3)), mode="EXPLICIT"),
        spread((), [2, 3], [], lambda x: np.broadcast_to(x, (2, 3))),
        Call((3, 1), {"target_shape": [1, 4], "mode": "bidirectional"}, lambda x: np.broadcast_to(x, (3, 4))),
        Call((1,), {"target_shape": [0], "mode": "bidirectional"}, lambda x: x[:0]),
        Call((0,), {"target_shape": [2, 0]}, lambda x: np.zeros((2, 0), x.dtype)),
    ],
    [
        refuse(
            r"target_shape must be 3 where the data's length .* \[1, 4\] \(axis 0",
            ValueError,
            (3, 1),
            target_shape=[1, 4],
        ),
        refuse("target_shape must have at least 2 values", ValueError, (2, 3)),
        refuse("target_shape must be 1 or 3", target_shape=[2], mode="bidirectional"),
        refuse("axes_mapping must be given in mode explicit only, not in numpy", axes_mapping=[0]),
        refuse_explicit("axes_mapping must be given in mode explicit"),
        refuse_explicit("target_shape must be 3 where axes_mapping puts axis 0 of data", axes_mapping=[0]),
        *[
            refuse_explicit("axes_mapping must be ascending", ValueError, (2, 3), axes_mapping=axes)
            for axes in ([1, 0], [1, 1])
        ],
        refuse_explicit("axes_mapping must be axes of target_shape, in 0..1", axes_mapping=[2]),
        refuse_explicit("axes_mapping must be axes of target_shape, in 0..1", axes_mapping=[-1]),
    ],
)
