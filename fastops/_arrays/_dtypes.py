"""Dtypes and their names, arrays of integers that callers pass, and the bytes that arrays span in memory."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError
from fastops._geometry import _numbers as numbers
from fastops._types import AnyArray as AnyArray

AnyDType: TypeAlias = np.dtype[Any]

kind_of = numbers.kind_of

# OpenVINO's names of element types, and NumPy's or ml_dtypes' names of the same types. They take precedence over
# NumPy's type codes: i8 is int8 in OpenVINO, and int64 in NumPy.
_OPENVINO_NAMES = {
    "boolean": "bool",
    "bf16": "bfloat16",
    **{f"i{bits}": f"int{bits}" for bits in (4, 8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "f8e5m2": "float8_e5m2",
    "f8e4m3": "float8_e4m3fn",
    "f8e8m0": "float8_e8m0fnu",
    "f4e2m1": "float4_e2m1fn",
}

# NumPy's names of number types, such as int32, int and double, and its codes of one letter. Its codes of a letter and a
# number of bytes are left out, because they mean other types in OpenVINO.
_NUMPY_NAMES = frozenset(
    [name for name, kind in np.sctypeDict.items() if issubclass(kind, np.integer | np.floating)]
) | frozenset(np.typecodes["AllInteger"] + np.typecodes["Float"])

_NAME_RULE = "be the name of a number type, as f32 or float32 (NumPy's numbers of bytes need a byte order, as <f4)"


#: The rule of `check_movable`.
NO_REFERENCES = "not have elements of object or StringDType, which are references"


def check_movable(attribute: str, dtype: AnyDType) -> None:
    """Raise for elements of object and StringDType, whose bytes refer to memory elsewhere."""
    if dtype.hasobject:
        raise DTypeError.about(attribute, NO_REFERENCES, dtype)


def is_ml_dtype(dtype: AnyDType) -> bool:
    """True for the types of ml_dtypes, which have kind V in NumPy."""
    return dtype.isbuiltin == 2 and dtype.type.__module__ == "ml_dtypes"


def bits_of(dtype: AnyDType) -> int:
    """Return the number of bits of an integral type: 4 for int4, although an element is one byte."""
    if is_ml_dtype(dtype):
        return int(dtype.name.removeprefix("u").removeprefix("int"))
    return 8 * dtype.itemsize


def as_output_type(attribute: str, output_type: DTypeLike) -> AnyDType:
    """Return the dtype of a range or of a converted result: a type of integers or floats of at most 64 bits.

    It may be one of OpenVINO's names ("f32", "bf16", "i64", "f8e4m3"), a name of ml_dtypes, or an argument that
    ``numpy.dtype`` takes ("int", "float32", "d", dtypes and scalar types). NumPy's codes with a number of bytes need a
    byte order ("<f8"), because "f8" could also be one of OpenVINO's names.
    """
    is_name = isinstance(output_type, str)
    dtype = _named_dtype(attribute, str(output_type)) if is_name else _plain_dtype(attribute, output_type)
    if dtype.metadata is not None:
        # As keys of caches, a dtype with metadata and the dtype without it are equal.
        dtype = np.dtype(dtype.type).newbyteorder(dtype.byteorder)
    if kind_of(dtype) not in "iuf" or dtype.itemsize > 8:
        raise DTypeError.about(attribute, "be an integer or float type of at most 64 bits", output_type)
    return dtype


def _named_dtype(attribute: str, name: str) -> AnyDType:
    full_name = _OPENVINO_NAMES.get(name, name)
    if full_name in _NUMPY_NAMES or full_name == "bool" or full_name[:1] in ("<", ">", "=", "|"):
        return _plain_dtype(attribute, full_name)
    scalar_type = getattr(import_module("ml_dtypes"), full_name, None) if full_name.isidentifier() else None
    if not isinstance(scalar_type, type):
        raise DTypeError.about(attribute, _NAME_RULE, name)
    return np.dtype(scalar_type)


def _plain_dtype(attribute: str, output_type: DTypeLike) -> AnyDType:
    # NumPy reads None as float64 and lists as records, which no caller means.
    if isinstance(output_type, NoneType | list | tuple | dict):
        raise DTypeError.about(attribute, "be a number type", output_type)
    try:
        return np.dtype(output_type)
    except (TypeError, ValueError) as error:
        raise DTypeError.about(attribute, "be a number type", output_type) from error


# The integers, booleans and real floats of Python and NumPy. Keys of caches may hold them, because comparing them runs
# no code of a caller.
_NUMBERS = frozenset([bool, int, float, *[np.dtype(code).type for code in "bBhHiIlLqQ?efdg"]])


def is_plain_number(value: object) -> bool:
    """True for a number of Python's or NumPy's own types."""
    return type(value) in _NUMBERS


def plain_values(attribute: str, value: Any, levels: int = 3) -> Any:
    """Return tensors of PyTorch, also inside lists, as nested lists of numbers; return other values unchanged.

    Raise for masked entries, arrays of dask, and tensors without memory. Deeper levels than ``levels`` are not read,
    because a list may hold itself.
    """
    kind = type(value)
    if kind in _NUMBERS:
        return value
    if (kind is tuple or kind is list) and levels:
        return [each if type(each) in _NUMBERS else plain_values(attribute, each, levels - 1) for each in value]
    if numbers.is_hidden(value):
        raise DTypeError.about(attribute, "have no masked entries", value)
    is_foreign = numbers.is_tensor(value) or hasattr(type(value), "__dask_graph__")
    return numbers.numbers_of(attribute, value) if is_foreign else value


def as_int64(attribute: str, value: Any, shape: tuple[int | None, ...], what: str) -> AnyArray:
    """Return an array of any integer type, or a list of integers or of lists of integers, as a C-contiguous int64 copy.

    The first length of the shape may be None for any length; ``what`` says in errors what the numbers are.

    Raises
    ------
    DTypeError
        The elements are no integers; floats and booleans are no integers.
    AttributeValueError
        The value has another shape.
    OutOfBoundsError
        An integer does not fit in int64.
    """
    dtype = getattr(value, "dtype", None)
    is_integral = numbers.is_listed(value) if dtype is None else kind_of(dtype) in "iu"
    if not is_integral or (type(value) is not np.ndarray and numbers.is_masked(value)):
        raise DTypeError.about(attribute, "be an array of integers, without a mask", value)
    array = None
    if dtype is not None:
        array = value if type(value) is np.ndarray else numbers.numbers_of(attribute, value, np.asarray)
    elif _have_lengths(value, shape):
        rows = [numbers.as_indices(attribute, row, len(row)) for row in (value if len(shape) == 2 else [value])]
        # An array of objects holds integers of any size.
        array = np.array(rows, object).reshape(len(value), *shape[1:])
    if array is None or array.ndim != len(shape) or array.shape[1:] != shape[1:] or shape[0] not in (None, len(array)):
        rule = f"have shape {str(shape).replace('None', 'N')}: {what}"
        raise AttributeValueError.about(attribute, rule, value)
    try:
        words = np.array(array, np.int64, order="C")
        if array.dtype.kind == "u" and (words < 0).any():
            raise OverflowError
    except OverflowError as error:
        raise OutOfBoundsError.about(attribute, "hold integers of 64 bits, with their sign", value) from error
    return words


def _have_lengths(value: Sequence[Any], shape: tuple[int | None, ...]) -> bool:
    """True for lists of these lengths; a range, which may have any length, is no list of rows."""
    if shape[0] not in (None, len(value)):
        return False
    if len(shape) == 1:
        return not any(map(numbers.is_listed, value))
    return type(value) is not range and all([numbers.is_listed(row) and len(row) == shape[1] for row in value])


#: The most bytes that an array may span, so that the sum of an address and an offset does not overflow 64 bits.
LARGEST_SPAN = 1 << 61


def span_of(array: AnyArray) -> tuple[int, int]:
    """Return the lowest byte of an array, counted from its element 0, and the byte behind the highest.

    Both are 0 for an empty array, which may have any byte strides.
    """
    if 0 in array.shape:
        return 0, 0
    reaches = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides, strict=True)]
    return sum([x for x in reaches if x < 0]), array.itemsize + sum([x for x in reaches if x > 0])


def is_nested(array: AnyArray) -> bool:
    """True if each axis, in the order of byte strides, steps over all bytes that the axes before it span.

    No two elements of such an array share a byte.
    """
    axes = sorted((abs(stride), n) for stride, n in zip(array.strides, array.shape, strict=True) if n > 1)
    span = array.itemsize
    for stride, n in axes:
        if stride < span:
            return False
        span += stride * (n - 1)
    return True


def check_span(array: AnyArray, attribute: str = "data", kind: type[FastopsError] = AttributeValueError) -> None:
    """Raise an error of class ``kind`` for an array that spans more bytes than memory can have."""
    low, high = span_of(array)
    if high - low > LARGEST_SPAN:
        raise kind.about(attribute, f"span at most {LARGEST_SPAN} bytes", f"byte strides {array.strides}")


def without_far_strides(array: Any) -> Any:
    """Return an array; if one of its strides is as long as memory, its axes of one index get stride 0.

    NumPy's indexing may give any 64-bit stride to an axis of one index.
    """
    strides = array.strides
    if not strides or -LARGEST_SPAN < min(strides) <= max(strides) < LARGEST_SPAN:
        return array
    near = [0 if n == 1 else stride for n, stride in zip(array.shape, strides, strict=True)]
    return np.lib.stride_tricks.as_strided(array, strides=near)
