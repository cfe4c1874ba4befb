"""Readers, which return attributes as plain values; and rules, which tell compiled code how to read attributes.

A reader takes the name of an attribute, which its errors need, and the value that the caller wrote. A reader may run
code of the caller, such as ``__index__``, so a call runs all readers before it looks at data.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from sys import intern
from typing import Any, TypeAlias, get_args

import numpy as np

from fastops._arrays._dtypes import kind_of
from fastops._errors import AttributeValueError, DTypeError, FastopsError, RankError
from fastops._geometry._numbers import MOST_INDICES, Index, Indices, as_indices, as_integer, check_most, is_listed
from fastops._geometry._sample_mode import MODE_WORDS, TENSORRT_WORDS, SampleMode, as_mode
from fastops.kernels._tables import _rules as r

#: Returns the plain value of an attribute, from its name and the caller's value.
Reader: TypeAlias = Callable[[str, Any], Any]

#: A shape, axes, or a number for each axis.
Ints: TypeAlias = Sequence[int]
#: Start, stride and count of an axis.
Bounds: TypeAlias = tuple[int, int, int]

#: Modes of pads, by the names that the frameworks use, in lower case; PyTorch's name of wrap is circular.
PAD_MODES = {**MODE_WORDS, "circular": SampleMode.WRAP}


def _read_optional(reader: Reader, attribute: str, value: Any) -> Any:
    return None if value is None else reader(attribute, value)


def optional(reader: Reader) -> Reader:
    """Return a reader that takes None too, and returns it."""
    return partial(_read_optional, reader)


def is_optional(reader: Reader) -> bool:
    """True for a reader that `optional` has made."""
    return getattr(reader, "func", None) is _read_optional


def reader_of(annotation: str, types: Mapping[str, Any]) -> Reader:
    """Return the reader of arguments of a public function that have this annotation, such as ``Indices | None``.

    ``types`` maps the names of other types to types `Literal`, whose words are read.
    """
    name = annotation.removesuffix(" | None")
    reader = _READERS.get(name) or one_of(get_args(types[name]))
    return reader if name == annotation else optional(reader)


def at_most(most: int, reader: Callable[..., Any]) -> Reader:
    """Return a reader of lists of at most ``most`` integers."""
    return partial(reader, most=most)


def one_of(words: Sequence[str], *, hint: str = "", also: type[Exception] = FastopsError) -> Reader:
    """Return a reader of words; it reads them in any case if ``words`` has them in lower and in upper case.

    The rules of its errors end with ``hint``; the errors also derive from ``also``.
    """
    in_any_case = words[0].swapcase() in words
    known = list(dict.fromkeys([word.lower() if in_any_case else word for word in words]))
    rule = f"be one of {', '.join(known)}{hint}"

    def read(attribute: str, value: Any) -> str:
        if not isinstance(value, str):
            raise DTypeError.also(also).about(attribute, rule, value)
        word = value.lower() if in_any_case else str(value)
        if word not in known:
            raise AttributeValueError.also(also).about(attribute, rule, value)
        return word

    return read


def modes_of(words: Any) -> dict[Any, SampleMode]:
    """Return the mode of each word of a type `Literal`."""
    return {word: PAD_MODES[word.lower()] for word in get_args(words)}


def constant_fill(mode: str, fill_value: Any) -> Any:
    """Return a fill value in mode constant, and None in other modes, which do not use it."""
    return fill_value if mode == "constant" else None


def as_flag(attribute: str, value: Any) -> bool:
    """Return True or False, and raise for anything else, such as 1."""
    if type(value) is not bool:
        raise DTypeError.about(attribute, "be True or False", value)
    return value


def as_scalar(attribute: str, value: Any) -> int:
    """Return an integer, or an array of no dimensions, as a Python integer."""
    if type(value) is int:
        return value
    if is_listed(value):
        raise RankError.about(attribute, "be a scalar", value)
    return as_integer(attribute, value, value)


def as_element(value: Any, most_axes: int = 1) -> Any:
    """Return the element of an array or a tensor of 1 to ``most_axes`` axes of length 1, and anything else unchanged.

    ONNX Runtime accepts such tensors as scalar inputs, and bodies of ONNX's functions contain them.
    """
    shape: Any = getattr(value, "shape", None)
    is_one = isinstance(shape, tuple) and 0 < len(shape) <= most_axes and shape == (1,) * len(shape)
    return value[(0,) * len(shape)] if is_one else value


def as_index_or_indices(attribute: str, value: Index | Indices, most: int = MOST_INDICES) -> int | tuple[int, ...]:
    """Return an integer as a Python integer, and a one-dimensional list of integers as a tuple."""
    return as_indices(attribute, value, most) if is_listed(value) else as_integer(attribute, value, value)


def as_one_or_more(attribute: str, value: Index | Indices) -> tuple[int, ...]:
    """Return an integer, or a one-dimensional list of integers, as a tuple of Python integers."""
    return as_indices(attribute, value) if is_listed(value) else (as_integer(attribute, value, value),)


def as_nested(attribute: str, value: Any) -> int | tuple[Any, ...]:
    """Return an integer as a Python integer, and a list or array of integers, or of lists of integers, as tuples."""
    if not is_listed(value):
        return as_integer(attribute, value, value)
    check_most(attribute, len(value), value, MOST_INDICES)
    if getattr(value, "shape", None) == (0, 2) and kind_of(value.dtype) in "iu":
        return ()
    if any(map(is_listed, value)):
        return tuple([as_indices(attribute, row) for row in value])
    return as_indices(attribute, value)


def _read_index_type(reader: Reader, attribute: str, value: Any) -> Any:
    dtype = getattr(value, "dtype", None)
    # The name of a dtype does not depend on its byte order; a type of PyTorch has no attribute `name`.
    if dtype is not None and getattr(dtype, "name", str(dtype).rpartition(".")[2]) not in ("int32", "int64"):
        raise DTypeError.about(attribute, "be of type int32 or int64", value)
    return reader(attribute, value)


def of_index_type(reader: Reader) -> Reader:
    """Return a reader that refuses arrays of types other than int32 and int64, the index types of specifications."""
    return partial(_read_index_type, reader)


def as_bits(attribute: str, value: Indices) -> tuple[int, ...]:
    """Return a bit mask, which is a list of zeros and ones or of booleans, as a tuple of Python integers."""
    given = value
    if isinstance(value, np.ndarray) and value.dtype == np.bool_:
        given = value.view(np.uint8)
    elif isinstance(value, list | tuple):
        given = tuple([int(bit) if isinstance(bit, bool | np.bool_) else bit for bit in value])
    bits = as_indices(attribute, given)
    if not all(0 <= bit <= 1 for bit in bits):
        raise AttributeValueError.about(attribute, "be a list of zeros and ones", value)
    return bits


def as_shape(attribute: str, value: Indices) -> tuple[int, ...]:
    """Return the shape of a source, which is a list of integers of at least 0."""
    shape = as_indices(attribute, value)
    if any(not 0 <= extent < 2**63 for extent in shape):
        raise AttributeValueError.about(attribute, "be a list of integers in 0..2^63 - 1", value)
    return shape


# The readers of arguments by their annotations.
_READERS: dict[str, Reader] = {
    "bool": as_flag,
    "Index": as_scalar,
    "Indices": as_indices,
    "Mode": as_mode,
    "OneForAll": as_index_or_indices,
    "OneOrMore": as_one_or_more,
}

# Compiled code recognises types and values of attributes by the addresses of these objects, which stand in the order of
# the header in `_rules`.
_KNOWN: tuple[object, ...] = (int, np.int64, np.int32, tuple, list, slice, str, np.ndarray)
_KNOWN += (np.dtype(np.int64), np.dtype(np.int32), None, Ellipsis)

#: The values that `as_mode` and `as_tensorrt_mode` accept, as constants of rules.
MODES: dict[Any, int] = {**MODE_WORDS, **{mode: mode for mode in SampleMode}}
TENSORRT_MODES: dict[Any, int] = {**TENSORRT_WORDS, **{mode: mode for mode in TENSORRT_WORDS.values()}}


class Rule:
    """The meaning of an operator's attributes for compiled code, which knows a few families of operators.

    Parameters
    ----------
    family : int
        A family of `kernels._tables._rules`.
    attributes : sequence of int
        For each attribute of the operator, in order, the number of its parameter in the family.
    *options : int
        The option and the second option: the operator's variant of the family, by the family's own numbers. Both are 0
        by default.
    constants : mapping, optional
        The number that each object stands for, such as the mode that a name stands for.

    Attributes
    ----------
    constants : dict
        The given constants. `words` has the addresses of the keys, so this dictionary keeps them alive.
    words : ndarray of int64
        The rule as compiled code reads it.
    """

    __slots__ = ("constants", "words")

    def __init__(
        self, family: int, attributes: Ints = (), *options: int, constants: Mapping[Any, int] | None = None
    ) -> None:
        # Compiled code compares addresses, and literals of callers are interned strings.
        self.constants = {intern(key) if type(key) is str else key: n for key, n in (constants or {}).items()}
        first, second = (*options, 0, 0)[:2]
        words = [family, first, second, *map(id, _KNOWN), len(self.constants), len(attributes), *attributes]
        for constant, number in self.constants.items():
            words += (id(constant), int(number))
        self.words = np.frombuffer(array("q", words), np.int64)

    def allow_none(self, are_optional: Sequence[bool]) -> None:
        """Let those attributes be None for which ``are_optional`` is true."""
        for i, is_optional in enumerate(are_optional[: self.words[r.ATTRIBUTES]]):
            self.words[r.HEADER_COLUMNS + i] += r.OPTIONAL * is_optional
