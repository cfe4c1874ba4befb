"""Look-ups: from the arguments of a call to a launch that was made before, in one step.

A key is made of what the caller wrote, not of what it means: nothing is checked or converted on the way. The types of
all elements are part of it, so that 1, 1.0 and True, which are equal, are three keys. What a key stands for was checked
when it was first met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: The containers whose elements can be read as often as one likes.
PLAIN_LISTS = frozenset({list, tuple})


class _End:
    """Stands behind each list in a key."""


class _Absent:
    """Stands for a list that is None."""


def look_up(find: Callable[..., Any], data: Any, *lists: Any) -> Any | None:
    """Return ``find(shape, byte_strides, dtype, *key)``, a cached function, or None if the call needs all checks.

    That is so for data that is no ndarray, for lists that are no lists or tuples, and whenever ``find`` raises: the
    checks find the same fault again, and say it in the caller's words.
    """
    if type(data) is not np.ndarray:
        return None
    key: list[Any] = []
    for each in lists:
        if type(each) in PLAIN_LISTS:
            key += each
            key.append(_End)
        elif each is None:
            key.append(_Absent)
        else:
            return None
    try:
        return find(data.shape, data.strides, data.dtype, *key)
    except Exception:
        return None


def lists_of(key: Sequence[Any]) -> list[list[Any] | None]:
    """Return the lists that a key was made of."""
    lists: list[list[Any] | None] = []
    elements: list[Any] = []
    for element in key:
        if element is _Absent:
            lists.append(None)
        elif element is _End:
            lists.append(elements)
            elements = []
        else:
            elements.append(element)
    return lists


def key_of(lists: Sequence[Sequence[Any] | None]) -> list[Any]:
    """Return the key of lists that are checked already."""
    key: list[Any] = []
    for each in lists:
        key += (_Absent,) if each is None else (*each, _End)
    return key
