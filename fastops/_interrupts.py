"""Signals that are held back for a moment, where an exception in the middle would leave a broken state behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def signals_held_back(numbers: Sequence[signal.Signals] = (signal.SIGINT,)) -> Iterator[None]:
    """Let signals, Ctrl-C by default, wait until the block is done."""
    held: list[int] = []
    try:
        with signals_handled(lambda number, _frame: held.append(number), numbers):
            yield
    finally:
        for number in held:
            signal.raise_signal(number)


@contextmanager
def signals_handled(
    handler: Callable[[int, FrameType | None], Any], numbers: Sequence[signal.Signals]
) -> Iterator[None]:
    """Handle signals so in the block. Python's handlers run in the main thread, and only it can set them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A handler that is not Python's could not be set again.
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: former for number, former in before.items() if former is not None}
    try:
        for number in before:
            signal.signal(number, handler)
    except ValueError:
        # In an interpreter within another one, which has no signals.
        before = {}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
