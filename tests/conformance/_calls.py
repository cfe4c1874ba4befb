"""Parts of random calls: shapes, arrays of any dtype and layout, axes, and the forms in which arguments are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from math import prod
from random import Random
from typing import Any

import ml_dtypes  # noqa: F401 - it registers bfloat16 with NumPy.
import numpy as np

Array = np.ndarray[Any, Any]

#: An argument that is not given.
LEFT_OUT = object()

#: Numbers at the ends of int32 and int64, and beyond.
EXTREMES = (2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63), 2**63)

#: Ranks of any data, and of data that has an axis.
RANKS = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5)
SOME_AXES = (1, 1, 2, 2, 3, 4, 5)

# Numbers of ranges.
_NUMBERS = (0, 1, 2, 3, 5, 7, 20, -1, -4, -20)
_FRACTIONS = (0.5, 0.1, 0.3, 1.5, 2.75, -0.2, -3.5, 10.0)


def numbered(shape: Sequence[int], dtype: str = "int32") -> Array:
    """An array of 1, 2, 3 and so on, for examples."""
    return np.arange(1, prod(shape) + 1).astype(dtype).reshape(shape)


@dataclass(frozen=True, eq=False)
class Call:
    """Data, and the other arguments in order; the first ``positional`` of them are passed by position."""

    data: Any
    arguments: dict[str, Any] = field(default_factory=dict)
    positional: int = 0

    def run(self, function: Callable[..., Any]) -> Any:
        """Call a function; if there is no data, pass the other arguments only."""
        first = () if self.data is None else (self.data,)
        positional = list(self.arguments.values())[: self.positional]
        return function(*first, *positional, **dict(list(self.arguments.items())[self.positional :]))

    def get(self, name: str, default: Any = None) -> Any:
        """Return an argument, or its default."""
        return self.arguments.get(name, default)

    def integers(self, name: str) -> list[int]:
        """Return the integers of an argument in a flat list, which is empty for an argument that is left out."""
        value = self.get(name)
        numbers: list[int] = np.array(() if value is None else value, int).ravel().tolist()
        return numbers

    def __str__(self) -> str:
        names = [""] * self.positional + [f"{name}=" for name in list(self.arguments)[self.positional :]]
        parts = [f"{name}{value!r}" for name, value in zip(names, self.arguments.values(), strict=True)]
        if self.data is None:
            return f"({', '.join(parts)})"
        return f"({', '.join(['x', *parts])}) for x of shape {list(self.data.shape)} and {self.data.dtype}"


def example(shape: Sequence[int], positional: int = 1, dtype: str = "int32", /, **arguments: Any) -> Call:
    """A call on 1, 2, 3 and so on."""
    return Call(numbered(shape, dtype), arguments, positional)


def data_of(call: Call) -> Array:
    """The data of a call, which is the right result if the call changes nothing."""
    data: Array = call.data
    return data


def are_axes(axes: Iterable[int], rank: int, *, may_repeat: bool = False) -> bool:
    """Whether all axes exist, and each is named once unless ``may_repeat``."""
    named = list(axes)
    is_right = all(-rank <= axis < rank for axis in named)
    return is_right and (may_repeat or len({axis % rank for axis in named}) == len(named))


def extent_of(shape: Sequence[int], axis: int) -> int:
    """The extent of an axis; 3 for an axis that does not exist."""
    return shape[axis] if -len(shape) <= axis < len(shape) else 3


def is_far(numbers: Iterable[int]) -> bool:
    """Whether a number is beyond int32."""
    return any(not -(2**31) <= number < 2**31 for number in numbers)


class Dice(Random):
    """Draws parts of calls. A subclass has a framework's dtypes, and the forms in which the framework takes lists."""

    dtypes: Sequence[str] = ("float32", "int32", "uint8", "int64", "float16", "complex128", ">f4")
    #: Whether arrays may have negative strides.
    may_reverse = True
    #: Types of arrays that stand for lists of integers (None: NumPy's default). Numbers beyond int32 become int64.
    index_types: Sequence[str | None] = ()
    #: How often a list of one number is given as the number.
    lone = 0.0
    #: The largest and smallest integers that a framework can be given.
    extremes: Sequence[int] = EXTREMES[:5]

    def shape(self, *, ranks: Sequence[int] = RANKS, extents: Sequence[int] = (1, 2, 2, 3, 3, 4, 5)) -> list[int]:
        """A shape. About one in seven has an empty axis, about one in fifty up to eight axes."""
        most_axes = max(ranks)
        rank = self.randint(most_axes, 8) if most_axes > 4 and self.random() < 0.02 else self.choice(ranks)
        shape = [self.choice(extents if rank < 6 else (1, 1, 2)) for _ in range(rank)]
        if shape and self.random() < 0.15:
            shape[self.randrange(rank)] = 0
        return shape

    def data(self, shape: Sequence[int] | None = None, dtypes: Sequence[str] = ()) -> Array:
        """An array of random bytes. Its axes have any order in memory, gaps, and negative strides if `may_reverse`."""
        shape = self.shape() if shape is None else shape
        dtype = np.dtype(self.choice(dtypes or self.dtypes))
        if self.random() < 0.3:
            return self._fresh(shape, dtype)
        order = self.sample(range(len(shape)), len(shape))
        steps = [self.choice((1, 1, 1, 2, 3)) * (self.choice((1, 1, -1)) if self.may_reverse else 1) for _ in shape]
        memory = self._fresh([shape[k] * abs(steps[k]) for k in order], dtype)
        return memory.transpose(np.argsort(order).tolist())[(*[slice(None, None, step) for step in steps], ...)]

    def _fresh(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
        content = np.frombuffer(self.randbytes(prod(shape) * dtype.itemsize), np.uint8)
        return (content & 1 if dtype.kind == "b" else content).view(dtype).reshape(shape).copy()

    def axis(self, rank: int, wrong: float = 0.05) -> int:
        """An axis, counted from either end; sometimes one that does not exist."""
        if rank and self.random() >= wrong:
            return self.randrange(-rank, rank)
        return self.choice((rank, -rank - 1, rank + 3, *EXTREMES[:2])) if self.random() < 0.8 else 0

    def axes(self, rank: int, n: int, wrong: float = 0.1) -> list[int]:
        """Different axes, counted from either end; sometimes one is named twice or does not exist."""
        axes = [axis - self.choice((0, rank)) for axis in self.sample(range(rank), min(n, rank))]
        if axes and self.random() < wrong:
            axes[self.randrange(len(axes))] = self.choice((axes[-1], axes[0], rank, -rank - 1))
        elif rank < n and self.random() < 0.5:
            axes += [self.choice((0, -1, rank)) for _ in range(n - rank)]
        return axes

    def some_axes(self, rank: int) -> list[int]:
        """At least one axis, if there is one; in 30 of 100 cases, the first axes in order."""
        axes = self.axes(rank, self.randint(min(1, rank), rank))
        return axes if self.random() < 0.7 else list(range(len(axes)))

    def lengths(self, extent: int) -> list[int]:
        """Lengths of one to five parts of an axis; some may be empty."""
        cuts = [0, *sorted(self.randint(0, extent) for _ in range(self.randint(0, 4))), extent]
        return [high - low for low, high in pairwise(cuts)]

    def listed(self, values: Sequence[Any], lone: float | None = None, types: Sequence[str] = ()) -> Any:
        """A list, a tuple, an array or a number, in the forms of the framework."""
        return self.lists(values, lone=lone, types=types)[0]

    def lists(self, *lists: Sequence[Any], lone: float | None = None, types: Sequence[str] = ()) -> list[Any]:
        """Several lists, each in a form of its own; arrays among them have one type."""
        lone = self.lone if lone is None else lone
        dtype: Any = LEFT_OUT
        if self.index_types:
            dtype = "int64" if is_far(chain(*lists)) else self.choice(types or self.index_types)
        return [self._given(values, dtype, lone) for values in lists]

    def _given(self, values: Sequence[Any], dtype: Any, lone: float) -> Any:
        takes_arrays = dtype is not LEFT_OUT and all(-(2**63) <= value < 2**63 for value in values)
        is_array = takes_arrays and self.random() < 0.5
        if len(values) == 1 and self.random() < lone:
            return np.array(values[0], dtype)[()] if is_array else values[0]
        return np.array(values, dtype) if is_array else self.choice((list, tuple))(values)

    def array(self, values: Sequence[Any]) -> Array:
        """An array of an index type."""
        return np.array(values, self.choice(self.index_types))

    def mostly(self, right: Sequence[Any], wrong: Sequence[Any], probability: float = 0.03) -> Any:
        """A right value, or at times a wrong one."""
        return self.choice(wrong if self.random() < probability else right)

    def spoil(self, values: list[Any], probability: float, wrong: Sequence[Any]) -> None:
        """At times, replace a value by a wrong one."""
        if values and self.random() < probability:
            values[self.randrange(len(values))] = self.choice(wrong)

    def call(self, data: Array | None, arguments: dict[str, Any], by_name: dict[str, Any] | None = None) -> Call:
        """A call with these arguments, without those left out; the first ones are positional, the others keywords.

        Arguments of ``by_name`` are always keywords.
        """
        values = list(arguments.values())
        leading = next((i for i, value in enumerate(values) if value is LEFT_OUT), len(values))
        given = {name: value for name, value in (arguments | (by_name or {})).items() if value is not LEFT_OUT}
        return Call(data, given, self.choice((leading, self.randint(0, leading))))

    def window(self, extent: int, step: int) -> tuple[int, int]:
        """A begin and an end, counted from either end of the axis; most take something of it, some lie far outside."""
        if not extent or self.random() < 0.12:
            return self._outside(extent), self._outside(extent)
        first, last = sorted((self.randrange(extent), self.randrange(extent)))
        begin, end = (first, last + 1) if step > 0 else (last, first - 1)
        if end in (-1, extent):
            return begin - self.choice((0, extent)), end if end > 0 else -extent - 1
        return begin - self.choice((0, extent)), end - self.choice((0, extent))

    def _outside(self, extent: int) -> int:
        return self.choice(EXTREMES[:5]) if self.random() < 0.2 else self.randint(-extent - 2, extent + 2)

    def index(self, shape: Sequence[int]) -> Any:
        """An index of an array: numbers and slices of none, some or all axes, new axes, and at times an ellipsis."""
        taken = self.randint(0, len(shape))
        has_ellipsis = self.random() < 0.3
        leading = self.randint(0, taken) if has_ellipsis else taken
        places = [self._place(extent) for extent in shape[:leading]]
        if has_ellipsis:
            places += [..., *[self._place(extent) for extent in shape[len(shape) - taken + leading :]]]
        for _ in range(self.choice((0, 0, 1, 2))):
            places.insert(self.randint(0, len(places)), None)
        if self.random() < 0.05:
            places.insert(self.randint(0, len(places)), self.choice((..., 0, slice(None), slice(None, None, -1))))
        return places[0] if len(places) == 1 and self.random() < 0.5 else tuple(places)

    def _place(self, extent: int) -> Any:
        """An index or a slice of an axis; most of them select something."""
        if self.random() < 0.3:
            is_wrong = not extent or self.random() < 0.03
            return self.choice((extent, -extent - 1, 2**63)) if is_wrong else self.randrange(-extent, extent)
        backwards = (-1, -1, -2) if self.may_reverse else ()
        step = self.choice((None, 1, 1, 2, 3, 0 if self.random() < 0.1 else 2, *backwards))
        ends = sorted((self.randint(0, extent), self.randint(0, extent)), reverse=(step or 1) < 0)
        bounds: list[Any] = [end - extent if self.random() < 0.3 and end < extent else end for end in ends]
        bounds = [self.choice((None, None, *EXTREMES)) if self.random() < 0.35 else bound for bound in bounds]
        return slice(*bounds, step)

    def range(self, *, of_floats: bool) -> list[Any]:
        """The start, end and step of a range; a few steps are 0 or of the wrong sign, a few floats are not finite."""
        numbers: tuple[Any, ...] = (*_FRACTIONS, *_NUMBERS) if of_floats else _NUMBERS
        start, end = sorted((self.choice(numbers), self.choice(numbers)))
        step = abs(self.choice(numbers)) or 1
        if self.random() < 0.3:
            start, end, step = end, start, -step
        values = [start, end, self.choice((0, -step)) if self.random() < 0.08 else step]
        if of_floats:
            self.spoil(values, 0.05, (float("nan"), float("inf"), -float("inf")))
        return values

    def pads(self, extents: Iterable[int], mode: Any, most: int = 4, crops: float = 0) -> list[list[int]]:
        """Pads before and behind each axis, no longer than a mode allows; some crop at most half of the axis."""
        pairs = []
        for extent in extents:
            beyond = {"reflect": -1, "symmetric": 0, "wrap": 0, "circular": 0}.get(mode, most)
            least = -(extent // 2) if self.random() < crops else 0
            pairs.append([self.randint(least, max(min(extent + beyond, most), 0)) for _ in "ab"])
        return pairs

    def blocks(self, numbers: Sequence[int] = (0, 1, 1, 2, 2, 2, 3, 4), *, crops: bool) -> tuple[Any, ...]:
        """A shape, sizes of blocks along axes behind the batch, and a pair of pads or crops for each of these axes.

        Most padded axes are whole blocks, and most crops leave elements.
        """
        n = self.choice(numbers)
        shape = self.shape(ranks=(n + 1, n + 1, n + 2, n + 3), extents=(1, 2, 3, 4) if n < 3 else (1, 1, 2))
        sizes = [self.choice((1, 2, 2, 3)) for _ in range(n)]
        if sizes and self.random() < 0.03:
            sizes[self.randrange(n)] = self.choice((0, -1))
        elif self.random() < 0.02:
            shape = shape[:n]
        if crops and shape and shape[0]:
            shape[0] = self.choice((1, 1, 2)) * max(prod(sizes), 1) + (self.random() < 0.04)
        sides = []
        for extent, size in zip([*shape[1:], 3], [max(size, 1) for size in sizes], strict=False):
            if crops:
                whole = extent * size
                low = min(self.choice((0, 0, 1, size, self.randint(0, whole))), max(whole - 1, 0))
                high = self.choice((0, 0, 0, self.randint(0, max(whole - low - (self.random() < 0.9), 0))))
            else:
                low = self.choice((0, 0, 1, self.randint(0, 3)))
                high = -(extent + low) % size + self.choice((0, 0, size))
            sides.append([low, high])
        if sides and self.random() < 0.08:
            self.choice(sides)[self.randrange(2)] += self.choice((-5, 1, 1, 3))
        elif sides and self.random() < 0.02:
            sides.pop()
        return shape, sizes, sides

    def images(self, factors: Mapping[int, int], ranks: Sequence[int] = (4,)) -> list[int]:
        """A shape of images; most of the axes in ``factors`` are multiples of their factor."""
        shape = self.shape(ranks=ranks, extents=(1, 2, 3))
        for axis, factor in factors.items():
            if -len(shape) <= axis < len(shape):
                shape[axis] = self.choice((1, 1, 2)) * min(abs(factor), 64) if shape[axis] else 0
        if shape and self.random() < 0.06:
            shape[self.randrange(len(shape))] += 1
        elif self.random() < 0.03:
            shape = [*shape, 4] if self.random() < 0.5 else shape[1:]
        return shape

    def patches(self) -> list[list[int]]:
        """Sizes, strides and rates of rows and columns; a few have a wrong number."""
        lists = [[self.randint(1, most) for _ in range(2)] for most in (3, 4, 2)]
        if self.random() < 0.06:
            self.choice(lists)[self.randrange(2)] = self.choice((0, -1))
        return lists
