"""Forks wait for other threads that load or compile: a child could never take the locks of such a thread."""

from __future__ import annotations

import os

import pytest

from tests.helpers.processes import run_code, run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# Forks a child, which must finish its work.
FORK = """
import os, signal, threading
import fastops as fo

def fork(work):
    child = os.fork()
    if not child:
        signal.alarm(50)
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0

def in_thread(work):
    done = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    assert done == [None]

def use():
    assert fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2]

amid, forking = threading.Event(), threading.Event()

def wait_amid():
    if threading.current_thread() is not threading.main_thread() and not forking.is_set():
        amid.set()
        forking.wait()

def fork_amid(work, fork):
    amid.clear()
    forking.clear()
    thread = threading.Thread(target=work)
    thread.start()
    amid.wait()
    fork()
    thread.join()
"""

LOADING = """
import sys
from fastops._runtime import _locks, _objects

find = _objects.find_ready
_objects.find_ready = lambda: (wait_amid(), find())[1]
load = _objects.load
_objects.load = lambda *found: (wait_amid(), load(*found))[1]
# The hook that is registered last runs first, before those that wait.
os.register_at_fork(before=forking.set)
fork_amid(use, lambda: fork(lambda: (use(), in_thread(use))))
assert "numba" not in sys.modules
print("all live")
"""


def test_a_fork_waits_for_threads_that_load() -> None:
    done = run_python("-c", FORK + LOADING)
    assert (done.returncode, done.stdout) == (0, "all live\n"), done.stderr


COMPILING = """
import numba
from numba.core import event
from fastops._runtime import _kernels, _locks, _parallel

class Listener(event.Listener):
    "Lets this thread fork while another one compiles."
    def on_start(self, _):
        wait_amid()
    def on_end(self, _):
        pass

event.register("numba:compile", Listener())
use()
from fastops._runtime import _builds
# The cache is empty.
_builds.find = _parallel.find = lambda *_: None
# The hook that is registered last runs first, before those that wait.
os.register_at_fork(before=forking.set)

def compile_own():
    assert numba.njit(lambda x: x + 1)(1) == 2

def compile_parallel():
    _kernels.link_parallel()

def use_everywhere():
    # A thread may have the number of a thread of the parent, and so its locks.
    for work in (use, compile_parallel, compile_own):
        work()
        in_thread(work)

fork_amid(compile_parallel, lambda: fork(use_everywhere))
fork_amid(compile_own, lambda: fork(use_everywhere))
for lock in (_locks.LOADING, _parallel.COMPILER_LOCK):
    with lock:
        fork(compile_own)
use_everywhere()
print("all live")
"""


def test_a_fork_waits_for_threads_that_compile() -> None:
    assert run_code(FORK + COMPILING) == "all live\n"
