"""Results as a picture: bars of the share of the limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers._report import LABELS, contenders_of
from benchmarks.peers._rows import FASTOPS, Results, Row

#: The same colour for a contender in every picture; of similar lightness but for fastops, and told apart by the
#: colour-blind.
_COLOURS = {
    FASTOPS: "#d1495b",
    "numpy": "#4c78a8",
    "torch": "#edae49",
    "onnxruntime": "#66a182",
    "openvino": "#8d6a9f",
    "tensorflow": "#a0a0a0",
    "jax": "#7fb7d8",
}

_TITLES = {"large": "into the caller's output", "fresh": "into outputs that each call allocates"}

_ROW_INCHES = 0.64
# The part of a row that its bars take; the rest is the gap to the next row.
_FILLED = 0.84


def draw(results: Results, path: Path) -> bool:
    """Draw the large moves, or else the first group that has a limit; return False if none has.

    The suffix of the file says in which format.
    """
    groups = _groups_to_draw(results)
    if not groups:
        return False
    # It takes a second, and is needed here only.
    from matplotlib.figure import Figure

    panels = [results.of_group(group) for group in groups]
    inches = (max(1.4 + 4.3 * len(panels), 8.0), 1.2 + _ROW_INCHES * max(map(len, panels)))
    figure = Figure(figsize=inches, facecolor="white", layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axis, rows, group in zip(axes, panels, groups, strict=True):
        _draw_panel(axis, rows, _TITLES.get(group, group))
        if [row.name for row in rows] == [row.name for row in panels[0]] and axis is not axes[0]:
            axis.set_yticks([])
    handles, labels = axes[0].get_legend_handles_labels()
    seen = dict(zip(labels, handles, strict=True))
    for axis in axes[1:]:
        seen |= dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    figure.legend(seen.values(), seen.keys(), loc="outside upper center", ncols=len(seen), frameon=False, fontsize=9)
    environment = results.environment
    note = f"{environment.get('cores')} cores of {environment.get('cpu')}, {environment.get('date')}"
    note = f"share of the limit, the best parallel copy or fill of the same bytes  ({note})"
    figure.supxlabel(note, fontsize=8.5, color="#444444")
    figure.savefig(path, dpi=160)
    return True


def _groups_to_draw(results: Results) -> list[str]:
    limited = [group for group in results.groups if any(row.limits for row in results.of_group(group))]
    return [group for group in limited if group in _TITLES] or limited[:1]


def _bars_of(row: Row, rows: list[Row]) -> list[str]:
    """Return the contenders that have a bar in a row, fastops first."""
    return [name for name in (FASTOPS, *contenders_of(rows)) if row.share(name) is not None]


def _draw_panel(axis: Any, rows: list[Row], title: str) -> None:
    """Draw the bars of one group, top down, around the middle of rows that are all of one height."""
    height = _FILLED / max(len(_bars_of(row, rows)) for row in rows)
    for y, row in enumerate(rows):
        names = _bars_of(row, rows)
        for i, name in enumerate(names):
            share, colour = row.share(name) or 0.0, _COLOURS.get(name, "#555555")
            at = y + height * (i + 0.5 - len(names) / 2)
            axis.barh(at, share, height=0.92 * height, color=colour, label=LABELS.get(name, name))
            is_leading = name == FASTOPS
            axis.text(
                share + 0.012,
                at,
                f"{share:.2f}",
                va="center_baseline",
                fontsize=6,
                color="#222222" if is_leading else "#666666",
                fontweight="bold" if is_leading else "normal",
            )
    _dress(axis, rows, title)


def _dress(axis: Any, rows: list[Row], title: str) -> None:
    """Give a panel its labels and lines."""
    axis.set_yticks(range(len(rows)), [row.name.replace("_", " ") for row in rows], fontsize=8.5)
    axis.set_ylim(len(rows) - 0.45, -0.55)
    axis.set_xlim(0, max(1.1, *(1.08 * (row.share(name) or 0.0) for row in rows for name in row.values)))
    axis.axvline(1.0, color="#222222", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    axis.set_title(title, fontsize=10)
    axis.tick_params(axis="y", length=0)
    axis.tick_params(axis="x", labelsize=8, colors="#444444")
    axis.grid(axis="x", color="#e6e6e6", linewidth=0.7)
    axis.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
