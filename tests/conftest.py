"""Fixtures of several directories."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator

import pytest


def pytest_collection_finish() -> None:
    """Exclude the collected tests, about a million objects, from garbage collections, which they slow down."""
    gc.freeze()


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Set Python's own signal handlers: in a background process, some signals are ignored."""
    numbers = [number for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
