"""Look-ups: from the arguments of a call to a launch that was made before, in one step.

A key is made of what the caller wrote, not of what it means: nothing is checked or converted on the way. The types of
all elements are part of it, so that 1, 1.0 and True, which are equal, are three keys. What a key stands for was checked
when it was first met. Elements whose value may change are never kept (`as_indices`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fastops._interrupts import raise_of_handler

#: Calls with other attributes, shapes, strides or types that each public function remembers.
CACHE_SIZE = 1024

# Keys are that long at most, so that what is remembered stays small.
_LONGEST_KEY = 512


class End:
    """Stands behind each list in a key."""


class _Absent:
    """Stands for a list that is None: no element of a list is this class."""


ABSENT = (_Absent,)

#: The identities of the types of integers that stay what they are, which a key can have. Another type's object may be
#: another integer later, or equal to one that it is not.
LASTING = frozenset(map(id, (int, bool, *(np.dtype(code).type for code in "?bBhHiIlLqQ"))))


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

    It raises a TypeError for keys that are too long to be kept. To refuse elements that are not LASTING is up to
    ``create``, which reads them.
    """

    @lru_cache(CACHE_SIZE, typed=True)
    def find(shape: tuple[int, ...], byte_strides: tuple[int, ...], dtype: Any, *key: Any) -> Any:
        if len(key) > _LONGEST_KEY:
            raise TypeError
        return create(shape, byte_strides, dtype, *key)

    return find


def is_short(key: Sequence[Any]) -> bool:
    """True for keys that are not too long to be kept."""
    return len(key) <= _LONGEST_KEY


def look_up(find: Callable[..., Any], data: Any, first: Any, second: Any, third: Any, *rest: Any) -> Any | None:
    """Return ``find(shape, byte_strides, dtype, *key)``, a cached function, or None if the call needs all checks.

    The key has the elements of three lists, of which the third may be None, and what else the caller needs. None
    is returned for data that is no ndarray, for lists that are no lists or tuples, and whenever ``find`` raises: the
    checks find the same fault again, and say it in the caller's words.
    """
    if (
        type(data) is np.ndarray
        and ((one := type(first)) is list or one is tuple)
        and ((two := type(second)) is list or two is tuple)
        and len(first) + len(second) <= _LONGEST_KEY
    ):
        if third is None:
            third = ABSENT
        elif not is_plain(third) or len(third) > _LONGEST_KEY:
            return None
        try:
            return find(data.shape, data.strides, data.dtype, *first, End, *second, End, *third, End, *rest)
        except Exception as error:
            raise_of_handler(error)
    return None


def key_of(*lists: Sequence[Any] | None) -> list[Any]:
    """Return the key of lists: their elements, `End` behind each, and one mark for a list that is None."""
    key: list[Any] = []
    for each in lists:
        key += ABSENT if each is None else each
        key.append(End)
    return key


def lists_of(key: tuple[Any, ...]) -> list[Any]:
    """Return the lists that a key was made of."""
    lists: list[Any] = []
    elements: list[Any] = []
    # By identity: what an element says it equals is its author's word.
    for each in key:
        if each is End:
            lists.append(None if len(elements) == 1 and elements[0] is _Absent else elements)
            elements = []
        else:
            elements.append(each)
    return lists
