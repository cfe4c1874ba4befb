"""What fastops takes of Numba beyond its documentation: a release that moves any of it fails here, by its name.

What it takes of Numba's cache is used by the tests of the cache of kernels.
"""

from __future__ import annotations

import ctypes
import threading

import numba
from numba.core import event

from fastops._runtime import _numba_internals as internals

SIGNATURE = numba.int64(numba.int64)


def add_one(n: int) -> int:
    return n + 1


def test_numba_compiles_under_the_lock() -> None:
    taken: list[bool] = []

    def take() -> None:
        taken.append(internals.COMPILER_LOCK.acquire(blocking=False))
        if taken[-1]:
            internals.COMPILER_LOCK.release()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _event: object) -> None:
            take()
            thread = threading.Thread(target=take)
            thread.start()
            thread.join()

        def on_end(self, _event: object) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        numba.njit([SIGNATURE])(add_one)
    assert taken == [True, False], "its thread must be able to take the lock again, and no other one to take it"


def test_compiled_functions_are_called_by_their_entry_point_and_their_address() -> None:
    dispatcher = numba.njit([SIGNATURE])(add_one)
    assert internals.entry_point_of(dispatcher, SIGNATURE)(41) == 42
    code, address = internals.code_of(dispatcher, SIGNATURE)
    assert code is dispatcher.overloads[SIGNATURE.args]
    # Numba's own convention: where the result goes, where an exception goes, then the arguments.
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2, ctypes.c_int64)(address)
    result, raised = ctypes.c_int64(), ctypes.c_void_p()
    assert (function(ctypes.addressof(result), ctypes.addressof(raised), 41), result.value) == (0, 42)


def test_the_number_of_threads_is_that_of_the_calling_thread_and_is_read_without_locks() -> None:
    before = numba.get_num_threads()
    try:
        for count in range(1, before + 1):
            numba.set_num_threads(count)
            assert internals.thread_counter()() == numba.get_num_threads() == count
    finally:
        numba.set_num_threads(before)
    assert hasattr(numba.np.ufunc.parallel, "_get_num_threads"), "numba.np.ufunc.parallel._get_num_threads is gone"
