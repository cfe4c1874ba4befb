"""State of the process: warnings that are given once, and names that modules load when they are first used."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

#: The frameworks. Each has a module of operators and one of plans.
DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")

# The messages of warnings that were given, each with an object that only its first call has.
_told: dict[str, object] = {}


def warn_once(message: str) -> None:
    """Warn with a message once per process. If warnings are errors, the first call raises and later calls do not."""
    mine = object()
    if _told.setdefault(message, mine) is mine:
        warnings.warn(f"fastops: {message}", RuntimeWarning, stacklevel=2)


def lazy_names(namespace: dict[str, Any], homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module that has a module of each dialect.

    ``homes`` maps other modules to the names that they define. All other names in ``__all__`` are submodules.
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
    return lambda: sorted(namespace["__all__"])


def _error_about(module: str, name: str) -> AttributeError:
    """Return the error for a name that a module lacks; it proposes a dialect's function of that name."""
    text = f"module {module!r} has no attribute {name!r}"
    # Tools ask for private names, which must not load dialects.
    found = [] if name[:1] == "_" else [each for each in DIALECTS if hasattr(import_module(f"{module}.{each}"), name)]
    if not found:
        return AttributeError(text)
    *most, last = found
    have = f"{', '.join(most)} and {last} have one" if most else f"{last} has one"
    # Without the module as an argument, Python proposes no other name of it.
    return AttributeError(f"{text}; {have}: {module}.{found[0]}.{name}", name=name)
