"""What random calls are made of: shapes, arrays of any dtype and layout, axes, and how arguments are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

import ml_dtypes  # noqa: F401 - it tells NumPy of bfloat16.
import numpy as np

Array = np.ndarray[Any, Any]

#: An argument that is not given.
LEFT_OUT = object()

#: Numbers at the ends of what int32 and int64 hold, and beyond.
EXTREMES = (2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63), 2**63)

_RANKS = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5)

# Numbers of ranges.
_NUMBERS = (0, 1, 2, 3, 5, 7, 20, -1, -4, -20)
_FRACTIONS = (0.5, 0.1, 0.3, 1.5, 2.75, -0.2, -3.5, 10.0)


def numbered(shape: Sequence[int], dtype: str = "int32") -> Array:
    """An array of 1, 2, 3 and so on, for examples."""
    return np.arange(1, prod(shape) + 1).astype(dtype).reshape(shape)


@dataclass(frozen=True, eq=False)
class Call:
    """Data, and the other arguments by name and in order, of which the first ``positional`` are given by position."""

    data: Array | None
    arguments: dict[str, Any] = field(default_factory=dict)
    positional: int = 0

    def run(self, function: Callable[..., Any]) -> Any:
        """Call a function; without data, with the arguments alone."""
        first = () if self.data is None else (self.data,)
        items = list(self.arguments.items())
        positional = [value for _, value in items[: self.positional]]
        return function(*first, *positional, **dict(items[self.positional :]))

    def __str__(self) -> str:
        items = list(self.arguments.items())
        parts = [] if self.data is None else ["x"]
        parts += [repr(value) for _, value in items[: self.positional]]
        parts += [f"{name}={value!r}" for name, value in items[self.positional :]]
        if self.data is None:
            return f"({', '.join(parts)})"
        return f"({', '.join(parts)}) for x of shape {list(self.data.shape)} and {self.data.dtype}"


def example(shape: Sequence[int], positional: int = 1, /, **arguments: Any) -> Call:
    """A call on 1, 2, 3 and so on."""
    return Call(numbered(shape), arguments, positional)


def are_axes(axes: Iterable[int], rank: int, *, may_repeat: bool = False) -> bool:
    """Whether there are these axes, each of them once."""
    named = list(axes)
    is_right = all(-rank <= axis < rank for axis in named)
    return is_right and (may_repeat or len({axis % rank for axis in named}) == len(named))


def extent_of(shape: Sequence[int], axis: int) -> int:
    """The extent of an axis; of one that there is not, any."""
    return shape[axis] if -len(shape) <= axis < len(shape) else 3


@dataclass(frozen=True)
class Blocks:
    """A shape, the blocks of its first axes behind the batch, and the pads or crops before and behind each of these."""

    shape: list[int]
    sizes: list[int]
    before: list[int]
    behind: list[int]


class Dice(Random):
    """What draws calls, or the parts that they are made of."""

    def shape(self, *, ranks: Sequence[int] = _RANKS, extents: Sequence[int] = (1, 2, 2, 3, 3, 4, 5)) -> list[int]:
        """A shape, in about one of seven cases with an empty axis, in about one of fifty of up to eight axes."""
        most_axes = max(ranks)
        rank = self.randint(most_axes, 8) if most_axes > 4 and self.random() < 0.02 else self.choice(ranks)
        shape = [self.choice(extents if rank < 6 else (1, 1, 2)) for _ in range(rank)]
        if shape and self.random() < 0.15:
            shape[self.randrange(rank)] = 0
        return shape

    def data(self, shape: Sequence[int], dtypes: Sequence[str], *, may_reverse: bool = True) -> Array:
        """An array of random bytes, whose axes are in any order in memory, with gaps, and backwards if they may be."""
        dtype = np.dtype(self.choice(dtypes))
        if self.random() < 0.3:
            return self._fresh(shape, dtype)
        order = self.sample(range(len(shape)), len(shape))
        steps = [self.choice((1, 1, 1, 2, 3)) * (self.choice((1, 1, -1)) if may_reverse else 1) for _ in shape]
        memory = self._fresh([shape[k] * abs(steps[k]) for k in order], dtype)
        return memory.transpose(np.argsort(order).tolist())[(*[slice(None, None, step) for step in steps], ...)]

    def _fresh(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
        content = np.frombuffer(self.randbytes(prod(shape) * dtype.itemsize), np.uint8)
        return (content & 1 if dtype.kind == "b" else content).view(dtype).reshape(shape).copy()

    def axis(self, rank: int, wrong: float = 0.05) -> int:
        """An axis, counted from either end; sometimes one that there is not."""
        if rank and self.random() >= wrong:
            return self.randrange(-rank, rank)
        return self.choice((rank, -rank - 1, rank + 3, *EXTREMES[:2])) if self.random() < 0.8 else 0

    def axes(self, rank: int, n: int, wrong: float = 0.1) -> list[int]:
        """Axes, each once, counted from either end; sometimes one is named twice, or there is not."""
        axes = [axis - self.choice((0, rank)) for axis in self.sample(range(rank), min(n, rank))]
        if axes and self.random() < wrong:
            axes[self.randrange(len(axes))] = self.choice((axes[-1], axes[0], rank, -rank - 1))
        elif rank < n and self.random() < 0.5:
            axes += [self.choice((0, -1, rank)) for _ in range(n - rank)]
        return axes

    def lengths(self, extent: int) -> list[int]:
        """Lengths of one to five parts of an axis, of which some may be empty."""
        cuts = [0, *sorted(self.randint(0, extent) for _ in range(self.randint(0, 4))), extent]
        return [high - low for low, high in pairwise(cuts)]

    def place(self, extent: int, *, may_reverse: bool = True) -> Any:
        """An index of an axis, or a slice, most of which take something."""
        if self.random() < 0.3:
            is_wrong = not extent or self.random() < 0.03
            return self.choice((extent, -extent - 1, 2**63)) if is_wrong else self.randrange(-extent, extent)
        step = self.choice((None, 1, 1, 2, 3, 0 if self.random() < 0.1 else 2, *((-1, -1, -2) if may_reverse else ())))
        ends = sorted((self.randint(0, extent), self.randint(0, extent)))
        bounds = ends if (step or 1) > 0 else ends[::-1]
        bounds = [bound - extent if self.random() < 0.3 and bound < extent else bound for bound in bounds]
        bounds = [self.choice((None, None, *EXTREMES)) if self.random() < 0.35 else bound for bound in bounds]
        return slice(*bounds, step)

    def listed(self, values: Sequence[Any]) -> Any:
        """A list or a tuple."""
        return self.choice((list, tuple))(values)

    def call(self, data: Array | None, arguments: dict[str, Any], by_name: dict[str, Any] | None = None) -> Call:
        """A call with these arguments, in order; some by position and the others by name, but for those left out.

        Those of ``by_name`` can be given by name only.
        """
        values = list(arguments.values())
        leading = next((i for i, value in enumerate(values) if value is LEFT_OUT), len(values))
        given = {name: value for name, value in (arguments | (by_name or {})).items() if value is not LEFT_OUT}
        return Call(data, given, self.choice((leading, self.randint(0, leading))))

    def window(self, extent: int, step: int) -> tuple[int, int]:
        """A begin and an end, counted from either end of the axis; most take something of it, some lie far outside."""
        if not extent or self.random() < 0.12:
            far = extent + 2
            return self._far_or(self.randint(-far, far)), self._far_or(self.randint(-far, far))
        first, last = sorted((self.randrange(extent), self.randrange(extent)))
        begin, end = (first, last + 1) if step > 0 else (last, first - 1)
        if end in (-1, extent):
            return begin - self.choice((0, extent)), end if end > 0 else -extent - 1
        return begin - self.choice((0, extent)), end - self.choice((0, extent))

    def _far_or(self, number: int) -> int:
        return self.choice(EXTREMES[:5]) if self.random() < 0.2 else number

    def spoil(self, values: list[Any], probability: float, wrong: Sequence[Any]) -> None:
        """At times, put something wrong in place of a value."""
        if values and self.random() < probability:
            values[self.randrange(len(values))] = self.choice(wrong)

    def slices(self, shape: Sequence[int], axes: list[int]) -> list[list[int]]:
        """Starts, ends, steps and these axes; at times, a list has one value less than the others."""
        lists: list[list[int]] = [[], [], [], axes]
        for axis in axes:
            step = self.choice((1, 1, 2, 3, -1, -2)) if self.random() < 0.97 else self.choice((0, *EXTREMES[:5]))
            start, end = self.window(extent_of(shape, axis), step)
            end = self.choice((2**31 - 1, 2**63 - 1)) if step < 0 and self.random() < 0.03 else end
            for each, number in zip(lists, (start, end, step), strict=False):
                each.append(number)
        if self.random() < 0.04:
            del self.choice(lists)[:1]
        return lists

    def index(self, shape: Sequence[int], *, may_reverse: bool = True) -> Any:
        """An index of an array: numbers and slices, most often of some axes, added axes, and one ellipsis at times."""
        taken = self.randint(0, len(shape))
        has_ellipsis = self.random() < 0.3
        leading = self.randint(0, taken) if has_ellipsis else taken
        places = [self.place(extent, may_reverse=may_reverse) for extent in shape[:leading]]
        if has_ellipsis:
            behind = shape[len(shape) - taken + leading :]
            places += [..., *[self.place(extent, may_reverse=may_reverse) for extent in behind]]
        for _ in range(self.choice((0, 0, 1, 2))):
            places.insert(self.randint(0, len(places)), None)
        if self.random() < 0.05:
            backwards = slice(None, None, -1)
            places.insert(self.randint(0, len(places)), self.choice((..., 0, slice(None), backwards)))
        return places[0] if len(places) == 1 and self.random() < 0.5 else tuple(places)

    def order(self, rank: int) -> list[int]:
        """All axes in any order; at times, one is missing, or they are counted from either end, or wrong."""
        order = self.sample(range(rank), rank)
        return order if self.random() < 0.92 else self.choice((order[1:], self.axes(rank, rank, 0.5)))

    def repeats(self, rank: int) -> list[int]:
        """A number of repeats of each axis; some are none or negative."""
        repeats = [self.choice((1, 1, 2, 3) if rank < 5 else (1, 1, 2)) for _ in range(rank)]
        self.spoil(repeats, 0.12, (0, -1, -3))
        return repeats

    def given(self, values: Sequence[int], *dtypes: str) -> Any:
        """A list, a tuple or an array of one of these types, if it holds the values."""
        dtype = self.choice(dtypes)
        info = np.iinfo(dtype)
        if self.random() < 0.5 or not all(info.min <= value <= info.max for value in values):
            return self.listed(values)
        return np.array(values, dtype)

    def all_given(self, lists: Mapping[str, Sequence[int]]) -> dict[str, Any]:
        """Lists, tuples or arrays, of one type, which is int64 if a number is beyond int32."""
        is_far = any(not -(2**31) <= value < 2**31 for each in lists.values() for value in each)
        dtype = "int64" if is_far else self.choice(("int32", "int64"))
        return {name: self.given(each, dtype) for name, each in lists.items()}

    def range(self, *, of_floats: bool) -> list[Any]:
        """The start, the end and the step of a range; a few steps are 0 or lead away, a few floats are not finite."""
        numbers: tuple[Any, ...] = (*_FRACTIONS, *_NUMBERS) if of_floats else _NUMBERS
        start, end = sorted((self.choice(numbers), self.choice(numbers)))
        step = abs(self.choice(numbers)) or 1
        if self.random() < 0.3:
            start, end, step = end, start, -step
        values = [start, end, self.choice((0, -step)) if self.random() < 0.08 else step]
        if of_floats:
            self.spoil(values, 0.05, (float("nan"), float("inf"), -float("inf")))
        return values

    def padded_blocks(self, numbers: Sequence[int] = (0, 1, 1, 2, 2, 2, 3, 4)) -> Blocks:
        """Blocks that become a part of the batch; most pads make each axis a multiple of its block."""
        shape, sizes = self._sizes(numbers)
        before, behind = [], []
        for extent, size in zip([*shape[1:], 3], sizes, strict=False):
            before.append(self.choice((0, 0, 1, self.randint(0, 3))))
            behind.append(-(extent + before[-1]) % max(size, 1) + self.choice((0, 0, max(size, 1))))
        self._spoil(before, behind)
        return Blocks(shape, sizes, before, behind)

    def cropped_blocks(self, numbers: Sequence[int] = (0, 1, 1, 2, 2, 2, 3, 4)) -> Blocks:
        """A part of the batch that becomes blocks, of which most crops leave something."""
        shape, sizes = self._sizes(numbers)
        if shape and shape[0]:
            shape[0] = self.choice((1, 1, 2)) * max(prod(sizes), 1) + (self.random() < 0.04)
        before, behind = [], []
        for extent, size in zip([*shape[1:], 3], sizes, strict=False):
            whole = extent * max(size, 1)
            before.append(min(self.choice((0, 0, 1, size, self.randint(0, whole))), max(whole - 1, 0)))
            behind.append(self.choice((0, 0, 0, self.randint(0, max(whole - before[-1] - (self.random() < 0.9), 0)))))
        self._spoil(before, behind)
        return Blocks(shape, sizes, before, behind)

    def _sizes(self, numbers: Sequence[int]) -> tuple[list[int], list[int]]:
        """A shape, and the sizes of blocks of its first axes behind the batch."""
        n = self.choice(numbers)
        shape = self.shape(ranks=(n + 1, n + 1, n + 2, n + 3), extents=(1, 2, 3, 4) if n < 3 else (1, 1, 2))
        sizes = [self.choice((1, 2, 2, 3)) for _ in range(n)]
        if sizes and self.random() < 0.03:
            sizes[self.randrange(n)] = self.choice((0, -1))
        elif self.random() < 0.02:
            shape = shape[:n]
        return shape, sizes

    def _spoil(self, before: list[int], behind: list[int]) -> None:
        """Make a value wrong, or take some away, of a few."""
        if before and self.random() < 0.08:
            self.choice((before, behind))[self.randrange(len(before))] += self.choice((-5, 1, 1, 3))
        elif before and self.random() < 0.02:
            before.pop()
            behind.pop()

    def images(self, factors: Mapping[int, int], ranks: Sequence[int] = (4,)) -> list[int]:
        """A shape of images, most of whose axes have the factors that are given by axis."""
        shape = self.shape(ranks=ranks, extents=(1, 2, 3))
        for axis, factor in factors.items():
            if -len(shape) <= axis < len(shape):
                shape[axis] = self.choice((1, 1, 2)) * abs(factor) if shape[axis] else 0
        if shape and self.random() < 0.06:
            shape[self.randrange(len(shape))] += 1
        elif self.random() < 0.03:
            shape = [*shape, 4] if self.random() < 0.5 else shape[1:]
        return shape

    def block_size(self) -> int:
        """A size of blocks; a few are none."""
        return self.choice((2, 2, 2, 3, 4)) if self.random() < 0.93 else self.choice((1, 0, -1))

    def patches(self) -> tuple[list[int], list[int], list[int]]:
        """Sizes, strides and rates of rows and columns; one of them is wrong in a few."""
        lists = [[self.randint(1, most) for _ in range(2)] for most in (3, 4, 2)]
        if self.random() < 0.06:
            self.choice(lists)[self.randrange(2)] = self.choice((0, -1))
        sizes, strides, rates = lists
        return sizes, strides, rates
