"""Signals: held back for a moment, where an exception in the middle would leave a broken state behind."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

from fastops._errors import raise_of_handler

# What interrupts a program, and deadlines: their handlers raise. Others are left alone, because to set a handler undoes
# what C alone knows of a signal, as `faulthandler.register`.
_INTERRUPTING = [n for n in signal.Signals if n.name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "SIGALRM")]


@contextmanager
def signals_held_back(numbers: Sequence[signal.Signals] | None = None) -> Iterator[None]:
    """Let signals wait until the block is done: by default Ctrl-C and its like, as far as Python code handles them."""
    if numbers is None:
        numbers = [number for number in _INTERRUPTING if callable(signal.getsignal(number))]
    formers = {number: signal.getsignal(number) for number in numbers}
    held: dict[int, None] = {}
    with ExitStack() as afterwards:
        try:
            with signals_handled(lambda number, _frame: held.setdefault(number), numbers):
                yield
        finally:
            # The last that is added is the first that runs.
            for number in reversed(held):
                afterwards.callback(_deliver, number, formers[signal.Signals(number)])


def _deliver(number: int, handler: Any) -> None:
    # Not raised once more where it need not be: what waits for signals, as asyncio does, has seen this one.
    if callable(handler):
        handler(number, sys._getframe())
    else:
        signal.raise_signal(number)


@contextmanager
def signals_handled(
    handler: Callable[[int, FrameType | None], Any], numbers: Sequence[signal.Signals]
) -> Iterator[None]:
    """Handle signals so in the block. Python's handlers run in the main thread, and only it can set them."""
    # A handler that is not Python's could not be set again.
    formers: dict[int, Any] = {number: former for number in numbers if (former := signal.getsignal(number)) is not None}
    if threading.current_thread() is not threading.main_thread() or not _can_be_set(formers):
        yield
        return
    try:
        for number in formers:
            signal.signal(number, handler)
        yield
    finally:
        _restore(formers)


def _can_be_set(formers: Mapping[int, Any]) -> bool:
    """True if handlers can be set, by setting one again: not so in an interpreter within another one."""
    try:
        for number, former in formers.items():
            signal.signal(number, former)
            break
    except ValueError as error:
        raise_of_handler(error)
        return False
    return True


def _restore(formers: dict[int, Any]) -> None:
    try:
        while formers:
            number = next(iter(formers))
            signal.signal(number, formers[number])
            del formers[number]
    finally:
        # A handler that is back may raise at once.
        if formers:
            _restore(formers)
