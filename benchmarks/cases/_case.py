"""What a case is: one call of one operator, in a full and in a small size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Size:
    """How large a case is.

    Attributes
    ----------
    shape : tuple of int
        The shape of data; of the result, for a range.
    amount : int
        The one number that scales with it: a crop's extent, a window's first position, a pad's width.
    """

    shape: tuple[int, ...]
    amount: int = 0


def as_it_is(data: NDArray[Any]) -> NDArray[Any]:
    """Return data, C-contiguous."""
    return data


def operator_of(library: Any, name: str, parameter: str | None = None) -> Any:
    """Return a public name of fastops, or of its plans; where a parameter is named, a function that has it.

    Raises
    ------
    NotImplementedError
        That version has not got it yet: asv skips a benchmark whose set-up says so.
    """
    if not hasattr(library, name):
        raise NotImplementedError(f"{library.__name__} has no {name}")
    operator = getattr(library, name)
    if parameter is not None and parameter not in signature(operator).parameters:
        raise NotImplementedError(f"{library.__name__}.{name} has no {parameter}")
    return operator


def outputs_of(result: Any) -> list[NDArray[Any]]:
    """Return the outputs of a call, of which a split has several."""
    return result if isinstance(result, list) else [result]


@dataclass(frozen=True)
class Case:
    """One call of one operator.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    suite : str
        What times it: bandwidth, grid, ranges or latency, which are suites of asv too, or layouts.
    operator : str
        The public function.
    dtype : str
        Of the result.
    full, small : Size
        What benchmarks time, and what tests check.
    attributes : callable
        The operator's arguments at a size, but for data and out.
    expected : callable
        The result at a size by NumPy, from data; from the positions ``0..count-1``, for a range.
    arranged : callable
        Data, once more, in the memory layout of the case: the same values at other addresses.
    sized : callable or None
        The size whose outputs have about so many elements; None for cases that have their own sizes only.
    """

    name: str
    suite: str
    operator: str
    dtype: str
    full: Size
    small: Size
    attributes: Callable[[Size], dict[str, Any]]
    expected: Callable[[NDArray[Any], Size], NDArray[Any] | list[NDArray[Any]]]
    arranged: Callable[[NDArray[Any]], NDArray[Any]] = as_it_is
    sized: Callable[[int], Size] | None = None

    def resized(self, output_bytes: int) -> Size:
        """Return the size whose outputs take about so many bytes."""
        if self.sized is None:
            raise ValueError(f"{self.name} has no other sizes")
        return self.sized(output_bytes // np.dtype(self.dtype).itemsize)

    def copied_outputs(self, result: Any) -> Any:
        """Return what ``out`` takes, like a result, in memory of NumPy's, whoever allocated that of the result."""
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
            # np.arange makes no structures: their bytes count up instead.
            data = np.resize(np.arange(251, dtype=np.uint8), (*size.shape, dtype.itemsize)).view(dtype)[..., 0]
        else:
            data = np.resize(np.arange(251, dtype=dtype), size.shape)
        return self.arranged(data)

    def call(self, library: ModuleType, size: Size) -> Callable[..., Any]:
        """Return the call of the operator, which takes no more than ``out``."""
        operator = operator_of(library, self.operator)
        data = (self.data(size),) if self.takes_data else ()
        return partial(operator, *data, **self.attributes(size))

    def prepared(self, library: ModuleType, size: Size) -> list[Callable[..., Any]]:
        """Return the calls of the case's plans, one for each output; each takes no more than ``out``."""
        operator = operator_of(operator_of(library, "plan"), self.operator)
        shape = (size.shape,) if self.takes_data else ()
        plans = operator(*shape, **self.attributes(size))
        first = self.data(size) if self.takes_data else self.dtype
        return [partial(plan, first) for plan in (plans if isinstance(plans, list) else [plans])]
