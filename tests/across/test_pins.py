"""Pins: NumPy resizes no array that a call reads or writes, nor what it is a view of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute, _range_call, _traced_calls
from fastops._runtime import _kernels
from fastops.ops import _range

Array = np.ndarray[Any, Any]


class Derived(np.ndarray):
    """A subclass, which a call views as an ndarray."""


def watch_runs(owner: Array, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list of the runs of kernels from now on; each must find that an array cannot be resized."""
    runs: list[Any] = []
    for module in (_execute, _traced_calls):
        for name in BEFORE_RUNS:
            monkeypatch.setattr(module, name, watched(name, runs, owner))
    return runs


# What is asked right before a kernel runs that gives the GIL up, or runs it.
BEFORE_RUNS = ("workers_in_compiled_code", "run_kernel")


def watched(name: str, runs: list[Any], *arrays: Array) -> Callable[..., Any]:
    """Return a function of `_kernels` that finds first that arrays cannot be resized."""
    function = getattr(_kernels, name)

    def run_watched(*arguments: Any) -> Any:
        for array in arrays:
            with pytest.raises(ValueError, match="cannot resize"):
                array.resize(1, refcheck=False)
        runs.append(name)
        return function(*arguments)

    return run_watched


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_what_data_views_is_pinned_too(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = np.ndarray.__new__(Derived, (n,), np.float64)
    owner[...] = 5
    runs = watch_runs(owner, monkeypatch)
    plan = fo.plan.slice((n,), [n - 1], [n], [-1])
    calls = [lambda data: fo.slice(data, [0], [n]), lambda data: fo.strided_slice(data, [0], [n], [2]), plan]
    for call in calls:
        for data in (owner, owner[:], owner.view(np.ndarray), owner.view(np.ndarray)[::-1]):
            assert set(call(data).tolist()) == {5.0}
            assert runs
            runs.clear()


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_what_out_views_is_pinned_too(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data, owner = np.full(n, 5.0), np.zeros(n)
    runs = watch_runs(owner, monkeypatch)
    plan = fo.plan.slice((n,), [n - 1], [n], [-1])
    calls = [
        lambda out: fo.slice(data, [0], [n], out=out),
        lambda out: fo.variadic_split(data, 0, [3, n - 3], out=[np.zeros(3), out[3:]]),
        lambda out: plan(data, out=out),
    ]
    for call in calls:
        for out in (owner, owner[:], owner[::-1], owner.view(Derived)):
            owner[...] = 0
            call(out)
            assert np.count_nonzero(owner) >= n - 3
            assert runs
            runs.clear()


def test_memory_behind_a_buffer_is_pinned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = np.full(1 << 17, 5, np.uint8)
    runs = watch_runs(owner, monkeypatch)
    for data in (np.frombuffer(owner, np.uint8), np.frombuffer(memoryview(memoryview(owner)[5:]), np.uint8)):
        assert set(fo.slice(data, [0], [1 << 16]).tolist()) == {5}
        assert runs
        runs.clear()


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_arrays_are_pinned_while_a_kernel_runs(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out, numbers = np.zeros(n), np.zeros(n), np.zeros(n, "f4")
    runs: list[Any] = []
    plan = fo.plan.slice((n,), [n - 1], [n], [-1])
    for _ in range(2):
        plan(data, out)
        fo.range(0, n, 1, "f32", out=numbers)
    prepared = _range._OPERATOR._find(0, n, 1, "f32")
    calls = [
        lambda: plan(data),
        lambda: plan(data, out),
        lambda: fo.range(0, n, 1, "f32", out=numbers),
        lambda: fo.slice(data, [0], [n]),
        lambda: fo.strided_slice(data, [0], [n], out=out),
        lambda: fo.variadic_split(data, 0, [n], out=[out]),
        lambda: fo.slice(list(data), [0], [n], out=out),
        lambda: fo.plan.RangePlan(0, 1, n)("f32", out=numbers),
    ]
    watching: list[tuple[Array, ...]]
    watching = [(data,), (data, out), (numbers,), (data,), (data, out), (data, out), (out,), (numbers,)]
    for call, arrays in zip(calls, watching, strict=True):
        with monkeypatch.context() as patch:
            for module in (_execute, _traced_calls):
                for name in BEFORE_RUNS:
                    patch.setattr(module, name, watched(name, runs, *arrays))
            patch.setattr(_range_call, "run_kernel", watched("run_kernel", runs, *arrays))
            if prepared.run_small is not None:
                monkeypatch.setattr(_kernels, "run_small", prepared.run_small, raising=False)
                patch.setattr(prepared, "run_small", watched("run_small", runs, *arrays))
            call()
        assert runs
        runs.clear()
