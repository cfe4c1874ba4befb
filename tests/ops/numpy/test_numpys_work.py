"""Calls of fo.numpy that are no movement of elements: NumPy does them, and the result is NumPy's."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import dask.array as da
import numpy as np
import pytest

import fastops as fo
from fastops._execution import _gather_runner
from tests.helpers.contract import listed, theirs_of, without_numpy
from tests.helpers.inspection import names_of

FUNCTIONS = [getattr(fo.numpy, name) for name in names_of(fo.numpy) if name != "take_slice"]

X = np.arange(6.0).reshape(2, 3)
BOX = np.arange(24).reshape(2, 3, 4)


class Labelled(np.ndarray[Any, Any]):
    """A subclass, which functions that keep classes keep."""


class Dispatching:
    """An array whose class has functions of its own in the place of NumPy's."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        return BOX

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function.__name__


def fill_with(vector: Any, widths: Any, axis: Any, options: dict[str, Any]) -> None:
    vector[: widths[0]] = options["padder"]
    vector[vector.size - widths[1] :] = axis


#: A right call of each function, by its positional arguments behind data.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "array_split": (2,),
    "broadcast_to": ((2, 2, 3, 4),),
    "dsplit": (2,),
    "hsplit": (3,),
    "moveaxis": (0, -1),
    "pad": (1, "edge"),
    "repeat": (2,),
    "roll": (1,),
    "rollaxis": (2,),
    "sliding_window_view": (2, 1),
    "split": (2,),
    "swapaxes": (0, 1),
    "tile": ((2, 1),),
    "vsplit": ([1],),
}

#: Functions that make plain arrays of subclasses, unless they are told to keep them.
PLAIN = [fo.numpy.ascontiguousarray, fo.numpy.broadcast_to, fo.numpy.copy, fo.numpy.pad, fo.numpy.sliding_window_view]

Row = tuple[Callable[..., Any], Any, tuple[Any, ...], dict[str, Any]]

CALLS: list[Row] = [
    *[(each, BOX.astype(object), ARGUMENTS.get(each.__name__, ()), {}) for each in FUNCTIONS],
    (fo.numpy.flip, np.array(["a", "long text that lies elsewhere"], np.dtypes.StringDType()), (), {}),
    *[(each, BOX.view(Labelled), ARGUMENTS.get(each.__name__, ()), {}) for each in FUNCTIONS if each not in PLAIN],
    *[(fo.numpy.pad, X, (1, mode), {}) for mode in ("linear_ramp", "maximum", "mean", "median", "minimum")],
    (fo.numpy.pad, X, ((1, 2), "linear_ramp"), {"end_values": (3, 4)}),
    (fo.numpy.pad, X, (2, "mean"), {"stat_length": 1}),
    (fo.numpy.pad, X, (2, "reflect"), {"reflect_type": "odd"}),
    (fo.numpy.pad, X, (2, "symmetric"), {"reflect_type": "odd"}),
    (fo.numpy.pad, X, (2, fill_with), {"padder": 7}),
    (fo.numpy.pad, np.arange(3, dtype=object), (1,), {"constant_values": "a"}),
    (fo.numpy.repeat, X, ([1, 0, 2], 1), {}),
    (fo.numpy.repeat, X, (np.arange(6),), {}),
    (fo.numpy.repeat, X, (2.0,), {}),
    (fo.numpy.tile, X, ((True, 2),), {}),
    # NumPy before 2.3 rolls by integers only.
    *([(fo.numpy.roll, X, (1.5, True), {})] if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else []),
    (fo.numpy.array_split, X, (1.5,), {}),
    (fo.numpy.split, X, (1,), {"axis": True}),
    (fo.numpy.flip, X, (True,), {}),
    (fo.numpy.flip, np.array(None), (), {}),
    (fo.numpy.transpose, np.ma.array(X, mask=X > 3), (), {}),
    (fo.numpy.rot90, np.ma.array(X, mask=X > 3), (), {}),
    *[(fo.numpy.copy, X.T, (order,), {}) for order in "KAF"],
    (fo.numpy.copy, X.view(Labelled), ("C", True), {}),
    (fo.numpy.broadcast_to, X.view(Labelled), ((2, 2, 3), True), {}),
    (fo.numpy.sliding_window_view, X.view(Labelled), (2, 1), {"subok": True}),
    *[(fo.numpy.ascontiguousarray, X, (dtype,), {}) for dtype in (np.float32, ">f8", object, bool)],
    (fo.numpy.ascontiguousarray, [1, 2], (np.float16,), {}),
    (fo.numpy.ascontiguousarray, 3, (), {"dtype": "S1"}),
    *[(fo.numpy.pad, Dispatching(), (1,), values) for values in ({}, {"constant_values": 3})],
    *[(each, Dispatching(), ARGUMENTS.get(each.__name__, ()), {}) for each in FUNCTIONS],
    (fo.numpy.ascontiguousarray, X, (), {"like": Dispatching()}),
]


def said(result: Any) -> Any:
    """Return all that is to be seen of results."""
    if isinstance(result, list | tuple):
        return list(map(said, result))
    if not isinstance(result, np.ndarray):
        return type(result), result
    return type(result), result.dtype, result.shape, np.ma.getmaskarray(result).tolist(), result.tolist()


def test_results_are_those_of_numpy_and_no_views_unless_these_are_asked_for() -> None:
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


def test_outputs_and_views() -> None:
    for function, data, arguments, keywords in CALLS:
        theirs = theirs_of(function)(data, *arguments, **keywords)
        results = listed(theirs)
        if not all(isinstance(each, np.ndarray) for each in results) or not isinstance(data, np.ndarray):
            continue
        plain = [np.asarray(each) for each in results]
        outs: list[Any] = [np.empty(each.shape, each.dtype) for each in plain]
        out = outs if isinstance(theirs, list | tuple) else outs[0]
        assert function(data, *arguments, **keywords, out=out) is out or isinstance(theirs, list | tuple)
        assert said(outs) == said(plain), (function, data)
        # Nothing is written before all is right.
        outs[-1] = outs[-1][None]
        outs[0][...] = before = np.zeros_like(outs[0])
        out = outs if isinstance(theirs, list | tuple) else outs[0]
        with pytest.raises(fo.OutputError, match=f"numpy.{function.__name__}: out.* must have shape"):
            function(data, *arguments, **keywords, out=out)
        assert said(outs[0]) == said(before)
        if all(np.shares_memory(each, data) for each in results):
            views = function(data, *arguments, **keywords, copy=False)
            assert said(views) == said(theirs)
        for wrong in (7, *([] if np.shares_memory(results[0], data) else [False])):
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


def test_the_environment_makes_them_errors_or_warnings() -> None:
    x = np.arange(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fo.numpy.pad(x, 1, "mean")
        with patch.object(_gather_runner, "FALLBACK", "warn"):
            fo.numpy.pad(x, 1)
            for call in (
                lambda: fo.numpy.pad(x, 1, "mean"),
                lambda: fo.numpy.pad(x.astype(object), 1, constant_values=1),
                lambda: fo.numpy.copy(x, "F"),
                lambda: fo.numpy.ascontiguousarray(x, "f4"),
                lambda: fo.numpy.roll(x.astype(object), 1),
            ):
                with pytest.warns(RuntimeWarning, match=r"numpy\.\w+: \w+ must .*: NumPy does this call") as told:
                    call()
                assert [each.filename for each in told] == [__file__]
    for function, data, arguments, keywords in CALLS:
        with without_numpy(), pytest.raises(fo.FastopsError, match=rf"numpy\.{function.__name__}: "):
            function(data, *arguments, **keywords)


def test_what_is_moved_whatever_is_asked_for_besides() -> None:
    labelled = X.view(Labelled)
    with without_numpy():
        moved = [
            (fo.numpy.ascontiguousarray(X.T, dtype), X.T) for dtype in (None, "f8", float, np.float64, np.dtype("f8"))
        ]
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
    lazy = da.from_array(X, chunks=2)
    for data in (lazy, [lazy, lazy]):
        with pytest.raises(fo.FastopsError, match=r"numpy\.pad: \w+ must"):
            fo.numpy.pad(data, 1, "mean")
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(X)
    for call in (
        lambda data: fo.numpy.pad(data, 1, "mean"),
        lambda data: fo.numpy.repeat(data, [1, 2], 0),
        lambda data: fo.numpy.roll(data, 1.5),
        lambda data: fo.numpy.ascontiguousarray(data, "f4"),
    ):
        for data in (tensor, [tensor, tensor]):
            with pytest.raises(fo.FastopsError, match=r"numpy\.\w+: \w+ must"):
                call(data)


def test_chunks_are_those_of_results_of_dask() -> None:
    for function, data, arguments, keywords in CALLS:
        with pytest.raises(fo.AttributeValueError, match="chunks must be None"):
            function(data, *arguments, **keywords, chunks=2)


def test_the_signatures_are_those_of_numpy_and_more() -> None:
    for function in FUNCTIONS:
        if function is fo.numpy.ascontiguousarray and np.lib.NumpyVersion(np.__version__) < "2.4.0":
            # It is compiled, and has no signature yet.
            continue
        theirs = list(inspect.signature(theirs_of(function)).parameters.values())
        ours = inspect.signature(function).parameters
        positional = [each.name for each in theirs if each.kind is each.POSITIONAL_OR_KEYWORD]
        assert list(ours)[: len(positional)] == positional, function
        for each in theirs:
            own = ours["keywords" if each.kind is each.VAR_KEYWORD else each.name]
            # NumPy does not give names to the arguments of some functions.
            assert own.kind == (own.POSITIONAL_OR_KEYWORD if each.kind is each.POSITIONAL_ONLY else each.kind)
            # Copies are in C order.
            assert own.default == each.default or (each.name, own.default) == ("order", "C")


def test_a_function_in_the_place_of_numpys_calls_numpys() -> None:
    with patch.object(np, "pad", fo.numpy.pad):
        assert np.pad([1.0, 3.0], 1, "mean").tolist() == [2, 1, 3, 2]


def test_errors_of_both_are_ours_and_numpys() -> None:
    rows: list[tuple[Any, ...]] = [
        (ZeroDivisionError, fo.numpy.split, X, 0),
        (ValueError, fo.numpy.repeat, X, [1, 2]),
        (ValueError, fo.numpy.repeat, X, ["a"]),
        (TypeError, fo.numpy.ascontiguousarray, X, "no type"),
        (ValueError, fo.numpy.pad, X, 1, "none"),
    ]
    for kind, function, *arguments in rows:
        with pytest.raises(kind, match=rf"^numpy\.{function.__name__}: \w+ must") as info:
            function(*arguments)
        assert isinstance(info.value, fo.FastopsError)
        assert type(info.value.__cause__) is not type(info.value)
        assert isinstance(info.value.__cause__, kind)
