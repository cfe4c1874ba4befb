"""Signals that end a process: raised as exceptions, so that nothing is left behind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from fastops._process._signals import signals_handled

# SIGHUP, where there is one: the terminal was closed.
_ENDING = [number for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")]

#: All signals that end a command.
ENDING_SIGNALS = [signal.SIGINT, *_ENDING]


@contextmanager
def signals_raised() -> Iterator[None]:
    """Let signals that end a process raise `SystemExit`, as Ctrl-C raises `KeyboardInterrupt`."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    # What is ignored stays so: nohup ignores SIGHUP.
    with signals_handled(stop, [number for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN]):
        yield
