"""What fastops takes of Numba beyond its documentation: a release that moves any of it fails here, by its name."""

from __future__ import annotations

import ctypes
import inspect
import pickle
import threading
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import caching, compiler_lock

from fastops._runtime import _numba_internals as internals

SIGNATURE = numba.int64(numba.int64)


def add_one(n: int) -> int:
    return n + 1


@pytest.fixture(scope="module")
def dispatcher() -> Any:
    """A tiny compiled function."""
    return numba.njit([SIGNATURE])(add_one)


def test_the_lock_is_the_one_that_numba_compiles_under() -> None:
    lock = internals.COMPILER_LOCK
    assert type(lock) is type(threading.RLock()), "numba.core.compiler_lock.global_compiler_lock._lock is no RLock"
    taken: list[bool] = []

    def take() -> None:
        taken.append(lock.acquire(timeout=0.01))
        if taken[-1]:
            lock.release()

    def take_elsewhere() -> bool:
        thread = threading.Thread(target=take)
        thread.start()
        thread.join()
        return taken[-1]

    with compiler_lock.global_compiler_lock:
        assert lock.acquire(timeout=1), "the thread that has it cannot take it again"
        lock.release()
        assert not take_elsewhere(), "Numba takes another lock to compile"
    assert take_elsewhere()


def test_numba_compiles_under_the_lock() -> None:
    compiled = threading.Event()

    def work() -> None:
        numba.njit([SIGNATURE])(add_one)
        compiled.set()

    thread = threading.Thread(target=work)
    with internals.COMPILER_LOCK:
        thread.start()
        assert not compiled.wait(0.5), "Numba has compiled while another thread had the lock"
    thread.join(60)
    assert compiled.is_set()


def test_the_cache_of_a_function_is_made_of_these_parts() -> None:
    assert internals.FunctionCache._impl_class is internals.CompileResultCacheImpl
    assert internals.UserProvidedCacheLocator in internals.CompileResultCacheImpl._locator_classes
    cache = internals.FunctionCache(add_one)
    assert {"_impl", "_cache_file"} <= set(vars(cache)), "the cache keeps what makes it up by other names"
    assert isinstance(cache._impl, internals.CompileResultCacheImpl)
    for method in ("load_overload", "save_overload", "_guard_against_spurious_io_errors"):
        assert callable(getattr(internals.FunctionCache, method, None)), f"a cache has no {method}"
    for method in ("load", "save"):
        assert callable(getattr(cache._cache_file, method, None)), f"its file has no {method}"
    assert list(inspect.signature(type(cache._cache_file).load).parameters) == ["self", "key"]
    assert list(inspect.signature(type(cache._cache_file).save).parameters) == ["self", "key", "data"]


def test_the_locator_is_asked_for_these() -> None:
    locator = internals.UserProvidedCacheLocator
    assert list(inspect.signature(locator.from_function).parameters) == ["py_func", "py_file"]
    assert list(inspect.signature(locator.__init__).parameters) == ["self", "py_func", "py_file"]
    for method in ("ensure_cache_path", "get_cache_path", "get_source_stamp", "get_disambiguator"):
        assert callable(getattr(locator, method, None)), f"a locator has no {method}"


def test_reading_and_writing_go_through_the_file_and_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Files:
        def load(self, key: Any) -> Any:
            asked.append(f"load {hash(repr(key))}")

        def save(self, key: Any, data: Any) -> None:
            asked.append(f"save {hash(repr(key))}")
            made = pickle.loads(internals.dumps(data))
            assert len(made) == len(data)

    class Impl(internals.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, caching.UserWideCacheLocator)

    class Cache(internals.FunctionCache):  # type: ignore[misc]
        _impl_class = Impl

        def _guard_against_spurious_io_errors(self) -> Any:
            asked.append("guard")
            return super()._guard_against_spurious_io_errors()

    made: Any = numba.njit(add_one)
    cache = Cache(add_one)
    monkeypatch.setattr(cache, "_cache_file", Files())
    made._cache = cache
    made.compile(SIGNATURE)
    key = asked[1].removeprefix("load ")
    assert asked == ["guard", f"load {key}", "guard", f"save {key}"], "a dispatcher asks its `_cache` in another way"
    assert sum(made.stats.cache_hits.values()) == 0
    assert made(1) == 2


def test_a_directory_of_the_user() -> None:
    directory = internals.AppDirs("fastops", appauthor=False).user_cache_dir
    assert Path(directory).name == "fastops"


def test_the_entry_point_takes_arguments_by_position(dispatcher: Any) -> None:
    assert internals.entry_point_of(dispatcher, SIGNATURE)(41) == 42


def test_the_address_is_that_of_machine_code(dispatcher: Any) -> None:
    code, address = internals.code_of(dispatcher, SIGNATURE)
    assert code is dispatcher.overloads[SIGNATURE.args]
    # Numba's own convention: where the result goes, where an exception goes, then the arguments.
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2, ctypes.c_int64)(address)
    result, raised = ctypes.c_int64(), ctypes.c_void_p()
    assert function(ctypes.addressof(result), ctypes.addressof(raised), 41) == 0
    assert result.value == 42


@pytest.mark.parametrize("count", range(1, min(numba.config.NUMBA_NUM_THREADS, 3) + 1))
def test_the_number_of_threads_is_numbas(count: int) -> None:
    before = numba.get_num_threads()
    numba.set_num_threads(count)
    try:
        assert internals.thread_counter()() == numba.get_num_threads() == count
    finally:
        numba.set_num_threads(before)


def test_the_number_of_threads_is_read_without_locks() -> None:
    assert hasattr(numba.np.ufunc.parallel, "_get_num_threads"), "numba.np.ufunc.parallel._get_num_threads is gone"
