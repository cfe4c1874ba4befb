"""A case: one call of one operator, in a full and in a small size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
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
