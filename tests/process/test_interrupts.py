"""An interrupt or a lack of memory leaves the process usable."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.helpers.processes import run_code
from tests.helpers.seeds import scale

# A Ctrl-C when the first call imports the n-th module of those that it loads. Each is in a child of a process that has
# loaded nothing.
AMID_FIRST_CALL = """
import signal
from fastops.plan import slice as plan_of
assert fo.slice and fo.range and "numba" not in sys.modules
calls = {{
    "slice": lambda: fo.slice([0, 1, 2], [0], [2]),
    "plan": lambda: plan_of([3], [0], [2])([0, 1, 2]),
    "range": lambda: fo.range(0, 2, 1, "f32"),
    "large range": lambda: fo.range(0, 1 << 20, 1, "f32")[:2],
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
        # There were fewer.
        return left > 0
    except KeyboardInterrupt:
        return all(calls[each]().tolist() == [0, 1] for each in calls)

for case in {cases}:
    if not os.fork():
        os._exit(not is_right_after(*case))
    assert os.wait()[1] == 0, case
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_calls_are_right_after_an_interrupt_amid_the_first_one() -> None:
    numbers = [1, *[Random().randint(2, 140) for _ in range(scale(3, 100))]]
    cases = [(call, n) for n in numbers for call in ("slice", "plan", "large range")]
    run_code(AMID_FIRST_CALL.format(cases=cases), seconds=600)


# A Ctrl-C while another process compiles all kernels, which ends with it: this one has no child any more.
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
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child")
"""


def test_an_interrupt_ends_the_compiling_of_kernels(tmp_path: Path) -> None:
    assert run_code(AMID_COMPILING, NUMBA_CACHE_DIR=str(tmp_path)) == "interrupted\n" * 2 + "no child\n"


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


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="what is used is not known here, nor so limited")
def test_after_a_lack_of_memory_every_call_is_right() -> None:
    run_code(OUT_OF_MEMORY)
