"""Names of a module that are elsewhere, and loaded when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(namespace: dict[str, Any], homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module; ``homes`` says where each name is: ``module:name``, or a module."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        home, _, attribute = homes[name].partition(":")
        value: Any = import_module(home)
        if attribute:
            value = getattr(value, attribute)
        namespace[name] = value
        return value

    return find


def lazy_plans(namespace: dict[str, Any], dialect: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a module that has the plans of a module of operators.

    The lowering of an operator is next to it, ``lower_`` before its name.
    """

    def names() -> list[str]:
        functions = vars(import_module(dialect)).items()
        return [name for name, value in functions if getattr(value, "__module__", "").startswith("fastops.ops.")]

    def find(name: str) -> Any:
        if name == "__all__":
            return names()
        if name[:1] == "_" or name not in names():
            raise AttributeError(f"module {namespace['__name__']!r} has no attribute {name!r}")
        home = import_module(getattr(import_module(dialect), name).__module__)
        plan = namespace[name] = getattr(home, f"lower_{name}")
        return plan

    return find, names
