"""numpy.split and numpy.array_split."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser


def cut(function, shape, sections, axis=0):
    arguments = {"indices_or_sections": sections, **({"axis": axis} if axis else {})}
    return Call(shape, arguments, lambda x: function(x, sections, axis))


CALLS = {
    "split": [
        cut(np.split, (6, 4), 3),
        cut(np.split, (6, 4), [1, -2], 1),
        cut(np.split, (6,), [4, 2, 99]),
        cut(np.split, (6,), []),
    ],
    "array_split": [
        cut(np.array_split, (8, 2), 3),
        cut(np.array_split, (2, 8), 3, -1),
        cut(np.array_split, (2,), 4),
        cut(np.array_split, (6,), [5, 1]),
    ],
}

refuse = refuser((6,))
REFUSALS = {
    "split": [
        refuse("indices_or_sections must divide 6, got 4", indices_or_sections=4),
        refuse("ary must have at least one axis", ValueError, (), indices_or_sections=1),
    ],
    "array_split": [refuse("indices_or_sections must be at least 1", indices_or_sections=0)],
}

test_split = contract(fo.numpy.split, CALLS["split"], REFUSALS["split"])
test_array_split = contract(fo.numpy.array_split, CALLS["array_split"], REFUSALS["array_split"])
