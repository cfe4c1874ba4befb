"""Calls in one thread, and changes of their arrays in another: to be run in a process of its own, which may crash.

``python -m tests._hammer SECONDS [NAME ...]`` makes each call, or those that are named, for so many seconds. Values may
be anything; only errors of fastops may come out.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import fastops as fo

Array = np.ndarray[Any, Any]

# Large enough for the system to take the memory back at once, so that who still uses it crashes.
LARGE = 1 << 22
SMALL = 16


def changes(array: Array | list[Array]) -> list[Callable[[], Any]]:
    """What another thread does to an array, or to a list: it is what it was when it is done, if nobody says no."""
    if isinstance(array, list):
        return [lambda: array.append(array[0]), array.pop]
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


def change(arrays: list[Any], stop: threading.Event) -> None:
    steps = [each for array in arrays for each in changes(array)]
    while not stop.is_set():
        for step in steps:
            try:
                step()
            except (ValueError, TypeError, AttributeError):
                # NumPy says no: another shape would not fit, or the array is in use.
                continue


def _data(n: int = LARGE) -> Array:
    return np.zeros(n, "f4")


def calls() -> dict[str, tuple[list[Any], Callable[[], Any]]]:
    """Return for each name the arrays that change, and a call that uses them."""
    data, out = _data(), _data()
    fixed = np.zeros(LARGE, "f4")
    whole = fo.plan.slice((LARGE,), [LARGE - 1], [LARGE], [-1])
    small = fo.plan.slice((LARGE,), [LARGE - 64], [64])
    outs = [_data(LARGE // 2), _data(LARGE // 2)]
    few, parts = _data(64), [_data(8), _data(8)]
    plan = fo.plan.range(0, LARGE, 1, "f32")
    return {
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


def hammer(arrays: list[Any], call: Callable[[], Any], seconds: float) -> tuple[int, int]:
    """Return how many calls were made, and how many refused, while another thread changed their arrays."""
    stop = threading.Event()
    other = threading.Thread(target=change, args=(arrays, stop), daemon=True)
    other.start()
    end = time.monotonic() + seconds
    made = refused = 0
    while time.monotonic() < end:
        try:
            call()
            made += 1
        except fo.FastopsError:
            refused += 1
    stop.set()
    other.join()
    return made, refused


def main(seconds: float, *names: str) -> None:
    sys.setswitchinterval(1e-5)
    for name in names or list(calls()):
        print(name, flush=True)
        print(*hammer(*calls()[name], seconds), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
