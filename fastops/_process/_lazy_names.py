"""What a module says of its names: which are elsewhere, and loaded when they are first used, and which are public."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    namespace: dict[str, Any], homes: Mapping[str, str], dialects: Sequence[str] = ()
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module.

    ``homes`` says where each name is: ``module:name``, or a module. ``dialects`` are modules in this one: of a name
    that only they have, the error says which have it.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise _error_about(namespace["__name__"], name, dialects)
        home, _, attribute = homes[name].partition(":")
        value: Any = import_module(home)
        if attribute:
            value = getattr(value, attribute)
        namespace[name] = value
        return value

    return find


def public_dir(namespace: dict[str, Any]) -> Callable[[], list[str]]:
    """Return the ``__dir__`` of a module: the names of its ``__all__``, or those without an underscore before them."""

    def names() -> list[str]:
        return sorted(namespace.get("__all__") or [name for name in namespace if name[0] != "_"])

    return names


def _error_about(module: str, name: str, dialects: Sequence[str]) -> AttributeError:
    """Return the error of a module that has no such name."""
    text = f"module {module!r} has no attribute {name!r}"
    # Questions for private names come from tools, and shall load nothing.
    found = [] if name[:1] == "_" else [each for each in dialects if name in dir(import_module(f"{module}.{each}"))]
    if not found:
        return AttributeError(text)
    *most, last = found
    have = f"{', '.join(most)} and {last} have one" if most else f"{last} has one"
    # With the name and no module, Python proposes no other name of the module in its place.
    return AttributeError(f"{text}; {have}: {module}.{found[0]}.{name}", name=name)
