"""What the gate measures, and the processes that do it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import fastops as fo
from benchmarks.regress import _worker
from benchmarks.regress.__main__ import _end
from benchmarks.regress._benchmarks import BENCHMARKS, CACHE_BYTES, LARGE_BYTES
from benchmarks.regress._processes import WorkerProcess, environment_for, wait_all
from benchmarks.regress._verdicts import CannotMeasureError
from tests.benchmarks.names import kept_names

ROOT = Path(__file__).parents[3]


def test_names_are_stable():
    names = [f"{name} quick" if benchmark.is_quick else name for name, benchmark in BENCHMARKS.items()]
    assert names == kept_names("gate")


def test_benchmarks_run_in_the_sizes_of_their_groups():
    large = ("large/pad_wrap_f64", "fresh/window_f32")
    for name in [name for name, each in BENCHMARKS.items() if each.group not in ("large", "fresh")] + [*large]:
        call = BENCHMARKS[name].create(fo)
        results = [call(), call()]
        assert BENCHMARKS[name].threads == (1 if BENCHMARKS[name].group in ("cache", "windows", "normalize") else None)
        if name in large or name in ("cache/reverse_u8", "cache/range_i64"):
            size = LARGE_BYTES if name in large else CACHE_BYTES
            assert results[0].nbytes == pytest.approx(size, rel=0.05), name
            assert (results[0] is results[1]) is not name.startswith("fresh"), name


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(_worker, "installed_library", lambda: fo)
    before = numba.get_num_threads()
    yield _worker.Worker()
    numba.set_num_threads(before)


def test_a_block_takes_as_long_as_asked_in_batches_as_large_as_calibrated(worker, monkeypatch):
    assert worker.prepare("latency/warm_tiny_range") == {}
    monkeypatch.setattr(_worker, "calls_per_sample", lambda call, seconds: (call is worker.call) * seconds)
    assert worker.calibrate(batch_seconds=1e-4) == {"batch": 1e-4}
    times, calls, call = iter(range(1000)), [], worker.call
    worker.call = lambda: calls.append(call())
    monkeypatch.setattr(_worker.time, "perf_counter", lambda: next(times))
    # Each look at the clock is a second later: one look to begin with, then three a batch, until second 7 has passed.
    assert worker.block(least_seconds=7, batch=4) == {"seconds": 1 / 4, "reference": 1}
    assert (next(times), len(calls)) == (10, 1 + 3 * 4)


def test_a_worker_says_why_it_cannot(worker, monkeypatch):
    assert worker.prepare("cache/reverse_u8") == {}
    assert numba.get_num_threads() == 1
    monkeypatch.delattr(fo, "slice")
    monkeypatch.setattr(fo, "__all__", [name for name in fo.__all__ if name != "slice"])
    assert worker.prepare("cache/pad_wrap_u8") == {"absent": "fastops has no slice"}
    monkeypatch.setattr(fo, "slice", lambda *_args, **_keywords: fo.strided_slice(1.5, [0.5], [1]), raising=False)
    assert worker.prepare("cache/pad_wrap_u8")["refused"].startswith("DTypeError: strided_slice: begin must")
    monkeypatch.setattr(fo, "windows", fo.strided_slice)
    assert worker.prepare("normalize/chw_f16_448") == {"absent": "fastops.windows has no normalize"}


def test_a_worker_takes_fastops_and_variables_from_its_environment_only(monkeypatch):
    monkeypatch.setattr(_worker.sys, "prefix", "/nowhere")
    with pytest.raises(RuntimeError, match="not from the environment"):
        _worker.installed_library()
    for name in ("FASTOPS_STREAM_BYTES", "NUMBA_OPT", "PYTHONPATH", "NUMBA_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    variables = environment_for(Path("kernels"))
    assert {"FASTOPS_STREAM_BYTES", "NUMBA_OPT", "PYTHONPATH"}.isdisjoint(variables)
    assert (variables["NUMBA_NUM_THREADS"], variables["NUMBA_CACHE_DIR"]) == ("1", "kernels")


def process_of(statement: str, directory: Path) -> WorkerProcess:
    """A worker whose program is another one, which runs a statement for each request."""
    package = directory / "benchmarks" / "regress"
    package.mkdir(parents=True)
    for each in (package, package.parent):
        (each / "__init__.py").touch()
    lines = ["import json, sys", "for line in sys.stdin:", f"    {statement}"]
    (package / "_worker.py").write_text("\n".join(lines))
    return WorkerProcess("head", Path(sys.executable), directory, directory / "kernels")


def test_a_worker_process_answers_or_says_nothing(tmp_path, monkeypatch):
    process = process_of("print(json.dumps(json.loads(line)), flush=True)", tmp_path)
    for number in range(3):
        process.ask("block", number=number)
        assert process.answer() == {"do": "block", "number": number}
    monkeypatch.setattr("benchmarks.regress._processes._ANSWER_SECONDS", 0.01)
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


def test_the_worker_serves():
    """With the package that is installed here, wherever that is."""
    program = "import fastops; from benchmarks.regress import _worker; _worker.installed_library = lambda: fastops; "
    requests = [
        {"do": "prepare", "name": "latency/warm_tiny_range"},
        {"do": "calibrate", "batch_seconds": 1e-4},
        {"do": "block", "least_seconds": 0.001, "batch": 2},
        {"do": "block", "least_seconds": 0.001},
    ]
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    command = [sys.executable, "-c", f"{program}_worker.serve()"]
    done = subprocess.run(command, input=lines, cwd=ROOT, capture_output=True, text=True, check=True)
    prepared, calibrated, block, failed = map(json.loads, done.stdout.splitlines())
    assert (prepared, calibrated["batch"] > 0, min(block.values()) > 0) == ({}, True, True)
    assert failed["error"].startswith("TypeError: ")


def started(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_are_waited_for_until_a_deadline():
    starts = {"a": lambda: started("print(1)"), "b": lambda: started("import sys; sys.exit('wrong')")}
    assert wait_all(starts, time.monotonic() + 600) == {"a": (0, "1\n", ""), "b": (1, "", "wrong\n")}
    processes = []
    asleep = {"a": lambda: processes.append(started("import time; time.sleep(60)")) or processes[-1]}
    with pytest.raises(CannotMeasureError, match=r"time was up before this ended: .*python"):
        wait_all(asleep, time.monotonic() + 0.1)
    # A gate that is told to end leaves none of them.
    with pytest.raises(SystemExit, match="143"):
        wait_all({**asleep, "b": lambda: _end(signal.SIGTERM, None)}, 1e9)
    assert all(process.returncode for process in processes)
