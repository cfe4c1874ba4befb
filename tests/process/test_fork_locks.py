"""Forks wait for the locks that a child could never take: those of who compiles or imports in another thread."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.processes import run_code, run_python
from tests.helpers.torture import scale

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# A fork beside `thread`, whose child runs a kernel.
FORK = """
child = os.fork()
if child == 0:
    os._exit(0 if fo.range(0, 4, 1, "i32").tolist() == [0, 1, 2, 3] else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
print("both live")
"""

FORK_WHILE = """
import threading, time
from fastops._runtime import _kernels
thread = threading.Thread(target=lambda: _kernels.compile_kernel("fill_range"))
thread.start()
while {waits}:
    time.sleep(0.001)
"""


@pytest.mark.parametrize("waits", ['"numba" not in sys.modules', '"fastops.kernels._range" not in sys.modules'])
def test_a_fork_while_another_thread_compiles(waits: str, tmp_path: Path) -> None:
    assert run_code(FORK_WHILE.format(waits=waits) + FORK, NUMBA_CACHE_DIR=str(tmp_path)) == "both live\n"


# The child cannot ask Numba, whose lock a thread of its parent has, to compile for it.
FORK_BESIDE_THE_USERS_COMPILATION = """
import os, threading, time
import numba, numpy as np, fastops as fo
stop = threading.Event()
def work():
    while not stop.is_set():
        @numba.njit
        def sort(x):
            return np.sort(x), x.sum()
        sort(np.arange(5.0))
{before}
thread = threading.Thread(target=work)
thread.start()
time.sleep(0.5)
threading.Timer(0.2, stop.set).start()
"""


@pytest.mark.parametrize("before", ["fo.slice(np.arange(5), [1], [2])", ""])
def test_a_fork_while_another_thread_compiles_code_of_the_users(before: str) -> None:
    done = run_python("-c", FORK_BESIDE_THE_USERS_COMPILATION.format(before=before) + FORK)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_THAT_IS_WAITED_FOR = """
import threading
from fastops._process import _forks
_forks._MOST_SECONDS = 1
taken, forked = threading.Event(), threading.Event()
def keep():
    with _forks.compiler_lock().taken():
        taken.set()
        forked.wait()
thread = threading.Thread(target=keep)
thread.start()
taken.wait()
child = os.fork()
if not child:
    os._exit(0)
forked.set()
assert os.waitpid(child, 0)[1] == 0
thread.join()
assert fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2]
child = os.fork()
if not child:
    os._exit(0 if fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2] else 1)
assert os.waitpid(child, 0)[1] == 0
print("went on")
"""


def test_a_fork_that_who_compiles_waits_for_goes_on() -> None:
    assert run_code(FORK_THAT_IS_WAITED_FOR) == "went on\n"


# A child has no use for the locks that the fork has waited for: any of its threads may take them.
FIRST_USE_IN_A_THREAD = """
import os, threading
import fastops as fo
{before}
child = os.fork()
if not child:
    results = []
    thread = threading.Thread(target=lambda: results.append(fo.range(0, 3, 1, "i32").tolist()), daemon=True)
    thread.start()
    thread.join(60)
    os._exit(0 if results == [[0, 1, 2]] else 1)
assert os.waitpid(child, 0)[1] == 0
print("the thread has ended")
"""


@pytest.mark.parametrize("before", ["", "fo.slice([1, 2, 3], [0], [2])"])
def test_threads_of_a_child_use_a_name_for_the_first_time(before: str) -> None:
    done = run_python("-c", FIRST_USE_IN_A_THREAD.format(before=before))
    assert (done.returncode, done.stdout) == (0, "the thread has ended\n"), done.stderr


FORK_BEFORE = """
import threading, time
from fastops._process import _forks
real = _forks.import_module
def slow(name):
    if name == "logging":
        time.sleep(1)
    return real(name)
_forks.import_module = slow
thread = threading.Thread(target=lambda: fo.range(0, 4, 1, "i32"))
thread.start()
time.sleep(0.5)
"""


def test_a_fork_before_forks_are_watched() -> None:
    assert run_code(FORK_BEFORE + FORK) == "both live\n"


FORK_BESIDE_FIRST_USE = """
import threading, time
def use():
    {use}
thread = threading.Thread(target=use)
thread.start()
time.sleep({seconds})
"""


@pytest.mark.parametrize("use", ['fo.range(0, 4, 1, "i32")', "import fastops.plan as plan; plan.slice([3], [0], [2])"])
@pytest.mark.parametrize("seconds", scale([0, 0.02], [0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2]))
def test_a_fork_while_another_thread_uses_a_name_for_the_first_time(use: str, seconds: float) -> None:
    assert run_code(FORK_BESIDE_FIRST_USE.format(use=use, seconds=seconds) + FORK) == "both live\n"


FIRST_USE_IN_A_HOOK = """
import os, sys
def use():
    import fastops as fo
    assert fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2]
os.register_at_fork({when}=use)
import fastops
child = os.fork()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("both live")
"""


@pytest.mark.parametrize("when", ["before", "after_in_parent", "after_in_child"])
def test_a_first_use_in_the_fork_hook_of_another_library(when: str) -> None:
    done = run_python("-c", FIRST_USE_IN_A_HOOK.format(when=when), seconds=60)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_BESIDE_AN_IMPORT_THAT_LOGS = """
import sys, threading, time
assert "logging" not in sys.modules
import logging
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "fastops._plans._numbers":
            time.sleep(1)
            logging.getLogger(name)
sys.meta_path.insert(0, Finder())
thread = threading.Thread(target=lambda: fo.slice)
thread.start()
time.sleep(0.5)
"""


def test_a_fork_beside_an_import_that_logs() -> None:
    code = "import os, sys\nimport fastops as fo\n" + FORK_BESIDE_AN_IMPORT_THAT_LOGS + FORK
    done = run_python("-c", code, seconds=60)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_INTERRUPTED = """
import signal, threading, time
from fastops._process._forks import compiler_lock
signal.signal(signal.{name}, signal.default_int_handler)
fo.range(0, 4, 1, "i32")
def keep():
    with compiler_lock().taken():
        time.sleep(2)
thread = threading.Thread(target=keep)
thread.start()
time.sleep(0.2)
threading.Timer(0.5, signal.pthread_kill, (threading.get_ident(), signal.{name})).start()
child = 0
try:
    child = os.fork()
    if child == 0:
        os._exit(0 if fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2] else 1)
except KeyboardInterrupt:
    pass
if child:
    assert os.waitpid(child, 0)[1] == 0
thread.join()
assert fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2]
print("both live")
"""


# Ctrl-C waits for the fork, others do not.
@pytest.mark.parametrize("name", ["SIGINT", "SIGUSR1"])
def test_an_interrupt_while_a_fork_waits_for_a_compilation(name: str) -> None:
    assert run_code(FORK_INTERRUPTED.format(name=name)) == "both live\n"
