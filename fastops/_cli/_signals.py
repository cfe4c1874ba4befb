"""Signals that end a process: raised as exceptions, so that nothing is left behind, or held back for a moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

# SIGHUP, where there is one: the terminal was closed.
_ENDING = [number for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")]


@contextmanager
def signals_raised() -> Iterator[None]:
    """Let signals that end a process raise `SystemExit`, as Ctrl-C raises `KeyboardInterrupt`."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    # What is ignored stays so: nohup ignores SIGHUP.
    with _handled(stop, [number for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN]):
        yield


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Let signals that end a process, and Ctrl-C, wait until the block is done."""
    held: list[int] = []
    with _handled(lambda number, _frame: held.append(number), [signal.SIGINT, *_ENDING]):
        yield
    for number in held:
        signal.raise_signal(number)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], Any], numbers: Sequence[signal.Signals]) -> Iterator[None]:
    """Handle signals so in the block. Python's handlers run in the main thread, and only it can set them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)
