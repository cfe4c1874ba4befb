"""Names of a module that are elsewhere, and loaded when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastops._fork_lock import import_whole


def lazy_names(namespace: dict[str, Any], homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module; ``homes`` says where each name is: ``module:name``, or a module."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        home, _, attribute = homes[name].partition(":")
        value: Any = import_whole(home)
        if attribute:
            value = getattr(value, attribute)
        namespace[name] = value
        return value

    return find
