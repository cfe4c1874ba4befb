"""NumPy's basic indexing."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

CALLS = [
    Call(shape, {"index": index}, lambda x, index=index: x[index])
    for shape, index in (
        ((4, 5, 6), np.s_[0, ..., ::-2]),
        ((4, 5), np.s_[1:]),
        ((4, 5), -1),
        ((4, 5), np.s_[:, None, 2:2]),
        ((4, 5), (np.int64(2), slice(np.int32(1), None))),
        ((5,), np.s_[-8:-10:-1]),
        ((4, 5), ()),
        ((), ...),
        ((), None),
        ((3, 4), (1, 2)),
        ((3, 4), (1, 2, ...)),
    )
]

refuse = refuser((3,))
REFUSALS = [
    refuse(r"index must name at most 1 axis, not 2, got \(0, 0\)", index=(0, 0)),
    refuse(r"index must be in -3..2, got 3 \(axis 0, extent 3\)", IndexError, index=3),
    refuse("index must not take an element of an empty axis", IndexError, (0,), index=0),
    refuse("index must have at most one ellipsis", index=(..., ...)),
    refuse("index must have no slice of step 0", index=slice(None, None, 0)),
    *[refuse("index must be a basic index", TypeError, index=wrong) for wrong in ([0, 1], np.array([0]), True, "...")],
    refuse("index must be an integer", TypeError, index=slice(0.5)),
]

test_take_slice = contract(fo.numpy.take_slice, CALLS, REFUSALS)
