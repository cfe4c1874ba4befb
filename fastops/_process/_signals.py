"""Signals: held back where an exception would leave a broken state behind."""

from __future__ import annotations

# Not `signal`: it looks for each handler among the members of an enum, and drops any ValueError that comes out of that,
# also one that a handler raises at this moment.
import _signal as signal  # type: ignore[import-not-found]
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any

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
