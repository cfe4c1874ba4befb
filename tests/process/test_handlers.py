"""What handlers of signals raise amid calls, as deadlines do, reaches the caller."""

from __future__ import annotations

import gc
import itertools
import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import _process
from fastops._process import signals_held_back
from tests.helpers.torture import scale

# Handlers that raise amid calls, of each kind of call.
ROUNDS = scale(50, 2000)

if not hasattr(signal, "setitimer"):
    pytest.skip("there are no such timers here", allow_module_level=True)


class DeadlineError(TimeoutError):
    """What a handler raises, of a kind that the system raises too."""


ERRORS: list[type[BaseException]] = [DeadlineError, KeyboardInterrupt]


class Slow:
    """Data that takes a while to give itself."""

    def __array__(self, *_: object, **__: object) -> Any:
        return np.array([sum(range(300)), 2, 3])


ODD = np.arange(3, dtype=np.uint8)
LARGE = np.zeros(1 << 20, np.uint8)
CALLS: dict[str, Callable[[int], Any]] = {
    "a new slice": lambda i: fo.slice(np.zeros(9), [-i], [3], mode="wrap"),
    "a known slice": lambda i: fo.slice(np.zeros(9), [i % 3], [3], mode="wrap"),
    "a new split": lambda i: fo.variadic_split(np.zeros(9), 0, [i % 9, -1]),
    "a new range": lambda i: fo.range(i, i + 3, 1, "f32"),
    "a plan of a range": lambda i: fo.plan.RangePlan(i, 1, 3)("f32"),
    "indices from an array": lambda i: fo.slice(np.zeros(9), ODD[i % 3 :][:1], ODD[2:], mode="wrap"),
    "a fill value from an array": lambda i: fo.slice(np.zeros(9), [-1], [3], mode="fill", fill_value=np.array(i)),
    "indices of NumPy": lambda i: fo.variadic_split(np.zeros(i), 0, [*[np.int64(0)] * 500, -1]),
    "data from an object": lambda _: fo.slice(Slow(), [0], [2]),
    "a view": lambda i: fo.slice(np.zeros(9), [i % 3], [3], copy=False),
    "a result that is recycled": lambda _: fo.slice(LARGE, [1], [1 << 20], mode="wrap"),
    "data from lists": lambda i: fo.strided_slice([[1, 2, i]], [0], [1]),
}


def raise_amid(call: Callable[[int], Any], error: type[BaseException]) -> None:
    """Call something until a handler raises, again and again: each exception must come out of it."""
    raised = reached = 0

    def handle(*_: object) -> None:
        nonlocal raised
        raised += 1
        raise error

    # Not amid an import, which takes an OSError for a file that is not there.
    call(2)
    # What a handler raises amid a finaliser is printed by Python, and goes no further: none runs without collections.
    gc.disable()
    before = signal.signal(signal.SIGALRM, handle)
    try:
        for k in range(ROUNDS):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-4 + k % 40 * 1e-5)
                for i in itertools.count(2):
                    call(i)
                    assert raised == reached, "what a handler raised was lost"
            except error:
                reached += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    assert raised == reached == ROUNDS


@pytest.mark.usefixtures("own_signals")
def test_what_a_handler_raises_amid_calls_reaches_the_caller() -> None:
    for k, (what, call) in enumerate(CALLS.items()):
        for error in scale(ERRORS[k % len(ERRORS) :][:1], ERRORS):
            print(what, error)
            raise_amid(call, error)


@pytest.mark.usefixtures("own_signals")
def test_handlers_are_set_again_whatever_one_raises_while_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def handle(number: int, _frame: object) -> None:
        raise DeadlineError(number)

    def set_and_meet(number: int, handler: Any) -> None:
        signal.signal(number, handler)
        # Its signal comes as soon as it is set.
        signal.raise_signal(number)

    numbers = [signal.SIGINT, signal.SIGTERM]
    for number in numbers:
        signal.signal(number, handle)
    with pytest.raises(DeadlineError), signals_held_back():
        monkeypatch.setattr(_process, "signal", SimpleNamespace(getsignal=signal.getsignal, signal=set_and_meet))
    assert [signal.getsignal(number) for number in numbers] == [handle, handle]
