"""tf.range."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from fastops._arrays._dtypes import AnyDType, as_output_type, kind_of
from fastops._errors import AttributeValueError, DTypeError, named
from fastops._execution._operator import RangeOperator
from fastops._geometry._range_and_windows import RangeGeometry
from fastops._lowering._ranges import as_number, lower_typed_range, round_number
from fastops._types import AnyArray

__all__ = ["range"]

# Without a given type, the result has the last one of these types that an input has.
_HIERARCHY = [np.dtype(name) for name in ("int32", "int64", "float32", "float64")]


def _lower_range(start: Any, limit: Any, delta: Any, dtype: DTypeLike | None) -> tuple[RangeGeometry, AnyDType]:
    """Return the geometry of a range from the caller's arguments, and the dtype of the range."""
    # range(limit) means range(0, limit); errors about the limit name the argument that the caller gave.
    first, last = (("start", start), ("limit", limit)) if limit is not None else (("start", 0), ("start", start))
    numbers = (first, last, ("delta", delta))
    if dtype is None:
        own = _common_type(numbers)
        # Python's floats are rounded to float32 also where the range is of float64.
        numbers = (_as_tensor(*first), _as_tensor(*last), _as_tensor("delta", delta))
    else:
        # Python's float and the name "float" mean float32 here; NumPy's float has 64 bits.
        is_short = dtype is float or (type(dtype) is str and dtype == "float")
        own = as_output_type("dtype", "float32" if is_short else dtype)
    if own.itemsize < 4 and kind_of(own) == "f":
        rule = "not be a float type of less than 32 bits, whose range TensorFlow rounds after each operation"
        raise DTypeError.about("dtype", rule, dtype)
    plan = lower_typed_range(*numbers, own, is_precise=False)
    begin, end, step = [round_number(name, value, own) for name, value in numbers]
    if (step > 0) != (end > begin) and end != begin:
        raise AttributeValueError.about("delta", "lead from start to limit", delta)
    return plan, own


def _as_tensor(name: str, value: Any) -> tuple[str, Any]:
    return name, np.float32(value) if type(value) is float else value


def _common_type(numbers: tuple[tuple[str, Any], ...]) -> AnyDType:
    """Return the type of a range of these inputs: Python's integers are int32 or int64, and its floats float32."""
    ranks = []
    for name, value in numbers:
        dtype = getattr(value, "dtype", None)
        if not isinstance(dtype, np.dtype):
            number = as_number(name, value)
            is_short = -(2**31) <= number < 2**31
            dtype = np.dtype(np.float32 if isinstance(number, float) else np.int32 if is_short else np.int64)
        elif dtype not in _HIERARCHY:
            types = ", ".join(map(named, _HIERARCHY))
            raise DTypeError.about(name, f"be of type {types}, where dtype is not given", value)
        ranks.append(_HIERARCHY.index(dtype))
    return _HIERARCHY[max(ranks)]


@(_RANGE := RangeOperator(_lower_range))
def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: DTypeLike | None = None, *, out: AnyArray | None = None
) -> AnyArray:
    """Return the numbers from start to limit by delta: tf.range.

    There are ``ceil(abs((limit - start) / delta))`` elements; element i is ``start + i * delta``. Inputs are rounded to
    the type of the result first, and each operation is rounded to this type. Integers are exact. Rounding errors do not
    accumulate.

    Parameters
    ----------
    start, limit, delta : scalar
        Real numbers. The range ends before limit. ``range(limit)`` means ``range(0, limit)``.
    dtype : str or dtype, optional
        An integer type, float32 or float64, given as for `fastops.range`, except that float means float32. By default,
        the last type of int32, int64, float32 and float64 that an input has: Python's integers are int32 if they fit
        and int64 otherwise, and Python's floats are rounded to float32.

    Raises
    ------
    AttributeValueError
        NaN, infinity unless the range is empty, a delta of 0 or in the wrong direction, or an integer that the type
        cannot express.
    DTypeError
        Inputs that are not real numbers, such as booleans, floats for an integer type, or an unsupported type.

    Notes
    -----
    Specification: TensorFlow 2.21, tf.range, without the argument name. TensorFlow rounds float16 and bfloat16 after
    each operation; this function refuses these types.

    Examples
    --------
    >>> tensorflow.range(3, 18, 5)
    array([ 3,  8, 13], dtype=int32)
    >>> tensorflow.range(1, 1.3, 0.1)
    array([1. , 1.1, 1.2], dtype=float32)
    """
    return _RANGE.run_range((start, limit, delta, dtype), out)
