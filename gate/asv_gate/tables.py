"""Parts of reports: tables as text and as Markdown, times in the unit that suits them, the processor."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection, Sequence
from pathlib import Path

Table = Sequence[Sequence[str]]

_CPU_INFO = Path("/proc/cpuinfo")

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def shown_seconds(seconds: float) -> str:
    """Return seconds in the unit that suits them, to three digits, or to whole seconds from 1000 on."""
    # 999.6 us rounds to 1000, so it is shown as 1 ms.
    scale, name = next((each for each in _UNITS if seconds >= 0.9995 * each[0]), _UNITS[-1])
    return f"{seconds / scale:.3g} {name}" if seconds < 999.5 * scale else f"{seconds / scale:.0f} {name}"


def _left_columns(table: Table, left: Collection[int]) -> set[int]:
    """Return the columns of text, counted from 0; negative numbers count from the end."""
    return {column % len(table[0]) for column in left}


def text_lines(table: Table, left: Collection[int]) -> list[str]:
    """Return a table as lines of plain text. Columns of text (``left``) are aligned left, columns of numbers right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lefts = _left_columns(table, left)
    lines = []
    for cells in (table[0], ["-" * width for width in widths], *table[1:]):
        pairs = enumerate(zip(cells, widths, strict=True))
        lines.append("  ".join(cell.ljust(w) if i in lefts else cell.rjust(w) for i, (cell, w) in pairs).rstrip())
    return lines


def markdown_lines(table: Table, left: Collection[int]) -> list[str]:
    """Return a table as lines of Markdown."""
    lefts = _left_columns(table, left)
    rule = ["---" if i in lefts else "---:" for i in range(len(table[0]))]
    rows = [[cell.replace("|", "\\|") for cell in cells] for cells in (table[0], rule, *table[1:])]
    return [f"| {' | '.join(cells)} |" for cells in rows]


def cpu_model() -> str:
    """Return the name of the processor, as far as the system tells it."""
    try:
        lines = _CPU_INFO.read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def core_count() -> int:
    """Return how many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
