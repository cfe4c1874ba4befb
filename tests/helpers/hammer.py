"""Calls in one thread while another thread changes their arrays, in a process of its own, which may crash.

``python -m tests.helpers.hammer SECONDS [NAME ...]`` makes each call, or each named one, for so many seconds and at
least once. Data holds only bytes of 0, 1, and 1.0 in float32 and float64, so results hold only these, too. Calls may
raise errors of fastops only; an exception in either thread ends the process with exit code 1.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np

import fastops as fo
from fastops._arrays._outputs import pin

Array = np.ndarray[Any, Any]

# The system takes memory of this size back at once, so that a later access crashes.
LARGE = 1 << 22
SMALL = 16

# Seconds in which a call must succeed once, also on a busy machine.
PATIENCE = 30

# The bytes of the values that data is filled with: 0 and 1, and 1.0 in float32 and float64.
WRITTEN = np.zeros(256, bool)
WRITTEN[list(b"".join(np.array(1, dtype).tobytes() for dtype in ("u1", "f4", "f8")))] = True

# Not checked: a view, whose array may be resized while it is read, and ranges, which have any bytes.
UNCHECKED = ("view", "range, out", "range plan, out", "small range, out")


def changes(array: Array | list[Any]) -> list[Callable[[], Any]]:
    """Return the changes that another thread makes to an array or a list; all together restore it if none fails."""
    if isinstance(array, list):
        first = array[0]
        put: Any = array.__setitem__
        return [lambda: array.append(first), array.pop, lambda: put(0, 2.0), lambda: put(0, [1]), lambda: put(0, first)]
    n = array.size
    return [
        lambda: array.resize(SMALL, refcheck=False),
        lambda: setattr(array, "shape", (4, -1)),
        lambda: setattr(array, "dtype", "u1"),
        lambda: array.resize((4, n // 4), refcheck=False),
        lambda: setattr(array, "dtype", "f8"),
        lambda: array.fill(1),
        lambda: array.resize((2, 4), refcheck=False),
        lambda: setattr(array, "shape", (-1,)),
        lambda: setattr(array, "dtype", "f4"),
        lambda: array.resize(n, refcheck=False),
    ]


def calls() -> dict[str, tuple[list[Any], Callable[[], Any]]]:
    """Return for each name the arrays or lists that change, and a call that uses them."""
    data, out, fixed, few = (np.zeros(n, "f4") for n in (LARGE, LARGE, LARGE, 64))
    outs, parts = ([np.zeros(n, "f4") for _ in range(2)] for n in (LARGE // 2, 8))
    whole = fo.plan.slice((LARGE,), [LARGE - 1], [LARGE], [-1])
    small = fo.plan.slice((LARGE,), [LARGE - 64], [64])
    plan, start = fo.plan.range(0, LARGE, 1, "f32"), [1]
    return {
        "list of starts": ([start], lambda: fo.slice(fixed[:16], start, [8])),
        "small slice": ([data], lambda: fo.slice(data, [LARGE - 64], [64])),
        "large slice": ([data], lambda: fo.slice(data, [-8], [LARGE + 16], mode="reflect")),
        "strided_slice": ([data], lambda: fo.strided_slice(data, [LARGE], [0], [-2])),
        "variadic_split": ([data], lambda: fo.variadic_split(data, 0, [64, -1])),
        "view": ([data], lambda: fo.slice(data, [LARGE - 64], [64], copy=False)),
        "small plan": ([data], lambda: small(data)),
        "small plan, out": ([data, few], lambda: small(data, out=few)),
        "plan": ([data, out], lambda: whole(data, out=out)),
        "slice, out": ([out], lambda: fo.slice(fixed, [LARGE - 1], [LARGE], [-1], out=out)),
        "data as out": ([data], lambda: fo.slice(data, [LARGE - 1], [LARGE], [-1], out=data)),
        "variadic_split, out": (outs, lambda: fo.variadic_split(fixed, 0, [LARGE // 2, -1], out=outs)),
        "variadic_split, list of outs": ([parts], lambda: fo.variadic_split(fixed[:16], 0, [8, 8], out=parts)),
        "range, out": ([out], lambda: fo.range(0, LARGE, 1, "f32", out=out)),
        "range plan, out": ([out], lambda: plan("f32", out=out)),
        "small range, out": ([few], lambda: fo.range(0, 64, 1, "f32", out=few)),
    }


def check_bytes(result: Any, first: int) -> None:
    """Check every 1021st byte of results, from byte ``first`` on: it must be a byte of a value that was written."""
    for array in result if isinstance(result, list | tuple) else [result]:
        # The other thread may still change an output: pin its memory, and look at it through a view.
        _pinned = pin(array)
        seen = np.ndarray.view(array, np.ndarray).reshape(-1).view("u1")[first::1021]
        if not WRITTEN[seen].all():
            raise AssertionError(f"bytes that nobody has written: {set(seen[~WRITTEN[seen]].tolist())}")


def hammer(name: str, seconds: float) -> tuple[int, int, int]:
    """Return how many calls of a name succeeded, how many were refused, and how many changes the other thread made.

    Raise if no call succeeds, or if the first change, which takes memory away, is never made.
    """
    arrays, call = calls()[name]
    steps = [step for array in arrays for step in changes(array)]
    changed = [0] * len(steps)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            for i, step in enumerate(steps):
                # NumPy refuses shapes that do not fit, and arrays that are in use.
                with suppress(ValueError, TypeError, AttributeError):
                    step()
                    changed[i] += 1

    made = refused = 0
    with ThreadPoolExecutor(1) as pool:
        changer = pool.submit(change)
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end or (not (made and changed[0]) and time.monotonic() < end + PATIENCE):
                try:
                    result = call()
                except fo.FastopsError:
                    refused += 1
                    continue
                made += 1
                if name not in UNCHECKED:
                    check_bytes(result, made % 1021)
        finally:
            stop.set()
        changer.result()
    assert made, f"{name}: all of {refused} calls were refused"
    assert changed[0], f"{name}: no memory was taken away, in {sum(changed)} changes"
    return made, refused, sum(changed)


def main(seconds: float, *names: str) -> None:
    sys.setswitchinterval(1e-5)
    for name in names or list(calls()):
        print(name, flush=True)
        print(*hammer(name, seconds), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
