"""Results as a picture: a bar is a contender's share of the limit, the fastest copy or fill of as many bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers._report import FASTOPS, LABELS, Results, Row, contenders_of

# A contender has the same colour in every picture. The colour-blind can tell them apart.
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

# The height of a row, and the part of it that its bars take.
_ROW_INCHES, _FILLED = 0.64, 0.84


def draw(results: Results, path: Path) -> bool:
    """Draw the groups large and fresh, or else the first group that has a limit; return False if none has.

    The suffix of the file says in which format.
    """
    limited = [group for group in results.groups if any(row.limits for row in results.of_group(group))]
    groups = [group for group in limited if group in _TITLES] or limited[:1]
    if not groups:
        return False
    # Importing matplotlib takes a second, and only this function needs it.
    from matplotlib.figure import Figure

    panels = [results.of_group(group) for group in groups]
    inches = (max(1.4 + 4.3 * len(panels), 8.0), 1.2 + _ROW_INCHES * max(map(len, panels)))
    figure = Figure(figsize=inches, facecolor="white", layout="constrained")
    legend: dict[str, Any] = {}
    for axis, rows, group in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, groups, strict=True):
        _draw_panel(axis, rows, _TITLES.get(group, group))
        handles, labels = axis.get_legend_handles_labels()
        legend |= dict(zip(labels, handles, strict=True))
    figure.legend(legend.values(), legend.keys(), loc="outside upper center", ncols=len(legend), frameon=False)
    where = "{cores} cores of {cpu}, {date}".format_map(results.environment)
    figure.supxlabel(f"share of the limit, the best copy or fill of the same bytes  ({where})", fontsize=8.5)
    figure.savefig(path, dpi=160)
    return True


def _draw_panel(axis: Any, rows: list[Row], title: str) -> None:
    """Draw the bars of one group from top to bottom; all rows have one height, with the bars in the middle."""
    shares = [
        {name: row.share(name) or 0.0 for name in (FASTOPS, *contenders_of(rows)) if name in row.values} for row in rows
    ]
    height = _FILLED / max(map(len, shares))
    for y, row in enumerate(shares):
        for i, (name, share) in enumerate(row.items()):
            at = y + height * (i + 0.5 - len(row) / 2)
            axis.barh(
                at, share, height=0.92 * height, color=_COLOURS.get(name, "#555555"), label=LABELS.get(name, name)
            )
            axis.text(share + 0.012, at, f"{share:.2f}", va="center_baseline", fontsize=6)
    axis.set_yticks(range(len(rows)), [row.name.replace("_", " ") for row in rows], fontsize=8.5)
    axis.set_ylim(len(rows) - 0.45, -0.55)
    axis.set_xlim(0, max(1.1, *[1.08 * share for row in shares for share in row.values()]))
    axis.axvline(1.0, color="#222222", linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    axis.set_title(title, fontsize=10)
    axis.tick_params(axis="y", length=0)
    axis.spines[["top", "right", "left"]].set_visible(False)
