"""`range`: OpenVINO Range-4."""

from __future__ import annotations

from math import ceil, isfinite
from typing import Any

from numpy.typing import DTypeLike

from fastops._arrays._dtypes import AnyDType, as_output_type, kind_of
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._ranges import as_number, check_float_range
from fastops._types import AnyArray
from fastops.kernels._arithmetic import count_between
from fastops.ops import AttributeValueError, RangeOperator

__all__ = ["range"]


def _lower_range(start: Any, stop: Any, step: Any, output_type: DTypeLike) -> tuple[RangeGeometry, AnyDType]:
    """Return the geometry of a range from the caller's arguments, and the dtype of the range.

    For an integral output type, inputs are truncated toward zero before the elements are counted. For a float type, the
    elements are counted before the inputs are rounded.
    """
    written = {"start": start, "stop": stop, "step": step}
    numbers = {name: as_number(name, value) for name, value in written.items()}
    dtype = as_output_type("output_type", output_type)
    is_integral = kind_of(dtype) in "iu"
    for name, number in numbers.items():
        if not isinstance(number, int) and not isfinite(number):
            raise AttributeValueError.about(name, "be finite", number)
    if not is_integral:
        check_float_range(**numbers)
    first, last, by = map(int, numbers.values()) if is_integral else numbers.values()
    if by == 0:
        rule = "not be 0" if numbers["step"] == 0 else "not truncate to 0 in an integral output type"
        raise AttributeValueError.about("step", rule, numbers["step"])
    if isinstance(first, int) and isinstance(last, int) and isinstance(by, int):
        return RangeGeometry(first, by, count_between(first, last, by)), dtype
    ratio = (float(last) - float(first)) / float(by)
    if ratio == float("inf"):
        raise AttributeValueError.about("step", "give a number of elements that float64 can express", by)
    return RangeGeometry(first, by, ceil(ratio) if ratio > 0 else 0), dtype


@(_RANGE := RangeOperator(_lower_range, is_compiled=True))
def range(start: Any, stop: Any, step: Any, output_type: DTypeLike, *, out: AnyArray | None = None) -> AnyArray:
    """Return the numbers from start to stop by step: OpenVINO Range-4.

    There are ``count = max(0, ceil((stop - start) / step))`` elements. Element i is

    - for an integer type: ``start + i * step`` modulo 2^bits, exactly; start, stop and step are truncated toward zero
      first;
    - for a float type: ``T(start) + T(i) * T(step)`` with two roundings, rounded to nearest even in the output type,
      where T is float64 for a float64 output and float32 otherwise. The count is computed in float64 from the inputs
      before they are rounded, and exactly if all inputs are integers. Rounding errors do not accumulate.

    Parameters
    ----------
    start, stop, step : scalar
        Real numbers of Python, NumPy or ml_dtypes. The range ends before stop.
    output_type : str or dtype
        An integer or float type: OpenVINO's name ("i32", "bf16", "f8e4m3"), a type of ml_dtypes, or an argument of
        ``numpy.dtype`` ("int", "int32", "d", a dtype, a scalar type). NumPy's codes with a number of bytes need a byte
        order ("<i4"), because OpenVINO's "i8" is int8.

    Returns
    -------
    ndarray
        ``out``, or a fresh array of shape ``[count]``. A step in the wrong direction gives no elements.

    Raises
    ------
    AttributeValueError
        An input that is no scalar; NaN or infinity; a step that is 0 or is truncated to 0 for an integer type; or, for
        a float type, an integer beyond 2^1023 or a count that float64 cannot express.
    DTypeError
        Inputs that are not real numbers, such as booleans, or an output type that is neither an integer nor a float
        type.

    Notes
    -----
    Specification: OpenVINO opset 4, Range-4.

    Examples
    --------
    >>> fo.range(2, 23, 3, "i32")
    array([ 2,  5,  8, 11, 14, 17, 20], dtype=int32)
    >>> fo.range(1, 2.5, 0.5, "f32")
    array([1. , 1.5, 2. ], dtype=float32)
    """
    return _RANGE.run_range((start, stop, step, output_type), out)
