"""numpy.pad."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element, is_plain_fill
from fastops._errors import AttributeValueError, DTypeError, reading
from fastops._execution._prepared_call import Launch, create_launch
from fastops._lowering._family import pad_axes
from fastops._operators._call_cache import look_up, remembered
from fastops._operators._operator import Operator, lowering
from fastops._plans._axis_map import AxisMap
from fastops._plans._integers import as_axis, as_index, as_scalar, as_word, zero_sign
from fastops._plans._sample_mode import SampleMode
from fastops._plans._slice_plan import SlicePlan
from fastops._schedules._pieces import Mosaic
from fastops._settings import CACHE_SIZE

OP = "numpy.pad"

_MODES = {
    "constant": SampleMode.FILL,
    "edge": SampleMode.CLAMP,
    "reflect": SampleMode.REFLECT,
    "symmetric": SampleMode.SYMMETRIC,
    "wrap": SampleMode.WRAP,
}
_OTHERS = "; np.pad has the others"


@lowering(OP)
def plan_pad(shape: Any, pad_width: Any, mode: str = "constant") -> SlicePlan:
    """Return the plan of `fastops.numpy.pad` on data of this shape.

    Examples
    --------
    >>> plan_pad((2, 3), ((1, 1), (2, 0)), "wrap").shape
    (4, 5)
    """
    own = as_word(OP, "mode", mode, _MODES, hint=_OTHERS)
    widths = _read_widths(pad_width, len(shape))
    for axis, (extent, width) in enumerate(zip(shape, widths, strict=True)):
        if extent == 0 and own is not SampleMode.FILL and any(width):
            rule = f"be 0 on an empty axis in mode {mode}"
            raise AttributeValueError(OP, "pad_width", rule, pad_width, axis, extent)
    return pad_axes(OP, "pad_width", shape, [low for low, _ in widths], [high for _, high in widths], own)


def _read_widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """Return the pads before and behind each axis."""
    rule = "be an integer, or pairs of them that broadcast to one an axis"
    with reading(OP, "pad_width", rule, pad_width):
        widths = np.asarray(_widths_of(pad_width, rank) if isinstance(pad_width, dict) else pad_width)
        # What NumPy takes: signed integers, and at least one.
        if widths.dtype.kind != "i":
            raise DTypeError(OP, "pad_width", rule, pad_width)
        if widths.size == 0:
            raise AttributeValueError(OP, "pad_width", rule, pad_width)
        if widths.min() < 0:
            raise AttributeValueError(OP, "pad_width", "be at least 0", pad_width)
        return [(int(low), int(high)) for low, high in _as_pairs("pad_width", rule, pad_width, widths, rank)]


def _widths_of(named: dict[Any, Any], rank: int) -> list[tuple[int, int]]:
    """Return the pads of a dictionary from axes to an integer or a pair of them; other axes have none."""
    widths = [(0, 0)] * rank
    for axis, width in named.items():
        low, high = width if isinstance(width, tuple) and len(width) == 2 else (width, width)
        at = as_axis(OP, "pad_width", as_index(OP, "pad_width", axis), rank)
        widths[at] = as_scalar(OP, "pad_width", low), as_scalar(OP, "pad_width", high)
    return widths


def _as_pairs(attribute: str, rule: str, written: Any, values: AnyArray, rank: int) -> Sequence[Sequence[Any]]:
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
        raise AttributeValueError(OP, attribute, rule, written) from None
    return pairs


_operator = Operator(OP, plan_pad, data_name="array", fill_name="constant_values")
_run, _as_source = _operator.run, _operator.as_source


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
        _check_reflect_type(mode, reflect_type)
    if constant_values is None:
        kind = getattr(getattr(array, "dtype", None), "kind", "V")
        if kind in "biufcmM" or type(mode) is not str or mode != "constant":
            return _run(array, (pad_width, mode), out, copy)
        # The zero of other types may not be made of zero bytes.
        constant_values = 0
    elif (type(mode) is not str or mode != "constant") and as_word(
        OP, "mode", mode, _MODES, hint=_OTHERS
    ) is not SampleMode.FILL:
        raise AttributeValueError(OP, "constant_values", f"not be given in mode {mode}", constant_values)
    source: Any = array
    if type(source) is not np.ndarray:
        source, _held = _as_source(array, (out,), copy)
    number = constant_values
    if is_plain_fill(number):
        fill = _plain_fill(source.dtype, number, 0.0 if number else zero_sign(number))
        return _run(source, (pad_width, mode), out, copy, fill)
    fill = look_up(_find_elements, source.shape, (), source.dtype, (constant_values,)) or _elements_of(
        source.dtype, source.ndim, constant_values
    )
    run = _run if fill.array.size == 1 else _run_sides
    return run(source, (pad_width, mode), out, copy, fill)


def _check_reflect_type(mode: Any, reflect_type: Any) -> None:
    if as_word(OP, "mode", mode, _MODES, hint=_OTHERS) not in (SampleMode.REFLECT, SampleMode.SYMMETRIC):
        raise AttributeValueError(OP, "reflect_type", f"not be given in mode {mode}", reflect_type)
    as_word(OP, "reflect_type", reflect_type, {"even": None}, hint="; np.pad has odd")


@lru_cache(CACHE_SIZE, typed=True)
def _plain_fill(dtype: AnyDType, value: Any, _sign: float) -> Element:
    """Return a plain number as an element; the sign tells -0.0 from 0.0, which are equal keys."""
    return Element(_assigned(dtype, [np.array(value)[()]], value))


def _create_sides(
    shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: AnyDType, pad_width: Any, mode: str
) -> Launch:
    """Return the launch of a call with a value for each side, of which the fill value has two an axis."""
    plan = plan_pad(shape, pad_width, mode)
    inside = [range(-axis.start, extent - axis.start) for axis, extent in zip(plan.axes, shape, strict=True)]
    plans, starts, fills = [SlicePlan.create([AxisMap.whole(extent) for extent in shape])], [_start_of(inside)], [0]
    for k, extent in enumerate(plan.shape):
        for i, side in enumerate((range(inside[k].start), range(inside[k].stop, extent))):
            # Sides of later axes have the corners.
            region = [*map(range, plan.shape[:k]), side, *inside[k + 1 :]]
            if all(region):
                counts = [part.stop - part.start for part in region]
                outside = [(n, n, 1, count, SampleMode.FILL) for n, count in zip(shape, counts, strict=True)]
                plans.append(SlicePlan.create([AxisMap.create(*axis) for axis in outside]))
                starts.append(_start_of(region))
                fills.append(2 * k + i)
    mosaic = Mosaic(plan.shape, tuple(starts), tuple(fills))
    return create_launch(tuple(plans), byte_strides, dtype, mosaic=mosaic)


def _start_of(region: Sequence[range]) -> tuple[int, ...]:
    return tuple([part.start for part in region])


_run_sides = Operator(OP, plan_pad, _create_sides, data_name="array", fill_name="constant_values").run


def _elements_of(dtype: AnyDType, rank: int, constant_values: Any) -> Element:
    """Return one element if all sides have the same value, or else two an axis."""
    rule = "be a scalar, or pairs of them that broadcast to one an axis"
    with reading(OP, "constant_values", rule, constant_values):
        pairs = _as_pairs("constant_values", rule, constant_values, np.array(constant_values), rank)
    elements = _assigned(dtype, [value for pair in pairs for value in pair] or [0], constant_values)
    first = elements[:1]
    return Element(first if elements.tobytes() == first.tobytes() * elements.size else elements)


_find_elements = remembered(
    lambda shape, _byte_strides, dtype, constant_values: _elements_of(dtype, len(shape), constant_values)
)


@lru_cache(CACHE_SIZE)
def _rule_of(dtype: AnyDType) -> str:
    """Return what a value must be; kept, because the name of a type takes longer than the rest."""
    return f"be what NumPy converts to {dtype}"


def _assigned(dtype: AnyDType, values: Sequence[Any], written: Any) -> AnyArray:
    """Return values as elements, each by NumPy's rules of assignment."""
    elements = np.zeros(len(values), dtype)
    with reading(OP, "constant_values", _rule_of(dtype), written, AttributeValueError), np.errstate(all="ignore"):
        for i, value in enumerate(values):
            # A scalar index would convert strings and bytes in another way.
            elements[i : i + 1] = value
    return elements
