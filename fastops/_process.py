"""Warnings: each message once in a process.

Signals: held back where an exception would leave a broken state behind.

What a module says of its names: which are elsewhere, and loaded when they are first used, and which are public.
"""

from __future__ import annotations

# Not `signal`: it looks for each handler among the members of an enum, and drops any ValueError that comes out of that,
# also one that a handler raises at this moment.
import _signal as signal  # type: ignore[import-not-found]
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any

# By message, something that tells who has said it first.
_told: dict[str, object] = {}


def warn_once(message: str) -> None:
    """Warn, unless it has been said. Where warnings are errors it raises, but the next call works."""
    mine = object()
    if _told.setdefault(message, mine) is mine:
        warnings.warn(f"fastops: {message}", RuntimeWarning, stacklevel=2)


# What interrupts a program, and deadlines: their handlers raise. Others are left alone, because to set a handler undoes
# what C alone knows of a signal, as `faulthandler.register`.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "SIGALRM")
_INTERRUPTING: list[int] = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Let Ctrl-C and its like wait until the block is done, as far as Python code handles them.

    Python's handlers run in the main thread, and only it can set them: in other threads nothing is held back.
    """
    formers: dict[int, Any] = {number: signal.getsignal(number) for number in _INTERRUPTING}
    formers = {number: former for number, former in formers.items() if callable(former)}
    held: dict[int, None] = {}
    is_over = False

    def hold_back(number: int, frame: FrameType | None) -> None:
        if is_over:
            # Somebody has kept this handler and set his own one, which calls it.
            formers[number](number, frame)
        else:
            held.setdefault(number)

    # Each callback runs, whatever those before it raise, and the last that is added is the first that runs.
    with ExitStack() as afterwards:
        try:
            for number in formers:
                # In other threads, or in an interpreter within another.
                with suppress(ValueError):
                    signal.signal(number, hold_back)
            yield
        finally:
            is_over = True
            for number in reversed(held):
                # Not raised once more: what waits for signals, as asyncio does, has seen this one.
                afterwards.callback(formers[number], number, sys._getframe())
            for number, former in formers.items():
                # Somebody may have set another one meanwhile.
                if signal.getsignal(number) is hold_back:
                    afterwards.callback(signal.signal, number, former)


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
