"""The parts of the gate that run things: order, workers, environments, the command line, and its own trials."""

from __future__ import annotations

import ast
import json
import subprocess
from itertools import cycle
from pathlib import Path

import pytest

import fastops as fo
from benchmarks.regress import _worker
from benchmarks.regress.__main__ import ROOT, main
from benchmarks.regress._benchmarks import BENCHMARKS, CACHE_BYTES
from benchmarks.regress._changes import CHANGES, Edit
from benchmarks.regress._environments import Environment, build, default_base, last_line, resolve_commit, versions_of
from benchmarks.regress._processes import environment_for
from benchmarks.regress._session import FULL, QUICK, SIDES, Effort, Session, order_of
from benchmarks.regress._verdicts import CannotMeasureError, Verdict

# The order of blocks.


@pytest.mark.parametrize("number", range(6))
def test_a_round_runs_there_and_back(number):
    order = order_of(number)
    assert order == order[::-1]
    assert sorted(order) == sorted(SIDES * 2)


def test_each_side_has_each_place_as_often():
    places = list(zip(*[order_of(number) for number in range(3)], strict=True))
    assert all(sorted(sides) == sorted(SIDES) for sides in places)


@pytest.mark.parametrize("effort", [FULL, QUICK])
def test_efforts_keep_what_the_gate_promises(effort):
    assert effort.block_seconds >= 20e-3
    # Six rounds are the fewest that have an interval of 95 %.
    assert effort.rounds >= 6
    assert effort.pass_seconds < effort.seconds


# Benchmarks.


def test_names_of_quick_benchmarks_are_stable():
    quick = [name for name, benchmark in BENCHMARKS.items() if benchmark.is_quick]
    assert quick == [
        "memory/window_u16",
        "memory/pad_wrap_f64",
        "memory/pad_clamp_f32",
        "memory/pad_fill_c128",
        "memory/pad_reflect_u8",
        "memory/pad_symmetric_u16",
        "memory/stride_2_u8",
        "memory/reverse_f32",
        "memory/split_3_f32",
        "memory/bgr_to_rgb_u8",
        "memory/range_f32",
        "memory/range_i64",
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
        "latency/warm_tiny_strided_slice",
        "latency/warm_tiny_reflect_pad",
        "latency/warm_tiny_split",
        "latency/warm_tiny_range",
        "latency/plan_tiny_strided_slice",
        "latency/miss_strided_slice",
        "latency/miss_slice",
    ]


def test_groups():
    assert {benchmark.group for benchmark in BENCHMARKS.values()} == {"memory", "cache", "latency", "start"}
    assert all(name == f"{benchmark.group}/{benchmark.what}" for name, benchmark in BENCHMARKS.items())


@pytest.mark.parametrize(
    "name", [name for name, each in BENCHMARKS.items() if each.group != "memory"] + ["memory/pad_wrap_f64"]
)
def test_benchmark_runs(name):
    call = BENCHMARKS[name].create(fo)
    for _ in range(3):
        call()


def test_cases_that_can_be_resized_are():
    out = BENCHMARKS["cache/reverse_u8"].create(fo).keywords["out"]  # type: ignore[attr-defined]
    assert out.nbytes == pytest.approx(CACHE_BYTES, rel=0.05)


# Workers.


@pytest.fixture
def worker(monkeypatch):
    monkeypatch.setattr(_worker, "installed_fastops", lambda: fo)
    return _worker.Worker()


def test_a_block_takes_as_long_as_asked(worker, monkeypatch):
    assert worker.prepare("latency/warm_tiny_range") == {}
    times = iter(range(1000))
    monkeypatch.setattr(_worker.time, "perf_counter", lambda: next(times))
    # Each look at the clock is a second later: two for calls and reference, and one more for the next batch.
    block = worker.block(least_seconds=7)
    assert block == {"seconds": 1 / worker.batch, "reference": 1}
    assert next(times) == 11


def test_a_worker_says_why_it_cannot(worker, monkeypatch):
    assert worker.prepare("cache/reverse_u8") == {}
    monkeypatch.delattr(fo, "slice")
    monkeypatch.delitem(fo._HOMES, "slice")
    assert worker.prepare("cache/pad_wrap_u8") == {"absent": f"fastops {fo.__version__} has no slice"}
    monkeypatch.setattr(fo, "slice", lambda *_args, **_keywords: fo.strided_slice(1.5, [0.5], [1]), raising=False)
    assert worker.prepare("cache/pad_wrap_u8")["refused"].startswith("DTypeError: strided_slice: begin must")


def test_a_worker_takes_fastops_from_its_environment_only(monkeypatch):
    monkeypatch.setattr(_worker.sys, "prefix", "/nowhere")
    with pytest.raises(RuntimeError, match="not from the environment"):
        _worker.installed_fastops()


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


# Sessions, with workers whose answers are made up.


class FakeWorker:
    """Answers at once: seconds for each side and benchmark."""

    def __init__(self, side: str, seconds: dict[str, float], answers: dict[str, dict[str, str]]) -> None:
        self.side, self.seconds, self.answers = side, seconds, answers
        self.name, self.asked, self.noise = "", "", cycle([0.99, 1.0, 1.01, 1.005])

    def ask(self, what, **arguments):
        self.asked = what
        self.name = arguments.get("name", self.name)

    def answer(self):
        if self.asked == "prepare":
            return self.answers.get(self.name, {})
        return {"seconds": self.seconds.get(self.name, 1.0) * next(self.noise), "reference": 1.0}

    def close(self):
        pass


class Silent:
    def expect(self, count):
        pass

    def begin(self, name):
        pass

    def finish(self):
        pass


def session_with(monkeypatch, head, answers=None, effort=None):
    started = []

    def start(side, *_rest):
        started.append(side)
        return FakeWorker(side, {} if side == "base" else head, (answers or {}).get(side, {}))

    monkeypatch.setattr("benchmarks.regress._session.WorkerProcess", start)
    environment = Environment("c" * 40, Path("nowhere"))
    return Session(environment, environment, Path("staged"), effort or QUICK, Silent()), started  # type: ignore[arg-type]


def test_a_slower_benchmark_is_measured_twice_in_new_processes(monkeypatch):
    session, started = session_with(monkeypatch, {"a": 1.3, "b": 1.0, "c": 0.5})
    rows = session.run(["a", "b", "c"])
    assert [row.verdict for row in rows] == [Verdict.REGRESSION, Verdict.SAME, Verdict.FASTER]
    assert [len(row.passes) for row in rows] == [2, 1, 1]
    assert started == [*SIDES, *SIDES]
    assert rows[0].shown.change.ratio == pytest.approx(1.3, rel=0.02)


def test_rounds_go_on_while_a_pass_is_undecided(monkeypatch):
    session, _ = session_with(monkeypatch, {"a": 1.1})
    (row,) = session.run(["a"])
    assert row.shown.rounds == QUICK.most_rounds
    session, _ = session_with(monkeypatch, {"a": 1.0})
    (row,) = session.run(["a"])
    assert row.shown.rounds == QUICK.rounds


def test_without_time_there_are_no_more_rounds_than_the_first(monkeypatch):
    session, _ = session_with(monkeypatch, {"a": 1.1}, effort=Effort(20e-3, 9, 3, 24, -1.0, seconds=1000.0))
    (row,) = session.run(["a"])
    assert row.shown.rounds == 9


def test_when_time_is_up_the_rest_is_skipped(monkeypatch):
    session, _ = session_with(monkeypatch, {}, effort=Effort(20e-3, 9, 3, 9, 0.0, seconds=-1.0))
    assert [row.verdict for row in session.run(["a", "b"])] == [Verdict.SKIPPED] * 2


def test_what_base_has_not_got_is_absent(monkeypatch):
    answers = {"base": {"a": {"absent": "no pad"}, "b": {"refused": "AttributeValueError: mode"}}}
    session, _ = session_with(monkeypatch, {}, answers)
    rows = session.run(["a", "b", "c"])
    assert [row.absent for row in rows] == ["base: no pad", "base: AttributeValueError: mode", ""]


@pytest.mark.parametrize(
    ("side", "answer"),
    [("head", {"refused": "TypeError: x"}), ("base", {"error": "ValueError: x"}), ("control", {"error": "ValueError"})],
)
def test_what_raises_ends_the_run(side, answer, monkeypatch):
    session, _ = session_with(monkeypatch, {}, {side: {"a": answer}})
    with pytest.raises(CannotMeasureError, match=f"a raised in {side}: "):
        session.run(["a"])


# Commits.


def run_git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", directory, *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "repository"
    root.mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    for name in ("first", "second"):
        (root / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "missing_backend"\n')
        (root / name).write_text(name)
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", "--message", name)
    return root


def test_the_default_base(repository):
    first, second = run_git(repository, "rev-parse", "HEAD~1"), run_git(repository, "rev-parse", "HEAD")
    assert default_base(repository, second) == first
    run_git(repository, "checkout", "--quiet", "-b", "work", first)
    (repository / "third").write_text("third")
    run_git(repository, "add", "--all")
    run_git(repository, "commit", "--quiet", "--message", "third")
    assert default_base(repository, run_git(repository, "rev-parse", "HEAD")) == first


def test_a_commit_that_does_not_exist(repository):
    with pytest.raises(CannotMeasureError, match="git rev-parse"):
        resolve_commit(repository, "nowhere")


def test_a_commit_that_does_not_build(repository, tmp_path):
    with pytest.raises(CannotMeasureError, match=r"does not build: .*missing_backend"):
        build(repository, tmp_path / "store", [run_git(repository, "rev-parse", "HEAD")])
    assert not list((tmp_path / "store").glob("env-*/ready"))


def test_versions_that_differ_are_both_told(tmp_path):
    environments = []
    for name, version in (("base", "1.0"), ("head", "2.0")):
        (tmp_path / name / "venv" / "lib" / f"numba-{version}.dist-info").mkdir(parents=True)
        (tmp_path / name / "venv" / "lib" / "numpy-3.0.dist-info").mkdir(parents=True)
        environments.append(Environment(name, tmp_path / name))
    assert versions_of(environments) == {"numba": "1.0 and 2.0", "numpy": "3.0"}


def test_what_went_wrong_is_the_last_error():
    assert last_line("a\nERROR: no backend\n\n  hint: read the manual\n") == "ERROR: no backend"
    assert last_line("one\ntwo\n") == "two"
    assert last_line("") == "no message"


# The command line.


def test_list(capsys):
    assert main(["--quick", "--only", "reverse", "--list"]) == 0
    assert capsys.readouterr().out == "memory/reverse_f32\ncache/reverse_u8\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--only", "no such thing"],
            "could not measure: no benchmark has no such thing in its name: --list has the names\n",
        ),
        (["no-such-commit"], "could not measure: git rev-parse --verify no-such-commit^{commit}: "),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(arguments, message, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


# The trials.


def test_trials_are_as_many_as_their_bars_ask_for():
    assert (CHANGES["nothing"].runs, CHANGES["nothing"].least_right) == (20, 19)
    assert (CHANGES["kernel"].runs, CHANGES["kernel"].least_right) == (20, 19)
    assert all(change.least_right <= change.runs for change in CHANGES.values())


@pytest.mark.parametrize("edit", [edit for change in CHANGES.values() for edit in change.edits], ids=lambda e: e.file)
def test_edits_of_trials_apply(edit: Edit):
    text = (ROOT / edit.file).read_text()
    assert text.count(edit.old) == 1
    if edit.file.endswith(".py"):
        ast.parse(text.replace(edit.old, edit.new))


def report_of(flagged=(), worse=()):
    rows = [{"name": name, "verdict": "regression"} for name in flagged] + [{"name": "cache/x", "verdict": "same"}]
    return json.loads(json.dumps({"rows": rows, "changes": [{"name": name, "is_worse": True} for name in worse]}))


@pytest.mark.parametrize(
    ("name", "code", "report", "is_right"),
    [
        ("nothing", 0, report_of(), True),
        ("nothing", 2, {}, True),
        ("nothing", 1, report_of(["cache/reverse_u8"]), False),
        ("kernel", 1, report_of(["cache/reverse_u8", "cache/pad_reflect_f32"]), True),
        ("kernel", 1, report_of(["cache/pad_reflect_f32"]), False),
        ("kernel", 1, report_of(["cache/reverse_u8", "latency/miss_slice"]), False),
        ("kernel", 0, report_of(), False),
        ("call", 1, report_of(["latency/warm_tiny_range", "latency/warm_tiny_split"]), True),
        ("call", 1, report_of(["latency/warm_tiny_range", "latency/warm_tiny_split", "cache/reverse_u8"]), False),
        ("serial", 1, report_of([], ["pad_clamp_u8: threads that write"]), True),
        ("serial", 1, report_of(["cache/pad_clamp_u16"]), False),
        ("no build", 2, {}, True),
        ("raises", 1, {}, False),
        ("nothing in common", 2, {}, True),
    ],
)
def test_what_is_right_in_a_trial(name, code, report, is_right):
    assert CHANGES[name].is_right(code, report) is is_right
