"""What ``python -m benchmarks.regress`` does."""

from __future__ import annotations

import argparse
import platform
import sys
import time
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure.machine import core_count, cpu_model
from benchmarks.regress._benchmarks import BENCHMARKS
from benchmarks.regress._counters import changes_between, count
from benchmarks.regress._environments import (
    build,
    default_base,
    git,
    locked,
    resolve_commit,
    stage_benchmarks,
    versions_of,
)
from benchmarks.regress._progress import Progress
from benchmarks.regress._project import SOURCES
from benchmarks.regress._report import failure_as_json, failure_as_markdown, json_of, markdown_of, text_of
from benchmarks.regress._session import FULL, QUICK, Session
from benchmarks.regress._verdicts import CannotMeasureError, Results, exit_reason

ROOT = Path(__file__).absolute().parents[2]

# Building and counting both commits takes a minute, or several beside other work; it is kept for the next run.
_BUILDING_SECONDS = 420.0

# What shells say of a program that Ctrl-C has ended.
_INTERRUPTED = 130

# Environments, kernels and counters, for the next run.
STORE = ROOT / ".regress"

_EPILOG = """\
Both commits are installed into environments of their own, which are kept in .regress for the next run. The benchmarks
are those of the working tree, for both. A regression is a benchmark that is slower by more than 10 % at the lower bound
of a 95 % interval, twice, in two sets of processes; or a counter that got worse.

The exit code is 0 if there is none, 1 if there is one, and 2 if that cannot be said.
"""


def main(arguments: list[str] | None = None) -> int:
    """Measure, show, and return the exit code."""
    options = _parser().parse_args(arguments)
    names = _chosen(options)
    if options.list:
        sys.stdout.writelines(f"{name}\n" for name in names)
        return 0
    try:
        _clear_reports(options)
    except (CannotMeasureError, OSError) as error:
        return _say(f"could not measure: {error}")
    try:
        results = _measured(options, names)
    except KeyboardInterrupt:
        return _say("interrupted", _INTERRUPTED)
    except Exception as error:
        # Whatever it is, it is no regression, which exit code 1 would say.
        if options.traceback:
            traceback.print_exc()
        kind = "" if isinstance(error, CannotMeasureError) else f"{type(error).__name__}: "
        reason = f"could not measure: {kind}{' '.join(str(error).split())}"
        _write_reports(options, failure_as_json(reason), failure_as_markdown(reason))
        return _say(reason)
    sys.stdout.write(text_of(results))
    _write_reports(options, json_of(results), markdown_of(results))
    return exit_reason(results.rows, results.changes)[0]


def _say(line: str, code: int = 2) -> int:
    sys.stderr.write(f"{line}\n")
    return code


def _clear_reports(options: argparse.Namespace) -> None:
    """Remove the reports of an earlier run, so that nobody takes them for this one's."""
    for file in (options.json, options.markdown):
        if file and not file.absolute().parent.is_dir():
            raise CannotMeasureError(f"there is no directory to write {file} to")
        if file:
            file.unlink(missing_ok=True)


def _write_reports(options: argparse.Namespace, as_json: str, as_markdown: str) -> None:
    for file, text in ((options.json, as_json), (options.markdown, as_markdown)):
        try:
            if file:
                file.write_text(text, encoding="utf-8")
        except OSError as error:
            # The verdict is known, and its exit code stays.
            _say(f"no report in {file}: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.regress",
        description="Say whether HEAD is slower than BASE.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "base", nargs="?", help="a commit (default: where HEAD left origin/main or main; HEAD~1 if it has landed)"
    )
    parser.add_argument("--head", default="HEAD", metavar="COMMIT", help="what to compare with it (default: HEAD)")
    parser.add_argument(
        "--quick", action="store_true", help="fewer benchmarks: for 2 minutes, or up to 7 beside others"
    )
    parser.add_argument(
        "--only", metavar="SUBSTRING", action="append", help="time only benchmarks whose name has it; repeatable"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the benchmarks and stop")
    parser.add_argument("--traceback", action="store_true", help="of what could not be measured, besides the one line")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report for a pull request")
    return parser


def _chosen(options: argparse.Namespace) -> list[str]:
    names = [name for name, benchmark in BENCHMARKS.items() if benchmark.is_quick or not options.quick]
    return [name for name in names if not options.only or any(part in name for part in options.only)]


def _measured(options: argparse.Namespace, names: Sequence[str]) -> Results:
    """Return the results of a run."""
    start = time.monotonic()
    if not names:
        quick = " --quick" if options.quick else ""
        wanted = " or ".join(map(repr, options.only))
        raise CannotMeasureError(f"no benchmark has {wanted} in its name: --list{quick} has the names")
    effort = QUICK if options.quick else FULL
    deadline = start + _BUILDING_SECONDS
    head = resolve_commit(ROOT, options.head)
    base = resolve_commit(ROOT, options.base) if options.base is not None else default_base(ROOT, head)
    notes = []
    if options.head == "HEAD" and git(ROOT, "status", "--porcelain", "--", *SOURCES):
        notes.append("uncommitted changes are not measured")
    seconds = {}
    with locked(STORE), Progress() as progress:
        progress.begin("building")
        environments = build(ROOT, STORE, [base, head], deadline)
        if environments[0].directory == environments[1].directory:
            notes.append("base and head have the same sources: all that differs is the noise of the machine")
        staged = stage_benchmarks(ROOT, STORE)
        seconds["building"] = time.monotonic() - start
        progress.begin("compiling and counting")
        counters = count(*environments, staged, deadline)
        seconds["counting"] = time.monotonic() - start - seconds["building"]
        session = Session(*environments, staged=staged, effort=effort, progress=progress, start=time.monotonic())
        rows = session.run(names)
        seconds["measuring"] = time.monotonic() - start - sum(seconds.values())
    commits = {
        side: (commit, git(ROOT, "show", "--no-patch", "--format=%s", commit))
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
