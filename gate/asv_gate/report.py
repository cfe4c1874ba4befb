"""Results as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from statistics import median

from .statistics import Interval
from .tables import markdown_lines, shown_seconds, text_lines
from .verdicts import CounterChange, Results, Row, Verdict, exit_reason

_HEADER = ["case", "base", "head", "head/base", "95 % interval", "head/head", "verdict"]
_TEXT_COLUMNS = (0, -1)
_NONE = "-"


def table_of(results: Results) -> list[list[str]]:
    """Return the one table: a row for each case, and one for each counter that differs."""
    counters = [_counter_cells(change) for change in results.changes]
    return [_HEADER, *[_row_cells(row) for row in results.rows], *counters]


def _row_cells(row: Row) -> list[str]:
    if not row.passes:
        return [row.name, *[_NONE] * 5, f"{row.verdict}{f': {row.absent}' if row.absent else ''}"]
    shown = row.shown
    cells = [row.name, shown_seconds(shown.base), shown_seconds(shown.head), f"{shown.change.ratio:.2f}"]
    return [*cells, _shown_interval(shown.change), _shown_interval(shown.control), row.verdict]


def _counter_cells(change: CounterChange) -> list[str]:
    verdict = "regression" if change.is_worse else "changed"
    return [change.name, str(change.base), str(change.head), _NONE, "exact", _NONE, verdict]


def _shown_interval(interval: Interval) -> str:
    return f"{interval.lower:.2f} to {interval.upper:.2f}"


def control_line(rows: Sequence[Row]) -> str:
    """Return how much two processes of HEAD differ."""
    controls = [row.shown.control for row in rows if row.passes]
    if not controls:
        return "HEAD against itself: not measured"
    ratios = [control.ratio for control in controls]
    widths = [control.upper / control.lower - 1 for control in controls]
    spread = f"ratios {min(ratios):.2f} to {max(ratios):.2f}"
    return f"HEAD against itself: {spread}, intervals {median(widths):.0%} wide (median), {max(widths):.0%} at most"


def head_lines(results: Results, quote: str = "") -> list[str]:
    """Return the commits, with subjects between ``quote``, the machine, the versions, the times and the notes."""
    lines = [f"{side}: {commit[:12]} {quote}{subject}{quote}" for side, (commit, subject) in results.commits.items()]
    where = ", ".join(f"{key} {value}" for key, value in results.environment.items())
    times = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in results.seconds.items())
    return [*lines, f"{where}; {times}", *results.notes]


def closing_lines(results: Results) -> list[str]:
    """Return how noisy the run was, and the verdict."""
    same = results.counters - len(results.changes)
    verdict = exit_reason(results.rows, results.changes)[1]
    return [f"{control_line(results.rows)}; {same} of {results.counters} counters equal", verdict]


def text_of(results: Results) -> str:
    """Return the report as plain text."""
    parts = [head_lines(results), text_lines(table_of(results), _TEXT_COLUMNS), closing_lines(results)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def markdown_of(results: Results) -> str:
    """Return the report as Markdown, for a pull request: cases that are not slower are folded away."""
    header, *body = table_of(results)
    told = [cells for cells in body if cells[-1] != Verdict.NOT_SLOWER]
    rest = [cells for cells in body if cells[-1] == Verdict.NOT_SLOWER]
    control, verdict = closing_lines(results)
    lines = [f"**{verdict}**", "", *[f"- {line}" for line in (*head_lines(results, "`"), control)], ""]
    if told:
        lines += [*markdown_lines([header, *told], _TEXT_COLUMNS), ""]
    if rest:
        table = markdown_lines([header, *rest], _TEXT_COLUMNS)
        lines += ["<details>", f"<summary>{len(rest)} not slower</summary>", "", *table, "", "</details>"]
    return "\n".join(lines) + "\n"


def json_of(results: Results) -> str:
    """Return everything that was measured, for programs."""
    code, reason = exit_reason(results.rows, results.changes)
    rows = [asdict(row) | {"verdict": row.verdict} for row in results.rows]
    everything = asdict(results) | {"rows": rows, "exit_code": code, "reason": reason}
    return json.dumps(everything, indent=1) + "\n"


def failure_as_json(reason: str) -> str:
    """Return the report of a run that could not measure."""
    return json.dumps({"exit_code": 2, "reason": reason}, indent=1) + "\n"


def failure_as_markdown(reason: str) -> str:
    """Return the report of a run that could not measure, as Markdown."""
    return f"**{reason}**\n"
