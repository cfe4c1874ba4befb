"""Does the gate say what it must? ``python -m benchmarks.regress.trials``.

In a temporary clone, commits are made whose verdict is known (`_changes`), and the gate runs on each, as often as it
takes to know how often it is wrong. It takes an hour and a quarter; nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure.machine import core_count
from benchmarks.measure.processes import busy_cores
from benchmarks.measure.tables import markdown_lines, text_lines
from benchmarks.regress._changes import CHANGES, Change, Report, flagged, worse_counters
from benchmarks.regress._environments import git

ROOT = Path(__file__).absolute().parents[2]

_HEADER = ["change", "runs", "exit 0", "exit 1", "exit 2", "right", "seconds at most", "flagged: how often (slower by)"]
_TEXT = (0, -1)

# What a quick run may take.
_MOST_SECONDS = 180


@dataclass
class Outcome:
    """What became of one change."""

    change: Change
    codes: list[int] = field(default_factory=list)
    right: int = 0
    seconds: float = 0.0
    flagged: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    worse: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def is_met(self) -> bool:
        """True if it came out right as often as it must, and in time."""
        most_wrong = self.change.runs - self.change.least_right
        return len(self.codes) - self.right <= most_wrong and self.seconds <= _MOST_SECONDS

    def cells(self, name: str) -> list[str]:
        """Return the row of the table."""
        counts = [str(self.codes.count(code)) for code in (0, 1, 2)]
        rows = sorted(self.flagged.items(), key=lambda item: -len(item[1]))
        what = [f"{each} {len(ratios)} ({_range_of(ratios)})" for each, ratios in rows]
        what += [f"{each} {count}" for each, count in (self.worse + self.reasons).most_common()]
        seconds = f"{self.seconds:.0f}"
        return [name, str(len(self.codes)), *counts, str(self.right), seconds, ", ".join(what) or "nothing"]


def _range_of(ratios: list[float]) -> str:
    """Return by how much the least and the most is slower."""
    return f"{min(ratios) - 1:.0%} to {max(ratios) - 1:.0%}"


def main(arguments: list[str] | None = None) -> int:
    """Try all changes; return 0 if each came out right as often as it must."""
    options = _parser().parse_args(arguments)
    outcomes = {}
    with tempfile.TemporaryDirectory(prefix="fastops-trials-") as directory:
        clone = _clone(Path(directory))
        for name in options.change or CHANGES:
            outcomes[name] = _tried(clone, name, options.runs or CHANGES[name].runs)
            if options.markdown:
                options.markdown.write_text("\n".join(markdown_lines(_table(outcomes), _TEXT)) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(text_lines(_table(outcomes), _TEXT)) + "\n")
    return 0 if all(outcome.is_met for outcome in outcomes.values()) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.regress.trials",
        description="Run the gate on commits whose verdict is known, in a temporary clone of HEAD.",
    )
    parser.add_argument("--change", action="append", choices=CHANGES, help="try this one only; repeatable")
    parser.add_argument("--runs", type=int, metavar="N", help="of each change (default: as many as its bar asks for)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table, after each change anew")
    return parser


def _clone(directory: Path) -> Path:
    clone = directory / "clone"
    git(ROOT, "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone))
    git(clone, "config", "user.name", "trials")
    git(clone, "config", "user.email", "trials@localhost")
    return clone


def _commit(clone: Path, change: Change) -> str:
    """Return the hash of a commit with the edits, which the work tree of the clone does not keep."""
    for edit in change.edits:
        path = clone / edit.file
        text = path.read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            raise ValueError(f"{edit.file} has {text.count(edit.old)} times what is to be edited: {edit.old!r}")
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
    git(clone, "commit", "--quiet", "--all", "--allow-empty", "--message", change.what)
    commit = git(clone, "rev-parse", "HEAD")
    git(clone, "reset", "--quiet", "--hard", "HEAD~1")
    return commit


def _tried(clone: Path, name: str, runs: int) -> Outcome:
    change = CHANGES[name]
    outcome = Outcome(change)
    plain, edited = git(clone, "rev-parse", "HEAD"), _commit(clone, change)
    base, head = (edited, plain) if change.is_base else (plain, edited)
    for run in range(runs):
        if change.counts_anew:
            for file in clone.glob(".regress/env-*/counters-*"):
                file.unlink()
        start = time.monotonic()
        with busy_cores(core_count() if change.is_noisy else 0):
            code, report, reason = _gate(clone, base, head)
        seconds = time.monotonic() - start
        outcome.codes.append(code)
        outcome.right += change.is_right(code, report)
        outcome.seconds = max(outcome.seconds, seconds)
        for benchmark, ratio in flagged(report).items():
            outcome.flagged[benchmark].append(ratio)
        outcome.worse.update(worse_counters(report))
        if code == 2:
            outcome.reasons[reason] += 1
        sys.stderr.write(f"{name} {run + 1}/{runs}: exit {code} after {seconds:.0f} s: {reason}\n")
    return outcome


def _gate(clone: Path, base: str, head: str) -> tuple[int, Report, str]:
    """Return the gate's exit code, its report and its last line."""
    file = clone.with_name("report.json")
    file.unlink(missing_ok=True)
    done = subprocess.run(  # noqa: S603 - the gate itself.
        [sys.executable, "-m", "benchmarks.regress", base, "--head", head, "--quick", "--json", str(file)],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    lines = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode, report, lines[-1] if lines else "nothing was said"


def _table(outcomes: dict[str, Outcome]) -> list[list[str]]:
    return [_HEADER, *[outcome.cells(name) for name, outcome in outcomes.items()]]


if __name__ == "__main__":
    sys.exit(main())
