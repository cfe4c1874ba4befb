"""Look-ups: from the arguments of a call to a launch that was made before, in one step.

A key is made of what the caller wrote, not of what it means: nothing is checked or converted on the way. The types of
all elements are part of it, so that 1, 1.0 and True, which are equal, are three keys. What a key stands for was checked
when it was first met. Elements whose value may change are never kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fastops._plans._sample_mode import SampleMode
from fastops._process._signals import raise_of_handler
from fastops._settings import CACHE_SIZE

# Keys are that long at most, so that what is remembered stays small.
_LONGEST_KEY = 512


class _End:
    """Stands behind each list in a key, and behind each list of lists."""


class _Inner:
    """Stands behind each list of a list of lists."""


class _Scalar:
    """Stands behind each argument that is no list."""


# What a key may be made of, by identities: the marks, and the types of elements that stay what they are. Another type's
# object may be another number later, or equal to one that it is not.
_MARKS = frozenset(map(id, (_End, _Inner, _Scalar)))
_LASTING = frozenset(
    map(id, (int, bool, float, str, type(None), SampleMode, *(np.dtype(code).type for code in "?bBhHiIlLqQefd")))
)


class Unkept(Exception):  # noqa: N818 - it is no error.
    """Raised in place of returning a launch that is not to be remembered."""

    def __init__(self, launch: Any) -> None:
        super().__init__()
        self.launch = launch


def is_plain(value: Any) -> bool:
    """True for a list or a tuple: its elements can be read as often as one likes, and by nobody's code."""
    kind = type(value)
    return kind is list or kind is tuple


def list_type(value: Any) -> type[list[Any] | tuple[Any, ...] | deque[Any]] | None:
    """Return the type of lists that a value is of, be it by inheritance, whatever it says itself; None for others."""
    kind = type(value)
    return next((base for base in (list, tuple, deque) if issubclass(kind, base)), None)


def remembered(create: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a shape, byte strides, a dtype and a key that remembers its last results.

    It calls ``create`` with the arguments that the key was made of, their lists as tuples. It raises a TypeError for
    keys that must not be kept, and `Unkept` where ``create`` does.
    """

    @lru_cache(CACHE_SIZE, typed=True)
    def find(shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: Any, *key: Any) -> Any:
        # Types are compared as objects: what a type says it equals is its author's word.
        if not all([_is_lasting(each) or id(each) in _MARKS for each in key]):
            raise TypeError
        return create(shape, byte_strides, dtype, *arguments_of(key))

    return find


def _is_lasting(each: Any) -> bool:
    """True for an element that is equal to nothing but itself, types apart, and stays so: not for -0.0 and 0.0."""
    return id(type(each)) in _LASTING and (each != 0 or np.dtype(type(each)).kind not in "fc")


def look_up(
    find: Callable[..., Any],
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    dtype: Any,
    arguments: Sequence[Any],
) -> Any | None:
    """Return ``find(shape, byte_strides, dtype, *key)``, a `remembered` function, or None for what needs all checks.

    None is returned for arguments that are neither numbers nor strings nor lists of them, and whenever ``find`` raises:
    the checks find the same fault again, and say it in the caller's words.
    """
    key: list[Any] = [shape, byte_strides, dtype]
    try:
        for argument in arguments:
            kind = type(argument)
            if kind is not list and kind is not tuple:
                key += (argument, _Scalar)
            elif argument and ((first := type(argument[0])) is tuple or first is list):
                _add_lists(key, argument)
            elif len(argument) > _LONGEST_KEY:
                return None
            else:
                key += argument
                key.append(_End)
        return find(*key) if len(key) <= _LONGEST_KEY else None
    except Unkept as unkept:
        return unkept.launch
    except Exception as error:
        raise_of_handler(error)
    return None


def _add_lists(key: list[Any], lists: Sequence[Any]) -> None:
    """Add a list of lists to a key; raise for what is none, or too long."""
    for each in lists:
        if not is_plain(each) or len(key) > _LONGEST_KEY:
            raise TypeError
        key += each
        key.append(_Inner)
    key.append(_End)


def arguments_of(key: Sequence[Any]) -> list[Any]:
    """Return the arguments that a key was made of, lists as tuples."""
    arguments: list[Any] = []
    inner: list[Any] = []
    elements: list[Any] = []
    # By identity: what an element says it equals is its author's word.
    for each in key:
        if each is _Scalar:
            arguments.append(elements.pop())
        elif each is _Inner:
            inner.append(tuple(elements))
            elements = []
        elif each is _End:
            arguments.append(tuple(inner or elements))
            inner, elements = [], []
        else:
            elements.append(each)
    return arguments


def as_plain(argument: Any) -> Any:
    """Return an array of int32 or int64 as a list, which a key can have; anything else as it is.

    Arrays of other types take all checks each time: some operators refuse them.
    """
    if type(argument) is np.ndarray and argument.dtype.char in "ilq" and argument.size <= _LONGEST_KEY:
        return argument.tolist()
    return argument
