"""Commits and their environments, and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.regress import _command as command
from benchmarks.regress import _environments as environments
from benchmarks.regress.__main__ import main
from benchmarks.regress._statistics import Interval
from benchmarks.regress._verdicts import CannotMeasureError, Measured, Results, Row


def run_git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", directory, *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def commits(tmp_path_factory):
    """A repository, whose commits no branch holds: second, aside and empty follow first, and third second."""
    root = tmp_path_factory.mktemp("repository")
    run_git(root, "init", "--quiet", "--initial-branch=other")
    nothing = run_git(root, "write-tree")
    (root / "fastops").mkdir()
    (root / "fastops" / "__init__.py").touch()
    (root / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "missing_backend"\n')
    run_git(root, "add", "--all")
    tree = run_git(root, "write-tree")
    first = run_git(root, "commit-tree", tree, "-m", "first")
    second, aside = (run_git(root, "commit-tree", tree, "-p", first, "-m", name) for name in ("second", "aside"))
    third = run_git(root, "commit-tree", tree, "-p", second, "-m", "third")
    empty = run_git(root, "commit-tree", nothing, "-p", first, "-m", "empty")
    return SimpleNamespace(root=root, first=first, second=second, third=third, aside=aside, empty=empty)


@pytest.mark.parametrize(
    ("main", "origin", "head", "base"),
    [
        # What main has, has landed; what it has not, left it somewhere.
        ("second", None, "second", "first"),
        ("second", None, "aside", "first"),
        # One's own main may be old, or not there.
        ("first", "second", "third", "second"),
        (None, "second", "third", "second"),
        # Work may be done on one's own main, which is ahead of the origin's until that has it too.
        ("third", "first", "third", "first"),
        ("second", "first", "third", "second"),
    ],
)
def test_the_default_base(main, origin, head, base, commits):
    refs = commits.root / ".git" / "refs"
    for file, name in ((refs / "heads" / "main", main), (refs / "remotes" / "origin" / "main", origin)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if name:
            file.write_text(f"{getattr(commits, name)}\n")
    assert environments.default_base(commits.root, getattr(commits, head)) == getattr(commits, base)


def test_commits_that_cannot_be_measured(commits, tmp_path):
    root, store = commits.root, tmp_path / "store"
    for call, message in (
        (lambda: environments.default_base(root, commits.first), "no commit before it here: name BASE, or fetch the"),
        (lambda: environments.resolve_commit(root, "nowhere"), r"^'nowhere' is no commit here$"),
        (lambda: environments.resolve_commit(tmp_path, "HEAD"), "not a git repository"),
        (lambda: environments.build(root, store, [commits.second], time.monotonic() + 600), "not build: .*missing_bac"),
        # Else all such commits would share an environment, and none be slower than another.
        (lambda: environments.build(root, store, [commits.empty], time.monotonic() + 600), "has no fastops/"),
    ):
        with pytest.raises(CannotMeasureError, match=message):
            call()
    assert not list(store.glob("env-*/ready"))


def test_environments_that_were_not_finished_or_long_not_used_go(tmp_path):
    for age, name in enumerate(["1", "2", "3", "4", "5", "6", "used", "unfinished"]):
        (tmp_path / f"env-{name}").mkdir()
        if name != "unfinished":
            (tmp_path / f"env-{name}" / "ready").touch()
            os.utime(tmp_path / f"env-{name}" / "ready", (1000 - age, 1000 - age))
    environments._drop_old(tmp_path, {tmp_path / "env-used"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"env-{name}" for name in (*"12345", "used")]


def test_the_benchmarks_are_staged_without_the_package_for_one_run_at_a_time(tmp_path):
    staged = environments.stage_benchmarks(command.ROOT, tmp_path)
    assert (staged / "benchmarks" / "cases" / "__init__.py").exists()
    assert not (staged / "fastops").exists()
    (staged / "old").touch()
    assert not (environments.stage_benchmarks(command.ROOT, tmp_path) / "old").exists()
    locked = environments.locked
    with locked(tmp_path), pytest.raises(CannotMeasureError, match="another run is under way"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_what_cannot_be_measured_is_one_line_and_exit_code_2(capsys):
    assert command.main(["--quick", "--only", "reverse", "--list"]) == 0
    assert capsys.readouterr().out == "large/reverse_f32\ncache/reverse_u8\n"
    for arguments, message in (
        (["--only", "no such thing"], "no benchmark has 'no such thing' in its name: --list has the names\n"),
        (["no-such-commit"], "'no-such-commit' is no commit here"),
        (["--json", "no-such-directory/a.json"], "there is no directory to write no-such-directory/a.json"),
    ):
        assert command.main(arguments) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith(f"could not measure: {message}")
        assert (captured.err.count("\n"), captured.out) == (1, "")


def results(is_slower: bool) -> Results:
    interval = Interval(1.2, 1.15, 1.25) if is_slower else Interval(1.0, 0.97, 1.03)
    measured = Measured(1e-3, interval, interval, Interval(1.0, 0.97, 1.03), 0.5, 9)
    named = {"base": ("a" * 40, "Before"), "head": ("b" * 40, "After")}
    return Results(named, [Row("cache/reverse_u8", [measured, measured])], [], 3, {}, {})


def test_the_exit_code_says_what_the_reports_do(tmp_path, capsys, monkeypatch):
    files = tmp_path / "report.json", tmp_path / "report.md"
    arguments = ["--json", str(files[0]), "--markdown", str(files[1])]
    for is_slower, said in ((False, "no regression in 1 benchmark"), (True, "regression: 1 slower")):
        monkeypatch.setattr(command, "_measured", lambda _options, _names, is_slower=is_slower: results(is_slower))
        assert command.main(arguments) == is_slower
        assert capsys.readouterr().out.endswith(f"{said}\n")
        assert all(said in file.read_text() for file in files)
    monkeypatch.undo()
    # Reports are of this run.
    assert command.main(["no-such-commit", *arguments]) == 2
    assert json.loads(files[0].read_text())["exit_code"] == 2
    assert files[1].read_text().startswith("**could not measure: ")


def test_whatever_goes_wrong_is_no_regression(capsys, monkeypatch):
    for error, arguments, code, last in (
        (KeyboardInterrupt(), [], 130, "interrupted"),
        (OSError("disk full\nof old"), [], 2, "could not measure: OSError: disk full of old"),
        (OSError("disk full\nof old"), ["--traceback"], 2, "could not measure: OSError: disk full of old"),
    ):

        def fail(_options, _names, error=error):
            raise error

        monkeypatch.setattr(command, "_measured", fail)
        assert command.main(arguments) == code
        lines = capsys.readouterr().err.splitlines()
        assert (lines[-1], len(lines) > 1) == (last, bool(arguments))
    # A gate that cannot be loaded has no verdict, as where a project has copied a part of it.
    monkeypatch.setitem(sys.modules, "benchmarks.regress._command", None)
    assert main([]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("could not measure: ModuleNotFoundError: ")
