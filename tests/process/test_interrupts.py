"""Ctrl-C, deadlines and a lack of memory leave the process usable."""

from __future__ import annotations

import os
import signal
import threading
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fastops._process import signals_held_back
from tests.helpers.processes import run_code
from tests.helpers.torture import scale

# A Ctrl-C, or a deadline, when the first call imports the n-th module of those that it loads, or when Numba compiles
# the n-th function of a kernel for threads. Each is in a child of a process that has loaded and compiled nothing.
AMID_FIRST_CALL = """
import signal
from fastops.plan import slice as plan_of
assert fo.slice and fo.range and "numba" not in sys.modules
class Deadline(TimeoutError):
    "The import system takes an OSError for a file that is not there."
calls = {{
    "slice": lambda: fo.slice([0, 1, 2], [0], [2]),
    "plan": lambda: plan_of([3], [0], [2])([0, 1, 2]),
    "range": lambda: fo.range(0, 2, 1, "f32"),
    "large range": lambda: fo.range(0, 1 << 20, 1, "f32")[:2],
}}

def is_stopped(call, raised, event, nth):
    left = nth
    def handle(*_):
        raise raised("handled")
    def count(name, *_):
        nonlocal left
        left -= name == event
        if left == 0 and name == event:
            signal.raise_signal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, handle)
    sys.addaudithook(count)
    kept = []
    if event == "numba:compile":
        from numba.core import event as events
        from fastops._runtime import _builds, _parallel
        listener = type("", (events.Listener,), dict(on_start=lambda *_: count(event), on_end=lambda *_: None))()
        events.register(event, listener)
        find = _builds.find
        _builds.find = _parallel.find = lambda *key: find(*key) if key[1] == "kernels" else None
        _builds.write_code = lambda path, code: kept.append(path)
    try:
        calls[call]()
        # There were fewer.
        return nth > 80
    except raised:
        # It waits until a function is compiled and kept.
        rest = calls if event == "import" else [call]
        return len(kept) == (event != "import") and all(calls[each]().tolist() == [0, 1] for each in rest)

for case in {cases}:
    if not os.fork():
        os._exit(not is_stopped(*case))
    assert os.wait()[1] == 0, case
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_what_a_handler_raises_amid_the_first_call_reaches_the_caller() -> None:
    numbers = [1, *[Random().randint(2, 140) for _ in range(scale(3, 100))]]
    kinds = list(product(("slice", "plan"), ("KeyboardInterrupt", "Deadline"))) * len(numbers)
    cases = [f"({call!r}, {raised}, 'import', {n})" for (call, raised), n in zip(kinds, numbers, strict=False)]
    cases += [f"('large range', KeyboardInterrupt, 'numba:compile', {n})" for n in scale((1,), (1, 2, 3, 5, 8))]
    code = AMID_FIRST_CALL.format(cases=f"[{', '.join(cases)}]")
    run_code(code, seconds=600)


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


@pytest.mark.usefixtures("own_signals")
def test_signals_that_python_handles_are_held_back_and_each_is_handled_once_also_after_an_error() -> None:
    handled = []

    def handle(number: int, _frame: object) -> None:
        handled.append(number)
        raise KeyError(number)

    numbers = [signal.SIGINT, signal.SIGTERM]
    for number in numbers:
        signal.signal(number, handle)
    for error in (None, ValueError("an error")):
        handled.clear()
        with pytest.raises(KeyError, match=str(int(signal.SIGTERM))), signals_held_back():  # noqa: PT012
            for number in numbers * 3:
                signal.raise_signal(number)
            assert handled == []
            if error:
                raise error
        assert sorted(handled) == sorted(numbers)
        assert [signal.getsignal(number) for number in numbers] == [handle, handle]


@pytest.mark.usefixtures("own_signals")
def test_other_threads_hold_nothing_back_and_handlers_that_are_set_amid_a_block_stay() -> None:
    seen: list[Any] = []

    def work() -> None:
        with signals_held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    signal.signal(signal.SIGTERM, lambda *_: seen.append("before"))
    with signals_held_back():
        former: Any = signal.getsignal(signal.SIGTERM)
        # As libraries do, it calls the one that it finds.
        signal.signal(signal.SIGTERM, lambda *given: (seen.append("set amid"), former(*given)))
    signal.raise_signal(signal.SIGTERM)
    assert seen == [signal.default_int_handler, "set amid", "before"]


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
