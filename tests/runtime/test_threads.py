"""Threads: how many threads the limits of the process allow, how many a call gets, and the lock that a fork takes.

Limits are affinity, quotas of control groups and pools. A fork waits for other threads that load: a child could never
take the lock of such a thread.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from fastops._runtime import _kernels
from fastops._runtime._threads import ThreadLimits, read_quota
from tests.helpers.processes import run_code, run_python
from tests.helpers.seeds import scale

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

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

# Children of a process in which another thread loads kernels.
LOADING = """
import sys
from fastops._runtime import _kernels, _objects

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


@needs_fork
def test_a_fork_waits_for_threads_that_load() -> None:
    done = run_python("-c", FORK + LOADING)
    assert (done.returncode, done.stdout) == (0, "all live\n"), done.stderr


# The text that names the group of the process, the quotas and periods of groups, and the processors that they allow.
QUOTAS: list[tuple[str, dict[str, str], float | None]] = [
    ("0::/", {}, None),
    ("0::/", {"": "150000 100000"}, 1.5),
    ("0::/", {"": "max 100000"}, None),
    ("0::/a/b", {"/a/b": "max 100000", "/a": "200000 100000"}, 2.0),
    ("0::/a/b", {"/a/b": "50000 100000", "/a": "200000 100000"}, 0.5),
    ("0::/a/b", {"/a/b": "300000 100000", "/a": "200000 100000"}, 2.0),
    ("0::/a/b", {"/c": "50000 100000"}, None),
    # A container that sees its own group as the root, although the text has the host's name of the group.
    ("0::/docker/1", {"": "400000 100000"}, 4.0),
    ("0::/", {"": "no numbers"}, None),
    ("4:cpu,cpuacct:/a\n0::/\n", {}, None),
    ("", {}, None),
]


def test_quotas_of_control_groups(tmp_path: Path) -> None:
    for i, (own, groups, quota) in enumerate(QUOTAS):
        files = {"proc/self/cgroup": own}
        files |= {f"sys/fs/cgroup{name}/cpu.max": f"{text}\n" for name, text in groups.items()}
        for name, text in files.items():
            path = tmp_path / str(i) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert read_quota(str(tmp_path / str(i))) == quota, (own, groups)
    assert read_quota(str(tmp_path / "nothing")) is None


def test_workers_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(_kernels, "_next_read", 0.0)
    monkeypatch.setattr(_kernels, "monotonic", lambda: now)
    monkeypatch.setattr(_kernels, "runs_regions", lambda: True)
    monkeypatch.setattr(_kernels, "read_thread_count", lambda: 8)
    _kernels.count_workers()
    for limits, is_chosen, workers in (
        (ThreadLimits(16, None, False), False, 8),
        (ThreadLimits(16, 3.9, False), False, 3),
        (ThreadLimits(16, 0.5, False), False, 1),
        (ThreadLimits(2, None, False), True, 2),
        (ThreadLimits(2, 16.0, False), False, 2),
        (ThreadLimits(16, None, True), False, 1),
        (ThreadLimits(16, None, True), True, 8),
        (ThreadLimits(1, None, True), True, 1),
    ):
        monkeypatch.setattr(_kernels, "is_count_chosen", lambda is_chosen=is_chosen: is_chosen)
        before = _kernels._limits
        monkeypatch.setattr(ThreadLimits, "read", lambda limits=limits: limits)
        now += 0.09
        _kernels.count_workers()
        assert _kernels._limits is before, "the system is asked more than ten times a second"
        now += 0.02
        assert _kernels.count_workers() == workers, (limits, is_chosen)


@pytest.mark.skipif(sys.platform != "linux", reason="affinity is set by processor on Linux only")
def test_the_affinity_is_that_of_the_calling_thread() -> None:
    counts = []

    def work() -> None:
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
        counts.append(ThreadLimits.read().affinity)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert counts == [1]
    assert ThreadLimits.read().affinity == len(os.sched_getaffinity(0))


# Workers of a pool run plans, and then count the threads that they may use.
WORKERS = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from fastops._runtime._kernels import count_workers
fo.slice(np.zeros(2), [0], [2])
for method in {methods}:
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        assert pool.submit(fo.plan.slice((8,), [2], [3]), np.arange(8)).result().tolist() == [2, 3, 4]
        assert pool.submit(fo.plan.range(0, 3, 1, "i32"), "u8").result().tolist() == [0, 1, 2]
        assert pool.submit(count_workers).result() == 1, method
        pool.submit(exec, "import os; os.environ['NUMBA_NUM_THREADS'] = 'chosen'").result()
        assert pool.submit(count_workers).result() == count_workers(), method
"""


def test_a_worker_of_a_pool_runs_plans_and_has_one_thread_unless_the_user_has_chosen() -> None:
    methods = scale(["fork", "spawn"], ["fork", "spawn", "forkserver"])
    run_code(WORKERS.format(methods=methods), NUMBA_NUM_THREADS=None, NUMBA_THREADING_LAYER=None)
