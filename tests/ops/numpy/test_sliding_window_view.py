"""np.lib.stride_tricks.sliding_window_view, as a copy, with steps."""

import numpy as np

import fastops as fo
from tests.ops._tables import Call, contract, refuser

view = np.lib.stride_tricks.sliding_window_view


def windows(shape, window_shape, axis=None, step=(), steps=...):
    arguments = {"window_shape": window_shape, **({} if axis is None else {"axis": axis}), **dict(step)}
    return Call(shape, arguments, lambda x: view(x, window_shape, axis)[steps])


CALLS = [
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
]

refuse = refuser((3, 4), window_shape=[2, 2])
REFUSALS = [
    refuse("window_shape must have 2 values, one for each axis of x", window_shape=2),
    refuse(r"window_shape must be at most 4, got \[2, 5\] \(axis 1", window_shape=[2, 5]),
    refuse(r"window_shape must be at most 1, got \[3, 2\]", window_shape=[3, 2], axis=[0, 0]),
    refuse("step must be one number for an axis that is named twice", axis=[0, 0], step=[1, 2]),
    refuse("step must have 2 values", step=[1]),
]

test_sliding_window_view = contract(fo.numpy.sliding_window_view, CALLS, REFUSALS)


def test_the_view_is_numpys() -> None:
    x = np.arange(30).reshape(5, 6)
    own, theirs = fo.numpy.sliding_window_view(x, (2, 3), copy=False), view(x, (2, 3))
    assert own.strides == theirs.strides
    assert np.shares_memory(own, x)
    assert not own.flags.writeable
    assert not fo.numpy.sliding_window_view(x, (2, 3), step=(2, 3), copy=False).flags.writeable
