"""The numbers that plans are made of: what callers write, as plain integers.

Pure Python: arrays are recognised by what they offer, so that plans need no NumPy. Every function takes the attribute
by name, for its errors.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from math import copysign
from operator import index
from typing import Any, TypeAlias

from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError

#: A list of indices: a sequence of integers, or a one-dimensional array of any integer type.
Indices: TypeAlias = Sequence[int] | Any
#: One index: an integer, or an array of any integer type with one element and at most one dimension.
Index: TypeAlias = int | Any
#: One index, or a list of them.
OneOrMore: TypeAlias = Any

#: Longer lists are refused before they are read: a range, or an array of byte stride 0, is as long as it likes. Lists
#: have an integer per axis, of which arrays have 64 at most, and plans not many more.
MOST_INDICES = 1 << 12


def named_indices(op: str, **values: Any) -> list[int]:
    """Return integers that callers of ``op`` write under these names as Python integers."""
    try:
        return [as_index(name, value) for name, value in values.items()]
    except FastopsError as error:
        error.add_context(op, values)
        raise


def as_indices(attribute: str, value: Indices, most: int = MOST_INDICES) -> tuple[int, ...]:
    """Return a one-dimensional list of at most so many integers as a tuple of Python integers, each by its value.

    Raises
    ------
    DTypeError
        An element, or the array's dtype, is no integer: floats and booleans are not taken for one. An array of floats
        without elements is an empty list.
    AttributeValueError
        The value is a scalar, or nested, or too long.
    """
    kind = type(value)
    if (kind is tuple or kind is list) and len(value) <= most:
        # Another thread may change a list meanwhile.
        elements = tuple(value)
        # A loop is faster than any built-in for the few elements that index lists have.
        for element in elements:
            if type(element) is not int:
                break
        else:
            return elements
        integers = list(map(typed_integer, elements))
        if None not in integers:
            return tuple(integers)  # type: ignore[arg-type]
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return _array_as_indices(attribute, value, dtype, most)
    if not is_sequence(value):
        error = RankError if hasattr(type(value), "__index__") and not is_boolean(value) else DTypeError
        raise error.about(attribute, "be a list of integers", value)
    return _as_integers(attribute, value, value, most)


def as_index(attribute: str, value: Index) -> int:
    """Return a scalar, or an array of one element and at most one dimension, as a Python integer."""
    integer = typed_integer(value)
    if integer is not None:
        return integer
    shape: Any = getattr(value, "shape", None)
    if shape is None and is_sequence(value):
        length: Any = value
        shape = (len(length),)
    if not is_of(shape, tuple) or not shape:
        return as_integer(attribute, value, value)
    indices = as_indices(attribute, value) if shape == (1,) else ()
    if len(indices) != 1:
        raise RankError.about(attribute, "be one integer, or a list of one", value)
    return indices[0]


def is_of(value: Any, *kinds: type) -> bool:
    """True for a value of a type, by its type itself: what an object says of its class is its author's word."""
    return issubclass(type(value), kinds)


def is_plain_list(value: Any) -> bool:
    """True for a list or a tuple, and not for classes made from them; a class may say that it equals any other."""
    kind = type(value)
    return kind is list or kind is tuple


def is_sequence(value: Any) -> bool:
    """True for lists and what is like them, but for text."""
    return is_of(value, Sequence) and not is_of(value, str, bytes, bytearray)


def is_boolean(value: Any) -> bool:
    """True for booleans of Python, of arrays and of tensors, which are no integers here."""
    return is_of(value, bool) or kind_of(value) == "b"


def kind_of(value: Any) -> str:
    """Return NumPy's letter for the kind of type that an array or a tensor has; "i" for what has no type."""
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return "i"
    kind = getattr(dtype, "kind", None)
    if type(kind) is str:
        return "i" if kind == "V" and _is_narrow(dtype) else kind
    # PyTorch's types have names only.
    name = str(dtype).rpartition(".")[2]
    return "b" if name == "bool" else "i" if name.startswith(("int", "uint")) else "V"


def _is_narrow(dtype: Any) -> bool:
    """True for a type of kind V that is one of ml_dtypes' integers, which have no ``__index__``."""
    name = getattr(dtype, "name", None)
    return type(name) is str and name.startswith(("int", "uint"))


def is_tensor(value: Any) -> bool:
    """True for a tensor of PyTorch, by its type: what an object says of its class is its author's word."""
    tensor_type = getattr(sys.modules.get("torch"), "Tensor", None)
    return isinstance(tensor_type, type) and issubclass(type(value), tensor_type)


def is_masked(value: Any) -> bool:
    """True for an array of `numpy.ma`, by its type. NumPy loads that module when it is first asked for."""
    masked_type = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    return isinstance(masked_type, type) and issubclass(type(value), masked_type)


def is_hidden(value: Any) -> bool:
    """True for an array of `numpy.ma` with masked entries: what they hide is no number that anybody has written."""
    return is_masked(value) and bool(value.mask.any())


def unreadable(attribute: str, whole: Any) -> FastopsError:
    """Return the error about a tensor whose numbers PyTorch does not give: one of the device meta, or of a trace."""
    return AttributeValueError.about(attribute, "hold numbers that PyTorch can read", whole)


def sign_of_zero(number: Any) -> float:
    """Return the sign of a zero, and 0 for any other number: -0.0 equals 0.0, so a key of numbers needs both."""
    return copysign(1.0, number) if number == 0 else 0.0


def check_most(attribute: str, length: int, whole: Any, most: int) -> None:
    """Raise for a list of more integers than it may have."""
    if length > most:
        raise AttributeValueError.about(attribute, f"be a list of at most {most} integers", whole)


# The identities of NumPy's types of integers, once NumPy is loaded: importing it takes longer than all of a plan. The
# types themselves could not be looked up: a type may say that it equals any other.
_numpy_integers: frozenset[int] = frozenset()


def _find_numpy_integers() -> frozenset[int]:
    global _numpy_integers
    numpy: Any = sys.modules.get("numpy")
    if hasattr(numpy, "dtype"):
        _numpy_integers = frozenset([id(numpy.dtype(code).type) for code in "bBhHiIlLqQ"])
    return _numpy_integers


def typed_integer(value: Any) -> int | None:
    """Return an integer of Python, of NumPy, or of an array or tensor without dimensions; None for anything else.

    It is the fast way to read what random generators give. The other ways say what is wrong with a value.
    """
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]
    if id(kind) in (_numpy_integers or _find_numpy_integers()):
        return int(value)
    dtype = getattr(value, "dtype", None)
    if dtype is None or getattr(value, "ndim", None) != 0:
        return None
    # PyTorch's types have no kind: a tensor is an integer if its element is one.
    letter = getattr(dtype, "kind", None)
    if letter not in ("i", "u", None) and not (letter == "V" and _is_narrow(dtype)):
        return None
    # What a mask hides is None here, while `item` would give it.
    tolist = getattr(value, "tolist", None)
    try:
        read = None if tolist is None else tolist()
    except RuntimeError:
        if not is_tensor(value):
            raise
        # What reads it next says so.
        return None
    return read if type(read) is int else None


def _array_as_indices(attribute: str, value: Any, dtype: Any, most: int) -> tuple[int, ...]:
    kind = getattr(dtype, "kind", None)
    shape: Any = getattr(value, "shape", None)
    if kind == "f" and shape == (0,):
        # What NumPy makes of an empty list has floats for its type, and no element that is one.
        return ()
    if kind is not None and kind not in "iu" and not (kind == "V" and _is_narrow(dtype)):
        raise DTypeError.about(attribute, "be a list of integers", value)
    if not is_of(shape, tuple) or not hasattr(value, "tolist"):
        raise DTypeError.about(attribute, "be a list of integers", value)
    if len(shape) != 1:
        raise RankError.about(attribute, "be a list of integers, of one dimension", value)
    check_most(attribute, shape[0], value, most)
    try:
        elements = value.tolist()
    except RuntimeError as error:
        if not is_tensor(value):
            raise
        raise unreadable(attribute, value) from error
    if type(elements) is list and len(elements) <= most and all([type(element) is int for element in elements]):
        return tuple(elements)
    return _as_integers(attribute, elements, value, most)


def _as_integers(attribute: str, elements: Any, whole: Any, most: int) -> tuple[int, ...]:
    # All of them before the first is converted, which may change the list.
    read = tuple(islice(elements, most + 1))
    check_most(attribute, len(read), whole, most)
    return tuple([as_integer(attribute, element, whole) for element in read])


def as_integer(attribute: str, element: Any, whole: Any) -> int:
    """Return an integer that is a value, or one of the integers in it, as a Python integer."""
    integer = typed_integer(element)
    if integer is not None:
        return integer
    rule = "be an integer" if element is whole else "hold integers only"
    if is_sequence(element):
        raise RankError.about(attribute, "be a list of integers, not nested", whole)
    if is_of(element, bool) or kind_of(element) not in "iu" or not hasattr(type(element), "__index__"):
        raise DTypeError.about(attribute, rule, whole)
    if getattr(element, "ndim", 0) or is_masked(element):
        raise DTypeError.about(attribute, rule, whole)
    try:
        return index(element)
    except RuntimeError as error:
        if not is_tensor(element):
            raise
        raise unreadable(attribute, whole) from error
