"""Plans and maps are made once: nothing gives one another state, neither a caller nor what reads pickles."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TypeVar

_Made = TypeVar("_Made")


def made_once(cls: type[_Made]) -> type[_Made]:
    """Return a frozen dataclass, whose objects now refuse another state.

    It is no method of the class: before Python 3.11.3, a dataclass with slots replaces one of this name by its own.
    """
    cls.__setstate__ = _refuse  # type: ignore[attr-defined]
    return cls


def _refuse(self: object, _: object) -> None:
    raise FrozenInstanceError(f"each {type(self).__name__} is made once")
