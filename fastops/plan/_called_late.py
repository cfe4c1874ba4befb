"""Functions that are loaded when they are first called: plans are made and drawn without NumPy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def called_late(namespace: dict[str, Any], module: str, name: str) -> Callable[..., Any]:
    """Return a function that loads another one, of this name, puts it into a namespace, and calls it."""

    def call(*arguments: Any) -> Any:
        found = namespace[name] = getattr(import_module(module), name)
        return found(*arguments)

    return call
