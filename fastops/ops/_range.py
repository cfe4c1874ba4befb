"""OpenVINO Range-4."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, isfinite
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from fastops._attributes import zero_sign
from fastops._dtypes import AnyArray, AnyDType, as_output_type, kind_of
from fastops._errors import AttributeValueError, DTypeError, reading
from fastops._hold import hold_all
from fastops._interrupts import raise_of_handler
from fastops._limits import CACHE_SIZE
from fastops._range_launch import (
    RangeLaunch,
    check_float_range,
    check_lasting,
    is_negative_zero,
    prepare_range_launch,
    run_range_launch,
)
from fastops._range_plan import RangePlan

OP = "range"

# Numbers that hash and compare as what they are, by their types as objects. A type of the caller's own may do so as it
# likes.
_PLAIN_NUMBERS = frozenset(map(id, (int, float, *(np.dtype(code).type for code in "bBhHiIlLqQefdg"))))


def as_number(attribute: str, value: Any) -> int | float:
    """Return a real scalar by its own value: integers stay integers, exactly."""
    if type(value) is int or type(value) is float:
        return value
    with reading(OP, attribute, "be a real number", value):
        dtype = getattr(value, "dtype", None)
        if isinstance(value, list | tuple) or (isinstance(dtype, np.dtype) and np.ndim(value) != 0):
            raise AttributeValueError(OP, attribute, "be a scalar", value)
        plain_type = _plain_type(value, dtype)
        if plain_type is not None:
            # Subclasses may compare and hash as they like; plain numbers do not.
            return plain_type(value)
    raise DTypeError(OP, attribute, "be a real number", value)


def _plain_type(value: Any, dtype: Any) -> type[int] | type[float] | None:
    """The type of Python that a scalar is a number of; None for what is no real number."""
    if isinstance(dtype, np.dtype):
        kind = kind_of(dtype)
        if kind == "f" and dtype.itemsize > 8 and np.isfinite(value) and value == np.floor(value):
            # float64 may have no such integer.
            return int
        return int if kind in "iu" else float if kind == "f" else None
    if isinstance(value, int):
        return None if isinstance(value, bool) else int
    return float if isinstance(value, float) else None


def lower_range(start: int | float, stop: int | float, step: int | float, *, integral: bool) -> RangePlan:
    """Return the plan of a Range-4 into a type that is integral or not.

    An integral type truncates each input toward zero before anything is counted; a float type counts the inputs as
    they are, before they are rounded to it.
    """
    for attribute, value in (("start", start), ("stop", stop), ("step", step)):
        if not isinstance(value, int) and not isfinite(value):
            raise AttributeValueError(OP, attribute, "be finite", value)
    if not integral:
        check_float_range(OP, start=start, stop=stop, step=step)
    if step == 0 or (integral and int(step) == 0):
        rule = "not be 0" if step == 0 else "not truncate to 0 in an integral output type"
        raise AttributeValueError(OP, "step", rule, step)
    if integral:
        start, stop, step = int(start), int(stop), int(step)
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        count = -((start - stop) // step)
    else:
        ratio = (float(stop) - float(start)) / float(step)
        if ratio == float("inf"):
            raise AttributeValueError(OP, "step", "give a number of elements that float64 can express", step)
        count = ceil(ratio) if ratio > 0 else 0
    return RangePlan(start, step, max(count, 0))


def plan_range(start: Any, stop: Any, step: Any, output_type: DTypeLike) -> RangePlan:
    """Return the plan of `fastops.range`.

    Examples
    --------
    >>> plan_range(2, 23, 3, "i32")
    RangePlan(start=2, step=3, count=7)
    """
    integral = kind_of(as_output_type(OP, output_type)) in "iu"
    return lower_range(as_number("start", start), as_number("stop", stop), as_number("step", step), integral=integral)


@lru_cache(CACHE_SIZE, typed=True)
def _prepare(start: int | float, stop: int | float, step: int | float, dtype: AnyDType, _sign: float) -> RangeLaunch:
    # The sign tells a start of -0.0 from one of 0.0, which are equal keys.
    return prepare_range_launch(lower_range(start, stop, step, integral=kind_of(dtype) in "iu"), dtype)


# A call that has been made before is found by what the caller wrote, before anything is checked or converted. The types
# are part of the key, so that 1, 1.0 and True are three keys. What may compare or change as it likes is never kept.
@lru_cache(CACHE_SIZE, typed=True)
def _find_launch(start: Any, stop: Any, step: Any, output_type: Any) -> RangeLaunch:
    if not _PLAIN_NUMBERS.issuperset(map(id, (type(start), type(stop), type(step)))):
        raise TypeError
    launch = _prepare_checked(start, stop, step, output_type)
    check_lasting(output_type, launch.dtype)
    return launch


def _prepare_checked(start: Any, stop: Any, step: Any, output_type: DTypeLike) -> RangeLaunch:
    start, stop, step = as_number("start", start), as_number("stop", stop), as_number("step", step)
    dtype = as_output_type(OP, output_type)
    prepare = _prepare if dtype.metadata is None else _prepare.__wrapped__
    return prepare(start, stop, step, dtype, zero_sign(start))


def range(start: Any, stop: Any, step: Any, output_type: DTypeLike, *, out: AnyArray | None = None) -> Any:
    """Write the numbers from start to stop by step: OpenVINO Range-4.

    There are ``count = max(0, ceil((stop - start) / step))`` elements:

    - integers, after each input is truncated toward zero: ``start + i * step`` modulo 2^bits, all exact;
    - floats: ``T(start) + T(i) * T(step)``, with two roundings, where T is float64 for a float64 output and else
      float32; then rounded to nearest even in the output type. The count comes from the inputs as they are, in
      float64 (exactly, if all are integers). Nothing is accumulated.

    Parameters
    ----------
    start, stop, step : scalar
        Real numbers of Python, NumPy or ml_dtypes, each by its own value. stop is not reached.
    output_type : str or dtype
        An integer or float type: OpenVINO's name ("i32", "bf16", "f8e4m3"), a full name of NumPy or ml_dtypes
        ("int32"), a dtype, or a scalar type. Of NumPy's short codes only those with a byte order are taken ("<i4"),
        since OpenVINO's "i8" is int8.
    out : ndarray, optional
        Where to write: 1-D, of the result's length and type, with any stride.

    Returns
    -------
    ndarray
        ``out``, or a fresh array of shape ``[count]``. A step in the wrong direction gives no elements.

    Raises
    ------
    AttributeValueError
        NaN or infinity, a step of 0, or one that truncates to 0 in an integral type.
    DTypeError
        Inputs that are no real numbers, booleans included, or an output type that is none.
    OutputError
        ``out`` does not fit, or the output cannot be allocated.

    Notes
    -----
    Specification: Range, version Range-4.

    Examples
    --------
    >>> import fastops as fo
    >>> fo.range(2, 23, 3, "i32")
    array([ 2,  5,  8, 11, 14, 17, 20], dtype=int32)
    >>> fo.range(1, 2.5, 0.5, "f32")
    array([1. , 1.5, 2. ], dtype=float32)
    """
    try:
        if not start and is_negative_zero(start):
            raise ValueError(start)  # As a key, it would be taken for 0.0.
        # What cannot be hashed raises.
        launch = _find_launch(start, stop, step, output_type)  # type: ignore[arg-type]
    except Exception as error:
        # Whatever it was, the checks find it again, and say it in the caller's words.
        raise_of_handler(error)
        _held = hold_all(OP, None, (out,))
        launch = _prepare_checked(start, stop, step, output_type)
    return run_range_launch(OP, launch, out)
