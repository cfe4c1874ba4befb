"""Commits and their environments, and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.regress import _command as command
from benchmarks.regress.__main__ import main
from benchmarks.regress._environments import (
    Environment,
    _drop_old,
    build,
    default_base,
    locked,
    resolve_commit,
    stage_benchmarks,
    versions_of,
)
from benchmarks.regress._statistics import Interval
from benchmarks.regress._verdicts import CannotMeasureError, Measured, Results, Row


def run_git(directory: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", directory, *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "repository"
    root.mkdir()
    run_git(root, "init", "--quiet", "--initial-branch=main")
    (root / "fastops").mkdir()
    (root / "fastops" / "__init__.py").touch()
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
    assert default_base(repository, commit(repository, "third")) == first


def commit(repository: Path, name: str) -> str:
    (repository / name).write_text(name)
    run_git(repository, "add", "--all")
    run_git(repository, "commit", "--quiet", "--message", name)
    return run_git(repository, "rev-parse", "HEAD")


def test_the_default_base_where_main_is_the_origins(repository):
    first, second = run_git(repository, "rev-parse", "HEAD~1"), run_git(repository, "rev-parse", "HEAD")
    run_git(repository, "update-ref", "refs/remotes/origin/main", second)
    run_git(repository, "checkout", "--quiet", "--detach")
    third = commit(repository, "third")
    # One's own main may be old.
    run_git(repository, "branch", "--force", "main", first)
    assert default_base(repository, third) == second
    run_git(repository, "branch", "--delete", "--force", "main")
    assert default_base(repository, third) == second
    assert default_base(repository, second) == first


def test_the_default_base_of_work_on_ones_own_main(repository):
    first = run_git(repository, "rev-parse", "HEAD~1")
    run_git(repository, "update-ref", "refs/remotes/origin/main", first)
    third = commit(repository, "third")
    assert default_base(repository, third) == first
    run_git(repository, "update-ref", "refs/remotes/origin/main", third)
    assert default_base(repository, third) == run_git(repository, "rev-parse", "HEAD~1")


def test_no_default_base_without_a_history(repository):
    first = run_git(repository, "rev-parse", "HEAD~1")
    with pytest.raises(CannotMeasureError, match="has no commit before it here: name BASE, or fetch the history"):
        default_base(repository, first)


def test_a_commit_that_does_not_exist(repository):
    with pytest.raises(CannotMeasureError, match=r"^'nowhere' is no commit here$"):
        resolve_commit(repository, "nowhere")


def test_where_there_is_no_repository(tmp_path):
    with pytest.raises(CannotMeasureError, match="not a git repository"):
        resolve_commit(tmp_path, "HEAD")


def test_a_commit_that_does_not_build(repository, tmp_path):
    with pytest.raises(CannotMeasureError, match=r"does not build: .*missing_backend"):
        build(repository, tmp_path / "store", [run_git(repository, "rev-parse", "HEAD")], time.monotonic() + 60)
    assert not list((tmp_path / "store").glob("env-*/ready"))


def test_a_commit_without_the_package(repository, tmp_path):
    """Else all such commits would share an environment, and none be slower than another."""
    run_git(repository, "rm", "--quiet", "-r", "fastops")
    run_git(repository, "commit", "--quiet", "--message", "third")
    with pytest.raises(CannotMeasureError, match="has no fastops/"):
        build(repository, tmp_path / "store", [run_git(repository, "rev-parse", "HEAD")], time.monotonic() + 60)


def test_environments_that_were_not_finished_or_long_not_used_go(tmp_path):
    used = tmp_path / "env-used"
    for age, name in enumerate(["used", "1", "2", "3", "4", "5", "6", "unfinished"]):
        (tmp_path / f"env-{name}").mkdir()
        if name != "unfinished":
            (tmp_path / f"env-{name}" / "ready").touch()
            os.utime(tmp_path / f"env-{name}" / "ready", (1000 - age, 1000 - age))
    _drop_old(tmp_path, {used})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["env-1", "env-2", "env-3", "env-4", "env-5", "env-used"]


def test_versions_that_differ_are_both_told(tmp_path):
    environments = []
    for name, version in (("base", "1.0"), ("head", "2.0")):
        (tmp_path / name / "venv" / "lib" / f"numba-{version}.dist-info").mkdir(parents=True)
        (tmp_path / name / "venv" / "lib" / "numpy-3.0.dist-info").mkdir(parents=True)
        environments.append(Environment(name, tmp_path / name))
    assert versions_of(environments) == {"numba": "1.0 and 2.0", "numpy": "3.0"}


def test_the_benchmarks_are_staged_without_the_package(tmp_path):
    staged = stage_benchmarks(command.ROOT, tmp_path)
    assert (staged / "benchmarks" / "cases" / "__init__.py").exists()
    assert not (staged / "fastops").exists()
    (staged / "old").touch()
    assert not (stage_benchmarks(command.ROOT, tmp_path) / "old").exists()


def test_one_run_at_a_time(tmp_path):
    with locked(tmp_path), pytest.raises(CannotMeasureError, match="another run is under way"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_list(capsys):
    assert command.main(["--quick", "--only", "reverse", "--list"]) == 0
    assert capsys.readouterr().out == "large/reverse_f32\ncache/reverse_u8\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--only", "no such thing"],
            "could not measure: no benchmark has 'no such thing' in its name: --list has the names\n",
        ),
        (
            ["no-such-commit"],
            "could not measure: 'no-such-commit' is no commit here",
        ),
        (
            ["--json", "no-such-directory/a.json"],
            "could not measure: there is no directory to write no-such-directory/a.json",
        ),
    ],
)
def test_what_cannot_be_measured_is_one_line_and_exit_code_2(arguments, message, capsys):
    assert command.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def results(slower: bool) -> Results:
    interval = Interval(1.2, 1.15, 1.25) if slower else Interval(1.0, 0.97, 1.03)
    measured = Measured(1e-3, interval, interval, Interval(1.0, 0.97, 1.03), 0.5, 9)
    commits = {"base": ("a" * 40, "Before"), "head": ("b" * 40, "After")}
    return Results(commits, [Row("cache/reverse_u8", [measured, measured])], [], 3, {}, {})


@pytest.mark.parametrize("slower", [False, True])
def test_the_exit_code_says_what_the_report_does(slower, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "_measured", lambda _options, _names: results(slower))
    files = tmp_path / "report.json", tmp_path / "report.md"
    assert command.main(["--json", str(files[0]), "--markdown", str(files[1])]) == slower
    said = "regression: 1 slower" if slower else "no regression in 1 benchmark"
    assert capsys.readouterr().out.endswith(f"{said}\n")
    assert all(said in file.read_text() for file in files)


def test_reports_are_of_this_run(tmp_path, capsys, monkeypatch):
    files = tmp_path / "report.json", tmp_path / "report.md"
    for file in files:
        file.write_text("no regression")
    arguments = ["--json", str(files[0]), "--markdown", str(files[1])]
    assert command.main(["no-such-commit", *arguments]) == 2
    assert json.loads(files[0].read_text())["exit_code"] == 2
    assert files[1].read_text().startswith("**could not measure: ")
    monkeypatch.setattr(command, "_measured", lambda _options, _names: files[0].mkdir() or results(True))
    capsys.readouterr()
    # The exit code is that of what was measured, whatever becomes of the files.
    assert command.main(arguments) == 1
    assert capsys.readouterr().err.startswith(f"no report in {files[0]}: ")
    assert command.main(arguments) == 2
    assert "could not measure: " in capsys.readouterr().err


def test_an_interrupt_is_one_line(capsys, monkeypatch):
    def interrupt(_options, _names):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_measured", interrupt)
    assert command.main([]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_gate_that_cannot_be_loaded_has_no_verdict(capsys, monkeypatch):
    # As where a project has copied a part of it.
    monkeypatch.setitem(sys.modules, "benchmarks.regress._command", None)
    assert main([]) == 2
    error = capsys.readouterr().err
    assert error.startswith("could not measure: ModuleNotFoundError: ")
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], ["--traceback"]])
def test_whatever_goes_wrong_is_no_regression(arguments, capsys, monkeypatch):
    def fail(_options, _names):
        raise OSError("disk full\nof old results")

    monkeypatch.setattr(command, "_measured", fail)
    assert command.main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "could not measure: OSError: disk full of old results"
    assert (len(lines) > 1) is bool(arguments)
