"""Aligned columns of text, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence


def format_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Return the lines of a table; the columns whose indices are in ``right`` are aligned to the right.

    Examples
    --------
    >>> format_table(["kernel", "s"], [["gather", "10.0"]], right=[1])
    ['kernel     s', '------  ----', 'gather  10.0']
    """
    widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
    rules = ["-" * width for width in widths]
    return [
        "  ".join(
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, rules, *rows)
    ]


def format_shape(shape: Sequence[int]) -> str:
    """Return a shape as ``8x1080x1920x3``; that of a scalar as ``scalar``."""
    return "x".join(map(str, shape)) or "scalar"


def format_bytes(count: int) -> str:
    """Return a number of bytes in the decimal unit that suits it.

    Examples
    --------
    >>> format_bytes(999), format_bytes(49_766_400)
    ('999 B', '49.8 MB')
    """
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
