"""OpenVINO Broadcast-3."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser


def spread(shape, target, mapping, expected, mode="explicit"):
    return Call(shape, {"target_shape": target, "axes_mapping": mapping, "mode": mode}, expected)


CALLS = [
    Call((3, 1), {"target_shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
    spread((3,), [3, 2], [0], lambda x: np.broadcast_to(x[:, None], (3, 2))),
    spread((2, 3), [2, 4, 3], [0, 2], lambda x: np.broadcast_to(x[:, None], (2, 4, 3)), mode="EXPLICIT"),
    spread((), [2, 3], [], lambda x: np.broadcast_to(x, (2, 3))),
    Call((3, 1), {"target_shape": [1, 4], "mode": "bidirectional"}, lambda x: np.broadcast_to(x, (3, 4))),
    Call((1,), {"target_shape": [0], "mode": "bidirectional"}, lambda x: x[:0]),
    Call((0,), {"target_shape": [2, 0]}, lambda x: np.zeros((2, 0), x.dtype)),
]

refuse = refuser((3,), target_shape=[3])
refuse_explicit = refuser((3,), mode="explicit", target_shape=[2, 3])
REFUSALS = [
    refuse(
        r"target_shape must be 3 where the data's length .* \[1, 4\] \(axis 0", ValueError, (3, 1), target_shape=[1, 4]
    ),
    refuse("target_shape must have at least 2 values", ValueError, (2, 3)),
    refuse("target_shape must be 1 or 3", target_shape=[2], mode="bidirectional"),
    refuse("axes_mapping must be given in mode explicit only, not in numpy", axes_mapping=[0]),
    refuse_explicit("axes_mapping must be given in mode explicit"),
    refuse_explicit("target_shape must be 3 where axes_mapping puts axis 0 of data", axes_mapping=[0]),
    *[refuse_explicit("axes_mapping must rise", ValueError, (2, 3), axes_mapping=axes) for axes in ([1, 0], [1, 1])],
    refuse_explicit("axes_mapping must be axes of target_shape, in 0..1", axes_mapping=[2]),
    refuse_explicit("axes_mapping must be axes of target_shape, in 0..1", axes_mapping=[-1]),
]

test_broadcast = contract(fo.openvino.broadcast, CALLS, REFUSALS)
