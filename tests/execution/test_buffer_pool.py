"""Memory of large results is used again once nobody refers to the results, and not before."""

from __future__ import annotations

import gc
import importlib.util
import itertools
import sys
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import DEFAULT, Mock

import numpy as np
import pytest

import fastops as fo
from fastops._arrays import _outputs

N = 1 << 20


@pytest.fixture(autouse=True)
def no_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_outputs, "_blocks", deque())


def copy_of(data: Any) -> Any:
    return fo.slice(data, [0], [len(data)])


def allocate(n: int) -> Any:
    return _outputs.allocate((n,), np.dtype(np.uint8))


def test_a_dropped_result_gives_its_memory_to_the_next_one() -> None:
    data = np.arange(N, dtype=np.int32)
    address = copy_of(data).ctypes.data
    results = [copy_of(data) for _ in range(4)]
    assert results[0].ctypes.data == address
    np.testing.assert_array_equal(results[0], data)
    # With several free blocks, each call takes the one that was used last.
    last = results[-1].ctypes.data
    results.clear()
    assert [copy_of(data).ctypes.data for _ in range(3)] == [last] * 3


@pytest.mark.parametrize(
    "keep",
    [
        lambda result: result,
        lambda result: result[::-1].reshape(4, -1).T.view("u4"),
        lambda result: memoryview(result)[3:],
        lambda result: np.frombuffer(result, "u1")[-1:],
        lambda result: result.view(np.recarray)[2:4],
    ],
)
def test_what_shows_a_result_keeps_its_memory(keep: Any) -> None:
    kept = keep(copy_of(np.full(N, 7, np.int32)))
    before, own = np.array(kept), _outputs._blocks[0].ctypes.data
    others = [copy_of(np.full(N, 9, np.int32)) for _ in range(3)]
    np.testing.assert_array_equal(np.array(kept), before)
    del kept
    gc.collect()
    assert copy_of(others[0]).base.ctypes.data == own


def test_blocks_are_used_for_results_of_about_their_size() -> None:
    for n, is_used in ((N, True), (N - N // 8, True), (N // 2, False), (N + 1, False)):
        _outputs._blocks.clear()
        address = _outputs.take_block(N)[0].ctypes.data
        assert (_outputs.take_block(n)[0].ctypes.data == address) is is_used, n


def trace(frame: Any, _event: str, _argument: Any) -> Any:
    """Keep the values of variables, as a debugger does."""
    frame.f_locals  # noqa: B018
    return trace


COUNT = sys.getrefcount
# Counts of references that interpreters may give: a call of a function adds more or fewer references.
KEPT: list[tuple[Any, Any]] = [
    (COUNT, None),
    (COUNT, trace),
    (lambda x: COUNT(x) - 2, None),
    (lambda x: COUNT(x) + 5, None),
]
# Counts that do not grow by one with each reference.
NOT_KEPT: list[tuple[Any, Any]] = [(lambda _: 7, None), (lambda x: 7 * COUNT(x), None)]


@pytest.mark.parametrize(("count", "tracer"), KEPT + NOT_KEPT)
def test_memory_is_kept_by_what_is_counted_when_nobody_has_it(
    count: Any, tracer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The module counts references during its import, so import it once more, under another name.
    monkeypatch.setattr(sys, "getrefcount", count)
    spec: Any = importlib.util.spec_from_file_location("buffer_pool_of_its_own", str(_outputs.__file__))
    pool = importlib.util.module_from_spec(spec)
    before = sys.gettrace()
    sys.settrace(tracer or before)
    try:
        spec.loader.exec_module(pool)
    finally:
        sys.settrace(before)
    assert pool.is_pooled(N) is ((count, tracer) in KEPT)
    if pool.is_pooled(N):
        one, two = pool.take_block(N)[0], pool.take_block(N)[0]
        address = two.ctypes.data
        assert not np.shares_memory(one, two)
        del two
        assert pool.take_block(N)[0].ctypes.data == address != one.ctypes.data


def test_large_results_begin_with_a_cache_line_and_small_ones_own_their_memory() -> None:
    assert all(copy_of(np.zeros(N, dtype)).ctypes.data % 64 == 0 for dtype in ("u1", "f4", "c16", "V3"))
    assert all(copy_of(small).flags.owndata for small in (np.zeros(1000), np.zeros(N - 1, np.uint8)))


def test_the_memory_kept_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_outputs, "KEEP_BYTES", 3 * (N + 64))
    results = [allocate(N) for _ in range(5)]
    assert len(_outputs._blocks) == 3
    assert not any(np.shares_memory(*pair) for pair in itertools.combinations(results, 2))
    assert not _outputs.is_pooled(3 * N + 193)
    assert allocate(3 * N + 193).flags.owndata
    # With KEEP_BYTES 0, the pool keeps nothing.
    _outputs._blocks.clear()
    monkeypatch.setattr(_outputs, "KEEP_BYTES", 0)
    assert copy_of(np.zeros(N)).flags.owndata
    assert not _outputs._blocks


def test_threads_never_share_a_block() -> None:
    def work(k: int) -> None:
        for _ in range(200):
            mine = allocate(N)
            mine[:: N // 16] = k
            allocate(N)[:: N // 16] = 255
            assert (mine[:: N // 16] == k).all()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))


def test_a_locked_block_gives_results_that_can_be_written() -> None:
    locked = copy_of(np.zeros(N, np.int32))
    while locked is not None:
        locked.flags.writeable = False
        locked = locked.base
    assert copy_of(np.ones(N, np.int32)).flags.writeable


@pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")
def test_a_block_that_was_changed_is_not_used_again() -> None:
    data = np.arange(N, dtype=np.int32)
    for name, value in (("strides", (0,)), ("dtype", f"V{4 * N + 64}"), ("shape", (2, -1))):
        result = copy_of(data)
        block = result.base
        del result
        setattr(block, name, value)
        del block
        for _ in range(2):
            np.testing.assert_array_equal(copy_of(data), data, err_msg=name)


def test_who_remembers_a_block_sees_no_later_result() -> None:
    remembered = weakref.ref(copy_of(np.ones(N, np.int32)).base)
    later = copy_of(np.zeros(N, np.int32))
    assert remembered() is None
    assert not later.any()


def test_free_blocks_are_given_back_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    copy_of(np.zeros(N))
    outcomes = itertools.chain([MemoryError()], itertools.repeat(DEFAULT))
    monkeypatch.setattr(np, "empty", Mock(wraps=np.empty, side_effect=outcomes))
    assert allocate(4 * N).shape == (4 * N,)
    assert len(_outputs._blocks) == 1
