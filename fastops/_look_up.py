"""Look-ups: from the arguments of a call to a launch that was made before, in one step.

A key is made of what the caller wrote, not of what it means: nothing is checked or converted on the way. The types of
all elements are part of it, so that 1, 1.0 and True, which are equal, are three keys. What a key stands for was checked
when it was first met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Calls with other attributes, shapes, strides or types that each public function remembers.
CACHE_SIZE = 1024

#: The containers whose elements can be read as often as one likes.
PLAIN_LISTS = frozenset({list, tuple})


class End:
    """Stands behind each list in a key."""


class _Absent:
    """Stands for a list that is None: no element of a list is this class."""


ABSENT = (_Absent,)


def look_up(find: Callable[..., Any], data: Any, first: Any, second: Any, third: Any, *rest: Any) -> Any | None:
    """Return ``find(shape, byte_strides, dtype, *key)``, a cached function, or None if the call needs all checks.

    The key has the elements of three lists, of which the third may be None, and what else the caller needs. None
    is returned for data that is no ndarray, for lists that are no lists or tuples, and whenever ``find`` raises: the
    checks find the same fault again, and say it in the caller's words.
    """
    if type(data) is np.ndarray and type(first) in PLAIN_LISTS and type(second) in PLAIN_LISTS:
        if third is None:
            third = ABSENT
        elif type(third) not in PLAIN_LISTS:
            return None
        try:
            return find(data.shape, data.strides, data.dtype, *first, End, *second, End, *third, End, *rest)
        except Exception:
            return None
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
    first = 0
    for _ in range(key.count(End)):
        end = key.index(End, first)
        elements = key[first:end]
        lists.append(None if elements == ABSENT else list(elements))
        first = end + 1
    return lists
