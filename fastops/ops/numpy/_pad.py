"""numpy.pad."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._attributes import as_axis, as_index, as_scalar, as_word, zero_sign
from fastops._axis_map import AxisMap
from fastops._dtypes import AnyArray, AnyDType
from fastops._errors import AttributeValueError, DTypeError, reading
from fastops._family import pad_axes
from fastops._fill import Element
from fastops._launch import Launch, create_launch
from fastops._limits import CACHE_SIZE
from fastops._modes import SampleMode
from fastops._mosaic import Mosaic
from fastops._operator import Operator, lowering
from fastops._plan import SlicePlan

OP = "numpy.pad"

_MODES = {
    "constant": SampleMode.FILL,
    "edge": SampleMode.CLAMP,
    "reflect": SampleMode.REFLECT,
    "symmetric": SampleMode.SYMMETRIC,
    "wrap": SampleMode.WRAP,
}
_OTHERS = "; numpy.pad has the others"


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


_run = Operator(OP, plan_pad, data_name="array", fill_name="constant_values").run


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
        NumPy assigns them, which cuts 1.5 to 1 and takes 300 for 44 in uint8. Zero by default.
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
    if type(constant_values) in (int, float, bool) and type(array) is np.ndarray:
        # As a key, a value would need a launch of its own.
        sign = 0.0 if constant_values else zero_sign(constant_values)
        return _run(array, (pad_width, mode), out, copy, _plain_fill(array.dtype, constant_values, sign))
    return _run_filled(array, (pad_width, mode, constant_values), out, copy)


def _check_reflect_type(mode: Any, reflect_type: Any) -> None:
    if as_word(OP, "mode", mode, _MODES, hint=_OTHERS) not in (SampleMode.REFLECT, SampleMode.SYMMETRIC):
        raise AttributeValueError(OP, "reflect_type", f"not be given in mode {mode}", reflect_type)
    as_word(OP, "reflect_type", reflect_type, {"even": None}, hint="; numpy.pad has odd")


@lru_cache(CACHE_SIZE, typed=True)
def _plain_fill(dtype: AnyDType, value: float, _sign: float) -> Element:
    """Return a plain number as an element; the sign tells -0.0 from 0.0, which are equal keys."""
    return Element(_assigned(dtype, np.array(value)[()]))


def _create_filled(
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    dtype: AnyDType,
    pad_width: Any,
    mode: str,
    constant_values: Any,
) -> Launch:
    """Return the launch of a call with values: of one plan, or of a piece a side where the values differ."""
    fills = _as_fills(constant_values, dtype, len(shape))
    plan = plan_pad(shape, pad_width, mode)
    inside = [range(-axis.start, extent - axis.start) for axis, extent in zip(plan.axes, shape, strict=True)]
    sides: list[tuple[AnyArray, list[range]]] = []
    for k, (before, after) in enumerate(fills):
        for element, side in ((before, range(inside[k].start)), (after, range(inside[k].stop, plan.shape[k]))):
            # Sides of later axes have the corners.
            sides.append((element, [*map(range, plan.shape[:k]), side, *inside[k + 1 :]]))
    sides = [(element, region) for element, region in sides if all(region)]
    # np.concatenate would change the byte order.
    elements = np.zeros(1 + len(sides), dtype)
    for i, (element, _) in enumerate(sides, 1):
        elements[i : i + 1] = element
    if len({element.tobytes() for element, _ in sides}) < 2:
        mosaic = Mosaic(plan.shape, ((0,) * len(shape),), (0,), elements[-1:])
        return create_launch((plan,), byte_strides, dtype, mosaic=mosaic)
    plans, starts = [SlicePlan.create([AxisMap.whole(extent) for extent in shape])], [_start_of(inside)]
    for _, region in sides:
        outside = [(extent, extent, 1, len(part)) for extent, part in zip(shape, region, strict=True)]
        plans.append(SlicePlan.create([AxisMap.create(*each, SampleMode.FILL) for each in outside]))
        starts.append(_start_of(region))
    mosaic = Mosaic(plan.shape, tuple(starts), tuple(range(len(plans))), elements)
    return create_launch(tuple(plans), byte_strides, dtype, mosaic=mosaic)


def _start_of(region: Sequence[range]) -> tuple[int, ...]:
    return tuple([part.start for part in region])


_run_filled = Operator(OP, plan_pad, _create_filled, data_name="array").run


def _as_fills(constant_values: Any, dtype: AnyDType, rank: int) -> list[tuple[AnyArray, AnyArray]]:
    """Return an array of one element for each side of each axis, converted by NumPy's rules of assignment."""
    rule = "be a scalar, or pairs of them that broadcast to one an axis"
    with reading(OP, "constant_values", rule, constant_values):
        pairs = _as_pairs("constant_values", rule, constant_values, np.array(constant_values), rank)
    return [(_assigned(dtype, low), _assigned(dtype, high)) for low, high in pairs]


def _assigned(dtype: AnyDType, value: Any) -> AnyArray:
    element = np.zeros(1, dtype)
    rule = f"be what NumPy converts to {dtype}"
    with reading(OP, "constant_values", rule, value, AttributeValueError), np.errstate(all="ignore"):
        element[:] = value
    return element
