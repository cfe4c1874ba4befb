"""Results as text, Markdown, JSON, and a picture of the shares of the limit."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from asv_gate.tables import markdown_lines, shown_seconds, text_lines

#: The contender that each row is about, and the name of a contender that is no library, such as a loop.
FASTOPS, REFERENCE = "fastops", "reference"


@dataclass
class Row:
    """One row of a group.

    Attributes
    ----------
    group, name : str
        The group, and the stable name of the row in it.
    what : str
        What is done, in words and shapes.
    unit : str
        The unit of the values: s (seconds of one call) or bytes.
    values : dict
        The median of each contender.
    limits : dict
        Seconds of each copy or fill of the bytes that the case touches. The fastest is the limit.
    how : dict
        The expression by which each contender does it.
    absent : dict
        Why a contender has no value.
    wrong : str
        How the result of fastops differs from the right one; empty if it does not.
    """

    group: str
    name: str
    what: str
    unit: str = "s"
    values: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    how: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    wrong: str = ""

    @property
    def best_peer(self) -> str | None:
        """The fastest contender but fastops and the reference; None without one."""
        peers = {name: value for name, value in self.values.items() if name not in (FASTOPS, REFERENCE)}
        return min(peers, key=peers.__getitem__, default=None)

    def share(self, contender: str) -> float | None:
        """Return a contender's share of the limit, or None without one."""
        value = self.values.get(contender)
        return min(self.limits.values()) / value if value is not None and self.limits else None

    def times(self, contender: str | None) -> float | None:
        """Return the time of a contender divided by that of fastops, or None without one."""
        value = self.values.get(contender or "")
        return None if value is None or FASTOPS not in self.values else value / self.values[FASTOPS]


@dataclass
class Results:
    """All rows of a run, and where it ran.

    Attributes
    ----------
    environment : dict
        Date, versions, processor, threads.
    rows : list of Row
    """

    environment: dict[str, Any]
    rows: list[Row]

    def of_group(self, group: str) -> list[Row]:
        """Return the rows of a group."""
        return [row for row in self.rows if row.group == group]

    @property
    def groups(self) -> list[str]:
        """The names of all groups that have rows, in their order."""
        return list(dict.fromkeys(row.group for row in self.rows))


#: The title of each group, and a note on its table.
TITLES = {
    "front": ("Beside calls of NumPy, OpenCV and PyTorch", "the tables of README"),
    "pads": ("np.pad and F.pad by 2, of two axes", "fresh results"),
    "large": ("Large moves into the caller's output", "share of the limit"),
    "fresh": ("The same into outputs that each call allocates", "share of the limit of a copy into memory that exists"),
    "layouts": ("Other widths, layouts, strides, ranks and pads", "share of the limit"),
    "cache": ("In the cache", "share of the limit"),
    "images": ("One image at a time, with one thread and with all", "share of the limit"),
    "chains": ("Chains and layouts as one plan, with one thread", "into the caller's output"),
    "windows": ("Many windows in one call", f"for pads in users' compiled code, the {REFERENCE} is loops"),
    "normalize": ("Crops, mirrored, cast and normalised", "share of the limit, which is a fill of the output"),
    "chunks": ("Arrays of dask, computed and persisted", "the graph is made and run in each call"),
    "ranges": ("Ranges of 20 million elements", "share of the best fill"),
    "latency": ("Calls on an 8x8 float32", f"the {REFERENCE} is NumPy's x[1:7, ::2].copy()"),
    "start": ("New processes", f"the {REFERENCE} is the import of NumPy; first calls come after the imports"),
    "memory": ("Memory beyond input and output", ""),
}

#: Contenders as their projects write them.
LABELS = {
    "numpy": "NumPy",
    "torch": "PyTorch",
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "opencv": "OpenCV",
}

_NONE = "-"

#: Returns the lines of a group in Markdown.
Writer = Callable[[Sequence[Row]], list[str]]


def contenders_of(rows: Sequence[Row]) -> list[str]:
    """Return the contenders that have a value or a reason for none, in the order of the rows, but for fastops."""
    names = dict.fromkeys(name for row in rows for name in (*row.values, *row.absent))
    references = [REFERENCE] if REFERENCE in names else []
    return references + [name for name in names if name not in (FASTOPS, REFERENCE)]


def table_of(rows: Sequence[Row]) -> list[list[str]]:
    """Return the header and the rows of a group's table.

    Contenders are shown by their share of the limit where there is one, and by their values otherwise.
    """
    has_limit, others = any(row.limits for row in rows), contenders_of(rows)
    first = ["time", FASTOPS] if has_limit else [FASTOPS]
    table = [["row", *first, *others, *(["x best"] if others and others != [REFERENCE] else [])]]
    for row in rows:
        cells = [row.name, _shown_value(row, FASTOPS)]
        if has_limit:
            cells += [_shown_number(row.share(name)) for name in (FASTOPS, *others)]
        else:
            cells += [_shown_value(row, name) for name in others]
        table.append([*cells, _shown_number(row.times(row.best_peer))][: len(table[0])])
    return table


def _shown_value(row: Row, contender: str) -> str:
    value = row.values.get(contender)
    if value is None:
        return _NONE
    return f"{value / 2**20:.2f} MiB" if row.unit == "bytes" else shown_seconds(value)


def _shown_number(number: float | None) -> str:
    return _NONE if number is None else f"{number:.2f}"


def text_of(results: Results, writers: dict[str, Writer]) -> str:
    """Return all groups as tables of plain text, or as their own writers show them, and the wrong results."""
    parts = [environment_lines(results)]
    for group in results.groups:
        rows = results.of_group(group)
        title = ": ".join(filter(None, TITLES.get(group, ())))
        lines = writers[group](rows) if group in writers else text_lines(table_of(rows), (0,))
        wrong = [f"{row.name}: {row.wrong}" for row in rows if row.wrong]
        parts.append("\n".join([f"{group}: {title}", "", *lines, *wrong]))
    return "\n\n".join(parts) + "\n"


def markdown_of(results: Results, writers: dict[str, Writer]) -> str:
    """Return all groups in Markdown, in the words of readers who do not know the names in the code."""
    parts = [environment_lines(results)]
    words = {"row": "", "x best": "times the best other"} | LABELS
    for group in results.groups:
        rows = results.of_group(group)
        title, shown = TITLES.get(group, (group, ""))
        parts.append(f"## {title}")
        if group in writers:
            parts.append("\n".join(writers[group](rows)))
            continue
        if shown:
            parts.append(f"{shown[0].upper()}{shown[1:]}.")
        header, *body = table_of(rows)
        table = [[words.get(name, name) for name in header], *[[row[0].replace("_", " "), *row[1:]] for row in body]]
        parts.append("\n".join(markdown_lines(table, (0,))))
    return "\n\n".join(parts) + "\n"


def json_of(results: Results) -> str:
    """Return everything that was measured, for programs."""
    return json.dumps(asdict(results), indent=1) + "\n"


def environment_lines(results: Results) -> str:
    """Return where the results come from, in a sentence or two."""
    environment = results.environment
    versions = ", ".join(f"{name} {number}" for name, number in environment.get("versions", {}).items())
    lines = [
        (
            f"{environment.get('date')}, {environment.get('cores')} cores of {environment.get('cpu')}, "
            f"{environment.get('threads')} threads ({environment.get('threading_layer')}), "
            f"Python {environment.get('python')}: {versions}."
        )
    ]
    if environment.get("missing"):
        lines.append(f"Not taking part: {', '.join(environment['missing'])}.")
    if environment.get("is_small"):
        lines.append("Small sizes: the times mean nothing.")
    return "\n".join(lines)


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
