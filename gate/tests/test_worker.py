"""The processes of the gate: workers, the cases that they load, and processes that the gate waits for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from asv_gate import worker as worker_module
from asv_gate.counting import Counter, allocated_bytes, counters_of_import
from asv_gate.processes import WorkerProcess, variables_for, wait_all
from asv_gate.project import Cases, Settings, load_cases, read_settings
from asv_gate.verdicts import CannotMeasureError
from asv_gate.worker import Worker, check_installed


def fail(error):
    raise error


TIMED = {
    "sum": lambda: partial(sum, range(100)),
    "gone": lambda: fail(NotImplementedError("no sum")),
    "wrong": lambda: fail(TypeError("strict")),
    "late": lambda: lambda: fail(ValueError("empty")),
}


def test_a_block_takes_as_long_as_asked_in_batches_as_large_as_calibrated(monkeypatch):
    worker = Worker(Cases(TIMED, frozenset(["sum"]), None))
    assert worker.names() == {"names": [*TIMED], "quick": ["sum"]}
    assert worker.prepare("sum") == {}
    monkeypatch.setattr(worker_module, "calls_per_sample", lambda call, seconds: (call is worker.call) * seconds)
    assert worker.calibrate(batch_seconds=1e-4) == {"batch": 1e-4}
    times, calls, call = iter(range(1000)), [], worker.call
    worker.call = lambda: calls.append(call())
    monkeypatch.setattr(worker_module.time, "perf_counter", lambda: next(times))
    # The clock moves by a second each time it is read: once at the start, then three times in each batch.
    assert worker.block(least_seconds=7, batch=4) == {"seconds": 1 / 4, "reference": 1}
    assert (next(times), len(calls)) == (10, 1 + 3 * 4)


def test_a_worker_says_why_it_cannot_and_counts_what_it_can():
    worker = Worker(Cases(TIMED, frozenset(TIMED), lambda: {"mine": Counter(3, "")}))
    assert worker.prepare("gone") == {"absent": "no sum"}
    assert worker.prepare("wrong") == {"raised": "TypeError: strict"}
    assert worker.prepare("late") == {"raised": "ValueError: empty"}
    counted = worker.count("json")
    assert counted["raised"] == {"wrong": "TypeError: strict", "late": "ValueError: empty"}
    assert [*counted["counters"]] == ["import: threads", "import: modules", "sum: bytes allocated", "mine"]
    assert (counted["counters"]["import: threads"].value, counted["counters"]["mine"]) == (1, Counter(3, ""))
    assert 100_000 <= allocated_bytes(lambda: bytes(100_000)) < 101_000
    assert counters_of_import("sys")["import: modules"].value == 0


def test_a_worker_takes_the_package_and_variables_from_its_environment_only(monkeypatch):
    monkeypatch.setattr(worker_module.sys, "prefix", "/nowhere")
    with pytest.raises(RuntimeError, match=r"json comes from .*, not from the environment"):
        check_installed("json")
    for name in ("SMOOTHING_FAST", "NUMBA_OPT", "PYTHONPATH", "NUMBA_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    variables = variables_for("smoothing", Path("kernels"))
    assert {"SMOOTHING_FAST", "NUMBA_OPT", "PYTHONPATH"}.isdisjoint(variables)
    assert (variables["NUMBA_NUM_THREADS"], variables["NUMBA_CACHE_DIR"]) == ("1", "kernels")


ASV = """
class Sums:
    params = ([10, 20], ["a", "b"])
    def setup_cache(self):
        return 100
    def setup(self, cached, n, letter):
        self.n = cached + n
    def time_sum(self, cached, n, letter):
        return self.n, letter
    def track_sum(self, cached, n, letter):
        return self.n
def setup(*_):
    global ready
    ready = True
def time_ready():
    return ready
time_ready.setup = lambda: None
"""


def test_cases_are_those_of_a_table_or_of_asv(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "gate_table.py").write_text("CASES = {'a': lambda: int, 'b': lambda: int}\nQUICK = ['b']\n")
    table = load_cases("gate_table.py")
    assert ([*table.timed], table.quick, table.count) == (["a", "b"], {"b"}, None)
    (tmp_path / "asv_folder").mkdir()
    (tmp_path / "asv_folder" / "__init__.py").touch()
    (tmp_path / "asv_folder" / "sums.py").write_text(ASV)
    found = load_cases("asv_folder")
    names = [f"sums.Sums.time_sum({n}, {letter!r})" for n in (10, 20) for letter in ("a", "b")]
    assert [*found.timed] == ["sums.time_ready", *names]
    assert found.timed["sums.time_ready"]()() is True
    assert found.timed["sums.Sums.time_sum(20, 'b')"]()() == (120, "b")
    assert found.count()["sums.Sums.track_sum(10, 'a')"] == Counter(110, "")


def test_settings(tmp_path):
    file = tmp_path / "pyproject.toml"
    for text, expected in (
        ("[project]\nname = 'a-b'\n", Settings("a_b")),
        ("[tool.asv-gate]\npackage = 'c'\nsources = ['c']\n", Settings("c", "gate_cases.py", ("c",))),
    ):
        file.write_text(text)
        assert read_settings(tmp_path) == expected
    file.write_text("[tool.asv-gate]\ncase = 'c'\n")
    with pytest.raises(ValueError, match=r"\[tool.asv-gate\] has no setting 'case'"):
        read_settings(tmp_path)
    with pytest.raises(ValueError, match=r"there is no .*pyproject.toml"):
        read_settings(tmp_path / "nowhere")


def process_of(statement: str, directory: Path) -> WorkerProcess:
    """A worker process that runs a statement for each request."""
    program = f"import json, sys\nfor line in sys.stdin:\n    {statement}"
    return WorkerProcess("head", [sys.executable, "-c", program], directory, dict(os.environ))


def test_a_worker_process_answers_or_says_nothing(tmp_path, monkeypatch):
    process = process_of("print(json.dumps(json.loads(line)), flush=True)", tmp_path)
    for number in range(3):
        process.ask("block", number=number)
        assert process.answer() == {"do": "block", "number": number}
    monkeypatch.setattr("asv_gate.processes._ANSWER_SECONDS", 0.01)
    with pytest.raises(CannotMeasureError, match="gave no answer"):
        process.answer()
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process._process.pid, 0)


def test_the_end_of_a_worker_process_is_told(tmp_path):
    process = process_of("raise ValueError('of no use')", tmp_path)
    process.ask("block")
    for ask in (process.answer, lambda: process.ask("block")):
        with pytest.raises(CannotMeasureError, match="the process of head ended: ValueError: of no use"):
            ask()
    process.close()


def started(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_are_waited_for_until_a_deadline():
    starts = {"a": lambda: started("print(1)"), "b": lambda: started("import sys; sys.exit('wrong')")}
    assert wait_all(starts, time.monotonic() + 600) == {"a": (0, "1\n", ""), "b": (1, "", "wrong\n")}
    processes = []
    asleep = {"a": lambda: processes.append(started("import time; time.sleep(60)")) or processes[-1]}
    with pytest.raises(CannotMeasureError, match=r"time was up before this ended: .*python"):
        wait_all(asleep, time.monotonic() + 0.1)
    # If the gate is told to end, it ends all of them.
    with pytest.raises(SystemExit, match="143"):
        wait_all({**asleep, "b": lambda: sys.exit(143)}, 1e9)
    assert all(process.returncode for process in processes)
