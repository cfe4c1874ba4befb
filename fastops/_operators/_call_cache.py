"""The cache of calls: from the arguments of a call to what was prepared for it before, in one step.

A key is made of what the caller wrote, not of what it means: nothing is checked or converted on the way. So it may hold
only what cannot change, and equals nothing that means something else: exact integers in lists, because an object of
another type may be another number later, or say that it equals one that it is not; and plain scalars beside their
types, because 1, 1.0, True and a mode are equal. A call with anything else is read first, and looked up by what was
read, which is plain.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Generic, TypeVar

from fastops._geometry._sample_mode import SampleMode
from fastops._settings import CACHE_SIZE

T = TypeVar("T")

#: A key of a call: hashable, and without code of the caller's.
Key = tuple[Any, ...]

# The types of scalars in keys. Floats are not among them: -0.0 equals 0.0.
_SCALARS = frozenset(map(id, (int, bool, str, type(None), SampleMode, EllipsisType)))

# Keys are that long at most, so that what is remembered stays small, and lists in them that deep.
_LONGEST_KEY = 512
_DEEPEST = 8


class _End:
    """Stands behind each list in a key."""


class _Begin:
    """Stands before all elements of a list that has others than integers, or that lies in another one and is empty.

    A key with such a list ends with it too.
    """


class _Typed:
    """Stands before each slice whose bounds have their types behind them; the type slice before any other."""


def key_of(known: tuple[Any, ...], arguments: Sequence[Any]) -> Key | None:
    """Return the key of a call, by what is known of data, as its shape, and by the arguments; None if it has none.

    Examples
    --------
    >>> key_of((8,), ([1, 2], None)) == key_of((8,), ((1, 2), None))
    True
    >>> key_of((8,), ([1.0],)) is None
    True
    """
    key: list[Any] = [known]
    is_nested = False
    for argument in arguments:
        kind = type(argument)
        if kind is tuple or kind is list:
            if len(argument) > _LONGEST_KEY:
                return None
            # Each is added as soon as its type is known: another thread may change the list.
            for element in argument:
                if type(element) is not int:
                    is_nested = True
                    key.append(_Begin)
                    if not _add_nested(key, argument, 1):
                        return None
                    break
                key.append(element)
            else:
                key.append(_End)
        elif argument is None:
            key.append(None)
        elif id(kind) in _SCALARS:
            key += (argument, kind)
        elif kind is not slice or not _add_slice(key, argument):
            return None
    if is_nested:
        key.append(_Begin)
    return tuple(key) if len(key) <= _LONGEST_KEY else None


def _add_nested(key: list[Any], elements: Sequence[Any], depth: int) -> bool:
    """Add a list of lists, slices and scalars to a key; False if it has no place in one."""
    if depth > _DEEPEST or len(elements) > _LONGEST_KEY:
        return False
    for element in elements:
        kind = type(element)
        if kind is tuple or kind is list:
            if len(key) > _LONGEST_KEY or not _add_inner(key, element, depth + 1):
                return False
        elif kind is slice:
            if not _add_slice(key, element):
                return False
        elif id(kind) in _SCALARS:
            key += (element, kind)
        else:
            return False
    key.append(_End)
    return True


def _add_inner(key: list[Any], elements: Sequence[Any], depth: int) -> bool:
    """Add a list in a list to a key: its integers, and if it has others, or none, a mark and all of them."""
    if depth > _DEEPEST:
        return False
    is_plain = False
    for element in elements[:_LONGEST_KEY]:
        is_plain = type(element) is int
        if not is_plain:
            break
        key.append(element)
    if is_plain:
        key.append(_End)
        return True
    key.append(_Begin)
    return _add_nested(key, elements, depth)


def _add_slice(key: list[Any], element: slice) -> bool:
    """Add a slice of scalars to a key, those that are not all integers or None with their types; False for others."""
    bounds = (element.start, element.stop, element.step)
    for bound in bounds:
        if bound is not None and type(bound) is not int:
            break
    else:
        key.append(slice)
        key += bounds
        return True
    key.append(_Typed)
    for bound in bounds:
        kind = type(bound)
        if id(kind) not in _SCALARS:
            return False
        key += (bound, kind)
    return True


def frozen(key: Key, arguments: Sequence[Any]) -> tuple[Key | None, list[Any]]:
    """Return the arguments of a key with tuples for their lists, which other threads may change, and their key."""
    if key[-1] is _Begin:
        written = [_frozen(argument) for argument in arguments]
        return key_of(key[0], written), written
    written = []
    first = 1
    for argument in arguments:
        kind = type(argument)
        if kind is tuple or kind is list:
            end = first
            while key[end] is not _End:
                end += 1
            written.append(key[first:end])
            first = end + 1
        else:
            written.append(argument)
            first += 1 if argument is None else 2 if kind is not slice else 4 if key[first] is slice else 7
    return key, written


def _frozen(argument: Any, depth: int = 0) -> Any:
    if (type(argument) is list or type(argument) is tuple) and depth < _DEEPEST:
        return tuple([_frozen(element, depth + 1) for element in argument])
    return argument


class CallCache(Generic[T]):
    """Prepared calls by their keys; of too many, those go first that came first."""

    __slots__ = ("_calls", "find")

    def __init__(self) -> None:
        self._calls: OrderedDict[Any, T] = OrderedDict()
        #: Returns the call of a key, or None; that of None is None.
        self.find = self._calls.get

    def keep(self, key: Key, call: T) -> None:
        """Remember a call."""
        calls = self._calls
        while len(calls) >= CACHE_SIZE:
            calls.popitem(last=False)
        calls[key] = call

    def __len__(self) -> int:
        return len(self._calls)
