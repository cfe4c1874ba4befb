"""numpy.split and its kin, and basic indexing."""

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, contract, refuser


def cut(function, shape, sections, axis=0):
    arguments = {"indices_or_sections": sections, **({"axis": axis} if axis else {})}
    return Call(shape, arguments, lambda x: function(x, sections, axis))


SPLITS = {
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
WRONG_SPLITS = {
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

test_split = contract(fo.numpy.split, SPLITS["split"], WRONG_SPLITS["split"])
test_hsplit = contract(fo.numpy.hsplit, SPLITS["hsplit"], WRONG_SPLITS["hsplit"])
test_vsplit = contract(fo.numpy.vsplit, SPLITS["vsplit"], WRONG_SPLITS["vsplit"])
test_dsplit = contract(fo.numpy.dsplit, SPLITS["dsplit"], WRONG_SPLITS["dsplit"])
test_array_split = contract(fo.numpy.array_split, SPLITS["array_split"], WRONG_SPLITS["array_split"])

test_unstack = contract(
    fo.numpy.unstack,
    [
        Call(shape, {} if axis is None else {"axis": axis}, lambda x, axis=axis or 0: list(np.unstack(x, axis=axis)))
        for shape, axis in (((3, 4), None), ((2, 3, 4), -1), ((4,), 0), ((2, 0, 3), 2), ((1, 3), 1))
    ],
    [
        refuser((2, 3))("axis must be in -2..1, for data of rank 2, got 2", axis=2),
        refuser(())("x must have at least one axis"),
        refuser((0, 2))(r"axis must name an axis that is not empty, got 0 \(axis 0, extent 0\)"),
    ],
)


refuse = refuser((3,))

test_take_slice = contract(
    fo.numpy.take_slice,
    [
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
    ],
    [
        refuse(r"index must name at most 1 axis, not 2, got \(0, 0\)", index=(0, 0)),
        refuse(r"index must be in -3..2, got 3 \(axis 0, extent 3\)", IndexError, index=3),
        refuse("index must not take an element of an empty axis", IndexError, (0,), index=0),
        refuse("index must have at most one ellipsis", index=(..., ...)),
        refuse("index must have no slice of step 0", index=slice(None, None, 0)),
        *[
            refuse("index must be a basic index", TypeError, index=wrong)
            for wrong in ([0, 1], np.array([0]), True, "...")
        ],
        refuse("index must be an integer", TypeError, index=slice(0.5)),
    ],
)
