"""Ctrl-C and a lack of memory leave the process usable."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from fastops._process._signals import signals_held_back
from tests.helpers.processes import run_code, run_program
from tests.helpers.torture import scale

# Compiling all kernels takes several times as long.
SURELY_COMPILING = 2

needs_timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no such timers here")


@pytest.mark.parametrize("seconds", scale([1.5], [0.02, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 14]))
def test_after_an_interrupt_while_compiling_every_call_is_right(seconds: float, tmp_path: Path) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    done = run_program("interrupts", "compiling", seconds, seconds=200, **environment)
    assert done.returncode == 0, done.stderr
    met = ["compiling\n"] if seconds <= SURELY_COMPILING else ["compiling\n", "calls\n"]
    assert done.stdout in met


# A Ctrl-C as soon as Numba compiles anything.
AMID_COMPILING = """
import signal
from pathlib import Path
from numba.core import event
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupt(event.Listener):
    is_due = True
    def on_start(self, _):
        if self.is_due:
            self.is_due = False
            signal.raise_signal(signal.SIGINT)
    def on_end(self, _):
        pass
event.register("numba:compile", Interrupt())
try:
    fo.slice([1, 2, 3], [0], [2])
except KeyboardInterrupt:
    print(len(list(Path(os.environ["NUMBA_CACHE_DIR"]).glob("*/*.nbc"))))
print(fo.slice([1, 2, 3], [0], [2]))
"""


def test_an_interrupt_waits_until_a_function_is_compiled_and_kept(tmp_path: Path) -> None:
    assert run_code(AMID_COMPILING, NUMBA_CACHE_DIR=str(tmp_path)) == "1\n[1 2]\n"


@pytest.mark.parametrize("seconds", scale([0.5], [0.01, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 3]))
def test_after_an_interrupt_amid_calls_every_call_is_right(seconds: float) -> None:
    done = run_program("interrupts", "calls", seconds, seconds=200, PYTHONWARNINGS="ignore")
    assert (done.returncode, done.stdout) == (0, "calls\n"), done.stderr


@pytest.mark.parametrize("seconds", scale([0.3], [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
def test_an_interrupt_of_a_long_call_waits_for_its_kernel(seconds: float) -> None:
    environment = {"NUMBA_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    done = run_program("interrupts", "long", seconds, seconds=200, **environment)
    assert (done.returncode, done.stdout) == (0, "a long call\n"), done.stderr


@pytest.mark.usefixtures("own_signals")
def test_signals_are_held_back_and_raised_afterwards() -> None:
    done = []

    def work() -> None:
        with signals_held_back():
            signal.raise_signal(signal.SIGINT)
            done.append("block")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("own_signals")
def test_other_threads_hold_nothing_back() -> None:
    seen = []

    def work() -> None:
        with signals_held_back():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


@pytest.mark.usefixtures("own_signals")
def test_all_signals_that_python_handles_are_held_back_and_each_is_handled_once() -> None:
    handled = []

    def handle(number: int, _frame: object) -> None:
        handled.append(number)
        raise ValueError(number)

    numbers = [signal.SIGINT, signal.SIGTERM]
    for number in numbers:
        signal.signal(number, handle)
    with pytest.raises(ValueError, match=str(int(signal.SIGTERM))):  # noqa: SIM117, PT012
        with signals_held_back():
            for _ in range(3):
                for number in numbers:
                    signal.raise_signal(number)
            assert handled == []
    assert sorted(handled) == sorted(numbers)
    assert [signal.getsignal(number) for number in numbers] == [handle, handle]


@pytest.mark.usefixtures("own_signals")
def test_handlers_that_are_set_amid_a_block_stay() -> None:
    seen: list[str] = []
    signal.signal(signal.SIGTERM, lambda *_: seen.append("before"))
    with signals_held_back():
        former: Any = signal.getsignal(signal.SIGTERM)
        # As libraries do, it calls the one that it finds.
        signal.signal(signal.SIGTERM, lambda *given: (seen.append("set amid"), former(*given)))
    signal.raise_signal(signal.SIGTERM)
    assert seen == ["set amid", "before"]


# A Ctrl-C, or a deadline, so many seconds after the first call began, which loads Numba and kernels.
AMID_FIRST_CALL = """
import signal
from fastops.plan import slice as plan_of
assert fo.slice and fo.range and "numba" not in sys.modules
class Deadline(TimeoutError):
    "The import system takes an OSError for a file that is not there."
def handle(number, frame):
    raise {raised}("handled")
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, {seconds})
try:
    while True:
        {call}
except {raised}:
    print("stopped")
assert fo.slice([1, 2, 3], [0], [2]).tolist() == [1, 2]
assert fo.range(0, 3, 1, "f32").tolist() == [0, 1, 2]
"""

FIRST_CALLS = ["fo.slice([1, 2, 3], [0], [2])", "plan_of([3], [0], [2])([1, 2, 3])"]


@needs_timers
@pytest.mark.parametrize("call", FIRST_CALLS)
@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "Deadline"])
@pytest.mark.parametrize("seconds", scale([0.03, 0.3], [0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8]))
def test_what_a_handler_raises_amid_the_first_call_reaches_the_caller(raised: str, call: str, seconds: float) -> None:
    assert run_code(AMID_FIRST_CALL.format(raised=raised, call=call, seconds=seconds)) == "stopped\n"


OUT_OF_MEMORY = """
import resource
data = np.zeros((1 << 12, 1 << 10), np.uint8)
def flip():
    return fo.strided_slice(data, [0, -1], [1 << 12, -(1 << 11)], [1, -1])
flip(); fo.slice(data, [-9, 0], [1 << 13, 1 << 10], mode="reflect")
large = np.zeros(1 << 28, np.uint8)
large[0] = 1
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
for _ in range(3):
    for call in (
        lambda: fo.slice(data, [0, 0], [1 << 20, 1 << 10], mode="wrap"),
        lambda: fo.range(0, 1 << 28, 1, "i64"),
        lambda: fo.variadic_split(np.broadcast_to(data, (200, 1 << 12, 1 << 10)), 0, [100, 100]),
        lambda: fo.strided_slice(large, [-1], [-(1 << 29)], [-1], out=large),
    ):
        try:
            call()
        except fo.OutputError as error:
            assert "fit in memory" in str(error), error
        else:
            raise SystemExit("there was memory")
    assert (large[0], large[-1]) == (1, 0)
    assert flip().shape == data.shape
print("usable")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="what is used is not known here, nor so limited")
def test_after_a_lack_of_memory_every_call_is_right() -> None:
    assert run_code(OUT_OF_MEMORY) == "usable\n"


@pytest.mark.usefixtures("own_signals")
def test_signals_that_are_held_back_are_not_lost_with_an_error() -> None:
    def work() -> None:
        with signals_held_back():
            signal.raise_signal(signal.SIGINT)
            raise ValueError("an error")

    with pytest.raises(KeyboardInterrupt):
        work()
