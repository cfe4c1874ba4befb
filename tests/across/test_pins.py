"""Pins: NumPy resizes no array that a call reads or writes, nor what it is a view of, until the call is over."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from weakref import getweakrefcount

import numba
import numpy as np
import pytest

import fastops as fo
from fastops._arrays._outputs import pin

Array = np.ndarray[Any, Any]

# Kernels run for milliseconds, so that another thread looks meanwhile; on a busy machine at one of so many calls.
N = 1 << 21
CALLS = 1000


class Derived(np.ndarray):
    """A subclass, which a call views as an ndarray."""


@pytest.fixture(autouse=True, params=[1, None], ids=["one_thread", "all_threads"])
def _threads(request: pytest.FixtureRequest) -> Iterator[None]:
    before = numba.get_num_threads()
    numba.set_num_threads(request.param or before)
    yield
    numba.set_num_threads(before)


def are_pinned(call: Callable[[], Any], *owners: Array) -> bool:
    """True if another thread finds all arrays pinned during a call, one of several, and none after it."""
    seen, is_over = threading.Event(), threading.Event()

    def look() -> None:
        while not is_over.is_set():
            if all([getweakrefcount(owner) for owner in owners]):
                seen.set()

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(CALLS):
            call()
            if seen.is_set():
                break
    finally:
        is_over.set()
        watcher.join()
    return seen.is_set() and not any([getweakrefcount(owner) for owner in owners])


def test_a_pinned_array_is_not_resized() -> None:
    owner = np.zeros(9)
    pinned = pin(owner[1:])
    with pytest.raises(ValueError, match="cannot resize"):
        owner.resize(1, refcheck=False)
    del pinned
    owner.resize(1, refcheck=False)


def test_all_memory_of_a_call_is_pinned_while_it_runs() -> None:
    plan, ranges = fo.plan.slice((N,), [N - 1], [N], [-1]), fo.plan.RangePlan(0, 1, N)
    data, out = np.full(N, 5.0), np.zeros(N)
    derived = np.ndarray.__new__(Derived, (N,), np.float64)
    derived[...] = 5
    reads: list[Callable[[Array], Any]] = [
        partial(fo.slice, start=[0], size=[N], out=out),
        partial(fo.slice, start=[0], size=[N]),
        partial(fo.strided_slice, begin=[0], end=[N], strides=[2]),
        plan,
    ]
    # What data is a view of, or a buffer of.
    shown = [derived, derived[:], derived.view(np.ndarray), derived.view(np.ndarray)[::-1], np.frombuffer(derived)]
    shown.append(np.frombuffer(memoryview(memoryview(derived))))
    for read, array in itertools.product(reads, shown):
        assert are_pinned(partial(read, array), derived)
        assert set(read(array)[::9999].tolist()) == {5.0}
    writes: list[Callable[[Array], Any]] = [
        lambda out: fo.slice(data, [0], [N], out=out),
        lambda out: fo.slice(data.astype(">f8"), [0], [N], out=out.view(">f8")),
        lambda out: fo.strided_slice(data, [0], [N], out=out),
        lambda out: fo.variadic_split(data, 0, [3, N - 3], out=[np.zeros(3), out[3:]]),
        lambda out: fo.range(1, N + 1, 1, "f64", out=out),
        lambda out: ranges("f64", out=out),
        lambda out: plan(data, out=out),
    ]
    for write, given in itertools.product(writes, (out, out[:], out[::-1], out.view(Derived))):
        out[...] = 0
        assert are_pinned(partial(write, given), out)
        assert np.count_nonzero(out) >= N - 3
