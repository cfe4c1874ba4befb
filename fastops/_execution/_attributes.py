"""Attributes: what a caller has written, taken apart, and put together again with other integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import intern
from types import EllipsisType
from typing import Any, NamedTuple

from fastops._geometry._sample_mode import SampleMode
from fastops.kernels._tables import _trace as t

# Objects that stay what they are, by which calls are told from each other.
_CONSTANTS = (bool, str, type(None), SampleMode, EllipsisType)

# Tokens of a call's attributes.
_MOST_ITEMS = 256


class Token(NamedTuple):
    """What compiled code wants an object in the attributes to be, as `fastops.kernels._tables._trace` lays it out."""

    kind: int
    address: int
    length: int = 0


class Attributes:
    """What a caller has written, taken apart.

    Attributes
    ----------
    tokens : list of Token
        How it is made.
    integers : list of list of int
        The integers in each attribute, in order.
    kept : list
        The objects whose addresses are in the tokens.
    is_known : bool
        True if it has nothing in it that could be something else at another time, and no integer that compiled code
        does not compute with.
    """

    __slots__ = ("_constants", "integers", "is_known", "kept", "tokens")

    def __init__(self, attributes: Sequence[Any], constants: tuple[type, ...] = ()) -> None:
        self._constants = (*_CONSTANTS, *constants)
        self.tokens = [Token(t.TUPLE, id(tuple), len(attributes))]
        self.integers: list[list[int]] = []
        self.kept: list[Any] = []
        self.is_known = len(attributes) <= _MOST_ITEMS
        for attribute in attributes[:_MOST_ITEMS]:
            self.integers.append([])
            self._add(attribute, 1)

    def _add(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is int:
            self.tokens.append(Token(t.INTEGER, id(int)))
            self.integers[-1].append(value)
            self.is_known = self.is_known and -t.LARGEST <= value <= t.LARGEST
        elif kind is list or kind is tuple or kind is slice or (self._is_constant(kind) and issubclass(kind, tuple)):
            # Another thread may change a list.
            items = (value.start, value.stop, value.step) if kind is slice else tuple(value[:_MOST_ITEMS])
            token = t.SLICE if kind is slice else t.LIST if kind is list else t.TUPLE
            self.tokens.append(Token(token, id(kind), len(items)))
            self.is_known = self.is_known and depth < t.DEEPEST and len(self.tokens) + len(items) < _MOST_ITEMS
            if self.is_known:
                for each in items:
                    self._add(each, depth + 1)
        else:
            self.tokens.append(Token(t.OBJECT, id(value)))
            self.kept.append(value)
            # Equal strings that are made at each call are not the same object.
            is_own = kind is not str or intern(value) is value
            self.is_known = self.is_known and is_own and self._is_constant(kind)

    def _is_constant(self, kind: type) -> bool:
        # By its identity: a type may say that it equals any other.
        return any([kind is constant for constant in self._constants])


def with_integers(value: Any, integers: Iterator[Any]) -> Any:
    """Return a plain value with other integers in place of its own."""
    kind = type(value)
    if kind is int:
        return next(integers)
    if kind is tuple:
        return tuple([with_integers(each, integers) for each in value])
    if kind is slice:
        return slice(*[with_integers(each, integers) for each in (value.start, value.stop, value.step)])
    return value
