"""Fixtures of several directories."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator

import pytest


def pytest_collection_finish() -> None:
    """Leave the collected tests, about a million objects, out of garbage collections, which slowed tests down."""
    gc.freeze()


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Python's own handlers: whoever starts the tests in the background has some signals ignored."""
    numbers = [number for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
