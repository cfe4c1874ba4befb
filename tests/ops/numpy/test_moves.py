"""numpy.flip, roll, rot90, transpose and their kin."""

from __future__ import annotations

import itertools
from unittest.mock import Mock

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _gather_runner
from tests.ops._tables import EIGHT, Call, Refusal, contract, refuser, transposes, wrong_orders

FLIPS = {
    "flip": [
        Call((3, 4), {}, np.flip),
        Call((3, 4), {"axis": 1}, lambda x: np.flip(x, 1)),
        Call((3, 4, 2), {"axis": [-1, 0]}, lambda x: np.flip(x, (-1, 0))),
        Call((), {}, np.flip),
        Call((), {"axis": []}, lambda x: np.flip(x, ())),
        Call((0, 2), {"axis": 0}, lambda x: x),
    ],
    "fliplr": [Call(shape, {}, np.fliplr) for shape in [(3, 4), (3, 0), (0, 3), EIGHT]],
    "flipud": [Call(shape, {}, np.flipud) for shape in [(3, 4), (5,), (0, 3), (3, 0)]],
}

WRONG_FLIPS = {
    "flip": [
        Refusal((3,), {"axis": 1}, ValueError, "axis must be in -1..0"),
        Refusal((), {"axis": 0}, ValueError, "axis must name no axis of data of rank 0"),
        Refusal((3, 3), {"axis": [0, -2]}, ValueError, "axis must name each axis once"),
    ],
    "fliplr": [Refusal(shape, {}, ValueError, "m must have at least 2 axes") for shape in [(3,), ()]],
    "flipud": [Refusal((), {}, ValueError, r"m must have at least one axis, got \(\)")],
}

test_flip = contract(fo.numpy.flip, FLIPS["flip"], WRONG_FLIPS["flip"])
test_fliplr = contract(fo.numpy.fliplr, FLIPS["fliplr"], WRONG_FLIPS["fliplr"])
test_flipud = contract(fo.numpy.flipud, FLIPS["flipud"], WRONG_FLIPS["flipud"])


refuse = refuser((3,))

test_roll = contract(
    fo.numpy.roll,
    [
        Call((3, 4), {"shift": 1}, lambda x: np.roll(x, 1), is_flat=True),
        Call((3, 4), {"shift": [1, 2], "axis": [0, 1]}, lambda x: np.roll(x, (1, 2), (0, 1))),
        Call((3, 4), {"shift": 5, "axis": [0, -1]}, lambda x: np.roll(x, 5, (0, -1))),
        Call((3, 4), {"shift": [1, 2], "axis": 0}, lambda x: np.roll(x, (1, 2), 0)),
        Call((3, 4), {"shift": [1, 2]}, lambda x: np.roll(x, (1, 2)), is_flat=True),
        Call((3, 4), {"shift": [], "axis": 0}, lambda x: x),
        Call((3, 4), {"shift": np.array([]), "axis": np.array([])}, lambda x: np.roll(x, np.array([]), np.array([]))),
        Call((), {"shift": 3}, lambda x: x, is_flat=True),
        Call((0, 3), {"shift": 3}, lambda x: x, is_flat=True),
    ],
    [
        refuse("shift must have 2 values, one for each axis", ValueError, (3, 4), shift=[1, 2, 3], axis=[0, 1]),
        refuse("shift must be an integer", TypeError, shift="1"),
        refuse("shift must hold integers only", TypeError, shift=[1j]),
        refuse("shift must be a list of at most 4096 integers", shift=np.zeros(10**4, int)),
    ],
)


def test_copy_is_checked_for_every_layout_of_out_and_an_error_behind_the_roll_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for step, copy in itertools.product((1, 2), (False, 7)):
        out = np.zeros(8 * step, np.float32)[::step]
        with pytest.raises(fo.AttributeValueError, match=r"numpy\.roll: copy must be"):
            fo.numpy.roll(np.arange(8, dtype=np.float32), 1, out=out, copy=copy)  # type: ignore[arg-type]
        assert not out.any()
    error = fo.OutputError.about("the output", "fit in memory", (4,))
    monkeypatch.setattr(_gather_runner, "allocate", Mock(side_effect=error))
    with pytest.raises(fo.OutputError, match=r"numpy\.roll: the output must fit in memory, got \(4,\)"):
        fo.numpy.roll(np.arange(4), 1, out=np.zeros(8, int)[::2])


refuse = refuser((2, 3))

test_rot90 = contract(
    fo.numpy.rot90,
    [
        Call((2, 3), {}, np.rot90),
        Call((2, 3), {"k": 0}, lambda x: x),
        Call((2, 3, 4), {"k": 2}, lambda x: np.rot90(x, 2)),
        Call((2, 3, 4), {"k": 3, "axes": [2, 0]}, lambda x: np.rot90(x, 3, (2, 0))),
        Call((2, 3, 4), {"k": -1, "axes": [1, -1]}, lambda x: np.rot90(x, -1, (1, -1))),
        Call((2, 3), {"k": 4 * 10**30 + 1}, np.rot90),
        Call((0, 3), {}, np.rot90),
        Call(EIGHT, {"k": 5, "axes": [3, 6]}, lambda x: np.rot90(x, 1, (3, 6))),
    ],
    [
        refuse(r"axes must name two axes, got \[0\]", axes=[0]),
        refuse(r"axes must name two axes, got \[0, 1, 2\]", ValueError, (2, 3, 4), axes=[0, 1, 2]),
        refuse("k must be one integer", k=[1, 2]),
    ],
)


TRANSPOSES = [
    Call((2, 3), {}, np.transpose),
    Call((2, 3, 4), {"axes": [0, -1, 1]}, lambda x: np.transpose(x, (0, -1, 1))),
    Call((5,), {"axes": 0}, np.transpose),
    Call(EIGHT, {"axes": [7, 0, 5, 2, 1, 4, 3, 6]}, lambda x: x.transpose(7, 0, 5, 2, 1, 4, 3, 6)),
    *transposes("axes"),
]

WRONG_TRANSPOSES = [
    *wrong_orders("axes"),
    Refusal((2, 3), {"axes": 1}, ValueError, r"axes must name each of the 2 axes once, got 1"),
]

test_transpose = contract(fo.numpy.transpose, TRANSPOSES, WRONG_TRANSPOSES)
test_permute_dims = contract(fo.numpy.permute_dims, TRANSPOSES, WRONG_TRANSPOSES)


MOVES = {
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
WRONG_MOVES = {
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

test_moveaxis = contract(fo.numpy.moveaxis, MOVES["moveaxis"], WRONG_MOVES["moveaxis"])
test_rollaxis = contract(fo.numpy.rollaxis, MOVES["rollaxis"], WRONG_MOVES["rollaxis"])
test_swapaxes = contract(fo.numpy.swapaxes, MOVES["swapaxes"], WRONG_MOVES["swapaxes"])
test_matrix_transpose = contract(
    fo.numpy.matrix_transpose,
    [Call(shape, {}, np.matrix_transpose) for shape in ((2, 3), (4, 1, 3), (2, 0, 3), EIGHT)],
    [Refusal((3,), {}, ValueError, "x must have at least 2 axes")],
)
