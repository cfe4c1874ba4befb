"""Results of fo.numpy are of NumPy's types: scalars where NumPy gives scalars, read-only views where it gives these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import numpy as fnp
from tests.helpers.contract import Subject, all_operators
from tests.helpers.frameworks import theirs_of

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "flip": lambda lib, x: lib.flip(x),
    "flip no axis": lambda lib, x: lib.flip(x, ()),
    "roll": lambda lib, x: lib.roll(x, 1),
    "repeat": lambda lib, x: lib.repeat(x, 2),
    "tile": lambda lib, x: lib.tile(x, 2),
    "tile by nothing": lambda lib, x: lib.tile(x, ()),
    "pad": lambda lib, x: lib.pad(x, 1),
    "transpose": lambda lib, x: lib.transpose(x),
    "permute_dims": lambda lib, x: lib.permute_dims(x),
    "moveaxis": lambda lib, x: lib.moveaxis(x, (), ()),
    "broadcast_to": lambda lib, x: lib.broadcast_to(x, (3,)),
    "broadcast_to the same": lambda lib, x: lib.broadcast_to(x, ()),
    "copy": lambda lib, x: lib.copy(x),
    "ascontiguousarray": lambda lib, x: lib.ascontiguousarray(x),
}
NUMBERS = [np.float32(3), np.array(3.0), 3.0, 3, True, np.datetime64("2020"), np.array("2020", "M8[D]"), np.int8(2)]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
@pytest.mark.parametrize("name", CALLS)
def test_numbers_give_what_numpy_gives(name: str, number: Any) -> None:
    call = CALLS[name]
    try:
        expected = call(np, number)
    except (ValueError, TypeError, IndexError):
        return
    for _ in range(3):
        result = call(fnp, number)
        assert type(result) is type(expected)
        assert result.dtype == expected.dtype
        assert np.array_equal(result, expected)


def test_a_number_may_be_written_into_an_array() -> None:
    out = np.zeros(())
    assert fnp.flip(3.0, out=out) is out
    assert out == 3
    assert type(fnp.flip(np.array(3.0), copy=False)) is np.ndarray


@pytest.mark.parametrize("copy", [False, None])
@pytest.mark.parametrize("shape", [3, (3,), (1, 3), (2, 3), (0, 3)])
def test_views_of_broadcast_to_are_read_only_whatever_is_repeated(shape: Any, copy: bool | None) -> None:
    data = np.arange(3)
    view = fnp.broadcast_to(data, shape, copy=copy)
    assert not view.flags.writeable
    assert np.shares_memory(view, data) == (0 not in view.shape)
    assert data.flags.writeable
    out = np.empty(view.shape, data.dtype)
    assert fnp.broadcast_to(data, shape, out=out, copy=None) is out
    assert out.flags.writeable
    assert fnp.broadcast_to(data, shape).flags.writeable
    assert fo.onnx.expand(data, [3]).flags.writeable


FUNCTIONS = {function.__name__: function for function in all_operators() if Subject(function).dialect == "numpy"}

#: Functions and arguments that take data of rank 0, or of rank 1 or 2.
ARGUMENTS: list[tuple[str, dict[str, Any]]] = [
    ("flip", {}),
    ("fliplr", {}),
    ("flipud", {}),
    ("roll", {"shift": 1}),
    ("repeat", {"repeats": 2}),
    ("repeat", {"repeats": 1, "axis": 0}),
    ("tile", {"reps": 2}),
    ("tile", {"reps": ()}),
    ("pad", {"pad_width": 1}),
    ("pad", {"pad_width": 1, "mode": "edge"}),
    ("transpose", {}),
    ("permute_dims", {}),
    ("moveaxis", {"source": (), "destination": ()}),
    ("moveaxis", {"source": 0, "destination": -1}),
    ("swapaxes", {"axis1": 0, "axis2": -1}),
    ("rot90", {}),
    ("broadcast_to", {"shape": ()}),
    ("broadcast_to", {"shape": 2}),
    ("broadcast_to", {"shape": (2, 3)}),
    ("broadcast_to", {"shape": (1, 2, 3)}),
    ("copy", {}),
    ("ascontiguousarray", {}),
    ("sliding_window_view", {"window_shape": ()}),
    ("sliding_window_view", {"window_shape": 3}),
    ("sliding_window_view", {"window_shape": (1, 1)}),
    ("split", {"indices_or_sections": 1}),
    ("array_split", {"indices_or_sections": [1]}),
    ("take_slice", {"index": ()}),
    ("take_slice", {"index": ...}),
    ("take_slice", {"index": (0, 1)}),
    ("take_slice", {"index": (0, 1, ...)}),
    ("take_slice", {"index": (0, None, 1)}),
    ("take_slice", {"index": -1}),
    ("take_slice", {"index": np.s_[::-1]}),
]

_IDS = [f"{name}-{i}" for i, (name, _) in enumerate(ARGUMENTS)]


def answer(function: Any, data: Any, arguments: dict[str, Any]) -> Any:
    """Return the types and the contents of results, or None for an error."""
    try:
        result = function(data, **arguments)
    except (TypeError, ValueError, IndexError, AttributeError):
        return None
    results = result if isinstance(result, list) else [result]
    return [(type(each), each.shape, each.dtype, each.tobytes()) for each in results]


@pytest.mark.parametrize(("name", "arguments"), ARGUMENTS, ids=_IDS)
def test_results_are_scalars_where_numpy_gives_scalars(name: str, arguments: dict[str, Any]) -> None:
    scalars = [np.float32(3), np.datetime64("2001-01-01"), np.True_, np.int64(-1)]
    data: list[Any] = [*scalars, *map(np.array, scalars), np.array(2, ">i4")]
    if name != "take_slice":
        # Python's scalars and lists have no index of axes.
        data += [3, 3.0, True, [3.0]]
    for each in (*data, np.arange(6).reshape(2, 3)):
        expected = answer(theirs_of(FUNCTIONS[name]), each, arguments)
        if expected is not None:
            assert answer(FUNCTIONS[name], each, arguments) == expected


@pytest.mark.parametrize(("name", "arguments"), ARGUMENTS, ids=_IDS)
@pytest.mark.parametrize("is_writeable", [True, False])
def test_views_are_writeable_where_numpys_are(name: str, arguments: dict[str, Any], is_writeable: bool) -> None:
    for data in (np.array(3.0), np.arange(3.0), np.arange(6.0).reshape(2, 3)):
        data.flags.writeable = is_writeable
        if answer(theirs_of(FUNCTIONS[name]), data, arguments) is None:
            continue
        theirs = theirs_of(FUNCTIONS[name])(data, **arguments)
        for their in theirs if isinstance(theirs, list) else [theirs]:
            if np.shares_memory(their, data):
                views = FUNCTIONS[name](data, **arguments, copy=False)
                for view in views if isinstance(views, list) else [views]:
                    assert np.shares_memory(view, data)
                    assert view.flags.writeable == their.flags.writeable


def test_a_view_that_is_asked_for_is_an_array() -> None:
    data = np.array([[1.0, 2.0]])
    fo.numpy.take_slice(data, (0, 1), copy=False)[...] = 7
    assert data[0, 1] == 7
    assert fo.numpy.flip(data[0, 0, ...], copy=False).shape == ()
    out = np.zeros(())
    assert fo.numpy.flip(data[0, 0], out=out) is out
    assert fo.numpy.take_slice(data, (0, 0), out=out) is out
