"""Tables as plain text and as Markdown, and times in the unit that suits them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Table = Sequence[Sequence[str]]

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def shown_seconds(seconds: float) -> str:
    """Return seconds in the unit that suits them, to three digits."""
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
