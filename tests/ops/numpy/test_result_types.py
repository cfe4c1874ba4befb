"""Results of fo.numpy are of NumPy's types: scalars where NumPy gives scalars, read-only views where it gives these."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import fastops as fo
from tests.helpers.contract import Subject, all_operators, tables_of, theirs_of

#: Functions, NumPy's own, and arguments and shapes of which some call of the tables is right.
CALLS = [
    (function, theirs_of(function), call.arguments, call.shape)
    for function in all_operators()
    if Subject(function).dialect == "numpy"
    for call in tables_of(function)[0]
]


def answer(function: Any, data: Any, arguments: dict[str, Any]) -> Any:
    """Return the types and the contents of results, or None for an error."""
    try:
        result = function(data, **arguments)
    except (TypeError, ValueError, IndexError, AttributeError):
        return None
    results = list(result) if isinstance(result, list | tuple) else [result]
    return [(type(each), each.shape, each.dtype, each.tobytes()) for each in results]


def test_results_are_scalars_where_numpy_gives_scalars() -> None:
    scalars = [np.float32(3), np.datetime64("2001-01-01"), np.datetime64("2020"), np.True_, np.int64(-1), np.int8(2)]
    arrays: list[Any] = [*scalars, *map(np.array, scalars), np.array(2, ">i4")]
    compared = set()
    for function, theirs, arguments, shape in CALLS:
        # Python's scalars and lists have no index of axes.
        own = [] if function is fo.numpy.take_slice else [3, 3.0, True, [3.0]]
        for data in (*arrays, *own, np.arange(np.prod(shape, dtype=int)).reshape(shape)):
            expected = answer(theirs, data, arguments)
            if expected is not None:
                compared.add((function, np.ndim(data), expected[0][0]))
                for _ in range(3):
                    assert answer(function, data, arguments) == expected, (function, arguments, data)
    named = [fo.numpy.flip, fo.numpy.transpose, fo.numpy.permute_dims, fo.numpy.moveaxis]
    assert {(each, 0, np.float32) for each in named} < compared


def test_views_are_writeable_where_numpys_are() -> None:
    for (function, theirs, arguments, shape), is_writeable in itertools.product(CALLS, (True, False)):
        data = np.arange(np.prod(shape, dtype=float)).reshape(shape)
        data.flags.writeable = is_writeable
        if answer(theirs, data, arguments) is None:
            continue
        found = theirs(data, **arguments)
        for i, their in enumerate(found if isinstance(found, list) else [found]):
            if np.shares_memory(their, data):
                views = function(data, **arguments, copy=False)
                view = views[i] if isinstance(found, list) else views
                assert np.shares_memory(view, data), (function, arguments)
                assert view.flags.writeable == their.flags.writeable, (function, arguments)


def test_views_of_broadcast_to_are_read_only_whatever_is_repeated() -> None:
    data = np.arange(3)
    for shape in (3, (3,), (1, 3), (2, 3), (0, 3)):
        for copy in (False, None):
            view = fo.numpy.broadcast_to(data, shape, copy=copy)
            assert not view.flags.writeable
            assert np.shares_memory(view, data) == (0 not in view.shape)
            assert data.flags.writeable
        out = np.empty(view.shape, data.dtype)
        assert fo.numpy.broadcast_to(data, shape, out=out, copy=None) is out
        assert out.flags.writeable
        assert fo.numpy.broadcast_to(data, shape).flags.writeable
    assert fo.onnx.expand(data, [3]).flags.writeable


def test_a_view_that_is_asked_for_and_an_output_are_arrays() -> None:
    data, out = np.array([[1.0, 2.0]]), np.zeros(())
    fo.numpy.take_slice(data, (0, 1), copy=False)[...] = 7
    assert data[0, 1] == 7
    assert type(fo.numpy.flip(np.array(3.0), copy=False)) is np.ndarray
    assert fo.numpy.flip(data[0, 0, ...], copy=False).shape == ()
    assert fo.numpy.take_slice(data, (0, 0), out=out) is out
    for scalar in (data[0, 0], 3.0):
        assert fo.numpy.flip(scalar, out=out) is out
        assert out == scalar
