"""Work of many megabytes is done by several launches, between which Ctrl-C is heard."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute
from fastops._runtime import _kernels

LAUNCH_BYTES = 400_001
INTERRUPTED = (-1, -1)

IMAGE = np.random.default_rng(0).integers(0, 255, (700, 900, 3), np.uint8)
NUMBERS = np.arange(1_000_003, dtype=np.float32)
OUT = np.zeros((1400, 900, 3), np.uint8)[::2]

CALLS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "one axis": (lambda: fo.numpy.tile(NUMBERS, 3), lambda: np.tile(NUMBERS, 3)),
    "channels": (lambda: fo.numpy.flip(IMAGE, 2), lambda: IMAGE[..., ::-1]),
    "transpose": (lambda: fo.numpy.transpose(IMAGE, (2, 1, 0)), lambda: IMAGE.transpose(2, 1, 0)),
    "into any strides": (lambda: fo.numpy.flip(IMAGE, 1, out=OUT), lambda: IMAGE[:, ::-1]),
    "split": (lambda: np.concatenate(fo.numpy.split(IMAGE, [200, 501], 1), 1), lambda: IMAGE),
    "windows": (
        lambda: fo.windows(IMAGE, [[k, k] for k in range(0, 300, 7)], [300, 400], axes=[0, 1]),
        lambda: np.stack([IMAGE[k : k + 300, k : k + 400] for k in range(0, 300, 7)]),
    ),
    "range": (lambda: fo.range(0, 1_000_003, 1, "f32"), lambda: NUMBERS),
}


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Which of how many each launch is, which are short: a list that may begin with a signal for the second one."""
    noted: list[tuple[int, int]] = []

    def noting(run: Callable[..., Any]) -> Callable[..., Any]:
        def noted_run(*args: Any) -> Any:
            status = run(*args)
            noted.append(args[-2:])
            if args[-2] == 1 and noted[0] == INTERRUPTED:
                signal.raise_signal(signal.SIGINT)
            return status

        return noted_run

    monkeypatch.setattr(_kernels, "LAUNCH_BYTES", LAUNCH_BYTES)
    # Each call finds that it is large, and is done in launches of that size.
    monkeypatch.setattr(_execute, "ready_workers", lambda: 0)
    for name in ("execute_launch", "execute_at", "move_windows", "run_range"):
        monkeypatch.setitem(_kernels._entries, name, noting(_kernels.load_entry(name)))
    return noted


@pytest.mark.usefixtures("own_signals")
def test_several_launches_write_what_one_does_and_an_interrupt_waits_for_one(launches: list[tuple[int, int]]) -> None:
    for name, (call, expected) in CALLS.items():
        launches[:] = [INTERRUPTED]
        with pytest.raises(KeyboardInterrupt):
            call()
        assert [launch for launch, _ in launches[1:]] == [0, 1], name
        launches.clear()
        result = call()
        np.testing.assert_array_equal(result, expected(), name)
        n = -(-result.nbytes // LAUNCH_BYTES)
        assert n > 2
        assert launches == [(k, n) for k in range(n)], name
