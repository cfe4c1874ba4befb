"""numpy.moveaxis, numpy.rollaxis and numpy.swapaxes."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, contract, refuser

CALLS = {
    "moveaxis": [
        Call(shape, {"source": source, "destination": to}, lambda x, pair=(source, to): np.moveaxis(x, *pair))
        for shape, source, to in (
            ((2, 3, 4), 0, -1),
            ((2, 3, 4), [2], [0]),
            ((2, 3, 4), [0, -1], [1, 0]),
            ((), [], []),
            ((3, 0, 2), 1, 2),
            (EIGHT, [7, 0, 3], [1, 6, 4]),
        )
    ],
    "rollaxis": [
        Call(shape, {"axis": axis, "start": start}, lambda x, pair=(axis, start): np.rollaxis(x, *pair))
        for shape, axis, start in (((2, 3, 4), 2, 0), ((2, 3, 4), 0, 3), ((2, 3, 4), -2, -1), ((3, 0, 2), 1, 1))
    ]
    + [Call(EIGHT, {"axis": 3}, lambda x: np.rollaxis(x, 3))],
    "swapaxes": [
        Call(shape, {"axis1": first, "axis2": second}, lambda x, pair=(first, second): np.swapaxes(x, *pair))
        for shape, first, second in (((2, 3), 0, 1), ((2, 3, 4), -1, 0), ((2, 3, 4), 1, 1), ((3, 0, 2), 1, 2))
    ],
}

refuse = refuser((2, 3), source=0, destination=0)
REFUSALS = {
    "moveaxis": [
        refuse(r"destination must have as many values as source, 1, got \[0, 1\]", source=[0], destination=[0, 1]),
        refuse("must name no axis of data of rank 0", ValueError, ()),
        refuse("destination must be a list of integers", destination=[[0]]),
    ],
    "rollaxis": [
        refuser((2, 3), axis=0)(rf"start must be in -2\.\.1, for data of rank 2, got {start}", IndexError, start=start)
        for start in (3, -3)
    ],
    "swapaxes": [refuser((2, 3), axis1=0, axis2=1)("axis1 must be one integer", axis1=[0, 1])],
}

test_moveaxis = contract(fo.numpy.moveaxis, CALLS["moveaxis"], REFUSALS["moveaxis"])
test_rollaxis = contract(fo.numpy.rollaxis, CALLS["rollaxis"], REFUSALS["rollaxis"])
test_swapaxes = contract(fo.numpy.swapaxes, CALLS["swapaxes"], REFUSALS["swapaxes"])
