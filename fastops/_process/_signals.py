"""Signals: held back where an exception would leave a broken state behind."""

from __future__ import annotations

# Not `signal`: it looks for each handler among the members of an enum, and drops any ValueError that comes out of that,
# also one that a handler raises at this moment.
import _signal as signal  # type: ignore[import-not-found]
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

# What interrupts a program, and deadlines: their handlers raise. Others are left alone, because to set a handler undoes
# what C alone knows of a signal, as `faulthandler.register`.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "SIGALRM")
_INTERRUPTING: list[int] = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Let Ctrl-C and its like wait until the block is done, as far as Python code handles them."""
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

    with ExitStack() as afterwards:
        try:
            with _signals_handled(hold_back, formers):
                yield
        finally:
            is_over = True
            # The last that is added is the first that runs.
            for number in reversed(held):
                # Not raised once more: what waits for signals, as asyncio does, has seen this one.
                afterwards.callback(formers[number], number, sys._getframe())


@contextmanager
def _signals_handled(handler: Callable[[int, FrameType | None], Any], formers: Mapping[int, Any]) -> Iterator[None]:
    """Handle signals so in the block. Python's handlers run in the main thread, and only it can set them."""
    if not _can_be_set(formers):
        yield
        return
    try:
        for number in formers:
            signal.signal(number, handler)
        yield
    finally:
        _restore(dict(formers), handler)


def _can_be_set(formers: Mapping[int, Any]) -> bool:
    """True if handlers can be set, by setting one again: not so in other threads, or an interpreter within another."""
    try:
        for number, former in formers.items():
            signal.signal(number, former)
            break
    except ValueError:
        return False
    return True


def _restore(formers: dict[int, Any], handler: Any) -> None:
    """Set the former handlers again, but for signals of which somebody has set another one meanwhile."""
    try:
        while formers:
            number = next(iter(formers))
            if signal.getsignal(number) is handler:
                signal.signal(number, formers[number])
            del formers[number]
    finally:
        # A handler that is back may raise at once.
        if formers:
            _restore(formers, handler)
