"""Values that nobody should pass: objects whose hooks raise, lie, or change what is being read; extreme integers."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import repeat
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


def _yes(*_: object) -> bool:
    return True


class Raising:
    """An object all of whose hooks raise."""

    __array__ = __len__ = __getitem__ = __iter__ = __float__ = __int__ = __bool__ = __repr__ = __index__ = _raise
    __eq__ = __lt__ = __hash__ = _raise  # type: ignore[assignment]


class RaisingAttributes:
    """An object that has no attribute without an exception, not even its class."""

    def __getattribute__(self, name: str) -> NoReturn:
        raise HookError(name)


class RaisingIndex:
    """An integer that cannot say which."""

    __index__ = _raise


class RaisingList(list[Any]):
    """A list that cannot be read."""

    __iter__ = __len__ = _raise  # type: ignore[assignment]


class LongerList(list[Any]):
    """A list that is far longer than it says."""

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        return repeat(0, 1 << 21)


class LyingHash(type):
    """Types that pass for `int` in a set."""

    __eq__ = _yes  # type: ignore[assignment]

    def __hash__(cls) -> int:
        return hash(int)


class LyingNumber(metaclass=LyingHash):
    """A number equal to every number, whose value is another one each time."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self.rng = rng or random.Random(0)

    def __hash__(self) -> int:
        return self.rng.choice([0, 1])

    __eq__ = _yes  # type: ignore[assignment]

    def __index__(self) -> int:
        return self.rng.choice([-(2**63), -1, 0, 1, 2, 2**62])

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.array(self.__index__())


class LyingInteger(int):
    """An integer that compares and converts as another one."""

    __eq__ = __lt__ = _yes  # type: ignore[assignment]

    def __hash__(self) -> int:
        return hash(1)

    def __int__(self) -> int:
        return 2**62


class Claiming:
    """An object that says it is of another class."""

    def __init__(self, cls: type) -> None:
        self.__dict__["claimed"] = cls

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.claimed  # type: ignore[attr-defined]


class LyingArray(np.ndarray[Any, Any]):
    """An array that says it is longer than it is."""

    shape = property(lambda _: (4, 5))  # type: ignore[assignment]
    strides = property(lambda _: (40, 8))  # type: ignore[assignment]
    dtype = property(lambda _: np.dtype("f8"))  # type: ignore[assignment]

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.zeros((4, 5))


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


class Changing:
    """An integer that changes an array and a list whenever somebody asks for its value, its hash or its equals."""

    def __init__(self, array: Any, elements: list[Any]) -> None:
        self.array, self.elements = array, elements

    def change(self) -> None:
        for change in (
            lambda: self.array.resize(1, refcheck=False),
            lambda: setattr(self.array, "shape", (-1,)),
            lambda: setattr(self.array, "dtype", "u1"),
            lambda: self.elements.append([2**62]),
            lambda: self.elements.clear(),
        ):
            with suppress(ValueError, TypeError, AttributeError):
                change()

    def __index__(self) -> int:
        self.change()
        return 1

    def __hash__(self) -> int:
        self.change()
        return hash(1)

    def __eq__(self, other: object) -> bool:
        self.change()
        return True


def _ring(n: int = 1) -> list[Any]:
    """Return a list that holds itself so many times."""
    ring: list[Any] = []
    ring += [ring] * n
    return ring


def extremes_of(*bits: int) -> list[int]:
    """Return the integers next to the ends of so many bits, of both signs."""
    return sorted(sign * (2**n + near) for n in bits for near in (-1, 0, 1) for sign in (1, -1))


# Of these many elements or bytes, no array can be made.
EXTREMES = extremes_of(62, 63, 64)


def hostile_values(rng: random.Random) -> list[Any]:
    """Return a pool of values, made anew: some of them change while they are used."""
    array = np.arange(20.0).reshape(4, 5).copy()
    # Nothing that changes is under a view: what is resized there is gone, and NumPy itself would read it.
    other = array.copy()
    changing: list[Any] = [0, 0]
    changing[0] = Changing(array, changing)
    armed = np.zeros((4, 5)).view(FinalizeRaises)
    armed.armed = True
    titled = np.dtype({"names": ["a"], "formats": ["f8"], "titles": [Raising()]})
    empty = as_strided(np.zeros(1), (0, 2**40), (2**62, 2**40))
    n = rng.choice(EXTREMES)
    return [
        *(None, True, False, 0, 1, -1, 2, n, -n, 10**5000, 1.5, float("nan"), float("inf"), -0.0, 1e308, 1j),
        *("1", "f4", "wrap", "\ud800\n", b"1", "", [], [1], (0, 0), [1.0], [None], ["1"], [[1]], [[1], [1, 2]], [True]),
        *([n], [n, -n], [0, n], [n, 1], [10**5000], [1] * 70, [np.int64(1), np.uint8(2)], [RaisingIndex()]),
        *({1}, {1: 2}, range(2), range(2**40), deque([1]), bytearray(b"ab"), memoryview(b"ab"), iter([1])),
        *(object(), object, len, Ellipsis, NotImplemented, slice(1), date(2026, 1, 1), timedelta(1), _ring(), _ring(2)),
        *(np.array(1), np.array([1.0]), np.array([[1]]), np.array([True]), np.array([None]), np.zeros(0), np.int8(1)),
        *(np.array([1, n % 2**63]), np.array(["a"]), np.array([1], "M8[s]")),
        *(np.bool_(True), np.float16("nan"), np.datetime64("nat", "s"), np.str_("x"), np.void(b"12345678")),
        *(ml_dtypes.int4(1), ml_dtypes.bfloat16(1), np.array([1], ml_dtypes.int4), np.dtype("f4"), np.float64, int),
        *(np.dtype([("a", "f8"), ("b", "i2", 2)]), np.dtype("V0"), np.dtype("O"), np.dtype("f8", metadata={}), titled),
        *(np.ma.masked_array([1], [True]), np.ma.zeros((4, 5)), np.zeros((1, 1)).view(np.matrix)),
        *(empty, np.zeros((4, 5), titled), np.broadcast_to(np.int64(1), 2**40), (np.zeros((1, 5)),)),
        *(np.zeros((4, 5)), np.zeros((2, 2)), np.zeros(4), np.zeros((4, 5), "u1"), np.zeros((4, 5), object), array),
        *([np.zeros((1, 5)), np.zeros((3, 5))], [array, array], [other[:1], other[1:]]),
        *(np.zeros((0, 5)), np.zeros((1,) * 64), np.broadcast_to(0.0, (4, 5)), as_strided(other, (4, 5), (8, 8))),
        *(
            SimpleNamespace(name="wrap"),
            SimpleNamespace(name=5, dtype=np.dtype("i8")),
            SimpleNamespace(shape=5, dtype=5),
        ),
        *(SimpleNamespace(shape=(1,), dtype=np.dtype("i8")), fo.SampleMode.FILL, fo.plan.AxisMap.whole(4)),
        *(Raising(), RaisingAttributes(), RaisingIndex(), RaisingList([1]), LongerList([1]), LyingNumber(rng)),
        *([1, LyingNumber(rng)], [LyingNumber(rng)], LyingInteger(1), [LyingInteger(1), LyingInteger(1)], [Raising()]),
        *(Claiming(int), Claiming(list), Claiming(np.ndarray), Claiming(str), [Claiming(str)], Claiming(np.dtype)),
        *(changing, (changing[0], 0), changing[0], [changing[0]], OddArray(_raise), OddArray(lambda: array)),
        *(np.zeros(3).view(LyingArray), armed, np.zeros((4, 5)).view(FinalizeReshapes), [np.zeros(1).view(LyingArray)]),
        *(OddArray(lambda: 5), OddArray(lambda: np.zeros(3).view(LyingArray))),
    ]
