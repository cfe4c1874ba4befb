"""ONNX Range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType, kind_of
from fastops._arrays._tensors import as_array
from fastops._geometry._numbers import is_tensor
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._arguments import as_element
from fastops._lowering._ranges import as_number, lower_typed_range
from fastops._types import AnyArray
from fastops.ops import DTypeError, RangeOperator

__all__ = ["range"]


def _lower_range(start: Any, limit: Any, delta: Any) -> tuple[RangeGeometry, AnyDType]:
    """Return the geometry of a range from the caller's arguments, and the dtype of the range."""
    written = (("start", start), ("limit", limit), ("delta", delta))
    first, last, step = numbers = [(name, _as_scalar(name, value)) for name, value in written]
    dtype = _common_type(numbers)
    return lower_typed_range(first, last, step, dtype, is_precise=True), dtype


def _as_scalar(name: str, value: Any) -> Any:
    """Return the element of an array or a tensor of one element, as a scalar of NumPy, and anything else unchanged."""
    element = as_element(value)
    return as_array(name, element, is_typed=True)[0][()] if is_tensor(element) else element


def _common_type(numbers: Sequence[tuple[str, Any]]) -> AnyDType:
    """Return the type that all NumPy numbers have; int64 or float32 if all numbers are Python's."""
    plain = [as_number(*number) for number in numbers]
    typed = [(name, value) for name, value in numbers if isinstance(getattr(value, "dtype", None), np.dtype)]
    if not typed:
        return np.dtype(np.int64 if all([isinstance(number, int) for number in plain]) else np.float32)
    dtype: AnyDType = typed[0][1].dtype
    for name, value in typed:
        if value.dtype != dtype:
            raise DTypeError.about(name, f"have the type of the other inputs, {dtype}", value)
    if kind_of(dtype) not in "iuf" or dtype.itemsize > 8:
        raise DTypeError.about("start", "be of an integer or float type of at most 64 bits", numbers[0][1])
    return dtype


@(_RANGE := RangeOperator(_lower_range))
def range(start: Any, limit: Any, delta: Any, *, out: AnyArray | None = None) -> AnyArray:
    """Return the numbers from start to limit by delta, in the type of these inputs: ONNX Range.

    There are ``max(0, ceil((limit - start) / delta))`` elements; element i is ``start + i * delta``. Integers are
    exact. Floats of type T are ``T(start) + T(i) * T(delta)`` with two roundings; types of fewer than 32 bits are
    computed in float32 and rounded once more. Rounding errors do not accumulate. The count of floats is computed in
    float64, as by ONNX Runtime and ONNX's reference implementation.

    Parameters
    ----------
    start, limit, delta : scalar, or array or tensor of one element
        Real numbers of one type. The range ends before limit. Python's numbers are converted to the type of the other
        inputs. If all inputs are Python's, the type is int64 for integers, and float32 if one of them is a float.

    Raises
    ------
    AttributeValueError
        NaN, infinity unless the range is empty, a delta of 0, or an integer that the type cannot express.
    DTypeError
        Inputs that are not real numbers, such as booleans, or have different types.

    Notes
    -----
    Specification: ONNX Range-11. It has the types int16, int32, int64, float32 and float64; this function accepts each
    integer or float type of at most 64 bits. The specification does not say how precisely elements are counted. ONNX
    Runtime accumulates rounding errors, because it adds delta repeatedly; this function does not.

    Examples
    --------
    >>> onnx.range(1, 10, 3)
    array([1, 4, 7])
    >>> onnx.range(np.float32(1), np.float32(2), np.float32(0.25))
    array([1.  , 1.25, 1.5 , 1.75], dtype=float32)
    """
    return _RANGE.run_range((start, limit, delta), out)
