"""What the gate measures, and the processes that do it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import fastops as fo
from benchmarks.regress import _worker
from benchmarks.regress._benchmarks import BENCHMARKS, CACHE_BYTES
from benchmarks.regress._processes import WorkerProcess, environment_for, last_line, wait_all
from benchmarks.regress._verdicts import CannotMeasureError


def test_names_of_quick_benchmarks_are_stable():
    quick = [name for name, benchmark in BENCHMARKS.items() if benchmark.is_quick]
    assert quick == [
        "large/window_u16",
        "large/pad_wrap_f64",
        "large/pad_clamp_f32",
        "large/pad_fill_c128",
        "large/pad_reflect_u8",
        "large/pad_symmetric_u16",
        "large/stride_2_u8",
        "large/reverse_f32",
        "large/split_3_f32",
        "large/bgr_to_rgb_u8",
        "large/range_f32",
        "large/range_i64",
        "cache/window_f32",
        "cache/pad_wrap_u8",
        "cache/pad_clamp_u16",
        "cache/pad_fill_f32",
        "cache/pad_reflect_f32",
        "cache/pad_symmetric_f64",
        "cache/stride_2_f32",
        "cache/reverse_u8",
        "cache/split_3_u16",
        "cache/bgr_to_rgb_u8",
        "fresh/window_f32",
        "fresh/split_3_f32",
        "windows/windows_inside_u8",
        "windows/windows_15x15_f32",
        "compiled/compiled_pad_8",
        "latency/warm_tiny_strided_slice",
        "latency/warm_tiny_reflect_pad",
        "latency/warm_tiny_split",
        "latency/warm_tiny_range",
        "latency/plan_tiny_strided_slice",
        "latency/miss_strided_slice",
        "latency/miss_slice",
    ]


def test_names_are_stable():
    """Results are kept under them: a name that goes is a history that ends."""
    assert list(BENCHMARKS) == (Path(__file__).parent / "benchmarks.txt").read_text().split()


@pytest.mark.parametrize(
    "name",
    [name for name, each in BENCHMARKS.items() if each.group not in ("large", "fresh")]
    + ["large/pad_wrap_f64", "fresh/window_f32"],
)
def test_benchmark_runs(name):
    call = BENCHMARKS[name].create(fo)
    for _ in range(3):
        call()


def test_cases_that_can_be_resized_are():
    out = BENCHMARKS["cache/reverse_u8"].create(fo).keywords["out"]  # type: ignore[attr-defined]
    assert out.nbytes == pytest.approx(CACHE_BYTES, rel=0.05)


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(_worker, "installed_library", lambda: fo)
    before = numba.get_num_threads()
    yield _worker.Worker()
    numba.set_num_threads(before)


def test_a_block_takes_as_long_as_asked(worker, monkeypatch):
    assert worker.prepare("latency/warm_tiny_range") == {}
    times = iter(range(1000))
    monkeypatch.setattr(_worker.time, "perf_counter", lambda: next(times))
    # Each look at the clock is a second later: one look to begin with, then three a batch, until second 7 has passed.
    assert worker.block(least_seconds=7, batch=4) == {"seconds": 1 / 4, "reference": 1}
    assert next(times) == 10


def test_calibration_gives_a_number_of_calls(worker):
    worker.prepare("latency/warm_tiny_range")
    assert worker.calibrate(batch_seconds=1e-4)["batch"] > 1


def test_a_worker_says_why_it_cannot(worker, monkeypatch):
    assert worker.prepare("cache/reverse_u8") == {}
    monkeypatch.delattr(fo, "slice")
    monkeypatch.delitem(fo._HOMES, "slice")
    assert worker.prepare("cache/pad_wrap_u8") == {"absent": "fastops has no slice"}
    monkeypatch.setattr(fo, "slice", lambda *_args, **_keywords: fo.strided_slice(1.5, [0.5], [1]), raising=False)
    assert worker.prepare("cache/pad_wrap_u8")["refused"].startswith("DTypeError: strided_slice: begin must")


def test_a_worker_takes_fastops_from_its_environment_only(monkeypatch):
    monkeypatch.setattr(_worker.sys, "prefix", "/nowhere")
    with pytest.raises(RuntimeError, match="not from the environment"):
        _worker.installed_library()


def test_what_a_worker_inherits(monkeypatch):
    monkeypatch.setenv("FASTOPS_STREAM_BYTES", "never")
    monkeypatch.setenv("NUMBA_OPT", "0")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    variables = environment_for(Path("kernels"))
    assert "FASTOPS_STREAM_BYTES" not in variables
    assert "NUMBA_OPT" not in variables
    assert "PYTHONPATH" not in variables
    assert (variables["NUMBA_NUM_THREADS"], variables["NUMBA_CACHE_DIR"]) == ("1", "kernels")


PROGRAMS = {
    "echo": "print(json.dumps(json.loads(line)), flush=True)",
    "end": "sys.exit('no more of it')",
    "raise": "raise ValueError('of no use')",
}


def process_of(program: str, directory: Path) -> WorkerProcess:
    """A worker whose program is another one."""
    package = directory / "benchmarks" / "regress"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").touch()
    lines = ["import json, sys", "for line in sys.stdin:", f"    {PROGRAMS[program]}"]
    (package / "_worker.py").write_text("\n".join(lines))
    return WorkerProcess("head", Path(sys.executable), directory, directory / "kernels")


def test_a_worker_process_answers(tmp_path):
    process = process_of("echo", tmp_path)
    for number in range(3):
        process.ask("block", number=number)
        assert process.answer() == {"do": "block", "number": number}
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process._process.pid, 0)


@pytest.mark.parametrize(("program", "words"), [("end", "no more of it"), ("raise", "ValueError: of no use")])
def test_the_end_of_a_worker_process_is_told(program, words, tmp_path):
    process = process_of(program, tmp_path)
    process.ask("block")
    with pytest.raises(CannotMeasureError, match=f"the process of head ended: {words}"):
        process.answer()
    with pytest.raises(CannotMeasureError, match=f"the process of head ended: {words}"):
        process.ask("block")
    process.close()


def test_a_worker_process_that_says_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.regress._processes._ANSWER_SECONDS", 0.01)
    process = process_of("echo", tmp_path)
    with pytest.raises(CannotMeasureError, match="gave no answer"):
        process.answer()
    process.close()


def test_the_worker_serves(tmp_path):
    """With the package that is installed here, wherever that is."""
    program = "import fastops; from benchmarks.regress import _worker; _worker.installed_library = lambda: fastops; "
    program += "_worker.serve()"
    requests = [
        {"do": "prepare", "name": "latency/warm_tiny_range"},
        {"do": "calibrate", "batch_seconds": 1e-4},
        {"do": "block", "least_seconds": 0.001, "batch": 2},
        {"do": "block", "least_seconds": 0.001},
    ]
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], input=lines, cwd=root, capture_output=True, text=True, check=True
    )
    prepared, calibrated, block, failed = map(json.loads, done.stdout.splitlines())
    assert prepared == {}
    assert calibrated["batch"] > 0
    assert 0 < block["seconds"] < 1
    assert failed["error"].startswith("TypeError: ")


def started(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_are_waited_for():
    programs = {"a": "print(1)", "b": "import sys; sys.exit('wrong')"}
    done = wait_all(
        {name: lambda program=program: started(program) for name, program in programs.items()}, time.monotonic() + 60
    )
    assert done == {"a": (0, "1\n", ""), "b": (1, "", "wrong\n")}


def test_a_process_that_takes_too_long_is_ended():
    processes = []

    def start():
        processes.append(started("import time; time.sleep(60)"))
        return processes[0]

    with pytest.raises(CannotMeasureError, match=r"time was up before this ended: .*python"):
        wait_all({"a": start}, time.monotonic() + 0.1)
    assert processes[0].returncode is not None


def test_no_process_outlives_a_gate_that_is_told_to_end():
    program = """
import signal, subprocess, sys
from benchmarks.regress.__main__ import _end
from benchmarks.regress._processes import wait_all

sleeping = []

def sleep():
    sleeping.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
    return sleeping[0]

def announce():
    print(sleeping[0].pid, flush=True)
    return subprocess.Popen([sys.executable, "-c", ""])

signal.signal(signal.SIGTERM, _end)
wait_all({"asleep": sleep, "announced": announce}, 1e9)
"""
    gate = started(program)
    assert gate.stdout is not None
    sleeping = int(gate.stdout.readline())
    gate.terminate()
    gate.communicate(timeout=30)
    assert gate.returncode == 143
    with pytest.raises(ProcessLookupError):
        os.kill(sleeping, 0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nERROR: no backend\n\n  hint: read the manual\n", "ERROR: no backend"),
        ("  x Cannot\n  --> ModuleNotFoundError: No 'x'\nERROR: Failed to build\n", "ModuleNotFoundError: No 'x'"),
        ("Traceback\n  raise KeyError\nKeyError: 'a'\n", "KeyError: 'a'"),
        ("one\ntwo\n", "two"),
        ("", "no message"),
    ],
)
def test_what_went_wrong_is_the_last_exception_or_error_or_line(text, line):
    assert last_line(text) == line
