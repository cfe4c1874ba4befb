"""numpy.pad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from fastops._arrays._dtypes import AnyDType, plain_values
from fastops._arrays._fill_values import EACH_AXIS, as_pairs, elements_of
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError
from fastops._execution._plan_call import run_channels
from fastops._geometry._axis_map import Run, RunMap
from fastops._geometry._geometry import Geometry, geometry_of
from fastops._geometry._numbers import MOST_INDICES, Index, as_integer, is_listed
from fastops._lowering._arguments import Rule, modes_of, one_of, optional
from fastops._lowering._bounds import resolve_axis
from fastops._lowering._moves import lower_pads, split_pairs
from fastops._types import AnyArray, Copy, Data, Out
from fastops.ops import Operator, Windows, r

if TYPE_CHECKING:
    from numpy._globals import _NoValueType

__all__ = ["pad"]

#: NumPy's names of the modes that move elements.
PadMode: TypeAlias = Literal["constant", "edge", "reflect", "symmetric", "wrap"]
#: NumPy's names of the other modes, which NumPy itself runs.
ComputingPadMode: TypeAlias = Literal["empty", "linear_ramp", "maximum", "mean", "median", "minimum"]

_OTHERS = "; the other modes of np.pad compute values, or leave them undefined"
_WIDTHS = f"be an integer, a pair of integers, or a pair for {EACH_AXIS}"
_INTEGERS = f"{_WIDTHS}, of a signed type of at most 64 bits"

_LEFT_OUT = np._NoValue

# The first item of pads from a dictionary; each other item is a tuple of an axis and the pads before and after it.
_BY_AXIS = "by axis"


def _as_widths(attribute: str, pad_width: Any) -> Any:
    """Return pads as an integer or nested tuples."""
    if isinstance(pad_width, dict):
        named: list[Any] = [_BY_AXIS]
        for axis, width in tuple(pad_width.items()):
            low, high = width if isinstance(width, tuple) and len(width) == 2 else (width, width)
            named.append(tuple([_as_named_integer(attribute, each, pad_width) for each in (axis, low, high)]))
            _check_pads(attribute, min(named[-1][1:]), pad_width)
        return tuple(named)
    # A range may have more items than memory holds, so only the first ones are read; one more than allowed is enough
    # for the error.
    given = pad_width[: MOST_INDICES + 1] if type(pad_width) is range else plain_values(attribute, pad_width)
    try:
        widths = np.asarray(given)
    except ValueError as error:
        # The lists have different lengths.
        raise RankError.about(attribute, _WIDTHS, pad_width) from error
    # NumPy accepts signed integers only, and at least one.
    if widths.dtype.kind != "i":
        raise DTypeError.about(attribute, _INTEGERS, pad_width)
    if not 0 < widths.size <= MOST_INDICES:
        raise AttributeValueError.about(attribute, _WIDTHS, pad_width)
    _check_pads(attribute, widths.min(), pad_width)
    return _as_tuples(widths.tolist())


def _check_pads(attribute: str, least: int, whole: Any) -> None:
    if least < 0:
        raise AttributeValueError.about(attribute, "be at least 0", whole)


def _as_named_integer(attribute: str, number: Any, whole: Any) -> int:
    """Return an axis or a pad of a dictionary as an integer; NumPy accepts booleans of Python there too."""
    if type(number) is bool:
        return int(number)
    if is_listed(number):
        raise RankError.about(attribute, "map axes to integers, or to tuples of two", whole)
    return as_integer(attribute, number, whole)


def _as_tuples(lists: Any) -> Any:
    return tuple([_as_tuples(each) for each in lists]) if isinstance(lists, list) else lists


def _lower_pad(shape: Any, pad_width: Any, mode: PadMode) -> Windows:
    rank = len(shape)
    if isinstance(pad_width, tuple) and pad_width[0] == _BY_AXIS:
        if not rank and len(pad_width) == 1:
            # NumPy converts an empty dictionary to an array of floats, which it refuses.
            raise DTypeError.about("pad_width", _INTEGERS, pad_width)
        pairs: list[Any] = [(0, 0)] * rank
        for axis, low, high in pad_width[1:]:
            pairs[resolve_axis("pad_width", axis, rank)] = (low, high)
    else:
        # Data of rank 0 has no axes; its pads are checked nevertheless.
        pairs = as_pairs("pad_width", _WIDTHS, np.array(pad_width), max(rank, 1))[:rank]
        pairs = [(int(low), int(high)) for low, high in pairs]
    for axis, (extent, pair) in enumerate(zip(shape, pairs, strict=True)):
        if extent == 0 and any(pair) and mode != "constant":
            rule = f"be 0 on an empty axis in mode {mode}"
            raise AttributeValueError.about("pad_width", rule, tuple(pairs), axis, extent)
    return lower_pads(shape, split_pairs("pad_width", tuple(pairs), rank), mode)


_PAD = Operator(
    _lower_pad,
    Rule(r.PADS, (r.BEFORE, r.MODE), r.BY_ANY_PAIRS, constants=modes_of(PadMode)),
    pad_width=_as_widths,
    mode=one_of(get_args(PadMode), hint=_OTHERS, also=ValueError),
)


@_PAD
def pad(
    array: Data,
    pad_width: Any,
    mode: PadMode | ComputingPadMode | Callable[..., Any] = "constant",
    *,
    constant_values: Any = np._NoValue,
    reflect_type: Literal["even", "odd"] | _NoValueType | None = np._NoValue,
    stat_length: Any = np._NoValue,
    end_values: Any = np._NoValue,
    channel_axis: Index | None = None,
    out: Out = None,
    copy: Copy = True,
    chunks: Any = None,
    **keywords: Any,
) -> AnyArray:
    """Pad each axis on its two sides: numpy.pad.

    Along each axis of length d, output y reads coordinate ``x = y - before`` for ``0 <= y < before + d + after``.
    Outside ``0..d-1``, mode says what is read: constant reads a value, edge the nearest index, reflect a mirrored index
    without repeating the edge element, symmetric a mirrored index that repeats the edge element, and wrap index
    ``x mod d``. NumPy runs the other modes.

    Parameters
    ----------
    pad_width : int, pair, list of pairs, or dict
        The pads before and after each axis, >= 0: one number for all sides, one pair for all axes, one pair for each
        axis, or a dictionary from axes to numbers or tuples of two numbers.
    mode : str or callable
        "constant", "edge", "reflect", "symmetric" or "wrap"; or a mode that NumPy runs: "linear_ramp", "maximum",
        "mean", "median", "minimum", "empty" or a function.
    constant_values : scalar, pair or list of pairs, optional
        The values to pad with, in mode constant only: one value for all sides, one pair for all axes, or one pair for
        each axis; zero by default. Values are converted as in an assignment to an array of NumPy: 1.5 becomes 1 and 300
        becomes 44 in uint8, and None becomes NaN in floats.
    reflect_type : str, optional
        In modes reflect and symmetric only: "even", or "odd", which NumPy runs.
    stat_length, end_values : int, scalar, pair or list of pairs, optional
        Arguments of modes that compute values; an error in other modes.
    channel_axis : int, optional
        An argument that NumPy does not have, in mode constant only: ``constant_values`` is a list with one value for
        each index of the result along this axis, such as ``(124, 116, 104)`` for an image with ``channel_axis=-1``.
    **keywords
        Arguments that NumPy passes to a mode that is a function; an error in other modes.

    Returns
    -------
    ndarray
        ``out``, or a fresh C-contiguous array of the dtype of ``array``, or a view of ``array``. In mode constant, text
        of length 0 becomes text of length 1.

    Raises
    ------
    AxisError
        A dictionary names an axis that the array does not have.
    AttributeValueError
        Pads that are negative or do not fit the axes of the array, an unknown mode, an argument of another mode, pads
        of an empty axis in another mode than constant, or values that cannot be converted.
    DTypeError
        Pads that are not integers, or values of a type that cannot be converted, such as None for integers.

    Examples
    --------
    >>> fnp.pad(np.arange(1, 4), (2, 3), "symmetric")
    array([2, 1, 1, 2, 3, 3, 2, 1])
    >>> fnp.pad(np.ones((1, 2), int), 1, constant_values=((8, 9), (0, 5)))
    array([[0, 8, 8, 5],
           [0, 1, 1, 5],
           [0, 9, 9, 5]])
    >>> image = np.zeros((1, 1, 3), np.uint8)
    >>> fnp.pad(image, ((0, 0), (1, 0), (0, 0)), constant_values=(124, 116, 104), channel_axis=-1)
    array([[[124, 116, 104],
            [  0,   0,   0]]], dtype=uint8)
    >>> fnp.pad(np.arange(1.0, 4.0), 1, "mean")
    array([2., 1., 2., 3., 2.])
    """
    source: Any = array
    word: Any = mode
    is_constant = isinstance(word, str) and word == "constant"
    if constant_values is not _LEFT_OUT:
        keywords["constant_values"] = constant_values
    if not (reflect_type is stat_length is end_values is _LEFT_OUT):
        own = {"reflect_type": reflect_type, "stat_length": stat_length, "end_values": end_values}
        keywords |= {name: value for name, value in own.items() if value is not _LEFT_OUT}
    attributes, fill = (pad_width, mode), None
    try:
        for name in keywords:
            if name != "constant_values" or not is_constant:
                check_keyword(name, keywords[name], mode)
        if channel_axis is not None and not is_constant:
            check_keyword("channel_axis", channel_axis, mode)
        # The zero of other dtypes may have bytes that are not zero.
        is_plain = type(source) is np.ndarray and source.dtype.kind in "biufcmM"
        if is_constant and not (is_plain and constant_values is _LEFT_OUT):
            source, dtype, rank = (source, source.dtype, source.ndim) if is_plain else _described(source, copy)
            values = 0 if constant_values is _LEFT_OUT else constant_values
            if channel_axis is not None and is_listed(values):
                given = "constant_values", values
                return run_channels(_PAD, source, attributes, channel_axis, given, out, copy, chunks)
            fill = elements_of(dtype, rank, values)
    except FastopsError as error:
        if channel_axis is not None:
            _PAD.explain(error, constant_values=constant_values)
            raise
        return _PAD.fall_back(error, array, {"pad_width": pad_width, "mode": mode, **keywords}, out, copy, chunks)
    operator = _PAD if fill is None or fill.array.size < 2 else _SIDES
    return operator.run_gather(source, attributes, out, copy, fill, chunks, keywords)


def _described(array: Any, copy: Any) -> tuple[Any, AnyDType, int]:
    """Return data, as an array if NumPy can make one of it, its dtype and its rank."""
    kind = None if type(array) is np.ndarray else _PAD.find_kind(array)
    if kind is None and type(array) is not np.ndarray:
        array = as_source(array, may_copy=copy is not False)[0]
    shape, dtype = (array.shape, array.dtype) if kind is None else kind.describe(array)
    if not dtype.itemsize and dtype.kind in "SU":
        # NumPy pads text of length 0 as text of length 1.
        raise DTypeError.about("data", "have text of at least one character", dtype)
    return array, dtype, len(shape)


def check_keyword(keyword: str, value: Any, mode: Any) -> None:
    """Raise for a keyword that the mode does not take, and for keywords and modes that compute values."""
    if _PAD.read("mode", mode) not in ("reflect", "symmetric") or keyword != "reflect_type":
        raise AttributeValueError.about(keyword, f"not be given in mode {mode}", value)
    _read_reflect_type(keyword, value)


# None means even, as in NumPy.
_read_reflect_type = optional(one_of(("even",), hint="; odd computes values"))


def lower_sides(shape: tuple[int, ...], values: Sequence[Any]) -> Geometry:
    """Return the geometry of pads with a fill value for each side.

    Fill slots ``2 * k`` and ``2 * k + 1`` are the sides of axis k. In a corner, the last of the axes has precedence.
    """
    widths = _PAD.lowering.lower(shape, values)
    assert isinstance(widths, Windows)
    axes = []
    for k, (extent, (start, _, count)) in enumerate(zip(shape, widths.bounds, strict=True)):
        runs = [Run(-start, None, 2 * k), Run(extent, 0, 1), Run(start + count - extent, None, 2 * k + 1)]
        axes.append(RunMap(extent, [run for run in runs if run.count]))
    return geometry_of(axes, fills=2 * len(shape))


_SIDES = _PAD.with_geometry(lower_sides)
