"""The command ``asv-gate``."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import shutil
import subprocess
import sys
import time
import traceback
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from .counting import Counter
from .environments import Environment, Store, build, default_base, git, locked, resolve_commit, stage, versions_of
from .processes import last_line, wait_all
from .project import read_settings
from .report import failure_as_json, failure_as_markdown, json_of, markdown_of, text_of
from .session import FULL, QUICK, SIDES, Session
from .tables import core_count, cpu_model
from .verdicts import CannotMeasureError, Counters, Results, changes_between, exit_reason

# The gate gives up if building and counting take longer, or counting again does; they take a minute, or several on a
# busy machine.
_BUILDING_SECONDS = 420.0

# The exit code that shells give a program that Ctrl-C has ended.
_INTERRUPTED = 130

_EPILOG = """\
Both commits are installed into environments of their own, which are kept in .asv-gate for the next run. The cases
are those of the working tree, for both. A regression is a case that is slower by more than 10 % at the lower bound
of a 95 % interval, twice, in two sets of processes; or a counter that got worse.

The exit code is 0 without a regression, 1 with one, and 2 if the gate cannot say.
"""


def main(arguments: list[str] | None = None) -> int:
    """Measure, show, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        _clear_reports(options)
    except (CannotMeasureError, OSError) as error:
        return _say(f"could not measure: {error}")
    try:
        results = _measured(options)
    except KeyboardInterrupt:
        return _say("interrupted", _INTERRUPTED)
    except Exception as error:
        # Exit code 1 would say that there is a regression.
        if options.traceback:
            traceback.print_exc()
        kind = "" if isinstance(error, CannotMeasureError) else f"{type(error).__name__}: "
        reason = f"could not measure: {kind}{' '.join(str(error).split())}"
        _write_reports(options, failure_as_json(reason), failure_as_markdown(reason))
        return _say(reason)
    if results is None:
        return 0
    sys.stdout.write(text_of(results))
    _write_reports(options, json_of(results), markdown_of(results))
    return exit_reason(results.rows, results.changes)[0]


def _say(line: str, code: int = 2) -> int:
    sys.stderr.write(f"{line}\n")
    return code


def _progress(text: str) -> None:
    """On a terminal, show this progress in place of the last one."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _clear_reports(options: argparse.Namespace) -> None:
    """Remove the reports of an earlier run, so that nobody takes them for those of this one."""
    for file in filter(None, (options.json, options.markdown)):
        if not file.absolute().parent.is_dir():
            raise CannotMeasureError(f"there is no directory to write {file} to")
        file.unlink(missing_ok=True)


def _write_reports(options: argparse.Namespace, as_json: str, as_markdown: str) -> None:
    for file, text in ((options.json, as_json), (options.markdown, as_markdown)):
        try:
            if file:
                file.write_text(text, encoding="utf-8")
        except OSError as error:
            # The verdict and its exit code stay, although the report cannot be written.
            _say(f"no report in {file}: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="asv-gate",
        description="Say whether HEAD is slower than BASE.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "base", nargs="?", help="a commit (default: where HEAD left origin/main or main; HEAD~1 if it has landed)"
    )
    parser.add_argument("--head", default="HEAD", metavar="COMMIT", help="commit to compare with BASE (default: HEAD)")
    parser.add_argument("--cases", metavar="PATH", help="the table, or the folder of asv's benchmarks, to measure")
    parser.add_argument(
        "--quick", action="store_true", help="fewer cases, and less time for them: some minutes, more on a busy machine"
    )
    parser.add_argument("--only", metavar="SUBSTRING", action="append", help="only cases whose name contains it")
    parser.add_argument("--list", action="store_true", help="print the names of HEAD's cases and stop")
    parser.add_argument("--traceback", action="store_true", help="show where the gate itself failed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report for a pull request")
    return parser


def _measured(options: argparse.Namespace) -> Results | None:
    """Return the results of a run; None if only names were asked for."""
    start = time.monotonic()
    deadline = start + _BUILDING_SECONDS
    root = Path(git(Path.cwd(), "rev-parse", "--show-toplevel"))
    settings = read_settings(root)
    store = Store(root, replace(settings, cases=options.cases) if options.cases else settings)
    head = resolve_commit(root, options.head)
    base = resolve_commit(root, options.base) if options.base is not None else default_base(root, head)
    notes = []
    if options.head == "HEAD" and git(root, "status", "--porcelain", "--untracked-files=no", "--", *settings.sources):
        notes.append("uncommitted changes are not measured")
    seconds = {}
    with locked(store):
        _progress("building")
        stage(store)
        wanted = [head] if options.list else [base, head]
        environments = build(store, wanted, deadline)
        names = _names(store, environments[-1], options)
        if options.list:
            _progress("")
            sys.stdout.writelines(f"{name}\n" for name in names)
            return None
        if environments[0].directory == environments[1].directory:
            notes.append("base and head have the same sources: all differences are noise of the machine")
        seconds["building"] = time.monotonic() - start
        _progress("counting")
        counters = count(store, environments, deadline)
        if any(change.is_worse for change in changes_between(*counters)):
            _progress("counting again")
            counters = _recounted(store, environments, counters)
        seconds["counting"] = time.monotonic() - start - seconds["building"]
        starts = {side: partial(store.worker, side, environments[side != "base"]) for side in SIDES}
        effort = QUICK if options.quick else FULL
        rows = Session(starts, effort=effort, progress=_progress, start=time.monotonic()).run(names)
        seconds["measuring"] = time.monotonic() - start - sum(seconds.values())
    _progress("")
    commits = {
        side: (commit, git(root, "show", "--no-patch", "--format=%s", commit))
        for side, commit in (("base", base), ("head", head))
    }
    environment = {
        "on": datetime.now(UTC).date().isoformat(),
        "CPU": f"{cpu_model()}, {core_count()} cores",
        "Python": platform.python_version(),
    }
    common = len(counters[0].keys() & counters[1].keys())
    changes = changes_between(*counters)
    return Results(commits, rows, changes, common, environment | versions_of(environments), seconds, notes)


def _names(store: Store, environment: Environment, options: argparse.Namespace) -> list[str]:
    """Return the names of the cases to measure, as HEAD's environment has them."""
    worker = store.worker("head", environment)
    try:
        worker.ask("names")
        answer = worker.answer()
    finally:
        worker.close()
    names = answer["quick" if options.quick else "names"]
    chosen = [name for name in names if not options.only or any(part in name for part in options.only)]
    if not chosen:
        wanted = " or ".join(map(repr, options.only)) if options.only else "anything"
        raise CannotMeasureError(f"no case has {wanted} in its name: --list has the names")
    return chosen


def count(store: Store, environments: list[Environment], deadline: float) -> list[Counters]:
    """Return the counters of two commits, kept by an earlier run or new; counting also compiles their kernels."""
    digest = hashlib.sha256(cpu_model().encode())
    for path in sorted(store.staged.rglob("*.py")):
        digest.update(path.read_bytes())
    files = {each: each.directory / f"counters-{digest.hexdigest()[:16]}.json" for each in environments}
    # Commits of equal sources share a directory.
    missing = {each.directory: each for each in environments if not files[each].exists()}
    outputs = wait_all({each: partial(_start_counting, store, each) for each in missing.values()}, deadline)
    for each, (code, output, errors) in outputs.items():
        if code:
            reason = last_line(errors) if errors.strip() else f"exit code {code}"
            raise CannotMeasureError(f"{each.commit[:12]} raised while counting: {reason}")
        _keep(files[each], output)
    found: list[dict[str, Any]] = [json.loads(files[each].read_text(encoding="utf-8")) for each in environments]
    # BASE may raise: it may lack features that the cases use.
    for name, reason in found[-1]["raised"].items():
        raise CannotMeasureError(f"{name} raised in head: {reason}")
    return [{name: Counter(*each) for name, each in one["counters"].items()} for one in found]


def _recounted(store: Store, environments: list[Environment], counters: list[Counters]) -> list[Counters]:
    """Count HEAD again, and keep a worse value only if both counts are worse than BASE.

    On a busy machine, a count of writing threads may be too low: a thread may come too late for its part.
    """
    for file in environments[-1].directory.glob("counters-*"):
        file.unlink()
    base, first = counters
    again = count(store, environments, time.monotonic() + _BUILDING_SECONDS)[-1]
    is_still = {change.name for change in changes_between(base, again) if change.is_worse}
    return [base, {name: each if name in is_still else again.get(name, each) for name, each in first.items()}]


def _start_counting(store: Store, environment: Environment) -> subprocess.Popen[str]:
    # Empty the cache, so that compiled code is counted too.
    shutil.rmtree(environment.kernels, ignore_errors=True)
    environment.kernels.mkdir()
    return subprocess.Popen(  # noqa: S603 - the gate's own program.
        store.command(environment, "count"),
        cwd=store.staged,
        # Use two threads on every machine, so that counters are equal everywhere.
        env=store.variables(environment) | {"NUMBA_NUM_THREADS": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _keep(file: Path, text: str) -> None:
    for old in file.parent.glob("counters-*"):
        old.unlink()
    # If the write is interrupted, no file has the right name.
    written = file.with_suffix(".part")
    written.write_text(text, encoding="utf-8")
    written.replace(file)
