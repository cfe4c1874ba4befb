"""What modules have for users."""

from __future__ import annotations

from types import ModuleType


def names_of(module: ModuleType) -> list[str]:
    """The public names of a module."""
    return [name for name in dir(module) if name[0].isalpha()]
