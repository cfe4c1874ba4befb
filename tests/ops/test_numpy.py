"""The operators of fo.numpy against NumPy's own."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import fastops as fo
from tests.ops._tables import DTYPES, EIGHT, Call, Refusal, alike, contract, refuse, tiles, transposes

SHAPES = [((2, 3),), ((3, 0, 2),), ((1, 4, 1),), (EIGHT,), ((),)]
RULE = "order must be one of C; np.copy has other orders, got"

test_ascontiguousarray = contract(fo.numpy.ascontiguousarray, (3,))(
    *alike(np.ascontiguousarray, "", *SHAPES), refuse("must", TypeError, dtype="no type")
)
test_copy = contract(fo.numpy.copy, (3,))(
    *alike(np.copy, "order", *SHAPES, ((2, 3), "C")),
    *[refuse(f"{RULE} '{order}'", order=order) for order in "FAKc"],
    refuse(RULE, TypeError, order=1),
)

test_flip = contract(fo.numpy.flip, (3,))(
    *alike(np.flip, "axis", ((3, 4),), ((3, 4), 1), ((3, 4, 2), [-1, 0]), ((),), ((), []), ((0, 2), 0)),
    refuse("axis must name no axis of data of rank 0", ValueError, (), axis=0),
)
test_fliplr = contract(fo.numpy.fliplr)(
    *alike(np.fliplr, "", ((3, 4),), ((3, 0),), ((0, 3),), (EIGHT,)),
    *[Refusal(shape, {}, ValueError, "m must have at least 2 axes") for shape in [(3,), ()]],
)
test_flipud = contract(fo.numpy.flipud)(
    *alike(np.flipud, "", ((3, 4),), ((5,),), ((0, 3),), ((3, 0),)),
    Refusal((), {}, ValueError, r"m must have at least one axis, got \(\)"),
)

test_roll = contract(fo.numpy.roll, (3,))(
    *alike(np.roll, "shift", ((3, 4), 1), ((3, 4), [1, 2]), ((), 3), ((0, 3), 3), is_flat=True),
    *alike(np.roll, "shift axis", ((3, 4), [1, 2], [0, 1]), ((3, 4), 5, [0, -1]), ((3, 4), [1, 2], 0), ((3, 4), [], 0)),
    *alike(np.roll, "shift axis", ((3, 4), np.array([]), np.array([]))),
    refuse("shift must have 2 values, one for each axis", ValueError, (3, 4), shift=[1, 2, 3], axis=[0, 1]),
    refuse("shift must hold integers only", TypeError, shift=[1j]),
    refuse("shift must be a list of at most 4096 integers", shift=np.zeros(10**4, int)),
)

test_rot90 = contract(fo.numpy.rot90, (2, 3))(
    *alike(np.rot90, "k", ((2, 3),), ((2, 3), 0), ((2, 3, 4), 2), ((2, 3), 4 * 10**30 + 1), ((0, 3),)),
    *alike(np.rot90, "k axes", ((2, 3, 4), 3, [2, 0]), ((2, 3, 4), -1, [1, -1]), (EIGHT, 5, [3, 6])),
    refuse(r"axes must name two axes, got \[0\]", axes=[0]),
    refuse(r"axes must name two axes, got \[0, 1, 2\]", ValueError, (2, 3, 4), axes=[0, 1, 2]),
    refuse("k must be one integer", k=[1, 2]),
)

TRANSPOSES = [
    *alike(np.transpose, "axes", ((2, 3),), ((2, 3, 4), [0, -1, 1]), (EIGHT, [7, 0, 5, 2, 1, 4, 3, 6])),
    Call((5,), {"axes": 0}, np.transpose),
    *transposes("axes"),
    refuse(r"axes must name each of the 2 axes once, got 1", axes=1),
]
test_transpose = contract(fo.numpy.transpose, (2, 3))(*TRANSPOSES)
test_permute_dims = contract(fo.numpy.permute_dims, (2, 3))(*TRANSPOSES)
test_matrix_transpose = contract(fo.numpy.matrix_transpose)(
    *alike(np.matrix_transpose, "", ((2, 3),), ((4, 1, 3),), ((2, 0, 3),), (EIGHT,)),
    Refusal((3,), {}, ValueError, "x must have at least 2 axes"),
)

test_moveaxis = contract(fo.numpy.moveaxis, (2, 3), source=0, destination=0)(
    *alike(np.moveaxis, "source destination", ((2, 3, 4), 0, -1), ((2, 3, 4), [2], [0]), ((2, 3, 4), [0, -1], [1, 0])),
    *alike(np.moveaxis, "source destination", ((), [], []), ((3, 0, 2), 1, 2), (EIGHT, [7, 0, 3], [1, 6, 4])),
    refuse(r"destination must have as many values as source, 1, got \[0, 1\]", source=[0], destination=[0, 1]),
    refuse("must name no axis of data of rank 0", ValueError, ()),
    refuse("destination must be a list of integers", destination=[[0]]),
)

test_rollaxis = contract(fo.numpy.rollaxis, (2, 3), axis=0)(
    *alike(np.rollaxis, "axis start", ((2, 3, 4), 2, 0), ((2, 3, 4), 0, 3), ((2, 3, 4), -2, -1), ((3, 0, 2), 1, 1)),
    *alike(np.rollaxis, "axis", (EIGHT, 3)),
    *[refuse(rf"start must be in -2\.\.1, for data of rank 2, got {n}", IndexError, start=n) for n in (3, -3)],
)
test_swapaxes = contract(fo.numpy.swapaxes, (2, 3), axis1=0, axis2=1)(
    *alike(np.swapaxes, "axis1 axis2", ((2, 3), 0, 1), ((2, 3, 4), -1, 0), ((2, 3, 4), 1, 1), ((3, 0, 2), 1, 2)),
    refuse("axis1 must be one integer", axis1=[0, 1]),
)

test_tile = contract(fo.numpy.tile, (2,))(
    *tiles("reps", ((3,), [2, 2]), ((2, 3), 2), ((), 3), ((2, 3), 0), ((2, 3), np.array([]))),
    refuse("reps must be a list of integers", TypeError, reps=np.array([1.0])),
    refuse("reps must be a list of integers", TypeError, reps=np.zeros((0, 2))),
)

test_repeat = contract(fo.numpy.repeat, (3,), repeats=2)(
    *alike(np.repeat, "repeats", ((2, 3), 3), ((2, 3), [2]), ((2, 3), 1), ((3, 0), 2), ((), 4), (EIGHT, 2)),
    *alike(np.repeat, "repeats axis", ((2, 3), 2, 0), ((2, 3, 4), 5, -2), ((2, 3), 1, 1), ((2, 3), 0, 1)),
    *alike(np.repeat, "repeats axis", ((1, 4), 3, 0), ((3, 0), 2, 0), ((), 2, -1), (EIGHT, 2, 3)),
    refuse(r"repeats must be one integer, or a list of one, got \[1, 2, 3\]", repeats=[1, 2, 3]),
    refuse("repeats must be a list of integers, not nested", repeats=[[2]]),
    refuse("repeats must hold integers only", repeats=["a"]),
)

test_broadcast_to = contract(fo.numpy.broadcast_to)(
    *alike(np.broadcast_to, "shape", ((3, 1), [2, 3, 4]), ((1,), 5), ((), []), ((), [2, 3]), ((3,), 3)),
    Refusal((3,), {"shape": [1]}, ValueError, "shape must be 3 where the data's length is not 1"),
    Refusal((3, 3), {"shape": [3]}, ValueError, "shape must have at least 2 values"),
)

view = np.lib.stride_tricks.sliding_window_view


def stepped(shape, window_shape, axis, step, steps):
    arguments = {"window_shape": window_shape, "axis": axis, "step": step}
    return Call(shape, arguments, lambda x: view(x, window_shape, axis)[steps])


test_sliding_window_view = contract(fo.numpy.sliding_window_view, (3, 4), window_shape=[2, 2])(
    *alike(view, "window_shape", ((9,), 4), ((4, 5), [2, 3]), ((3, 4), [0, 2]), ((2, 3), [1, 2]), ((), [])),
    *alike(view, "window_shape axis", ((4, 5, 6), [2, 3], [-1, 0]), ((9, 4), [3, 2], [0, 0]), ((3, 0, 4), 2, 2)),
    *alike(view, "window_shape axis", ((2, 3), [], [])),
    Call((9,), {"window_shape": [4], "step": 3}, lambda x: view(x, 4)[::3]),
    stepped((4, 5, 6), 5, 1, [9], ...),
    stepped((4, 7, 6), [1, 2], [1, 2], [3, 2], np.s_[:, ::3, ::2]),
    stepped((9, 4), [3, 2, 2], [0, 1, -2], [2, 1, 2], np.s_[::2]),
    refuse("window_shape must have 2 values, one for each axis of x", window_shape=2),
    refuse(r"window_shape must be at most 4, got \[2, 5\] \(axis 1", window_shape=[2, 5]),
    refuse(r"window_shape must be at most 1, got \[3, 2\]", window_shape=[3, 2], axis=[0, 0]),
    refuse("step must be the same number for an axis that is named twice", axis=[0, 0], step=[1, 2]),
    refuse("step must have 2 values", step=[1]),
)

SECTIONS = "indices_or_sections"


def wrong_sections(least):
    """Yield the refusals of a number of parts that does not divide an axis, and of data of too few axes."""
    yield refuse(f"{SECTIONS} must divide 6, got 4", ValueError, (6,) * least, **{SECTIONS: 4})
    yield refuse("ary must have at least", ValueError, (6,) * (least - 1), **{SECTIONS: 1})


test_split = contract(fo.numpy.split)(
    *alike(np.split, f"{SECTIONS} axis", ((6, 4), 3), ((6, 4), [1, -2], 1), ((6,), [4, 2, 99]), ((6,), [])),
    refuse(f"{SECTIONS} must", ZeroDivisionError, (6,), **{SECTIONS: 0}),
    *wrong_sections(1),
)
test_hsplit = contract(fo.numpy.hsplit)(
    *alike(np.hsplit, SECTIONS, ((6,), 3), ((3, 4), [1, -1]), ((2, 6, 2), 2), ((0, 3), [])), *wrong_sections(1)
)
test_vsplit = contract(fo.numpy.vsplit)(
    *alike(np.vsplit, SECTIONS, ((6, 2), 3), ((4, 0), [1, -1]), (EIGHT, 2)), *wrong_sections(2)
)
test_dsplit = contract(fo.numpy.dsplit)(
    *alike(np.dsplit, SECTIONS, ((2, 1, 6), 3), ((3, 2, 4, 2), [3, 1]), ((0, 2, 4), 2)), *wrong_sections(3)
)
test_array_split = contract(fo.numpy.array_split)(
    *alike(np.array_split, f"{SECTIONS} axis", ((8, 2), 3), ((2, 8), 3, -1), ((2,), 4), ((6,), [5, 1]))
)
test_unstack = contract(fo.numpy.unstack)(
    *[
        Call(shape, {} if axis is None else {"axis": axis}, lambda x, axis=axis or 0: list(np.unstack(x, axis=axis)))
        for shape, axis in (((3, 4), None), ((2, 3, 4), -1), ((4,), 0), ((2, 0, 3), 2), ((1, 3), 1))
    ],
    refuse("x must have at least one axis"),
    refuse(r"axis must name an axis that is not empty, got 0 \(axis 0, extent 0\)", ValueError, (0, 2)),
)

INDICES = [((4, 5, 6), np.s_[0, ..., ::-2]), ((4, 5), np.s_[1:]), ((4, 5), -1), ((4, 5), np.s_[:, None, 2:2])]
INDICES += [((4, 5), (np.int64(2), slice(np.int32(1), None))), ((5,), np.s_[-8:-10:-1]), ((4, 5), ())]
INDICES += [((), ...), ((), None), ((3, 4), (1, 2)), ((3, 4), (1, 2, ...))]
test_take_slice = contract(fo.numpy.take_slice, (3,))(
    *alike(lambda x, index: x[index], "index", *INDICES),
    refuse(r"index must name at most 1 axis, not 2, got \(0, 0\)", index=(0, 0)),
    refuse(r"index must be in -3..2, got 3 \(axis 0, extent 3\)", IndexError, index=3),
    refuse("index must not take an element of an empty axis", IndexError, (0,), index=0),
    refuse("index must have at most one ellipsis", index=(..., ...)),
    refuse("index must have no slice of step 0", index=slice(None, None, 0)),
    *[refuse("index must be a basic index", TypeError, index=wrong) for wrong in ([0, 1], np.array([0]), True, "...")],
    refuse("index must be an integer", TypeError, index=slice(0.5)),
)


def padded(shape, width, mode="constant", pairs=None, dtypes=DTYPES, **options):
    """Return a call of np.pad; pairs stand for a width that not every version of NumPy takes."""
    arguments = {"pad_width": width, **({} if mode == "constant" else {"mode": mode}), **options}
    return Call(shape, arguments, lambda x: np.pad(x, width if pairs is None else pairs, mode, **options), dtypes)


FORMS = "pad_width must be an integer, a pair of integers"
MODES = "mode must be one of .*; the other modes of np.pad compute values, or leave them undefined"
COMPUTING = ("linear_ramp", "maximum", "mean", "median", "minimum", "empty")
NOT_GIVEN = {
    "constant_values": ("edge", "reflect", "symmetric", "wrap"),
    "reflect_type": ("constant", "edge", "wrap"),
    "stat_length": ("constant", "edge"),
    "end_values": ("constant", "reflect"),
}
#: Widths, values of channels, the axis of channels, and the result.
CHANNELS = [
    ([[1, 1], [0, 0]], [7, 8, 9], 1, lambda x: np.array([[7, 8, 9], *x, [7, 8, 9]], x.dtype)),
    ([[1, 0], [0, 1]], [7, 8, 9], -2, lambda x: np.array([[7] * 4, [*x[0], 8], [*x[1], 9]], x.dtype)),
]
test_pad = contract(fo.numpy.pad, (3,), pad_width=1)(
    *alike(np.pad, "pad_width", ((2, 3), 2), ((0, 2), [[1, 2], [0, 0]]), ((), 3)),
    *alike(np.pad, "pad_width mode", ((2, 3), [1, 2], "edge"), ((2, 3), [[0, 1], [7, 8]], "reflect")),
    *alike(np.pad, "pad_width mode", ((2, 3), [[1], [2]], "symmetric"), ((0, 2), [[0, 0], [1, 1]], "edge")),
    *alike(np.pad, "pad_width mode", ((2, 3), 0, "edge")),
    padded((2, 3), {-1: (1, 4)}, "wrap", pairs=((0, 0), (1, 4))),
    padded((2, 3), {0: 1}, pairs=((1, 1), (0, 0))),
    padded((2, 3), {True: 2, 0: (False, True)}, pairs=((0, 1), (2, 2))),
    padded((2, 1), 3, "reflect", reflect_type="even"),
    padded((2, 1), 3, "symmetric", reflect_type=None),
    padded((2, 3), 1, dtypes=("f2", "f8", "M8[s]", "m8[ns]", "U2", "U7", "S3", "?"), constant_values=None),
    padded((), 1, constant_values=None),
    padded((2, 3), 1, dtypes=("u1", "f4", "c8", "?"), constant_values=5),
    padded((2, 3), 1, dtypes=("i8", "f4"), constant_values=1.5),
    padded((2,), 1, dtypes=("u1", "f2"), constant_values=300),
    padded((2,), 1, dtypes=("U2", "S2", "V3", "M8[s]")),
    padded((2, 3), 2, dtypes=("u1", "f4"), constant_values=(1, 2)),
    padded((2, 3), [[1, 2], [3, 4]], dtypes=("u1", "f4", ">i4"), constant_values=((1, 2), (3, 4))),
    padded((0, 3), [[1, 2], [0, 4]], dtypes=("u1",), constant_values=((1, 2), (3, 4))),
    *[
        Call((2, 3), {"pad_width": widths, "constant_values": fills, "channel_axis": axis}, expected, ("u1", ">i4"))
        for widths, fills, axis, expected in CHANNELS
    ],
    *[
        refuse("pad_width must map axes to integers, or to tuples of two", pad_width={0: width})
        for width in ([1], [1, 2], (1, 2, 3), (), ((1, 2), 3))
    ],
    refuse(r"pad_width must hold integers only, got \{0: 1.5\}", TypeError, pad_width={0: 1.5}),
    refuse("pad_width must name no axis of data of rank 0", IndexError, (), pad_width={0: 1}),
    refuse("pad_width must be in -1..0", IndexError, pad_width={1: 2**63}),
    refuse(FORMS, TypeError, (), pad_width={}),
    *[refuse(FORMS, TypeError, pad_width=width) for width in (1.5, True, [])],
    *[refuse(FORMS, pad_width=width) for width in ([1, 2, 3], range(2**40))],
    refuse("pad_width must be 0 on an empty axis in mode edge", ValueError, (0,), mode="edge"),
    *[refuse(MODES, mode=mode) for mode in (*COMPUTING, max, lambda vector, *_: vector, 1, None, True, "Edge")],
    # NumPy refuses these whatever their values are.
    *[
        refuse(f"{name} must not be given in mode {mode}", mode=mode, **{name: value})
        for name, modes in NOT_GIVEN.items()
        for mode in modes
        for value in (None, 0)
    ],
    refuse("mode must be one of", mode="mean", stat_length=2),
    refuse("mode must be one of", mode="linear_ramp", end_values=2),
    *[refuse("reflect_type must be one of even", mode=mode, reflect_type="odd") for mode in ("reflect", "symmetric")],
    refuse("constant_values must be a scalar, one pair", constant_values=[1, 2, 3]),
    refuse("constant_values must be a value that NumPy assigns to float32", constant_values="x"),
)


def test_roll_checks_copy_for_every_layout_of_out() -> None:
    for step, copy in itertools.product((1, 2), (False, 7)):
        out = np.zeros(8 * step, np.float32)[::step]
        with pytest.raises(fo.AttributeValueError, match=r"numpy\.roll: copy must be"):
            fo.numpy.roll(np.arange(8, dtype=np.float32), 1, out=out, copy=copy)  # type: ignore[arg-type]
        assert not out.any()
