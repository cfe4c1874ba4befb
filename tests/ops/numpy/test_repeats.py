"""numpy.tile, repeat, broadcast_to and sliding_window_view."""

from __future__ import annotations

import itertools

import numpy as np

import fastops as fo
from tests.ops._tables import EIGHT, Call, Refusal, contract, refuser, tiles

refuse = refuser((2,))

test_tile = contract(
    fo.numpy.tile,
    tiles("reps", ((3,), [2, 2]), ((2, 3), 2), ((), 3), ((2, 3), 0), ((2, 3), np.array([]))),
    [
        refuse("reps must be a list of integers", TypeError, reps=np.array([1.0])),
        refuse("reps must be a list of integers", TypeError, reps=np.zeros((0, 2))),
    ],
)


refuse = refuser((3,), repeats=2)

test_repeat = contract(
    fo.numpy.repeat,
    [
        Call(shape, {"repeats": n, **axis}, lambda x, n=n, axis=axis: np.repeat(x, n, **axis))
        for shape, n, axis in (
            ((2, 3), 3, {}),
            ((2, 3), [2], {}),
            ((2, 3), 2, {"axis": 0}),
            ((2, 3, 4), 5, {"axis": -2}),
            ((2, 3), 1, {"axis": 1}),
            ((2, 3), 1, {}),
            ((2, 3), 0, {"axis": 1}),
            ((1, 4), 3, {"axis": 0}),
            ((3, 0), 2, {}),
            ((3, 0), 2, {"axis": 0}),
            ((), 4, {}),
            ((), 2, {"axis": -1}),
            (EIGHT, 2, {"axis": 3}),
            (EIGHT, 2, {}),
        )
    ],
    [
        refuse(r"repeats must be one integer, or a list of one, got \[1, 2, 3\]", repeats=[1, 2, 3]),
        refuse("repeats must be one integer, or a list of one", repeats=[]),
        refuse("repeats must be a list of integers, not nested", repeats=[[2]]),
    ],
)


def test_sizes_and_widths() -> None:
    for dtype, shape in itertools.product(("u1", "f4", "c16", "V3"), ((2, 40, 30), (300, 7), (3, 1, 9))):
        data = np.random.default_rng(0).integers(0, 251, (*shape, np.dtype(dtype).itemsize), "u1").view(dtype)[..., 0]
        for axis, n in itertools.product((None, *range(len(shape))), (0, 1, 2, 3, 16, 301)):
            expected, result = np.repeat(data, n, axis), fo.numpy.repeat(data, n, axis)
            assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes()), (dtype, axis, n)


test_broadcast_to = contract(
    fo.numpy.broadcast_to,
    [
        Call((3, 1), {"shape": [2, 3, 4]}, lambda x: np.broadcast_to(x, (2, 3, 4))),
        Call((1,), {"shape": 5}, lambda x: np.broadcast_to(x, 5)),
        Call((), {"shape": []}, lambda x: x),
        Call((1, 2), {"shape": [0, 2]}, lambda x: np.broadcast_to(x, (0, 2))),
    ],
    [
        Refusal((3,), {"shape": [1]}, ValueError, "shape must be 3 where the data's length is not 1"),
        Refusal((3, 3), {"shape": [3]}, ValueError, "shape must have at least 2 values"),
        Refusal((1,), {"shape": -1}, ValueError, "shape must be at least 0"),
    ],
)


view = np.lib.stride_tricks.sliding_window_view


def windows(shape, window_shape, axis=None, step=(), steps=...):
    arguments = {"window_shape": window_shape, **({} if axis is None else {"axis": axis}), **dict(step)}
    return Call(shape, arguments, lambda x: view(x, window_shape, axis)[steps])


refuse = refuser((3, 4), window_shape=[2, 2])

test_sliding_window_view = contract(
    fo.numpy.sliding_window_view,
    [
        windows((9,), 4),
        windows((9,), [4], step={"step": 3}, steps=np.s_[::3]),
        windows((4, 5), [2, 3]),
        windows((4, 5, 6), [2, 3], [-1, 0]),
        windows((4, 5, 6), 5, 1, {"step": [9]}),
        windows((4, 7, 6), [1, 2], [1, 2], {"step": [3, 2]}, np.s_[:, ::3, ::2]),
        windows((9, 4), [3, 2], [0, 0]),
        windows((9, 4), [3, 2, 2], [0, 1, -2], {"step": [2, 1, 2]}, np.s_[::2]),
        windows((3, 4), [0, 2]),
        windows((3, 0, 4), 2, 2),
        windows((2, 3), [], []),
        windows((), []),
    ],
    [
        refuse("window_shape must have 2 values, one for each axis of x", window_shape=2),
        refuse(r"window_shape must be at most 4, got \[2, 5\] \(axis 1", window_shape=[2, 5]),
        refuse(r"window_shape must be at most 1, got \[3, 2\]", window_shape=[3, 2], axis=[0, 0]),
        refuse("step must be the same number for an axis that is named twice", axis=[0, 0], step=[1, 2]),
        refuse("step must have 2 values", step=[1]),
    ],
)


def test_the_view_is_numpys() -> None:
    x = np.arange(30).reshape(5, 6)
    own, theirs = fo.numpy.sliding_window_view(x, (2, 3), copy=False), view(x, (2, 3))
    assert own.strides == theirs.strides
    assert np.shares_memory(own, x)
    assert not own.flags.writeable
    assert not fo.numpy.sliding_window_view(x, (2, 3), step=(2, 3), copy=False).flags.writeable
