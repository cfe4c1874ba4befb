"""Values that nobody should pass: of other types, of extreme size, and objects whose hooks raise."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any, NoReturn

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

import fastops as fo


class HookError(Exception):
    """What hooks of the objects here raise: it comes out of a call as it is."""


def _raise(*_: object, **__: object) -> NoReturn:
    raise HookError("a hook that raises")


class Raising:
    """An object all of whose hooks raise."""

    __array__ = __len__ = __getitem__ = __iter__ = __float__ = __int__ = __bool__ = __repr__ = __index__ = _raise
    __eq__ = __lt__ = __hash__ = _raise  # type: ignore[assignment]


class RaisingIndex:
    """An integer that cannot say which."""

    __index__ = _raise


class FinalizeRaises(np.ndarray[Any, Any]):
    """An array of which no view can be made, once it is armed."""

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
    """An object whose `__array__` gives what it is told to."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self.made = made

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.made()


class FillHook:
    """A fill value of 7 whose conversion does something else besides."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def __array__(self, *_: Any, **__: Any) -> np.ndarray[Any, Any]:
        self.act()
        return np.array(7.0)


def extremes_of(*bits: int) -> list[int]:
    """Return the integers next to the ends of so many bits, of both signs."""
    return sorted(sign * (2**n + near) for n in bits for near in (-1, 0, 1) for sign in (1, -1))


# Of these many elements or bytes, no array can be made.
EXTREMES = extremes_of(62, 63, 64)


def hostile_values(rng: random.Random) -> list[Any]:
    """Return a pool of values, made anew."""
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
