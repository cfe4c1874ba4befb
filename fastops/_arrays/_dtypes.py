"""Dtypes and their names, arrays of integers that callers write, and the bytes of memory that arrays span."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import NoneType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from fastops._errors import AttributeValueError, DTypeError, FastopsError, OutOfBoundsError
from fastops._geometry._numbers import as_indices, is_hidden, is_listed, is_masked, is_tensor, numbers_of
from fastops._geometry._numbers import kind_of as kind_of
from fastops._types import AnyArray as AnyArray

AnyDType: TypeAlias = np.dtype[Any]

# OpenVINO's names of element types, and the names of the NumPy or ml_dtypes types that they are. They come before
# NumPy's type codes, with which they clash: OpenVINO's i8 is int8, NumPy's is int64.
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

# NumPy's names of number types, as int32, int and double, and its codes of one letter. Codes of a letter and a number
# of bytes are left out: i8 is int64 for NumPy and int8 for OpenVINO.
_NUMPY_NAMES = frozenset(
    [name for name, kind in np.sctypeDict.items() if issubclass(kind, np.integer | np.floating)]
) | frozenset(np.typecodes["AllInteger"] + np.typecodes["Float"])

_NAME_RULE = "be the name of a number type, as f32 or float32 (NumPy's numbers of bytes need a byte order, as <f4)"


#: The rule of `check_movable`.
NO_REFERENCES = "not have elements of object or StringDType, which are references"


def check_movable(attribute: str, dtype: AnyDType) -> None:
    """Raise unless an element is its own bytes: those of object and StringDType refer to memory elsewhere."""
    if dtype.hasobject:
        raise DTypeError.about(attribute, NO_REFERENCES, dtype)


def is_ml_dtype(dtype: AnyDType) -> bool:
    """True for the types of ml_dtypes, which NumPy knows as kind V only."""
    return dtype.isbuiltin == 2 and dtype.type.__module__ == "ml_dtypes"


def bits_of(dtype: AnyDType) -> int:
    """Return the number of bits of an integral type; int4 has 4, although its elements are bytes."""
    if is_ml_dtype(dtype):
        return int(dtype.name.removeprefix("u").removeprefix("int"))
    return 8 * dtype.itemsize


def as_output_type(attribute: str, output_type: DTypeLike) -> AnyDType:
    """Return the dtype of Range's ``output_type``: a number, real and not boolean.

    Takes OpenVINO's names ("f32", "bf16", "i64", "f8e4m3"), those of ml_dtypes, and what ``numpy.dtype`` takes ("int",
    "float32", "d", dtypes and scalar types), but for its numbers of bytes, as "f8", without a byte order ("<f8"):
    OpenVINO's names look like them and mean something else.
    """
    is_name = isinstance(output_type, str)
    dtype = _named_dtype(attribute, str(output_type)) if is_name else _plain_dtype(attribute, output_type)
    if dtype.metadata is not None:
        # It equals the dtype without metadata, for which calls are remembered.
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
    # np.dtype(None) is float64, which no caller of None means; lists are records.
    if isinstance(output_type, NoneType | list | tuple | dict):
        raise DTypeError.about(attribute, "be a number type", output_type)
    try:
        return np.dtype(output_type)
    except (TypeError, ValueError) as error:
        raise DTypeError.about(attribute, "be a number type", output_type) from error


# Python's and NumPy's integers, booleans and real floats: their methods are no code of a caller's, so that keys of
# caches may hold them.
_NUMBERS = frozenset([bool, int, float, *[np.dtype(code).type for code in "bBhHiIlLqQ?efdg"]])


def is_plain_number(value: object) -> bool:
    """True for a number of Python's or NumPy's types, which may be a part of a key."""
    return type(value) in _NUMBERS


def plain_values(attribute: str, value: Any, levels: int = 3) -> Any:
    """Return the numbers of tensors of PyTorch, also in lists, as lists of their shapes; anything else as it is.

    Raise for masked entries and arrays of dask, and for tensors without memory. Lists are read to so many levels: a
    list may hold itself.
    """
    kind = type(value)
    if kind in _NUMBERS:
        return value
    if (kind is tuple or kind is list) and levels:
        return [each if type(each) in _NUMBERS else plain_values(attribute, each, levels - 1) for each in value]
    if is_hidden(value):
        raise DTypeError.about(attribute, "have no masked entries", value)
    is_foreign = is_tensor(value) or hasattr(type(value), "__dask_graph__")
    return numbers_of(attribute, value) if is_foreign else value


def as_rows(attribute: str, value: Any, columns: int, what: str) -> AnyArray:
    """Return an array of shape (N, columns) of any integer type, or a list of lists of integers, as int64.

    It is a C-contiguous array of its own.

    Raises
    ------
    DTypeError
        The elements are no integers: floats and booleans are none.
    AttributeValueError
        The value has another number of dimensions or of columns.
    OutOfBoundsError
        An integer does not fit.
    """
    return _as_integers(attribute, value, (None, columns), what)


def as_column(attribute: str, value: Any, n: int) -> AnyArray:
    """Return an array of shape (n,) of any integer type, or a list of integers, as int64; raises as `as_rows`."""
    return _as_integers(attribute, value, (n,), "one for each window")


def _as_integers(attribute: str, value: Any, shape: tuple[int | None, ...], what: str) -> AnyArray:
    """Return integers as int64, of a shape whose first length may be open."""
    dtype = getattr(value, "dtype", None)
    is_integral = is_listed(value) if dtype is None else kind_of(dtype) in "iu"
    if not is_integral or (type(value) is not np.ndarray and is_masked(value)):
        raise DTypeError.about(attribute, "be an array of integers, without a mask", value)
    array = None
    if dtype is not None:
        array = value if type(value) is np.ndarray else numbers_of(attribute, value, np.asarray)
    elif _have_lengths(value, shape):
        rows = [as_indices(attribute, row, len(row)) for row in (value if len(shape) == 2 else [value])]
        # As objects, which integers of any size are.
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
    """True for lists of these lengths; a range is as long as its caller likes."""
    if shape[0] not in (None, len(value)):
        return False
    if len(shape) == 1:
        return not any(map(is_listed, value))
    return type(value) is not range and all([is_listed(row) and len(row) == shape[1] for row in value])


#: Arrays span fewer bytes. So addresses, and the sums of an address and an offset, are no overflow in 64 bits.
LARGEST_SPAN = 1 << 61


def span_of(shape: Sequence[int], byte_strides: Sequence[int], width: int) -> tuple[int, int]:
    """Return the lowest byte of an array, counted from its element 0, and one beyond the highest.

    Both are 0 for an empty array, whose byte strides may be anything.
    """
    if 0 in shape:
        return 0, 0
    low, high = 0, width
    for extent, stride in zip(shape, byte_strides, strict=True):
        if stride < 0:
            low += (extent - 1) * stride
        else:
            high += (extent - 1) * stride
    return low, high


def is_nested(shape: Sequence[int], byte_strides: Sequence[int], width: int) -> bool:
    """True if each axis, in the order of byte strides, steps over all bytes that the axes before it span.

    Then no two elements share a byte.
    """
    axes = sorted((abs(stride), n) for stride, n in zip(byte_strides, shape, strict=True) if n > 1)
    span = width
    for stride, n in axes:
        if stride < span:
            return False
        span += stride * (n - 1)
    return True


def check_span(
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    width: int,
    attribute: str = "data",
    kind: type[FastopsError] = AttributeValueError,
) -> None:
    """Raise an error of a kind for an array that spans more bytes than memory can have."""
    low, high = span_of(shape, byte_strides, width)
    if high - low > LARGEST_SPAN:
        raise kind.about(attribute, f"span at most {LARGEST_SPAN} bytes", f"byte strides {byte_strides}")


def without_far_strides(array: Any) -> Any:
    """Return an array in which axes of one index have a stride of 0, if a stride is as long as memory.

    NumPy's indexing may leave any stride to an axis of one index, up to the ends of 64-bit integers.
    """
    strides = array.strides
    if not strides or -LARGEST_SPAN < min(strides) <= max(strides) < LARGEST_SPAN:
        return array
    near = [0 if n == 1 else stride for n, stride in zip(array.shape, strides, strict=True)]
    return np.lib.stride_tricks.as_strided(array, strides=near)
