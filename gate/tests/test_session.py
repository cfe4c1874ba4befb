"""Sessions, commits, their environments, and the command line.

In sessions, workers give made-up answers, and the tests check the order of blocks and the verdicts on benchmarks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from asv_gate import command, environments
from asv_gate.project import Settings
from asv_gate.session import QUICK, SIDES, Effort, Session, order_of
from asv_gate.statistics import Interval
from asv_gate.verdicts import CannotMeasureError, Measured, Results, Row, Verdict


def test_rounds_run_forwards_and_back_and_each_side_has_each_place_equally_often():
    orders = [order_of(number) for number in range(6)]
    for order in orders:
        assert order == order[::-1]
        assert sorted(order) == sorted(SIDES * 2)
    assert all(sorted(sides) == sorted(SIDES * 2) for sides in zip(*orders, strict=True))


class FakeWorker:
    """A worker that answers at once, with given seconds for each side and benchmark."""

    def __init__(self, side, seconds, answers):
        self.side, self.seconds, self.answers = side, seconds, answers
        self.name = self.asked = ""
        # The cycles have different lengths, so ratios differ from round to round.
        self.noise = cycle([0.99, 1.0, 1.01, 1.005] if side == "base" else [1.0, 0.98, 1.02, 0.99, 1.01])

    def ask(self, what, **arguments):
        self.asked = what
        assert what != "block" or arguments["batch"] == 3
        self.name = arguments.get("name", self.name)

    def answer(self):
        if self.asked == "prepare":
            return self.answers.get(self.name, {})
        if self.asked == "calibrate":
            # All sides use the batch size that the fastest side answers.
            return {"batch": 3 if self.side == "head" else 2}
        return {"seconds": self.seconds.get(self.name, 1.0) * next(self.noise), "reference": 1.0}

    def close(self):
        pass


def session_with(head, answers=None, effort=QUICK):
    started = []

    def start(side):
        started.append(side)
        return FakeWorker(side, {} if side == "base" else head, (answers or {}).get(side, {}))

    starts = {side: partial(start, side) for side in SIDES}
    return Session(starts, effort=effort, progress=mock.Mock(), start=time.monotonic()), started


def effort_of(most_rounds: int, pass_seconds: float, seconds: float) -> Effort:
    return Effort(20e-3, 2e-4, 9, 3, most_rounds, pass_seconds, seconds)


def test_cases_that_differ_are_measured_twice_in_new_processes():
    session, started = session_with({"a": 1.3, "b": 1.0, "c": 0.5, "d": 1.1})
    rows = session.run(["a", "b", "c", "d"])
    verdicts = [Verdict.REGRESSION, Verdict.NOT_SLOWER, Verdict.FASTER, Verdict.BORDERLINE]
    assert [row.verdict for row in rows] == verdicts
    assert [len(row.passes) for row in rows[:3]] == [2, 1, 2]
    assert started == [*SIDES, *SIDES]
    assert rows[0].shown.change.ratio == pytest.approx(1.3, rel=0.02)
    # Rounds go on while a pass is undecided.
    assert [rows[1].shown.rounds, rows[3].shown.rounds] == [QUICK.rounds, QUICK.most_rounds]


def test_time_that_is_left_goes_to_undecided_cases(monkeypatch):
    session, _ = session_with({"a": 1.1}, effort=effort_of(18, 150.0, 1000.0))
    elapsed = 0.0
    original = FakeWorker.answer

    def answer(worker):
        nonlocal elapsed
        elapsed += worker.asked == "block"
        return original(worker)

    monkeypatch.setattr(FakeWorker, "answer", answer)
    monkeypatch.setattr(session, "_elapsed", lambda: elapsed)
    # Twelve rounds of six blocks end within half of 150 seconds, so a begins three more. b takes nine rounds, and a
    # gets the remaining time.
    assert [row.shown.rounds for row in session.run(["a", "b"])] == [18, 9]


def test_without_time_there_are_few_rounds_and_then_none():
    session, _ = session_with({"a": 1.1}, effort=effort_of(24, -1.0, 1000.0))
    assert [row.shown.rounds for row in session.run(["a"])] == [9]
    session, _ = session_with({}, effort=effort_of(9, -1.0, -1.0))
    assert [row.verdict for row in session.run(["a", "b"])] == [Verdict.SKIPPED] * 2


def test_cases_that_base_lacks_are_absent_and_other_exceptions_end_the_run():
    answers = {"base": {"a": {"absent": "no pad"}, "b": {"raised": "ValueError: mode"}}}
    session, _ = session_with({}, answers)
    rows = session.run(["a", "b", "c"])
    assert [row.absent for row in rows] == ["base: no pad", "base: ValueError: mode", ""]
    for side, answer in (("head", {"raised": "TypeError: x"}), ("base", {"error": "x"}), ("control", {"error": "x"})):
        session, _ = session_with({}, {side: {"a": answer}})
        with pytest.raises(CannotMeasureError, match=f"a raised in {side}: "):
            session.run(["a"])


def run_git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", directory, *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def commits(tmp_path_factory):
    """A repository without branches: `second`, `aside` and `empty` follow `first`; `third` follows `second`."""
    root = tmp_path_factory.mktemp("repository")
    run_git(root, "init", "--quiet", "--initial-branch=other")
    nothing = run_git(root, "write-tree")
    (root / "smoothing").mkdir()
    (root / "smoothing" / "__init__.py").touch()
    (root / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "missing_backend"\n')
    run_git(root, "add", "--all")
    tree = run_git(root, "write-tree")
    first = run_git(root, "commit-tree", tree, "-m", "first")
    second, aside = (run_git(root, "commit-tree", tree, "-p", first, "-m", name) for name in ("second", "aside"))
    third = run_git(root, "commit-tree", tree, "-p", second, "-m", "third")
    empty = run_git(root, "commit-tree", nothing, "-p", first, "-m", "empty")
    return SimpleNamespace(root=root, first=first, second=second, third=third, aside=aside, empty=empty)


def test_the_default_base(commits):
    refs = commits.root / ".git" / "refs"
    for main, origin, head, base in (
        # The base of a commit on main is the commit before it; the base of any other commit is the commit at which it
        # left main.
        ("second", None, "second", "first"),
        ("second", None, "aside", "first"),
        # The local main may be old or missing.
        ("first", "second", "third", "second"),
        (None, "second", "third", "second"),
        # The local main may be ahead of the origin's.
        ("third", "first", "third", "first"),
        ("second", "first", "third", "second"),
    ):
        for file, name in ((refs / "heads" / "main", main), (refs / "remotes" / "origin" / "main", origin)):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            if name:
                file.write_text(f"{getattr(commits, name)}\n")
        found = environments.default_base(commits.root, getattr(commits, head))
        assert found == getattr(commits, base), (main, origin, head)


def test_commits_that_cannot_be_measured(commits, tmp_path):
    root = commits.root
    store = environments.Store(root, Settings("smoothing", sources=("smoothing", "pyproject.toml")))
    for call, message in (
        (lambda: environments.default_base(root, commits.first), "no commit before it here: name BASE, or fetch the"),
        (lambda: environments.resolve_commit(root, "nowhere"), r"^'nowhere' is no commit here$"),
        (lambda: environments.git(tmp_path, "rev-parse", "--show-toplevel"), "not a git repository"),
        (lambda: environments.build(store, [commits.second], time.monotonic() + 600), "not build: .*missing_bac"),
        # A commit without any of the sources must be refused: all such commits would share one environment, and none
        # would be slower than another.
        (lambda: environments.build(store, [commits.empty], time.monotonic() + 600), "has none of smoothing, pyproj"),
        (lambda: environments.stage(store), r"there is no gate_cases.py: name the table"),
    ):
        with pytest.raises(CannotMeasureError, match=message):
            call()
    assert not list(store.directory.glob("env-*/ready"))


def test_environments_that_were_not_finished_or_long_not_used_go(tmp_path):
    for age, name in enumerate(["1", "2", "3", "4", "5", "6", "used", "unfinished"]):
        (tmp_path / f"env-{name}").mkdir()
        if name != "unfinished":
            (tmp_path / f"env-{name}" / "ready").touch()
            os.utime(tmp_path / f"env-{name}" / "ready", (1000 - age, 1000 - age))
    environments._drop_old(tmp_path, {tmp_path / "env-used"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"env-{name}" for name in (*"12345", "used")]


def test_cases_are_staged_without_the_package_for_one_run_at_a_time(tmp_path):
    store = environments.Store(tmp_path, Settings("smoothing", "bench/gate.py"))
    for path in ("bench/gate.py", "bench/.asv/old", "smoothing/__init__.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).touch()
    with environments.locked(store), pytest.raises(CannotMeasureError, match="another run"), environments.locked(store):
        pass
    with environments.locked(store):
        environments.stage(store)
        (store.staged / "old").touch()
        environments.stage(store)
    assert sorted(path.name for path in store.staged.iterdir()) == ["asv_gate", "bench"]
    assert [path.name for path in (store.staged / "bench").iterdir()] == ["gate.py"]


def results(is_slower: bool) -> Results:
    interval = Interval(1.2, 1.15, 1.25) if is_slower else Interval(1.0, 0.97, 1.03)
    measured = Measured(1e-3, interval, interval, Interval(1.0, 0.97, 1.03), 0.5, 9)
    named = {"base": ("a" * 40, "Before"), "head": ("b" * 40, "After")}
    return Results(named, [Row("cache/reverse_u8", [measured, measured])], [], 3, {}, {})


def test_the_exit_code_says_what_the_reports_do(tmp_path, capsys, monkeypatch):
    files = tmp_path / "report.json", tmp_path / "report.md"
    arguments = ["--json", str(files[0]), "--markdown", str(files[1])]
    for is_slower, said in ((False, "no regression in 1 case"), (True, "regression: 1 slower")):
        monkeypatch.setattr(command, "_measured", lambda _options, is_slower=is_slower: results(is_slower))
        assert command.main(arguments) == is_slower
        assert capsys.readouterr().out.endswith(f"{said}\n")
        assert all(said in file.read_text() for file in files)
    monkeypatch.undo()
    # A run that fails replaces the reports of an earlier run.
    assert command.main(["no-such-commit", *arguments]) == 2
    assert json.loads(files[0].read_text())["exit_code"] == 2
    assert files[1].read_text().startswith("**could not measure: ")


def test_whatever_goes_wrong_is_one_line_and_no_regression(capsys, monkeypatch):
    assert command.main(["--json", "no-such-directory/a.json"]) == 2
    assert capsys.readouterr().err == (
        "could not measure: there is no directory to write no-such-directory/a.json to\n"
    )
    for error, arguments, code, last in (
        (KeyboardInterrupt(), [], 130, "interrupted"),
        (OSError("disk full\nof old"), [], 2, "could not measure: OSError: disk full of old"),
        (OSError("disk full\nof old"), ["--traceback"], 2, "could not measure: OSError: disk full of old"),
    ):

        def fail(_options, error=error):
            raise error

        monkeypatch.setattr(command, "_measured", fail)
        assert command.main(arguments) == code
        lines = capsys.readouterr().err.splitlines()
        assert (lines[-1], len(lines) > 1) == (last, bool(arguments))


# A backend that builds without any package: it writes a wheel of one module.
BACKEND = """
import zipfile
def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, info = "smoothing-1-py3-none-any.whl", "smoothing-1.dist-info"
    with zipfile.ZipFile(f"{wheel_directory}/{name}", "w") as file:
        file.write("smoothing.py")
        file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: smoothing\\nVersion: 1\\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        file.writestr(f"{info}/RECORD", "")
    return name
"""
PROJECT = """
[project]
name = "smoothing"
version = "1"
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
CASES = """
import smoothing
CASES = {"fill": lambda: smoothing.fill, "new": lambda: smoothing.fresh}
"""


def test_a_project_is_measured_from_its_commits_to_a_verdict(tmp_path, monkeypatch, capsys):
    """The verdict comes from a counter, because the times of so short a run mean nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "FULL", Effort(1e-3, 1e-4, 6, 3, 6, 300.0, 390.0))
    run_git(tmp_path, "init", "--quiet", "--initial-branch=main")
    for name, text in (("backend.py", BACKEND), ("pyproject.toml", PROJECT), ("gate_cases.py", CASES)):
        (tmp_path / name).write_text(text)
    for text in ("def fill(): return bytes(1000)\n", "def fill(): return bytes(9000)\nfresh = fill\n"):
        (tmp_path / "smoothing.py").write_text(text)
        run_git(tmp_path, "add", "--all")
        run_git(tmp_path, "commit", "--quiet", "--message", text[:12])
    assert command.main(["--list", "--only", "e"]) == 0
    assert capsys.readouterr().out == "new\n"
    report = tmp_path / "report.json"
    assert command.main(["--json", str(report)]) == 1
    found = json.loads(report.read_text())
    assert [(row["name"], bool(row["passes"]), row["absent"][:20]) for row in found["rows"]] == [
        ("fill", True, ""),
        ("new", False, "base: AttributeError"),
    ]
    (change,) = found["changes"]
    assert (change["name"], change["is_worse"]) == ("fill: bytes allocated", True)
    assert run_git(tmp_path, "status", "--porcelain") == "?? report.json"
    assert "1 counter worse" in capsys.readouterr().out
    # A case that raises in HEAD has no verdict.
    (tmp_path / "gate_cases.py").write_text(CASES.replace("smoothing.fresh", "smoothing.lost"))
    assert command.main([]) == 2
    assert capsys.readouterr().err == (
        "could not measure: new raised in head: AttributeError: module 'smoothing' has no attribute 'lost'\n"
    )


def test_the_help_comes_without_a_project(tmp_path):
    path = str(Path(command.__file__).parents[1])
    run = [sys.executable, "-m", "asv_gate", "--help"]
    done = subprocess.run(run, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["usage:", "asv-gate"])
