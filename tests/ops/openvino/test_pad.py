"""OpenVINO Pad-1 and Pad-12."""

import numpy as np

import fastops as fo
from tests.ops._tables import DTYPES, Call, contract, refuser


def pad(shape, begin, end, mode, expected, dtypes=DTYPES, **value):
    return Call(shape, {"pads_begin": begin, "pads_end": end, "pad_mode": mode, **value}, expected, dtypes)


CALLS = [
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
]

refuse = refuser((3,), pads_begin=[1], pads_end=[0], pad_mode="edge")
REFUSALS = [
    refuse(r"pads_begin must be at most 2 in mode reflect, .*\(axis 0, ext", pads_begin=[3], pad_mode="reflect"),
    refuse("pads_end must be at most 3 in mode symmetric", pads_end=[4], pad_mode="symmetric"),
    refuse("leave at least 0 elements of each axis", pads_begin=[-2], pads_end=[-2]),
    refuse("be 0 on an empty axis in mode edge", ValueError, (0,)),
    refuse("pads_begin must have 1 value, one for each axis of arg", pads_begin=[1, 1]),
    refuse("pads_end must be a list of integers, got None", TypeError, pads_end=None),
    refuse("pad_value must be a real number", TypeError, pad_mode="constant", pad_value="x"),
]

test_pad = contract(fo.openvino.pad, CALLS, REFUSALS)
