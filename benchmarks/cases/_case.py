"""A case: one call of one operator, in a full and in a small size; and calls that all differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from inspect import signature
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

KIB, MIB = 1 << 10, 1 << 20


def shown_bytes(number: int) -> str:
    """Return a power of two as KiB or MiB."""
    return f"{number // MIB}MiB" if number >= MIB else f"{number // KIB}KiB"


@dataclass(frozen=True)
class Size:
    """How large a case is.

    Attributes
    ----------
    shape : tuple of int
        The shape of data; of the result, for a range.
    amount : int
        The one number that changes with the shape: a crop's extent, a window's first position, a pad's width.
    """

    shape: tuple[int, ...]
    amount: int = 0


def operator_of(library: Any, name: str, parameter: str | None = None) -> Any:
    """Return a public name of fastops, or of its plans. If a parameter is named, the function must have it.

    Raises
    ------
    NotImplementedError
        This version of fastops lacks the name or the parameter: asv and the gate leave the case out.
    """
    if not hasattr(library, name):
        raise NotImplementedError(f"{library.__name__} has no {name}")
    operator = getattr(library, name)
    if parameter is not None and parameter not in signature(operator).parameters:
        raise NotImplementedError(f"{library.__name__}.{name} has no {parameter}")
    return operator


def outputs_of(result: Any) -> list[NDArray[Any]]:
    """Return the outputs of a call: a split has several."""
    return result if isinstance(result, list) else [result]


@dataclass(frozen=True)
class Case:
    """One call of one operator.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    suite : str
        Its subject: bandwidth, grid, ranges, latency, layouts or images.
    operator : str
        The public function.
    dtype : str
        Of the result.
    full, small : Size
        The size that benchmarks time, and the size that tests check.
    attributes : callable
        The operator's arguments at a size, but for data and out.
    expected : callable
        Returns NumPy's result at a size, from data or, for a range, from the positions ``0..count-1``.
    sized : callable or None
        Returns the size whose outputs have about a given number of elements; None for cases that have only their own
        sizes.
    arranged : callable
        Returns the same values in the memory layout of the case.
    """

    name: str
    suite: str
    operator: str
    dtype: str
    full: Size
    small: Size
    attributes: Callable[[Size], dict[str, Any]]
    expected: Callable[[NDArray[Any], Size], NDArray[Any] | list[NDArray[Any]]]
    sized: Callable[[int], Size] | None = None
    arranged: Callable[[NDArray[Any]], NDArray[Any]] = np.asarray

    def resized(self, output_bytes: int | None) -> Size:
        """Return the size whose outputs take about ``output_bytes``; the full size for None, or if sizes are fixed."""
        if self.sized is None or output_bytes is None:
            return self.full
        return self.sized(output_bytes // np.dtype(self.dtype).itemsize)

    def copied_outputs(self, result: Any) -> Any:
        """Return outputs of the shape of a result, in memory that NumPy has allocated."""
        outs = [np.copy(each) for each in outputs_of(result)]
        return outs if isinstance(result, list) else outs[0]

    @property
    def takes_data(self) -> bool:
        """False for ranges, which read nothing."""
        return self.operator != "range"

    def data(self, size: Size) -> NDArray[Any]:
        """Return data of small whole numbers, which repeat after 251; the positions, for a range."""
        if not self.takes_data:
            return np.arange(size.shape[0])
        dtype = np.dtype(self.dtype)
        if dtype.names:
            # np.arange cannot make structures, so the bytes of the structures count up instead.
            data = np.resize(np.arange(251, dtype=np.uint8), (*size.shape, dtype.itemsize)).view(dtype)[..., 0]
        else:
            data = np.resize(np.arange(251, dtype=dtype), size.shape)
        return self.arranged(data)

    def call(self, library: ModuleType, size: Size) -> Callable[..., Any]:
        """Return the call of the operator, which takes no argument but ``out``."""
        operator = operator_of(library, self.operator)
        data = (self.data(size),) if self.takes_data else ()
        return partial(operator, *data, **self.attributes(size))

    def prepared(self, library: ModuleType, size: Size) -> list[Callable[..., Any]]:
        """Return the calls of the case's plans, one for each output; each takes no argument but ``out``."""
        operator = operator_of(operator_of(library, "plan"), self.operator)
        shape = (size.shape,) if self.takes_data else ()
        first = self.data(size) if self.takes_data else self.dtype
        return [partial(plan, first) for plan in outputs_of(operator(*shape, **self.attributes(size)))]


# The modes of `fastops.slice` by NumPy's names.
_NUMPY_MODES: dict[str, Any] = {mode: mode for mode in ("reflect", "wrap", "symmetric")}
_NUMPY_MODES |= {"clamp": "edge", "fill": "constant"}


def view_functions(*index: slice) -> tuple[Any, Any]:
    """Return the ``attributes`` and the ``expected`` of a ``strided_slice`` that reads ``data[index]``."""

    def attributes(size: Size) -> dict[str, Any]:
        parts = [*index, *[slice(None)] * (len(size.shape) - len(index))]
        return {
            "begin": [part.start or 0 for part in parts],
            "end": [part.stop or 0 for part in parts],
            "strides": [1 if part.step is None else part.step for part in parts],
            "begin_mask": [int(part.start is None) for part in parts],
            "end_mask": [int(part.stop is None) for part in parts],
        }

    return attributes, lambda data, _size: data[index]


def pad_functions(mode: str, axes: tuple[int, ...] = (-2, -1)) -> tuple[Any, Any]:
    """Return the ``attributes`` and the ``expected`` of a case that pads axes by the size's amount on both sides."""

    def attributes(size: Size) -> dict[str, Any]:
        padded = [size.shape[axis] + 2 * size.amount for axis in axes]
        return {"start": [-size.amount] * len(axes), "size": padded, "axes": list(axes), "mode": mode}

    def expected(data: NDArray[Any], size: Size) -> NDArray[Any]:
        padded = {axis % data.ndim for axis in axes}
        widths = [(size.amount,) * 2 if axis in padded else (0, 0) for axis in range(data.ndim)]
        return np.pad(data, widths, _NUMPY_MODES[mode])

    return attributes, expected


def split_functions(axis: int, weights: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the ``attributes`` and the ``expected`` of a split by these weights; the last part takes the rest."""

    def lengths(size: Size) -> list[int]:
        return [size.shape[axis] * weight // sum(weights) for weight in weights[:-1]]

    return (
        lambda size: {"axis": axis, "split_lengths": [*lengths(size), -1]},
        lambda data, size: np.split(data, np.cumsum(lengths(size)), axis),
    )


Call = Callable[..., Any]

#: Operators that `different_calls` knows.
DIFFERENT_OPERATORS = ("strided_slice", "slice", "variadic_split", "range")

# How many calls `different_calls` makes: more than a cache would keep.
_DIFFERENT = 10_000


def different_calls(library: ModuleType, operator: str) -> list[Call]:
    """Return calls of an operator with results of 64 to 140 float32. All calls have different attributes."""
    corners = [list(corner) for corner in product(range(100), repeat=2)][:_DIFFERENT]
    function = operator_of(library, operator)
    data = np.zeros((108, 108), np.float32)
    if operator == "strided_slice":
        return [partial(function, data, [y, x], [y + 8, x + 8]) for y, x in corners]
    if operator == "slice":
        return [partial(function, data, [y - 50, x - 50], [8, 8], mode="reflect") for y, x in corners]
    if operator == "variadic_split":
        pairs = list(combinations_with_replacement(range(141), 2))[:_DIFFERENT]
        return [partial(function, data.ravel()[:140], 0, [i, j - i, -1]) for i, j in pairs]
    return [partial(function, i, i + 64, 1, "f32") for i in range(_DIFFERENT)]


#: Kinds of `random_calls`.
RANDOM_KINDS = ("crops", "strides_and_pads")


def random_calls(library: ModuleType, kind: str) -> Iterator[Call]:
    """Yield random calls without end, the same each time: crops, or reads with random starts, strides and modes."""
    numbers = random.Random(0)  # noqa: S311 - no secrets.
    name, shape = ("strided_slice", (1000, 1000)) if kind == "crops" else ("slice", (30, 40))
    function, data = operator_of(library, name), np.ones(shape, np.float32)
    modes = ("wrap", "clamp", "fill", "reflect", "symmetric")
    while True:
        if kind == "crops":
            y, x = numbers.randrange(992), numbers.randrange(992)
            yield partial(function, data, [y, x], [y + 8, x + 8])
        else:
            start = [numbers.randrange(-50, 50), numbers.randrange(-50, 50)]
            stride = [numbers.choice((-3, -2, -1, 1, 2, 3)), numbers.choice((-3, -2, -1, 1, 2, 3))]
            yield partial(function, data, start, [8, 8], stride, mode=numbers.choice(modes))


#: The side of the square array that compiled code pads in each case. `COMPILED_PAD` is the pad on each side.
#: `COMPILED_CALLS` is how often one call from Python pads, because a call from Python takes longer than a small pad.
COMPILED_CASES = {"compiled_pad_8": 8, "compiled_pad_64": 64, "compiled_pad_512": 512}
COMPILED_PAD, COMPILED_CALLS = 2, 100


@cache
def compiled_pad(library: ModuleType) -> Call:
    """Return a compiled function that pads an array by reflection, `times` times, by `numpy.pad` of fastops.

    Raises
    ------
    NotImplementedError
        This version of fastops has no `windows`; such versions have nothing for compiled code either.
    """
    operator_of(library, "windows")
    pad = library.numpy.pad

    @import_module("numba").njit
    def padded(array: Any, width: int, times: int) -> Any:
        for _ in range(times):
            result = pad(array, width, "reflect")
        return result

    return padded  # type: ignore[no-any-return]


@cache
def pad_by_hand() -> Call:
    """Return a compiled function that does the same by loops."""

    @import_module("numba").njit
    def padded(array: Any, width: int, times: int) -> Any:
        rows, columns = array.shape
        for _ in range(times):
            result = np.empty((rows + 2 * width, columns + 2 * width), array.dtype)
            for y in range(result.shape[0]):
                row = abs(y - width)
                row = row if row < rows else 2 * rows - 2 - row
                for x in range(result.shape[1]):
                    column = abs(x - width)
                    column = column if column < columns else 2 * columns - 2 - column
                    result[y, x] = array[row, column]
        return result

    return padded  # type: ignore[no-any-return]


def compiled_data(name: str) -> Any:
    """Return the array of a case."""
    return np.random.default_rng(0).standard_normal((COMPILED_CASES[name],) * 2, np.float32)
