"""Readers of the integers that callers pass, as plain Python integers.

This module knows arrays by their attributes and does not import NumPy, because plans do not need it. Each reader takes
the name of the caller's attribute for its errors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile
from math import copysign
from operator import index, methodcaller
from typing import Any, TypeAlias

from fastops._errors import AttributeValueError, DTypeError, RankError, errors_of
from fastops._settings import CACHE_SIZE

#: A list of indices: a sequence of integers, or a one-dimensional array of any integer type.
Indices: TypeAlias = Sequence[int] | Any
#: One index: an integer, or an array of any integer type with one element and at most one dimension.
Index: TypeAlias = int | Any
#: One index, or a list of them.
OneOrMore: TypeAlias = Any
#: One index for all axes, or a list of one for each axis.
OneForAll: TypeAlias = Any

#: The most integers of a list. Longer lists are refused before they are read, because a range, or an array of byte
#: stride 0, may have any length.
MOST_INDICES = 1 << 12

# NumPy's letter of a kind, by the letters with which the name of a type begins.
_KINDS = {"bool": "b", "int": "i", "uint": "u", "float": "f", "bfloat": "f", "complex": "c", "bcomplex": "c"}


def named_indices(op: str, **values: Any) -> list[int]:
    """Return arguments of ``op``, which callers pass by name, as Python integers; raise unless they are integers."""
    with errors_of(op, values):
        return [as_index(name, value) for name, value in values.items()]


def as_indices(attribute: str, value: Indices, most: int = MOST_INDICES) -> tuple[int, ...]:
    """Return a one-dimensional list of at most ``most`` integers as a tuple of Python integers.

    Raises
    ------
    DTypeError
        An element, or the array's dtype, is no integer. Floats and booleans are no integers, but an empty array of
        floats is an empty list.
    AttributeValueError
        The value is a scalar, or nested, or too long.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        # Copy a list, because another thread may change it.
        numbers = tuple(value)
        if len(numbers) <= most:
            # For few elements, a loop is faster than any built-in function.
            for number in numbers:
                if type(number) is not int:
                    break
            else:
                return numbers
        check_most(attribute, len(numbers), value, most)
    else:
        numbers = _listed_numbers(attribute, value, most)
    integers: list[Any] = [find_integer(attribute, number) for number in numbers]
    # For an element that is no integer, `find_integer` returns None and `as_integer` raises.
    return tuple(integers if None not in integers else [as_integer(attribute, number, value) for number in numbers])


def _listed_numbers(attribute: str, value: Any, most: int) -> Any:
    """Return the elements of a list or of an array of one dimension; the caller checks that they are integers."""
    dtype = getattr(value, "dtype", None)
    letter = "i" if dtype is None else kind_of(dtype)
    if letter not in "iu" and (letter != "f" or getattr(value, "shape", None) != (0,)):
        raise DTypeError.about(attribute, "be a list of integers", value)
    if not is_listed(value):
        error = DTypeError if find_integer(attribute, value) is None else RankError
        raise error.about(attribute, "be a list of integers", value)
    if getattr(value, "ndim", 1) != 1:
        raise RankError.about(attribute, "be a list of integers, of one dimension", value)
    check_most(attribute, len(value), value, most)
    return value if dtype is None else numbers_of(attribute, value)


def as_index(attribute: str, value: Any) -> int:
    """Return a scalar, or an array of one element and at most one dimension, as a Python integer."""
    if not is_listed(value):
        return as_integer(attribute, value, value)
    if len(value) != 1 or getattr(value, "ndim", 1) != 1:
        raise RankError.about(attribute, "be one integer, or a list of one", value)
    return as_indices(attribute, value)[0]


def as_integer(attribute: str, element: Any, whole: Any) -> int:
    """Return an element of a value, or the value itself, as a Python integer."""
    integer = find_integer(attribute, element)
    if integer is not None:
        return integer
    if is_listed(element):
        raise RankError.about(attribute, "be a list of integers, not nested", whole)
    raise DTypeError.about(attribute, "be an integer" if element is whole else "hold integers only", whole)


def find_integer(attribute: str, value: Any) -> int | None:
    """Return the value of an integer, or of an array or tensor of integers without dimensions; None for others."""
    kind: Any = type(value)
    if kind is int:
        return value
    if _is_integral(kind):
        return index(value)
    dtype = getattr(value, "dtype", None)
    if dtype is None or kind_of(dtype) not in "iu" or is_listed(value):
        return None
    # For a masked entry, `tolist` returns None, but `index` would return the value behind the mask.
    return numbers_of(attribute, value)


@lru_cache(CACHE_SIZE)
def _is_integral(kind: Any) -> bool:
    """True for types of integers. Arrays and tensors have ``__index__`` too, but also a length."""
    # Before NumPy 2.3, NumPy's booleans have ``__index__``.
    is_bool = kind is bool or kind is getattr(sys.modules.get("numpy"), "bool_", None)
    return hasattr(kind, "__index__") and not hasattr(kind, "__len__") and not is_bool


def numbers_of(attribute: str, value: Any, read: Callable[[Any], Any] = methodcaller("tolist")) -> Any:
    """Return the numbers of an array or a tensor as Python's: one number or nested lists, or the result of ``read``."""
    if not hasattr(value, "tolist"):
        # The array is dask's, or is in a file.
        raise AttributeValueError.about(attribute, "be computed before the call", type(value))
    try:
        return read(value)
    except (RuntimeError, TypeError) as error:
        # The tensor has no memory, or the memory of another device.
        raise AttributeValueError.about(attribute, "hold numbers that PyTorch can read", value) from error


def is_listed(value: Any) -> bool:
    """True for sequences other than text, and for arrays and tensors that have axes."""
    kind = type(value)
    if kind is int or kind is list or kind is tuple:
        return kind is not int
    rank = getattr(value, "ndim", None)
    if type(rank) is int:
        return rank > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def kind_of(dtype: Any) -> str:
    """Return NumPy's letter for the kind of a type of NumPy, ml_dtypes or PyTorch."""
    kind: str | None = getattr(dtype, "kind", None)
    if kind is not None and kind not in "VW":
        return kind
    # NumPy's letter for a type of ml_dtypes is the letter of bytes; a type of PyTorch has no letter.
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    return _KINDS.get("".join(takewhile(str.isalpha, name)), "V")


def is_tensor(value: Any) -> bool:
    """True for a tensor of PyTorch, without importing PyTorch."""
    return isinstance(value, getattr(sys.modules.get("torch"), "Tensor", ()))


def is_masked(value: Any) -> bool:
    """True for an array of `numpy.ma`, without importing that module."""
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


def is_hidden(value: Any) -> bool:
    """True for an array of `numpy.ma` with masked entries."""
    return is_masked(value) and bool(value.mask.any())


def sign_of_zero(number: Any) -> float:
    """Return the sign of a zero, and 0 for other numbers: keys of caches need it, because -0.0 equals 0.0."""
    return copysign(1.0, number) if number == 0 else 0.0


def check_most(attribute: str, length: int, whole: Any, most: int) -> None:
    """Raise for a list of more than ``most`` integers."""
    if length > most:
        raise AttributeValueError.about(attribute, f"be a list of at most {most} integers", whole)
