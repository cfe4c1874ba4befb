"""Places of public functions that take integers, and what integers near the ends of 32 and 64 bits mean there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import fastops as fo

ROW = np.arange(5)

_FIVE = fo.plan.AxisMap.whole(5)
_WRAPPED = fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.WRAP)
_MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
_VALUE, _BOUNDS, _AXIS = fo.AttributeValueError, fo.OutOfBoundsError, fo.AxisError


class Place(NamedTuple):
    """A call that takes a value in some place.

    ``right`` is the error that comes of every extreme integer, or returns what comes of one: an error, or a result.
    It is None where a result might take much memory.
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
    **{mask: Place(lambda v, mask=mask: fo.strided_slice(ROW, [1], [2], **{mask: v}), _VALUE) for mask in _MASKS},
}

#: Places of one integer.
NUMBERS = {
    **{name: Place(lambda n, call=place.call: call([n]), place.right) for name, place in LISTS.items()},
    **{f"2 of {m}": Place(lambda n, m=m: fo.strided_slice(ROW, [1], [2], **{m: [0, n]}), _VALUE) for m in _MASKS},
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
    "an item": Place(lambda n: fo.windows(ROW.reshape(5, 1), [[0]], [1], items=[n])),
}
