"""numpy.pad."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element
from fastops._arrays._inputs import as_source
from fastops._arrays._plain_types import is_plain_number
from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._execution._prepared_call import PreparedCall, create_call
from fastops._lowering._arguments import as_scalar, one_of
from fastops._lowering._axes import resolve_axis
from fastops._lowering._decorator import lowering
from fastops._lowering._pads import lower_pads
from fastops._lowering._windows import Windows
from fastops._operators._operator import Operator
from fastops._plans._axis_map import AxisMap
from fastops._plans._numbers import MOST_INDICES, as_index, sign_of_zero
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan
from fastops._schedules._pieces import Pieces
from fastops._settings import CACHE_SIZE

_MODES = {
    "constant": SampleMode.FILL,
    "edge": SampleMode.CLAMP,
    "reflect": SampleMode.REFLECT,
    "symmetric": SampleMode.SYMMETRIC,
    "wrap": SampleMode.WRAP,
}
_OTHERS = "; np.pad has the others"
_WIDTHS = "be an integer, or pairs of them that broadcast to one an axis"


# Stands before the pads of a dictionary, each an axis and the pads before and behind it.
_BY_AXIS = "by axis"


def _as_widths(attribute: str, pad_width: Any) -> Any:
    """Return pads as an integer or nested tuples."""
    if isinstance(pad_width, dict):
        named: list[Any] = [_BY_AXIS]
        for axis, width in tuple(pad_width.items()):
            low, high = width if isinstance(width, tuple) and len(width) == 2 else (width, width)
            named.append((as_index(attribute, axis), as_scalar(attribute, low), as_scalar(attribute, high)))
        return tuple(named)
    try:
        widths = np.asarray(pad_width)
    except ValueError as error:
        # Lists of several lengths.
        raise DTypeError.about(attribute, _WIDTHS, pad_width) from error
    # What NumPy takes: signed integers, and at least one.
    if widths.dtype.kind != "i":
        raise DTypeError.about(attribute, _WIDTHS, pad_width)
    if not 0 < widths.size <= MOST_INDICES:
        raise AttributeValueError.about(attribute, _WIDTHS, pad_width)
    if widths.min() < 0:
        raise AttributeValueError.about(attribute, "be at least 0", pad_width)
    return _as_tuples(widths.tolist())


def _as_tuples(lists: Any) -> Any:
    return tuple([_as_tuples(each) for each in lists]) if isinstance(lists, list) else lists


@lowering("numpy.pad", pad_width=_as_widths, mode=one_of(_MODES, hint=_OTHERS))
def lower_pad(shape: Any, pad_width: Any, mode: str = "constant") -> Windows:
    """Return the plan of `fastops.numpy.pad` on data of this shape.

    Examples
    --------
    >>> lower_pad((2, 3), ((1, 1), (2, 0)), "wrap").shape
    (4, 5)
    """
    rank = len(shape)
    if isinstance(pad_width, tuple) and pad_width[0] == _BY_AXIS:
        if not rank:
            raise DTypeError.about("pad_width", _WIDTHS, pad_width)
        widths: list[Any] = [(0, 0)] * rank
        for axis, low, high in pad_width[1:]:
            widths[resolve_axis("pad_width", axis, rank)] = (low, high)
    else:
        widths = _as_pairs("pad_width", _WIDTHS, np.array(pad_width), rank)
    before, after = [int(low) for low, _ in widths], [int(high) for _, high in widths]
    pairs = tuple(zip(before, after, strict=True))
    if min([*before, *after], default=0) < 0:
        raise AttributeValueError.about("pad_width", "be at least 0", pairs)
    for axis, extent in enumerate(shape):
        if extent == 0 and mode != "constant" and any(pairs[axis]):
            raise AttributeValueError.about("pad_width", f"be 0 on an empty axis in mode {mode}", pairs, axis, extent)
    return lower_pads("pad_width", shape, before, after, _MODES[mode], mode)


def _as_pairs(attribute: str, rule: str, values: AnyArray, rank: int) -> list[Any]:
    """Return values as one pair an axis, by NumPy's rules.

    One value, and one pair, stay NumPy's scalars, and others become Python's, which convert to other types by other
    rules.
    """
    if values.ndim < 3 and values.size == 1:
        return [(values.ravel()[0],) * 2] * rank
    if values.ndim < 3 and values.size == 2 and values.shape != (2, 1):
        return [tuple(values.ravel())] * rank
    try:
        pairs: list[Any] = np.broadcast_to(values, (rank, 2)).tolist()
    except ValueError:
        raise AttributeValueError.about(attribute, rule, (values.tolist(),)) from None
    return pairs


_OPERATOR = Operator(lower_pad, data_name="array", fill_name="constant_values")


def pad(
    array: ArrayLike,
    pad_width: Any,
    mode: str = "constant",
    *,
    constant_values: Any = None,
    reflect_type: str | None = None,
    out: AnyArray | None = None,
    copy: bool | None = True,
) -> Any:
    """Pad each axis on its two sides: numpy.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1`` it reads what mode says: constant a value, edge the nearest index, reflect the mirrored index
    without the edge, symmetric the mirrored index with it, wrap ``x mod d``.

    Parameters
    ----------
    array : array_like
        Any shape, any dtype but object.
    pad_width : int, pair, list of pairs, or dict
        The pads before and behind each axis, >= 0: one number for all sides, one pair for all axes, a pair an axis, or
        a dictionary from axes to numbers or pairs.
    mode : str
        "constant", "edge", "reflect", "symmetric" or "wrap".
    constant_values : scalar, pair or list of pairs, optional
        In mode constant only: what to pad with, one value, one for each side, or a pair an axis. They are converted as
        NumPy assigns them, which cuts 1.5 to 1 and takes 300 for 44 in uint8. Zero by default, and where it is None.
    reflect_type : str, optional
        In modes reflect and symmetric only: "even".
    out : ndarray, optional
        Where to write: of the result's shape and dtype, with any strides. It may overlap the array.
    copy : bool or None
        True: a copy. False: a view, or an error. None: a view where nothing is padded and ``out`` is not given.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the array's dtype, or a view of it.

    Raises
    ------
    AttributeValueError
        Widths that are negative or do not fit the array's axes, another mode, arguments of other modes, pads of an
        empty axis in another mode than constant, or values that cannot be converted.
    DTypeError
        Widths that are no integers, or data of dtype object.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: NumPy 2.4, numpy.pad. Its other modes compute values (linear_ramp, maximum, mean, median, minimum,
    odd reflections, functions) or leave them out (empty); they are errors here.

    Examples
    --------
    >>> import numpy as np
    >>> from fastops import numpy as fnp
    >>> fnp.pad(np.arange(1, 4), (2, 3), "symmetric")
    array([2, 1, 1, 2, 3, 3, 2, 1])
    >>> fnp.pad(np.ones((1, 2), int), 1, constant_values=((8, 9), (0, 5)))
    array([[0, 8, 8, 5],
           [0, 1, 1, 5],
           [0, 9, 9, 5]])
    """
    if reflect_type is not None:
        if _OPERATOR.read("mode", mode) not in ("reflect", "symmetric"):
            raise AttributeValueError(_OPERATOR.name, "reflect_type", f"not be given in mode {mode}", reflect_type)
        try:
            _as_reflect_type("reflect_type", reflect_type)
        except FastopsError as error:
            _OPERATOR.explain(error)
            raise
    if constant_values is None:
        kind = array.dtype.kind if type(array) is np.ndarray else "V"
        if kind in "biufcmM" or type(mode) is not str or mode != "constant":
            return _OPERATOR.run_gather(array, (pad_width, mode), out, copy)
        # The zero of other types may not be made of zero bytes.
        constant_values = 0
    elif (type(mode) is not str or mode != "constant") and _OPERATOR.read("mode", mode) != "constant":
        raise AttributeValueError(_OPERATOR.name, "constant_values", f"not be given in mode {mode}", constant_values)
    try:
        source: Any = array if type(array) is np.ndarray else as_source(array, may_copy=copy is not False)[0]
        if is_plain_number(constant_values):
            fill = _plain_fill(source.dtype, constant_values, sign_of_zero(constant_values))
        else:
            fill = elements_of(source.dtype, source.ndim, constant_values)
    except FastopsError as error:
        _OPERATOR.explain(error, constant_values=constant_values)
        raise
    operator = _OPERATOR if fill.array.size == 1 else _SIDES
    return operator.run_gather(source, (pad_width, mode), out, copy, fill)


_as_reflect_type = one_of(("even",), hint="; np.pad has odd")


@lru_cache(CACHE_SIZE, typed=True)
def _plain_fill(dtype: AnyDType, value: Any, _sign: float) -> Element:
    """Return a plain number as an element; the sign of a zero is part of the key."""
    return Element(_assigned(dtype, [np.array(value)[()]], value))


def elements_of(dtype: AnyDType, rank: int, constant_values: Any) -> Element:
    """Return what to pad with: one element if all sides have the same value, or else two an axis."""
    try:
        values = np.array(constant_values)
    except ValueError as error:
        raise DTypeError.about("constant_values", _VALUES, constant_values) from error
    if values.dtype.hasobject:
        return _convert(dtype, rank, values)
    return _find_elements(dtype, rank, values.dtype, values.shape, values.tobytes())


@lru_cache(CACHE_SIZE)
def _find_elements(
    dtype: AnyDType, rank: int, values_dtype: AnyDType, values_shape: tuple[int, ...], values: bytes
) -> Element:
    """Return what values convert to; they are their bytes, because equal numbers may be of different types."""
    return _convert(dtype, rank, np.ndarray(values_shape, values_dtype, values))


def _convert(dtype: AnyDType, rank: int, values: AnyArray) -> Element:
    pairs = _as_pairs("constant_values", _VALUES, values, rank)
    elements = _assigned(dtype, [value for pair in pairs for value in pair] or [0], values)
    first = elements[:1]
    return Element(first if elements.tobytes() == first.tobytes() * elements.size else elements)


_VALUES = "be a scalar, or pairs of them that broadcast to one an axis"


def _assigned(dtype: AnyDType, values: Sequence[Any], written: Any) -> AnyArray:
    """Return values as elements, each by NumPy's rules of assignment."""
    elements = np.zeros(len(values), dtype)
    try:
        with np.errstate(all="ignore"):
            for i, value in enumerate(values):
                # A scalar index would convert strings and bytes in another way.
                elements[i : i + 1] = value
    except (TypeError, ValueError, OverflowError) as error:
        raise AttributeValueError.about("constant_values", f"be what NumPy converts to {dtype}", written) from error
    return elements


def _prepare_sides(
    shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, values: Sequence[Any]
) -> PreparedCall:
    """Return the call with a value for each side, of which the fill value has two an axis: a piece a side."""
    windows = _OPERATOR.lowering.lower(shape, values)
    assert isinstance(windows, Windows)
    counts = windows.counts
    inside = [range(-start, extent - start) for (start, _, _), extent in zip(windows.bounds, shape, strict=True)]
    plans, starts, fills = [SlicePlan.create([AxisMap.whole(extent) for extent in shape])], [_start_of(inside)], [0]
    for k, extent in enumerate(counts):
        for i, side in enumerate((range(inside[k].start), range(inside[k].stop, extent))):
            # Sides of later axes have the corners.
            region = [*map(range, counts[:k]), side, *inside[k + 1 :]]
            if all(region):
                outside = [(n, 1, part.stop - part.start) for n, part in zip(shape, region, strict=True)]
                plans.append(Windows(shape, outside, SampleMode.FILL).plan())
                starts.append(_start_of(region))
                fills.append(2 * k + i)
    pieces = None if counts == shape else Pieces(counts, tuple(starts), tuple(fills))
    return create_call(tuple(plans), byte_strides, dtype, pieces=pieces)


def _start_of(region: Sequence[range]) -> tuple[int, ...]:
    return tuple([part.start for part in region])


_SIDES = Operator(lower_pad, _prepare_sides, data_name="array", fill_name="constant_values")
