"""Values that nobody should pass, and places of public functions that take integers."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple, NoReturn

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

import fastops as fo
from tests.helpers.oracle import MASKS


class HookError(Exception):
    """The exception that hooks of these objects raise; calls must pass it on."""


def _raise(*_: object, **__: object) -> NoReturn:
    raise HookError("a hook that raises")


class Raising:
    """An object with hooks that all raise."""

    __array__ = __len__ = __getitem__ = __iter__ = __float__ = __int__ = __bool__ = __repr__ = __index__ = _raise
    __eq__ = __lt__ = __hash__ = _raise  # type: ignore[assignment]


class RaisingIndex:
    """An object whose `__index__` raises."""

    __index__ = _raise


class FinalizeRaises(np.ndarray[Any, Any]):
    """An array that raises when a view of it is made, once it is armed."""

    armed = False

    def __array_finalize__(self, obj: Any) -> None:
        if self.armed:
            raise HookError("finalize")


class FinalizeReshapes(np.ndarray[Any, Any]):
    """An array whose views have another shape."""

    def __array_finalize__(self, obj: Any) -> None:
        if self.ndim == 2:
            self.shape = (self.size,)


class OddArray:
    """An object whose `__array__` returns the result of a function."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self.made = made

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.made()


class FillHook:
    """A fill value of 7 whose conversion calls a function first."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, Any]:
        self.act()
        return np.array(7.0)


def extremes_of(*bits: int) -> list[int]:
    """Return 2 to the power of each of ``bits``, the integers beside it, and the negatives of these three."""
    return sorted(sign * (2**n + near) for n in bits for near in (-1, 0, 1) for sign in (1, -1))


# Numbers of elements or bytes that fit in no memory, and their negatives.
EXTREMES = extremes_of(62, 63, 64)


def hostile_values(rng: random.Random) -> list[Any]:
    """Return hostile values, made anew."""
    array = np.arange(20.0).reshape(4, 5).copy()
    armed = np.zeros((4, 5)).view(FinalizeRaises)
    armed.armed = True
    empty = as_strided(np.zeros(1), (0, 2**40), (2**62, 2**40))
    n = rng.choice(EXTREMES)
    return [
        *(None, True, False, 0, 1, -1, 2, n, -n, 10**5000, 1.5, float("nan"), float("inf"), -0.0, 1e308, 1j),
        *("1", "f4", "wrap", "\ud800\n", b"1", "", [], [1], (0, 0), [1.0], [None], ["1"], [[1]], [[1], [1, 2]], [True]),
        *([n], [n, -n], [0, n], [n, 1], [10**5000], [1] * 70, [np.int64(1), np.uint8(2)], [RaisingIndex()]),
        *({1}, {1: 2}, range(2), range(2**40), deque([1]), bytearray(b"ab"), memoryview(b"ab"), iter([1])),
        *(object(), object, len, Ellipsis, NotImplemented, slice(1), date(2026, 1, 1), timedelta(1)),
        *(np.array(1), np.array([1.0]), np.array([[1]]), np.array([True]), np.array([None]), np.zeros(0), np.int8(1)),
        *(np.array([1, n % 2**63]), np.array(["a"]), np.array([1], "M8[s]")),
        *(np.bool_(True), np.float16("nan"), np.datetime64("nat", "s"), np.str_("x"), np.void(b"12345678")),
        *(ml_dtypes.int4(1), ml_dtypes.bfloat16(1), np.array([1], ml_dtypes.int4), np.dtype("f4"), np.float64, int),
        *(np.dtype([("a", "f8"), ("b", "i2", 2)]), np.dtype("V0"), np.dtype("O"), np.dtype("f8", metadata={})),
        *(np.ma.masked_array([1], [True]), np.ma.zeros((4, 5)), np.zeros((1, 1)).view(np.matrix)),
        *(empty, np.broadcast_to(np.int64(1), 2**40), (np.zeros((1, 5)),)),
        *(np.zeros((4, 5)), np.zeros((2, 2)), np.zeros(4), np.zeros((4, 5), "u1"), np.zeros((4, 5), object), array),
        *([np.zeros((1, 5)), np.zeros((3, 5))], [array, array], [array[:1], array[1:]]),
        *(np.zeros((0, 5)), np.zeros((1,) * 64), np.broadcast_to(0.0, (4, 5)), as_strided(array, (4, 5), (8, 8))),
        *(SimpleNamespace(name="wrap"), fo.SampleMode.FILL, fo.plan.AxisMap.whole(4), Raising(), [Raising()]),
        *(RaisingIndex(), armed, np.zeros((4, 5)).view(FinalizeReshapes), OddArray(_raise), OddArray(lambda: array)),
        OddArray(lambda: 5),
    ]


ROW = np.arange(5)

_FIVE = fo.plan.AxisMap.whole(5)
_WRAPPED = fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)
_VALUE, _BOUNDS, _AXIS = fo.AttributeValueError, fo.OutOfBoundsError, fo.AxisError


class Place(NamedTuple):
    """A call that takes a value in one of its arguments.

    ``right`` is the error for all extreme integers, or a function that returns the error or the result for one. It is
    None where a result might take much memory.
    """

    call: Callable[[Any], Any]
    right: type[fo.FastopsError] | Callable[[int], Any] | None = None


def _length(n: int) -> Any:
    return n if n > 0 else _VALUE


def _extent(n: int) -> Any:
    return n if 0 < n < 2**63 else _VALUE


def _view(n: int) -> Any:
    return _VALUE if n < 0 else (n,) if n < 2**60 else fo.OutputError


#: Places of a list of one integer.
LISTS = {
    "begin": Place(lambda v: fo.strided_slice(ROW, v, [9]), lambda n: ROW[n:]),
    "end": Place(lambda v: fo.strided_slice(ROW, [0], v), lambda n: ROW[:n]),
    "strides": Place(lambda v: fo.strided_slice(ROW, [4], [-9], v), lambda n: ROW[4:-9:n]),
    "start": Place(lambda v: fo.slice(ROW, v, [5], mode="wrap"), lambda n: np.roll(ROW, -n % 5)),
    "size": Place(lambda v: fo.slice(ROW, [0], v, [0], copy=False).shape, _view),
    "stride": Place(lambda v: fo.slice(ROW, [0], [2], v, mode="wrap"), lambda n: [0, n % 5]),
    "axes": Place(lambda v: fo.slice(ROW, [0], [1], axes=v), _AXIS),
    "split_lengths": Place(lambda v: fo.variadic_split(ROW, 0, v), _VALUE),
    "shape": Place(lambda v: fo.plan.slice(v, [7], [3], mode="reflect").extents[0], _extent),
    "shape of a plan": Place(lambda v: fo.plan.SlicePlan([_FIVE], v), _VALUE),
    **{mask: Place(lambda v, mask=mask: fo.strided_slice(ROW, [1], [2], **{mask: v}), _VALUE) for mask in MASKS},
}

#: Places of one integer.
NUMBERS = {
    **{name: Place(lambda n, call=place.call: call([n]), place.right) for name, place in LISTS.items()},
    **{f"2 of {m}": Place(lambda n, m=m: fo.strided_slice(ROW, [1], [2], **{m: [0, n]}), _VALUE) for m in MASKS},
    "a list of an axis": Place(lambda n: fo.variadic_split(ROW, [n], [5]), _AXIS),
    "an axis": Place(lambda n: fo.variadic_split(ROW, n, [5]), _AXIS),
    "a second axis": Place(lambda n: fo.slice(ROW[None], [0, 0], [1, 1], axes=[0, n]), _AXIS),
    "extent": Place(lambda n: fo.plan.AxisMap.create(n, 0, 1, 0).extent, _length),
    "start of a map": Place(
        lambda n: fo.plan.AxisMap.create(5, n, 1, 3, fo.SampleMode.WRAP).source(0), lambda n: n % 5
    ),
    "start in bounds": Place(lambda n: fo.plan.AxisMap.create(5, n, 1, 1).start, _BOUNDS),
    "stride in bounds": Place(lambda n: fo.plan.AxisMap.create(5, 0, n, 2).stride, _BOUNDS),
    "count": Place(lambda n: fo.plan.AxisMap.create(5, 0, 1, n, fo.SampleMode.REFLECT).count, _length),
    "whole": Place(lambda n: fo.plan.AxisMap.whole(n).count, _length),
    "an output": Place(_WRAPPED.source, _BOUNDS),
    "sections": Place(lambda n: fo.numpy.split(ROW, [n])[1], lambda n: ROW[n:]),
    "a number of sections": Place(lambda n: fo.numpy.split(ROW, n)[0], _VALUE),
    "an index": Place(lambda n: fo.numpy.take_slice(ROW, n), _BOUNDS),
    "a bound": Place(lambda n: fo.numpy.take_slice(ROW, slice(n, None)), lambda n: ROW[n:]),
    "a shift": Place(lambda n: fo.numpy.roll(ROW, n), lambda n: np.roll(ROW, n % 5)),
    "a shift of an axis": Place(lambda n: fo.numpy.roll(ROW, [n], [0]), lambda n: np.roll(ROW, n % 5)),
    "turns": Place(lambda n: fo.numpy.rot90(ROW[None], n), lambda n: np.rot90(ROW[None], n % 4)),
    "repeats": Place(lambda n: fo.numpy.repeat(ROW, n)),
    "a pad": Place(lambda n: fo.onnx.pad(ROW, [n, n])),
    "a pad by name": Place(lambda n: fo.numpy.pad(ROW, {0: n})),
    "a pad of two": Place(lambda n: fo.numpy.pad(ROW, [n, 1])),
    "a start of a window": Place(lambda n: fo.windows(ROW, [[n]], [2]), _BOUNDS),
    "a size of windows": Place(lambda n: fo.windows(ROW, [[0]], [n])),
    "an item": Place(lambda n: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=[n]), _BOUNDS),
}
