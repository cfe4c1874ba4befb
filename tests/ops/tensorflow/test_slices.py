"""tf.slice, tf.strided_slice and tf.split."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

refuse = refuser((3,), begin=[1], size=[1])

test_slice = contract(
    fo.tensorflow.slice,
    [
        Call((3, 4), {"begin": [1, 2], "size": [-1, 2]}, lambda x: x[1:, 2:4]),
        Call((3, 4), {"begin": [3, 0], "size": [0, 4]}, lambda x: x[3:]),
        Call((0,), {"begin": [0], "size": [-1]}, lambda x: x),
        Call((), {"begin": [], "size": []}, lambda x: x),
    ],
    [
        refuse(r"begin must be in 0..3, got \[-1\] \(axis 0, extent 3\)", begin=[-1]),
        refuse("size must be in 0..2, or -1 for the rest of the axis, from 1 on, got", size=[3]),
        refuse("size must be in 0..2", size=[-2]),
        refuse("begin must have 1 value, one for each axis of input_", begin=[1, 1]),
    ],
)


refuse = refuser((3, 3), begin=[0, 0], end=[1, 1])

test_strided_slice = contract(
    fo.tensorflow.strided_slice,
    [
        Call(
            (2, 3, 4), {"begin": [1, 0], "end": [2, 0], "end_mask": 0b10, "shrink_axis_mask": 0b1}, lambda x: x[1, 0:]
        ),
        Call((4, 5), {"begin": [0, -1], "end": [4, -9], "strides": [2, -2]}, lambda x: x[::2, ::-2]),
        Call((5,), {"begin": [-8], "end": [-10], "strides": [-1]}, lambda x: x[-8:-10:-1]),
        Call((2, 3), {"begin": [0, 0], "end": [0, 2], "ellipsis_mask": 0b1}, lambda x: x[..., 0:2]),
        Call((2, 3), {"begin": [0, 0], "end": [0, 2], "new_axis_mask": 0b1}, lambda x: x[None, 0:2]),
        Call((2, 3), {"begin": [0, 0], "end": [1, 2], "begin_mask": -1, "end_mask": -1}, lambda x: x),
        Call((), {"begin": [], "end": []}, lambda x: x),
    ],
    [
        refuse(r"strides must not be 0, got \[1, 0\] \(axis 1", strides=[1, 0]),
        refuse("strides must be positive where shrink_axis_mask is set", strides=[-1, 1], shrink_axis_mask=1),
        refuse(
            "begin must be in -3..2 where shrink_axis_mask is set, got 3", IndexError, begin=[3, 0], shrink_axis_mask=1
        ),
        refuse("ellipsis_mask must have at most one bit set", ellipsis_mask=3),
        refuse("ellipsis_mask must have at most one bit set", ellipsis_mask=-1),
        refuse("begin must name at most 1 axis", ValueError, (3,)),
        refuse("begin_mask must be an integer of 32 bits", begin_mask=1 << 31),
        refuse("begin_mask must be a scalar", begin_mask=[1]),
    ],
)


refuse = refuser((6,), num_or_size_splits=2)

test_split = contract(
    fo.tensorflow.split,
    [
        Call((6, 4), {"num_or_size_splits": 3}, lambda x: np.split(x, 3)),
        Call((6, 4), {"num_or_size_splits": [1, -1], "axis": -1, "num": 2}, lambda x: np.split(x, [1], axis=1)),
        Call((3,), {"num_or_size_splits": [0, 3]}, lambda x: [x[:0], x]),
    ],
    [
        refuse("num_or_size_splits must divide 6, got 4", num_or_size_splits=4),
        refuse(r"num_or_size_splits must sum to 6, got \[1, 2\]", num_or_size_splits=[1, 2]),
        refuse("num_or_size_splits must have -1 at most once", num_or_size_splits=[-1, -1]),
        refuse("num_or_size_splits must have at least one length", num_or_size_splits=[]),
        refuse("num must be the number of sizes, 1, got 2", num_or_size_splits=[6], num=2),
        refuse("value must have at least one axis", ValueError, ()),
    ],
)
