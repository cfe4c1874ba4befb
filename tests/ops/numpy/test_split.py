"""numpy.split, numpy.array_split, numpy.hsplit, numpy.vsplit and numpy.dsplit."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, contract, refuser


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
    **{
        function.__name__: [
            Call(shape, {"indices_or_sections": given}, lambda x, f=function, given=given: f(x, given))
            for shape, given in rows
        ]
        for function, rows in (
            (np.hsplit, [((6,), 3), ((3, 4), [1, -1]), ((2, 6, 2), 2), ((0, 3), [])]),
            (np.vsplit, [((6, 2), 3), ((4, 0), [1, -1]), (EIGHT, 2)]),
            (np.dsplit, [((2, 1, 6), 3), ((3, 2, 4, 2), [3, 1]), ((0, 2, 4), 2)]),
        )
    },
}

refuse = refuser((6,))
REFUSALS = {
    "split": [
        refuse("indices_or_sections must divide 6, got 4", indices_or_sections=4),
        refuse("ary must have at least one axis", ValueError, (), indices_or_sections=1),
    ],
    "array_split": [refuse("indices_or_sections must be at least 1", indices_or_sections=0)],
    **{
        name: [
            refuser((6,) * least, indices_or_sections=4)("indices_or_sections must divide 6, got 4"),
            refuser((6,) * (least - 1), indices_or_sections=1)("ary must have at least"),
        ]
        for name, least in (("hsplit", 1), ("vsplit", 2), ("dsplit", 3))
    },
}

test_split = contract(fo.numpy.split, CALLS["split"], REFUSALS["split"])
test_hsplit = contract(fo.numpy.hsplit, CALLS["hsplit"], REFUSALS["hsplit"])
test_vsplit = contract(fo.numpy.vsplit, CALLS["vsplit"], REFUSALS["vsplit"])
test_dsplit = contract(fo.numpy.dsplit, CALLS["dsplit"], REFUSALS["dsplit"])
test_array_split = contract(fo.numpy.array_split, CALLS["array_split"], REFUSALS["array_split"])
