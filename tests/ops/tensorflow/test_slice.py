"""tf.slice."""

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call((3, 4), {"begin": [1, 2], "size": [-1, 2]}, lambda x: x[1:, 2:4]),
    Call((3, 4), {"begin": [3, 0], "size": [0, 4]}, lambda x: x[3:]),
    Call((0,), {"begin": [0], "size": [-1]}, lambda x: x),
    Call((), {"begin": [], "size": []}, lambda x: x),
]

refuse = refuser((3,), begin=[1], size=[1])
REFUSALS = [
    refuse(r"begin must be in 0..3, got \[-1\] \(axis 0, extent 3\)", begin=[-1]),
    refuse("size must be in 0..2, or -1 for all that is left, from 1 on, got", size=[3]),
    refuse("size must be in 0..2", size=[-2]),
    refuse("begin must have 1 value, one for each axis of input_", begin=[1, 1]),
]

test_slice = contract(fo.tensorflow.slice, CALLS, REFUSALS)
