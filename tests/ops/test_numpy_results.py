"""fo.numpy returns NumPy's types and flags, and passes on to NumPy the calls that only NumPy can do."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import dask.array as da
import numpy as np
import pytest

import fastops as fo
from fastops._execution import _numpy_fallback
from tests.helpers.contract import listed, tables_of, theirs_of, without_numpy
from tests.helpers.processes import names_of

FUNCTIONS = [getattr(fo.numpy, name) for name in names_of(fo.numpy) if name != "take_slice"]

X = np.arange(6.0).reshape(2, 3)
BOX = np.arange(24).reshape(2, 3, 4)


class Labelled(np.ndarray[Any, Any]):
    """A subclass of arrays, which some functions keep."""


class Dispatching:
    """An array whose class replaces NumPy's functions."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return BOX

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function.__name__


def fill_with(vector: Any, widths: Any, axis: Any, options: dict[str, Any]) -> None:
    vector[: widths[0]] = options["padder"]
    vector[vector.size - widths[1] :] = axis


#: The positional arguments after data in a right call, for each function that needs some.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("array_split", "dsplit", "repeat", "rollaxis", "split"), (2,)),
    "broadcast_to": ((2, 2, 3, 4),),
    "hsplit": (3,),
    "moveaxis": (0, -1),
    "pad": (1, "edge"),
    "roll": (1,),
    "sliding_window_view": (2, 1),
    "swapaxes": (0, 1),
    "tile": ((2, 1),),
    "vsplit": ([1],),
}


def called(function: Callable[..., Any], data: Any) -> tuple[Any, ...]:
    return function, data, ARGUMENTS.get(function.__name__, ()), {}


#: Functions that return plain arrays for subclasses by default.
PLAIN = [fo.numpy.ascontiguousarray, fo.numpy.broadcast_to, fo.numpy.copy, fo.numpy.pad, fo.numpy.sliding_window_view]

#: Functions, data, and other arguments by position and by name, of calls that NumPy does.
CALLS: list[tuple[Any, ...]] = [
    *[called(each, BOX.astype(object)) for each in FUNCTIONS],
    (fo.numpy.flip, np.array(["a", "long text that lies elsewhere"], np.dtypes.StringDType()), (), {}),
    *[called(each, BOX.view(Labelled)) for each in FUNCTIONS if each not in PLAIN],
    *[(fo.numpy.pad, X, (1, mode), {}) for mode in ("linear_ramp", "maximum", "mean", "median", "minimum")],
    (fo.numpy.pad, X, ((1, 2), "linear_ramp"), {"end_values": (3, 4)}),
    (fo.numpy.pad, X, (2, "mean"), {"stat_length": 1}),
    *[(fo.numpy.pad, X, (2, mode), {"reflect_type": "odd"}) for mode in ("reflect", "symmetric")],
    (fo.numpy.pad, X, (2, fill_with), {"padder": 7}),
    (fo.numpy.pad, np.arange(3, dtype=object), (1,), {"constant_values": "a"}),
    *[(fo.numpy.repeat, X, repeats, {}) for repeats in (([1, 0, 2], 1), (np.arange(6),), (2.0,))],
    (fo.numpy.tile, X, ((True, 2),), {}),
    # NumPy before 2.3 rolls by integers only.
    *([(fo.numpy.roll, X, (1.5, True), {})] if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else []),
    (fo.numpy.array_split, X, (1.5,), {}),
    (fo.numpy.split, X, (1,), {"axis": True}),
    (fo.numpy.flip, X, (True,), {}),
    (fo.numpy.flip, np.array(None), (), {}),
    *[(each, np.ma.array(X, mask=X > 3), (), {}) for each in (fo.numpy.transpose, fo.numpy.rot90)],
    *[(fo.numpy.copy, X.T, (order,), {}) for order in "KAF"],
    (fo.numpy.copy, X.view(Labelled), ("C", True), {}),
    (fo.numpy.broadcast_to, X.view(Labelled), ((2, 2, 3), True), {}),
    (fo.numpy.sliding_window_view, X.view(Labelled), (2, 1), {"subok": True}),
    *[(fo.numpy.ascontiguousarray, X, (dtype,), {}) for dtype in (np.float32, ">f8", object, bool)],
    (fo.numpy.ascontiguousarray, [1, 2], (np.float16,), {}),
    (fo.numpy.ascontiguousarray, 3, (), {"dtype": "S1"}),
    (fo.numpy.ascontiguousarray, X, (), {"like": Dispatching()}),
    (fo.numpy.pad, Dispatching(), (1,), {"constant_values": 3}),
    *[called(each, Dispatching()) for each in FUNCTIONS],
]


def said(result: Any) -> Any:
    """Return types, shapes and values of results."""
    if isinstance(result, list | tuple):
        return list(map(said, result))
    if not isinstance(result, np.ndarray):
        return type(result), result
    return type(result), result.dtype, result.shape, np.ma.getmaskarray(result).tolist(), result.tolist()


def test_results_outputs_and_views_are_those_of_numpy() -> None:
    for function, data, arguments, keywords in CALLS:
        theirs = theirs_of(function)(data, *arguments, **keywords)
        what = (function.__name__, data, arguments, keywords)
        for copy in (True, None):
            result = function(data, *arguments, **keywords, copy=copy)
            assert said(result) == said(theirs), what
            for ours, other in zip(listed(result), listed(theirs), strict=True):
                if isinstance(ours, np.ndarray) and isinstance(data, np.ndarray):
                    is_shared = copy is None and np.shares_memory(other, data)
                    assert np.shares_memory(ours, data) == is_shared, what
                    assert ours.flags.writeable or copy is None, what
        with pytest.raises(fo.AttributeValueError, match="chunks must be None"):
            function(data, *arguments, **keywords, chunks=2)
        with without_numpy(), pytest.raises(fo.FastopsError, match=rf"numpy\.{function.__name__}: "):
            function(data, *arguments, **keywords)
        results = listed(theirs)
        if not all(isinstance(each, np.ndarray) for each in (data, *results)):
            continue
        outs: list[Any] = [np.empty(each.shape, each.dtype) for each in results]
        is_list = isinstance(theirs, list | tuple)
        assert function(data, *arguments, **keywords, out=outs if is_list else outs[0]) is outs[0] or is_list
        assert said(outs) == said([np.asarray(each) for each in results]), (function, data)
        # A wrong output raises an error before any output is written.
        outs[-1] = outs[-1][None]
        outs[0][...] = before = np.zeros_like(outs[0])
        with pytest.raises(fo.OutputError, match=f"numpy.{function.__name__}: out.* must have shape"):
            function(data, *arguments, **keywords, out=outs if is_list else outs[0])
        assert said(outs[0]) == said(before)
        is_view = all(np.shares_memory(each, data) for each in results)
        if is_view:
            assert said(function(data, *arguments, **keywords, copy=False)) == said(theirs)
        for wrong in (7,) if is_view else (7, False):
            with pytest.raises(fo.AttributeValueError, match=f"numpy.{function.__name__}: copy must be True"):
                function(data, *arguments, **keywords, copy=wrong)


def test_windows_that_can_be_written() -> None:
    for copy in (False, None, True):
        x = np.arange(5)
        windows = fo.numpy.sliding_window_view(x, 3, writeable=True, copy=copy)
        windows[0, 0] = 9
        assert x[0] == (0 if copy else 9)
    with pytest.raises(fo.AttributeValueError, match="writeable must be False for a view whose windows share"):
        fo.numpy.sliding_window_view(x, 3, writeable=True, step=2, copy=False)


def test_the_environment_makes_warnings_of_calls_that_numpy_does() -> None:
    x = np.arange(3.0)
    calls: list[Callable[[], Any]] = [
        lambda: fo.numpy.pad(x, 1, "mean"),
        lambda: fo.numpy.pad(x.astype(object), 1, constant_values=1),
        lambda: fo.numpy.copy(x, "F"),
        lambda: fo.numpy.ascontiguousarray(x, "f4"),
        lambda: fo.numpy.roll(x.astype(object), 1),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        calls[0]()
        with patch.object(_numpy_fallback, "FALLBACK", "warn"):
            fo.numpy.pad(x, 1)
            for call in calls:
                with pytest.warns(RuntimeWarning, match=r"numpy\.\w+: \w+ must .*: NumPy does this call") as told:
                    call()
                assert [each.filename for each in told] == [__file__]


def test_options_that_change_nothing_are_taken_by_kernels() -> None:
    labelled = X.view(Labelled)
    with without_numpy():
        moved = [(fo.numpy.ascontiguousarray(X.T, each), X.T) for each in (None, "f8", float, np.dtype("f8"))]
        moved += [(fo.numpy.copy(labelled), X), (fo.numpy.broadcast_to(labelled, (2, 3)), X)]
        moved += [(fo.numpy.pad(labelled, 1), np.pad(X, 1)), (fo.numpy.ascontiguousarray(labelled), X)]
        moved += [(fo.numpy.broadcast_to(X, (2, 3), True), X), (fo.numpy.copy(X, "C", True), X)]
        moved += [(fo.numpy.sliding_window_view(X, 3, 1, subok=True, writeable=True)[:, 0], X)]
    for result, expected in moved:
        assert type(result) is np.ndarray
        assert said(result) == said(expected)
        assert result.flags.writeable
        assert not np.shares_memory(result, X)


def test_tensors_and_arrays_of_dask_are_not_for_numpy() -> None:
    torch = pytest.importorskip("torch")
    for array, call in itertools.product(
        (da.from_array(X, chunks=2), torch.from_numpy(X)),
        (
            lambda data: fo.numpy.pad(data, 1, "mean"),
            lambda data: fo.numpy.repeat(data, [1, 2], 0),
            lambda data: fo.numpy.roll(data, 1.5),
            lambda data: fo.numpy.ascontiguousarray(data, "f4"),
        ),
    ):
        for data in (array, [array, array]):
            with pytest.raises(fo.FastopsError, match=r"numpy\.\w+: \w+ must"):
                call(data)


def test_the_signatures_are_those_of_numpy_and_more() -> None:
    for function in FUNCTIONS:
        if function is fo.numpy.ascontiguousarray and np.lib.NumpyVersion(np.__version__) < "2.4.0":
            # In these versions of NumPy, the function is compiled and has no signature.
            continue
        theirs = list(inspect.signature(theirs_of(function)).parameters.values())
        ours = inspect.signature(function).parameters
        positional = [each.name for each in theirs if each.kind is each.POSITIONAL_OR_KEYWORD]
        assert list(ours)[: len(positional)] == positional, function
        for each in theirs:
            own = ours["keywords" if each.kind is each.VAR_KEYWORD else each.name]
            # NumPy does not name the arguments of some functions.
            assert own.kind == (own.POSITIONAL_OR_KEYWORD if each.kind is each.POSITIONAL_ONLY else each.kind)
            # fastops copies in C order by default.
            assert own.default == each.default or (each.name, own.default) == ("order", "C")


def test_a_function_in_the_place_of_numpys_calls_numpys() -> None:
    with patch.object(np, "pad", fo.numpy.pad):
        assert np.pad([1.0, 3.0], 1, "mean").tolist() == [2, 1, 3, 2]


def answer(function: Any, data: Any, arguments: dict[str, Any]) -> Any:
    """Return types and contents of results, or None for an error."""
    try:
        results = listed(function(data, **arguments))
    except (TypeError, ValueError, IndexError, AttributeError):
        return None
    return [(type(each), each.shape, each.dtype, each.tobytes()) for each in results]


def test_results_are_scalars_where_numpy_gives_scalars() -> None:
    scalars = [np.float32(3), np.datetime64("2001-01-01"), np.datetime64("2020"), np.True_, np.int64(-1), np.int8(2)]
    arrays: list[Any] = [*scalars, *map(np.array, scalars), np.array(2, ">i4")]
    compared = set()
    functions = [*FUNCTIONS, fo.numpy.take_slice]
    for function, call in [(each, call) for each in functions for call in tables_of(each)[0]]:
        theirs, arguments, shape = theirs_of(function), call.arguments, call.shape
        # Python scalars and lists take no index of several axes.
        own = [] if function is fo.numpy.take_slice else [3, 3.0, True, [3.0]]
        for data in (*arrays, *own, np.arange(np.prod(shape, dtype=int)).reshape(shape)):
            expected = answer(theirs, data, arguments)
            if expected is not None:
                compared.add((function, np.ndim(data), expected[0][0]))
                assert answer(function, data, arguments) == expected, (function, arguments, data)
    named = [fo.numpy.flip, fo.numpy.transpose, fo.numpy.permute_dims, fo.numpy.moveaxis]
    assert {(each, 0, np.float32) for each in named} < compared
