"""What callers write, as plain integers: index lists, axes, bit masks, shapes.

Pure Python: arrays are recognised by what they offer, so that plans need no NumPy. Every function takes the operator
and the attribute by name, for the errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from math import copysign
from operator import index
from typing import Any, TypeAlias, TypeVar

from fastops._errors import AttributeValueError, DTypeError, FastopsError, is_own, reading
from fastops._process._signals import raise_of_handler

T = TypeVar("T")

#: A list of indices: a sequence of integers, or a one-dimensional array of any integer type.
Indices: TypeAlias = Sequence[int] | Any
#: One index: an integer, or an array of any integer type with one element and at most one dimension.
Index: TypeAlias = int | Any


_LARGEST_EXTENT = 2**63 - 1

# Longer lists are refused before they are read: a range, or an array of byte stride 0, is as long as it likes. Lists
# have an integer an axis, of which arrays have 64 at most, and plans not many more.
_MOST_INDICES = 1 << 12


def as_indices(op: str, attribute: str, value: Indices, most: int = _MOST_INDICES) -> tuple[int, ...]:
    """Return a one-dimensional list of at most so many integers as a tuple of Python integers, each by its value.

    Raises
    ------
    DTypeError
        An element, or the array's dtype, is no integer: floats and booleans are not taken for one.
    AttributeValueError
        The value is a scalar, or nested, or too long.
    """
    kind = type(value)
    if (kind is tuple or kind is list) and len(value) <= most:
        # Another thread may change a list meanwhile.
        elements = tuple(value)
        # The warm path: a loop is faster than any built-in for the few elements that index lists have.
        for element in elements:
            if type(element) is not int:
                break
        else:
            return elements
    with reading(op, attribute, "be a list of integers", value):
        return _read_indices(op, attribute, value, most)


def _read_indices(op: str, attribute: str, value: Any, most: int) -> tuple[int, ...]:
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return _array_as_indices(op, attribute, value, dtype, most)
    if not _is_sequence(value):
        error = AttributeValueError if hasattr(value, "__index__") and not _is_boolean(value) else DTypeError
        raise error(op, attribute, "be a list of integers", value)
    return _as_integers(op, attribute, value, value, most)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _as_integers(op: str, attribute: str, elements: Any, whole: Any, most: int) -> tuple[int, ...]:
    # All of them before the first is converted, which may change the list.
    read = tuple(islice(elements, most + 1))
    _check_length(op, attribute, len(read), whole, most)
    return tuple([_as_integer(op, attribute, element, whole) for element in read])


def _check_length(op: str, attribute: str, length: int, whole: Any, most: int) -> None:
    if length > most:
        raise AttributeValueError(op, attribute, f"be a list of at most {most} integers", whole)


@contextmanager
def own_words(attributes: Mapping[str, Any]) -> Iterator[None]:
    """Let errors show an attribute as its caller wrote it, not as the tuple that `as_indices` made of it."""
    try:
        yield
    except FastopsError as error:
        written = attributes.get(error.attribute)
        if type(error.got) is tuple and written is not None:
            error.got = written
        raise


def as_index(op: str, attribute: str, value: Index) -> int:
    """Return a scalar, or an array of one element and at most one dimension, as a Python integer."""
    if type(value) is int:
        return value
    with reading(op, attribute, "be an integer", value):
        shape = getattr(value, "shape", None)
        if shape is None and _is_sequence(value):
            length: Any = value
            shape = (len(length),)
        if not isinstance(shape, tuple) or not shape:
            return _as_integer(op, attribute, value, value)
        indices = as_indices(op, attribute, value) if shape == (1,) else ()
        if len(indices) != 1:
            raise AttributeValueError(op, attribute, "be one integer, or a list of one", value)
        return indices[0]


def as_scalar(op: str, attribute: str, value: Any) -> int:
    """Return a scalar, or an array of no dimensions, as a Python integer."""
    if type(value) is int:
        return value
    with reading(op, attribute, "be an integer", value):
        if getattr(value, "shape", ()) != () or _is_sequence(value):
            raise AttributeValueError(op, attribute, "be a scalar", value)
        return as_index(op, attribute, value)


def as_index_or_indices(
    op: str, attribute: str, value: Index | Indices, most: int = _MOST_INDICES
) -> int | tuple[int, ...]:
    """Return a scalar as a Python integer, and a one-dimensional list of integers as a tuple of them."""
    if type(value) is int:
        return value
    with reading(op, attribute, "be an integer, or a list of integers", value):
        is_list = getattr(value, "shape", ()) != () or _is_sequence(value)
    return as_indices(op, attribute, value, most) if is_list else as_scalar(op, attribute, value)


def as_one_or_more(op: str, attribute: str, value: Index | Indices) -> tuple[int, ...]:
    """Return a scalar, or a one-dimensional list of integers, as a tuple of Python integers."""
    read = as_index_or_indices(op, attribute, value)
    return (read,) if isinstance(read, int) else read


def as_pairs(op: str, attribute: str, value: Any, n: int) -> tuple[tuple[int, int], ...]:
    """Return a list of n pairs of integers, or an array of shape [n, 2], as tuples."""
    rule = f"be {n} pairs of integers"
    pairs: list[tuple[int, int]] = []
    with reading(op, attribute, rule, value):
        shape = getattr(value, "shape", None)
        if shape is not None and tuple(shape) != (n, 2):
            raise AttributeValueError(op, attribute, rule, value)
        if shape is None and not _is_sequence(value):
            raise DTypeError(op, attribute, rule, value)
        for pair in islice(value, n + 1):
            if not hasattr(pair, "shape") and not _is_sequence(pair):
                raise AttributeValueError(op, attribute, rule, value)
            both = as_indices(op, attribute, pair)
            if len(both) != 2:
                raise AttributeValueError(op, attribute, rule, value)
            pairs.append((both[0], both[1]))
        if len(pairs) != n:
            raise AttributeValueError(op, attribute, rule, value)
    return tuple(pairs)


def check_index_type(op: str, attribute: str, value: Any) -> None:
    """Raise for an array of another type than int32 and int64, the index types of most specifications."""
    with reading(op, attribute, "be of type int32 or int64", value):
        dtype = getattr(value, "dtype", None)
        if dtype is not None and str(dtype) not in ("int32", "int64"):
            raise DTypeError(op, attribute, "be of type int32 or int64", value)


def as_word(
    op: str, attribute: str, value: Any, words: Mapping[str, T], *, in_any_case: bool = False, hint: str = ""
) -> T:
    """Return what a word of a framework stands for; ``hint`` ends the rule of the error."""
    if type(value) is str and value in words:
        return words[value]
    rule = f"be one of {', '.join(words)}{hint}"
    with reading(op, attribute, rule, value):
        if isinstance(value, str):
            word = str.lower(value) if in_any_case else str.__str__(value)
            if word in words:
                return words[word]
            raise AttributeValueError(op, attribute, rule, value)
    raise DTypeError(op, attribute, rule, value)


def as_bits(op: str, attribute: str, value: Indices) -> tuple[int, ...]:
    """Return a bit mask, a list of zeros and ones or of booleans, as a tuple of Python integers."""
    kind = type(value)
    if (kind is tuple or kind is list) and len(value) <= _MOST_INDICES:
        bits = tuple(value)
        for bit in bits:
            if type(bit) is not int or not 0 <= bit <= 1:
                break
        else:
            return bits
    with reading(op, attribute, "be a list of zeros and ones", value):
        bits = as_indices(op, attribute, _without_booleans(op, attribute, value))
    if any(bit not in (0, 1) for bit in bits):
        raise AttributeValueError(op, attribute, "be a list of zeros and ones", value)
    return bits


def _without_booleans(op: str, attribute: str, value: Any) -> Any:
    """Return a bit mask with integers for booleans."""
    if getattr(getattr(value, "dtype", None), "kind", None) == "b":
        _check_length(op, attribute, max(value.shape, default=0), value, _MOST_INDICES)
        return value.astype("u1")
    if type(value) is tuple or type(value) is list:
        return [int(bit) if _is_boolean(bit) else bit for bit in value[: _MOST_INDICES + 1]]
    return value


def as_shape(op: str, value: Indices, attribute: str = "shape") -> tuple[int, ...]:
    """Return the shape of a source, a list of integers of at least 0."""
    shape = as_indices(op, attribute, value)
    if any(not 0 <= extent <= _LARGEST_EXTENT for extent in shape):
        raise AttributeValueError(op, attribute, "be a list of integers in 0..2^63 - 1", value)
    return shape


def as_axis(op: str, attribute: str, axis: int, rank: int) -> int:
    """Return an axis counted from the front; negative axes count from the end."""
    if rank == 0:
        raise AttributeValueError(op, attribute, "name no axis of data of rank 0", axis)
    if not -rank <= axis < rank:
        raise AttributeValueError(op, attribute, f"be in {-rank}..{rank - 1}, for data of rank {rank}", axis)
    return axis + rank if axis < 0 else axis


def zero_sign(number: Any) -> float:
    """Return the sign of a zero, and 0 for any other number: what a key needs besides, because -0.0 equals 0.0."""
    return copysign(1.0, number) if number == 0 else 0.0


def _array_as_indices(op: str, attribute: str, value: Any, dtype: Any, most: int) -> tuple[int, ...]:
    kind = getattr(dtype, "kind", None)
    # ml_dtypes' integers are of kind V and have no __index__, but they are integers.
    narrow = kind == "V" and getattr(dtype, "name", "").startswith(("int", "uint"))
    if kind is not None and kind not in "iu" and not narrow:
        raise DTypeError(op, attribute, "be a list of integers", value)
    shape = tuple(value.shape)
    if len(shape) != 1:
        raise AttributeValueError(op, attribute, "be a list of integers, of one dimension", value)
    _check_length(op, attribute, shape[0], value, most)
    elements = value.tolist()
    return _as_integers(op, attribute, map(int, elements) if narrow else elements, value, most)


def _as_integer(op: str, attribute: str, element: Any, whole: Any) -> int:
    if type(element) is int:
        return element
    rule = "be an integer" if element is whole else "hold integers only"
    try:
        if _is_sequence(element):
            raise AttributeValueError(op, attribute, "be a list of integers, not nested", whole)
        if _is_boolean(element) or getattr(getattr(element, "dtype", None), "kind", "i") not in "iu":
            raise DTypeError(op, attribute, rule, whole)
        return index(element)
    except Exception as error:
        # What `reading` does, for lists of a million of elements.
        if is_own(error):
            raise
        raise_of_handler(error)
        raise DTypeError(op, attribute, rule, whole) from error


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", None) == "b"
