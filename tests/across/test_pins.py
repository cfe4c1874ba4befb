"""Holds: NumPy resizes no array that a call reads or writes, nor what it is a view of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute, _range_call
from fastops._runtime import _kernels
from fastops.ops import _range
from tests.helpers.hostile_values import FillHook

Array = np.ndarray[Any, Any]


class Derived(np.ndarray):
    """A subclass, which a call views as an ndarray."""


def watch_runs(owner: Array, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list of the kernels that run from now on; each must find that an array cannot be resized."""
    runs: list[Any] = []

    def run_watched(*arguments: Any) -> None:
        with pytest.raises(ValueError, match="cannot resize"):
            owner.resize(1, refcheck=False)
        runs.append(arguments)
        _kernels.run_kernel(*arguments)

    monkeypatch.setattr(_execute, "run_kernel", run_watched)
    return runs


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_what_data_views_is_held_too(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = np.ndarray.__new__(Derived, (n,), np.float64)
    owner[...] = 5
    runs = watch_runs(owner, monkeypatch)
    plan = fo.plan.slice((n,), [n - 1], [n], [-1])
    calls = [lambda data: fo.slice(data, [0], [n]), lambda data: fo.strided_slice(data, [0], [n], [2]), plan]
    for call in calls:
        for data in (owner, owner[:], owner.view(np.ndarray), owner.view(np.ndarray)[::-1]):
            assert set(call(data).tolist()) == {5.0}
    assert len(runs) == 4 * len(calls)


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_what_out_views_is_held_too(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert len(runs) == 4 * len(calls)


def test_memory_behind_a_buffer_is_held_too(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = np.full(1 << 17, 5, np.uint8)
    runs = watch_runs(owner, monkeypatch)
    for data in (np.frombuffer(owner, np.uint8), np.frombuffer(memoryview(memoryview(owner)[5:]), np.uint8)):
        assert set(fo.slice(data, [0], [1 << 16]).tolist()) == {5}
    assert len(runs) == 2


@pytest.mark.parametrize("n", [1 << 14, 1 << 18])
def test_arrays_are_held_while_a_kernel_runs(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out, numbers = np.zeros(n), np.zeros(n), np.zeros(n, "f4")
    runs = []

    def watched(run: Callable[..., Any], *arrays: Array) -> Callable[..., Any]:
        def run_watched(*arguments: Any) -> Any:
            for array in arrays:
                with pytest.raises(ValueError, match="cannot resize"):
                    array.resize(1, refcheck=False)
            runs.append(arrays)
            return run(*arguments)

        return run_watched

    plan = fo.plan.slice((n,), [n - 1], [n], [-1])
    for _ in range(2):
        plan(data, out)
        fo.range(0, n, 1, "f32", out=numbers)
    launch = _range._operator._find(0, n, 1, "f32")
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
            for module in (_execute, _range_call):
                patch.setattr(module, "run_kernel", watched(_kernels.run_kernel, *arrays))
            if launch.run_small is not None:
                patch.setattr(launch, "run_small", watched(launch.run_small, *arrays))
            call()
    assert len(runs) == len(calls)


# Freed memory of this size goes back to the system: who reads or writes it does not live on.
MAPPED = 1 << 25


class Given:
    """Data that is given by a hook: a view of an array."""

    def __init__(self, owner: Array) -> None:
        self.owner = owner

    def __array__(self, *_: Any, **__: Any) -> Array:
        return self.owner[:]


class Index:
    """An index of 0 whose reading does something else besides."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def __index__(self) -> int:
        self.act()
        return 0


class Hashed(Index):
    """An index whose hash does something else besides, before anybody knows what it is."""

    def __hash__(self) -> int:
        self.act()
        return 0

    def __index__(self) -> int:
        return 0


class Numbers(list[Any]):
    """A list whose reading does something else besides."""

    act: Callable[[], Any] = staticmethod(lambda: None)

    def __iter__(self) -> Any:
        self.act()
        return super().__iter__()


class Start(float):
    """A number likewise."""

    act: Callable[[], Any]

    def __float__(self) -> float:
        self.act()
        return 0.0


class Type:
    """A number type whose reading hashes an index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    @property
    def dtype(self) -> np.dtype[Any]:
        hash(self.index)
        return np.dtype("f8")


N_MAPPED = MAPPED // 8
PAD = fo.plan.slice((N_MAPPED,), [-1], [N_MAPPED], mode="fill")


def read_start(act: Callable[[], Any], out: Array) -> Any:
    start = Start(0)
    start.act = act
    return fo.range(start, N_MAPPED, 1, "f64", out=out)


def read_outs(act: Callable[[], Any], view: Array) -> Any:
    outs = Numbers([np.empty(N_MAPPED)])
    outs.act = act
    return fo.variadic_split(view, 0, [N_MAPPED], out=outs)


# Calls with a view of an array, beside which a hook resizes the array: by what runs it.
RESIZING: dict[str, Callable[[Callable[[], Any], Array, Array], Any]] = {
    "an index": lambda act, view, _: fo.slice(view, [Index(act)], [N_MAPPED]),
    "an index, into a view": lambda act, view, own: fo.slice(own, [Index(act)], [N_MAPPED], out=view),
    "an index of a crop": lambda act, view, _: fo.strided_slice(view, [Index(act)], [N_MAPPED]),
    "an index of a view": lambda act, view, _: fo.strided_slice(view, [Index(act)], [N_MAPPED], copy=None)[:9].copy(),
    "an index, data from a hook": lambda act, view, _: fo.slice(Given(view.base), [Index(act)], [N_MAPPED]),
    "an axis": lambda act, view, _: fo.variadic_split(view, Index(act), [N_MAPPED]),
    "a length": lambda act, view, own: fo.variadic_split(own, 0, [Index(act), N_MAPPED], out=[view[:0], view]),
    "a list of outs": lambda act, view, _: read_outs(act, view),
    "a fill value": lambda act, view, _: fo.slice(view, [-1], [N_MAPPED], mode="fill", fill_value=FillHook(act)),
    "a fill value, into a view": lambda act, view, own: fo.slice(
        own, [-1], [N_MAPPED], mode="fill", fill_value=FillHook(act), out=view
    ),
    "a fill value of a plan": lambda act, view, _: PAD(view, fill_value=FillHook(act)),
    "a fill value of a plan, into a view": lambda act, view, own: PAD(own, fill_value=FillHook(act), out=view),
    "a fill value of a plan, data from a hook": lambda act, view, _: PAD(Given(view.base), fill_value=FillHook(act)),
    "a start, into a view": lambda act, view, _: read_start(act, view),
}


@pytest.mark.parametrize("what", RESIZING)
def test_what_arrays_view_cannot_be_resized_by_a_hook(what: str) -> None:
    owner, own = np.full(N_MAPPED, 5.0), np.ones(N_MAPPED)
    # Beyond the first call, attributes are known.
    fo.slice(owner[:], [-1], [N_MAPPED], mode="fill")
    fo.slice(owner, [-1], [N_MAPPED], mode="fill", out=own)
    resized = []

    def resize() -> None:
        # Arrays that own their memory may be resized until a kernel runs.
        with pytest.raises(ValueError, match="cannot resize"):
            owner.resize(1, refcheck=False)
        resized.append(what)

    RESIZING[what](resize, owner[:], own)
    assert resized
    assert owner.shape == (N_MAPPED,)


@pytest.mark.parametrize("size", [0, 1, 2 * N_MAPPED])
def test_what_was_resized_under_a_view_is_an_error(size: int) -> None:
    calls: list[Callable[[Any, Array, Array], Any]] = [
        lambda index, view, _: fo.slice(view, [index], [N_MAPPED]),
        lambda index, view, own: fo.slice(own, [index], [N_MAPPED], out=view),
        lambda index, view, _: fo.strided_slice(view, [index], [N_MAPPED]),
        lambda index, view, own: fo.strided_slice(own, [index], [N_MAPPED], out=view[:]),
        lambda index, view, _: fo.strided_slice(view, [index], [N_MAPPED], copy=False),
        lambda index, view, _: fo.variadic_split(view, 0, [index, N_MAPPED]),
        lambda index, view, own: fo.variadic_split(own, 0, [index, N_MAPPED], out=[np.empty(0), view]),
        lambda index, view, own: fo.variadic_split(own, 0, [index, N_MAPPED], out=Numbers([np.empty(0), view])),
        lambda index, view, _: fo.range(0, N_MAPPED, 1, Type(index), out=view),
        lambda index, view, _: fo.plan.RangePlan(0, 1, N_MAPPED)(Type(index), out=view),
        lambda index, view, _: fo.range(index, N_MAPPED, 1, "f64", out=view),
    ]
    for k, call in enumerate(calls):
        owner, own = np.full(N_MAPPED, 5.0), np.ones(N_MAPPED)
        index = Hashed(lambda: owner.resize(size, refcheck=False))  # noqa: B023
        rule = "be a view of memory that is still there"
        with pytest.raises(fo.FastopsError, match=rule if k < len(calls) - 1 else "a view of memory|a real number"):
            call(index, owner[:], own)
