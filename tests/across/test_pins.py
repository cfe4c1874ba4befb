"""Pins: NumPy resizes no array that a call reads or writes, nor what it is a view of, until the call is over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any
from weakref import getweakrefcount

import numba
import numpy as np
import pytest

import fastops as fo
from fastops._arrays._pins import pin

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


def test_what_data_views_is_pinned_too() -> None:
    owner = np.ndarray.__new__(Derived, (N,), np.float64)
    owner[...] = 5
    out = np.zeros(N)
    plan = fo.plan.slice((N,), [N - 1], [N], [-1])
    calls = [lambda data: fo.slice(data, [0], [N], out=out), lambda data: fo.strided_slice(data, [0], [N], [2]), plan]
    for call in calls:
        for data in (owner, owner[:], owner.view(np.ndarray), owner.view(np.ndarray)[::-1]):
            assert are_pinned(lambda call=call, data=data: call(data), owner)  # type: ignore[misc]
            assert set(call(data)[::9999].tolist()) == {5.0}


def test_what_out_views_is_pinned_too() -> None:
    data, owner = np.full(N, 5.0), np.zeros(N)
    plan = fo.plan.slice((N,), [N - 1], [N], [-1])
    calls = [
        lambda out: fo.slice(data, [0], [N], out=out),
        lambda out: fo.variadic_split(data, 0, [3, N - 3], out=[np.zeros(3), out[3:]]),
        lambda out: plan(data, out=out),
    ]
    for call in calls:
        for out in (owner, owner[:], owner[::-1], owner.view(Derived)):
            owner[...] = 0
            assert are_pinned(lambda call=call, out=out: call(out), owner)  # type: ignore[misc]
            assert np.count_nonzero(owner) >= N - 3


def test_memory_behind_a_buffer_is_pinned_too() -> None:
    owner = np.full(8 * N, 5, np.uint8)
    for data in (np.frombuffer(owner, np.uint8), np.frombuffer(memoryview(memoryview(owner)[5:]), np.uint8)):
        assert are_pinned(lambda data=data: fo.slice(data, [0], [7 * N]), owner)  # type: ignore[misc]
        assert set(fo.slice(data, [0], [7 * N])[::9999].tolist()) == {5}


def test_arrays_are_pinned_while_a_kernel_runs() -> None:
    data, out, numbers = np.zeros(N), np.zeros(N), np.zeros(4 * N, "f4")
    plan = fo.plan.slice((N,), [N - 1], [N], [-1])
    ranges = fo.plan.RangePlan(0, 1, 4 * N)
    calls: list[tuple[Callable[[], Any], tuple[Array, ...]]] = [
        (lambda: plan(data), (data,)),
        (lambda: plan(data, out), (data, out)),
        (lambda: fo.range(0, 4 * N, 1, "f32", out=numbers), (numbers,)),
        (lambda: fo.slice(data, [0], [N]), (data,)),
        (lambda: fo.strided_slice(data, [0], [N], out=out), (data, out)),
        (lambda: fo.variadic_split(data, 0, [N], out=[out]), (data, out)),
        (lambda: fo.slice(data.astype(">f8"), [0], [N], out=out.view(">f8")), (out,)),
        (lambda: ranges("f32", out=numbers), (numbers,)),
    ]
    for call, arrays in calls:
        assert are_pinned(call, *arrays)
