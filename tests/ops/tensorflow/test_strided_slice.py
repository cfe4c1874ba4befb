"""tf.strided_slice."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((2, 3, 4), {"begin": [1, 0], "end": [2, 0], "end_mask": 0b10, "shrink_axis_mask": 0b1}, lambda x: x[1, 0:]),
    Call((4, 5), {"begin": [0, -1], "end": [4, -9], "strides": [2, -2]}, lambda x: x[::2, ::-2]),
    Call((5,), {"begin": [-8], "end": [-10], "strides": [-1]}, lambda x: x[-8:-10:-1]),
    Call((2, 3), {"begin": [0, 0], "end": [0, 2], "ellipsis_mask": 0b1}, lambda x: x[..., 0:2]),
    Call((2, 3), {"begin": [0, 0], "end": [0, 2], "new_axis_mask": 0b1}, lambda x: x[None, 0:2]),
    Call((2, 3), {"begin": [0, 0], "end": [1, 2], "begin_mask": -1, "end_mask": -1}, lambda x: x),
    Call((), {"begin": [], "end": []}, lambda x: x),
]

refuse = refuser((3, 3), begin=[0, 0], end=[1, 1])
REFUSALS = [
    refuse(r"strides must not be 0, got \[1, 0\] \(axis 1", strides=[1, 0]),
    refuse("strides must be positive where shrink_axis_mask is set", strides=[-1, 1], shrink_axis_mask=1),
    refuse("begin must be in -3..2 where shrink_axis_mask is set, got 3", IndexError, begin=[3, 0], shrink_axis_mask=1),
    refuse("ellipsis_mask must have at most one bit set", ellipsis_mask=3),
    refuse("ellipsis_mask must have at most one bit set", ellipsis_mask=-1),
    refuse("begin must name at most 1 axis", ValueError, (3,)),
    refuse("begin_mask must be an integer of 32 bits", begin_mask=1 << 31),
    refuse("begin_mask must be a scalar", begin_mask=[1]),
]

test_strided_slice = contract(fo.tensorflow.strided_slice, CALLS, REFUSALS)
