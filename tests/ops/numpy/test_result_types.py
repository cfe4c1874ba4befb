"""Results of fo.numpy are of NumPy's types: scalars where NumPy gives scalars, read-only views where it gives these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import numpy as fnp

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
