"""fastops beside NumPy: each function of `fastops.numpy` on random calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance import _numpy
from tests.conformance._live import Array, Function, check_live
from tests.conformance._numpy import DEPARTURES
from tests.conformance._operators import functions_of


def take_slice(x: Array, index: Any) -> Any:
    return x[index]


def sliding_window_view(x: Array, window_shape: Any, axis: Any = None, *, step: int = 1) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)
    axes = range(x.ndim) if axis is None else np.ravel(axis).astype(int).tolist()
    steps = {k % x.ndim: step for k in axes}
    return windows[tuple([slice(None, None, steps.get(k, 1)) for k in range(x.ndim)])]


# What NumPy has by no name, and what it has elsewhere or with less.
_THEIRS = {"take_slice": take_slice, "sliding_window_view": sliding_window_view}


def as_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives arrays of rank 0 where it gives scalars, whose byte order is the machine's."""

    def run(data: Array, *arguments: Any, **keywords: Any) -> Any:
        result = function(data, *arguments, **keywords)
        return result if isinstance(result, list | tuple | np.ndarray) else np.asarray(result, data.dtype)

    return run


@pytest.mark.parametrize("name", functions_of("numpy"))
def test_functions(name: str) -> None:
    theirs, ours = as_arrays(_THEIRS.get(name) or getattr(np, name)), as_arrays(getattr(fo.numpy, name))
    draw = getattr(_numpy, f"draw_{name}")
    check_live(Function(name, draw, theirs, ours, refuses=name != "ascontiguousarray"), DEPARTURES)
