"""What a module says of its names: which are elsewhere, and loaded when they are first used, and which are public."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

#: The frameworks, each of which has a module of operators and one of plans.
DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")


def lazy_names(namespace: dict[str, Any], homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module that has a module of each dialect.

    ``homes`` says which names each other module has; all others in ``__all__`` are modules in this one.
    """
    places = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in namespace["__all__"]:
            raise _error_about(namespace["__name__"], name)
        home = places.get(name)
        value: Any = getattr(import_module(home), name) if home else import_module(f"{namespace['__name__']}.{name}")
        namespace[name] = value
        return value

    return find


def public_dir(namespace: dict[str, Any]) -> Callable[[], list[str]]:
    """Return the ``__dir__`` of a module: the names of its ``__all__``."""

    def names() -> list[str]:
        return sorted(namespace["__all__"])

    return names


def _error_about(module: str, name: str) -> AttributeError:
    """Return the error of a module that has no such name."""
    text = f"module {module!r} has no attribute {name!r}"
    # Questions for private names come from tools, and shall load nothing.
    found = [] if name[:1] == "_" else [each for each in DIALECTS if hasattr(import_module(f"{module}.{each}"), name)]
    if not found:
        return AttributeError(text)
    *most, last = found
    have = f"{', '.join(most)} and {last} have one" if most else f"{last} has one"
    # With the name and no module, Python proposes no other name of the module in its place.
    return AttributeError(f"{text}; {have}: {module}.{found[0]}.{name}", name=name)
