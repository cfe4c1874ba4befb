"""Interrupts and a lack of memory leave the process usable; Ctrl-C is handled between the launches of large work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fastops._execution import _execute
from fastops._runtime import _kernels
from tests.helpers.processes import run_code
from tests.helpers.seeds import scale
from tests.safety.programs._operators import every_operator

# Ctrl-C comes when the first call imports the n-th of the modules that it loads. Each case is a child of a process that
# has made no call.
AMID_FIRST_CALL = """
import signal
from fastops.plan import slice as plan_of
assert fo.slice and fo.range and "numba" not in sys.modules
calls = {{
    "slice": lambda: fo.slice([0, 1, 2], [0], [2]),
    "plan": lambda: plan_of([3], [0], [2])([0, 1, 2]),
}}

def is_right_after(call, nth):
    left = nth
    def count(name, *_):
        nonlocal left
        left -= name == "import"
        if left == 0 and name == "import":
            signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.addaudithook(count)
    try:
        calls[call]()
        # The call has imported fewer modules.
        return left > 0
    except KeyboardInterrupt:
        return all(calls[each]().tolist() == [0, 1] for each in calls)

for case in {cases}:
    if not os.fork():
        os._exit(not is_right_after(*case))
    assert os.wait()[1] == 0, case
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_calls_are_right_after_an_interrupt_of_the_first_one() -> None:
    numbers = [1, *[Random().randint(2, 140) for _ in range(scale(3, 100))]]
    cases = [(call, n) for n in numbers for call in ("slice", "plan")]
    run_code(AMID_FIRST_CALL.format(cases=cases), seconds=600)


# Ctrl-C comes while another process compiles all kernels. That process is killed.
AMID_COMPILING = """
import signal, threading, time
from fastops._runtime import _builds, _objects
_objects.SHIPPED = _objects.SHIPPED / "nowhere"
_builds._PROGRAM = "import time; time.sleep(1000)"
run = _builds.subprocess.Popen.communicate

def communicate(*args, **keywords):
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    return run(*args, **keywords)

_builds.subprocess.Popen.communicate = communicate
signal.signal(signal.SIGINT, signal.default_int_handler)
for _ in range(2):
    try:
        fo.range(0, 2, 1, "f32")
    except KeyboardInterrupt:
        print("interrupted")
try:
    while True:
        assert os.waitpid(-1, 0)[1] == signal.SIGKILL
except ChildProcessError:
    print("no child runs")
"""


def test_an_interrupt_ends_the_compiling_of_kernels(tmp_path: Path) -> None:
    assert run_code(AMID_COMPILING, NUMBA_CACHE_DIR=str(tmp_path)) == "interrupted\n" * 2 + "no child runs\n"


OUT_OF_MEMORY = """
import resource
data, large = np.zeros((1 << 12, 1 << 10), np.uint8), np.zeros(1 << 28, np.uint8)
calls = [
    lambda: fo.slice(data, [0, 0], [1 << 20, 1 << 10], mode="wrap"),
    lambda: fo.range(0, 1 << 28, 1, "i64"),
    lambda: fo.variadic_split(np.broadcast_to(data, (200, 1 << 12, 1 << 10)), 0, [100, 100]),
    lambda: fo.strided_slice(large, [-1], [-(1 << 29)], [-1], out=large),
]
def flip():
    return fo.strided_slice(data, [0, -1], [1 << 12, -(1 << 11)], [1, -1])
flip(); fo.slice(data, [-9, 0], [1 << 13, 1 << 10], mode="reflect")
large[0] = 1
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
for call in calls * 2:
    try:
        call()
        raise SystemExit("there was memory")
    except fo.OutputError as error:
        assert "fit in memory" in str(error), error
    assert (large[0], large[-1], flip().shape) == (1, 0, data.shape)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell or limit the memory")
def test_after_a_lack_of_memory_every_call_is_right() -> None:
    run_code(OUT_OF_MEMORY)


# --- Launches -------------------------------------------------------------------------------------------------------

LAUNCH_BYTES = 400_001
INTERRUPTED = (-1, -1)

LARGE = [call for call in every_operator() if np.asarray(call[2]).nbytes > 2 * LAUNCH_BYTES]


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Make launches short, and note for each launch its number and the number of launches of its call.

    If the list begins with `INTERRUPTED`, a signal comes during the second launch.
    """
    noted: list[tuple[int, int]] = []

    def noting(run: Callable[..., Any]) -> Callable[..., Any]:
        def noted_run(*args: Any) -> Any:
            status = run(*args)
            noted.append(args[-2:])
            if args[-2] == 1 and noted[0] == INTERRUPTED:
                signal.raise_signal(signal.SIGINT)
            return status

        return noted_run

    monkeypatch.setattr(_kernels, "LAUNCH_BYTES", LAUNCH_BYTES)
    # Each call finds that it is large, and makes launches of that size.
    monkeypatch.setattr(_execute, "ready_workers", lambda: 0)
    for name in ("execute_launch", "execute_at", "move_windows", "run_range"):
        monkeypatch.setitem(_kernels.load_object().entries, name, noting(_kernels.load_entry(name)))
    return noted


@pytest.mark.usefixtures("own_signals")
def test_several_launches_write_what_one_does_and_an_interrupt_waits_for_one(launches: list[tuple[int, int]]) -> None:
    for name, call, expected in LARGE:
        launches[:] = [INTERRUPTED]
        with pytest.raises(KeyboardInterrupt):
            call()
        assert [launch for launch, _ in launches[1:]] == [0, 1], name
        launches.clear()
        result = call()
        np.testing.assert_array_equal(result, expected, name)
        n = -(-result.nbytes // LAUNCH_BYTES)
        assert n > 2
        assert launches == [(k, n) for k in range(n)], name
