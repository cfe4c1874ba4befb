"""Results as text and as Markdown."""

from __future__ import annotations

from benchmarks.measure.tables import markdown_lines, shown_seconds, text_lines
from benchmarks.peers._bars import bars_of, is_met
from benchmarks.peers._rows import FASTOPS, REFERENCE, Results, Row

#: Of each group: what it is about, and what its table shows besides times.
TITLES = {
    "front": ("What people write with NumPy and PyTorch", "fresh results; README has a table of these"),
    "pads": ("np.pad and F.pad by 2, of two axes", "fresh results"),
    "large": ("Large moves into the caller's output", "share of the limit"),
    "fresh": (
        "The same into outputs that each call allocates",
        "share of the limit of a copy into memory that exists",
    ),
    "layouts": ("Other widths, layouts, strides, ranks and pads", "share of the limit"),
    "cache": ("In the cache", "share of the limit"),
    "shared": ("A shared machine", f"beside busy processes, the {REFERENCE} is one thread; quiet, it is OpenMP"),
    "arguments": ("Arguments never seen before", f"the {REFERENCE} is the repeated call"),
    "images": ("One image at a time", f"share of the limit; the {REFERENCE} is fastops with one thread"),
    "chains": ("Chains and layouts as one plan, with one thread", f"the {REFERENCE} is a call for each stage"),
    "windows": ("Many windows in one call", f"of pads in users' compiled code, the {REFERENCE} is loops"),
    "normalize": (
        "Crops, mirrored, cast and normalised",
        "times that of writing, less is better; times as fast as others; the recipe is slice, then a loop in @njit",
    ),
    "chunks": ("Arrays of dask, computed and persisted", "the graph is made and run in each call"),
    "ranges": ("Ranges of 20 million elements", "share of the best fill"),
    "threads": ("All threads beside one", f"the {REFERENCE} is one thread"),
    "latency": ("Calls on an 8x8 float32", f"the {REFERENCE} is NumPy's x[1:7, ::2].copy()"),
    "start": ("New processes", f"the {REFERENCE} is the import of NumPy; first calls come after the imports"),
    "memory": ("Memory beyond input and output", ""),
}

#: Groups whose tables show how many times as fast as each contender fastops is, and how its time is to the limit's.
RATIOS = ("normalize",)

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


def shown_value(value: float | None, unit: str) -> str:
    """Return a value in the unit that suits it, to three digits."""
    if value is None:
        return _NONE
    if unit == "bytes":
        return f"{value / 2**20:.2f} MiB"
    return shown_seconds(value)


def contenders_of(rows: list[Row]) -> list[str]:
    """Return the peers that have a value or a reason for none, in the order of the rows."""
    names = [name for row in rows for name in (*row.values, *row.absent)]
    return [name for name in dict.fromkeys(names) if name not in (FASTOPS, REFERENCE)]


def table_of(rows: list[Row]) -> list[list[str]]:
    """Return the header and the rows of a group's table.

    Contenders are shown by their share of the limit where there is one, and by their values otherwise.
    """
    if rows[0].group in RATIOS:
        return _ratios_of(rows)
    has_limit = any(row.limits for row in rows)
    peers = contenders_of(rows)
    references = [REFERENCE] if any(REFERENCE in row.values for row in rows) else []
    best = ["x best"] if peers else []
    table = [["row", "time" if has_limit else FASTOPS, *references, *([FASTOPS] if has_limit else []), *peers, *best]]
    for row in rows:
        cells = [row.name, shown_value(row.values.get(FASTOPS), row.unit)]
        cells += [shown_value(row.values.get(name), row.unit) for name in references]
        if has_limit:
            cells += [_shown_number(row.share(name)) for name in (FASTOPS, *peers)]
        else:
            cells += [shown_value(row.values.get(name), row.unit) for name in peers]
        if peers:
            cells.append(_shown_number(row.times(row.best_peer) if row.best_peer else None))
        table.append(cells)
    return table


def _ratios_of(rows: list[Row]) -> list[list[str]]:
    """Return the same with how many times as long as writing fastops takes, and how many times as fast it is."""
    peers = contenders_of(rows)
    table = [["row", FASTOPS, "x writing", "x recipe", *[f"x {LABELS.get(name, name)}" for name in peers]]]
    for row in rows:
        share = row.share(FASTOPS)
        cells = [row.name, shown_value(row.values.get(FASTOPS), row.unit), _shown_number(1 / share if share else None)]
        table.append([*cells, *[_shown_number(row.times(name)) for name in (REFERENCE, *peers)]])
    return table


def _judged(rows: list[Row]) -> list[list[str]]:
    """Return the table of a group with two more columns: the bars of each row, and whether it is at them."""
    header, *body = table_of(rows)
    table = [[*header, "bar", "met"]]
    for row, cells in zip(rows, body, strict=True):
        bars = ", ".join(bar.text if bar.met else f"{bar.text} (!)" for bar in bars_of(row))
        table.append([*cells, bars or "none applies", "ok" if is_met(row) else "below"])
    return table


def _published(rows: list[Row]) -> list[list[str]]:
    """Return the table of a group in the words of readers who do not know its rows by their names in the code."""
    header, *body = table_of(rows)
    words = {"row": "", "x best": "times the best other"} | LABELS
    return [[words.get(name, name) for name in header], *[[cells[0].replace("_", " "), *cells[1:]] for cells in body]]


def _shown_number(number: float | None) -> str:
    return _NONE if number is None else f"{number:.2f}"


def text_of(results: Results) -> str:
    """Return all groups as tables of plain text, each row judged, and how many rows are at their bars."""
    parts = [environment_lines(results)]
    for group in results.groups:
        rows = results.of_group(group)
        # The name, the bars, and whether they are met, are text.
        lines = text_lines(_judged(rows), (0, -2, -1))
        wrong = [f"{row.name}: {row.wrong}" for row in rows if row.wrong]
        title = ": ".join(filter(None, TITLES.get(group, ())))
        parts.append("\n".join([f"{group}: {title}", "", *lines, *wrong]))
    return "\n\n".join([*parts, summary(results)]) + "\n"


def markdown_of(results: Results) -> str:
    """Return all groups as tables of Markdown, for readers: what was measured, without what is asked of fastops."""
    parts = [environment_lines(results)]
    for group in results.groups:
        title, shown = TITLES.get(group, (group, ""))
        parts.append(f"## {title}")
        if shown:
            parts.append(f"{shown[0].upper()}{shown[1:]}.")
        parts.append("\n".join(markdown_lines(_published(results.of_group(group)), (0,))))
    return "\n\n".join(parts) + "\n"


def environment_lines(results: Results) -> str:
    """Return where the results come from, in a sentence or two."""
    environment = results.environment
    versions = ", ".join(f"{name} {number}" for name, number in environment.get("versions", {}).items())
    lines = [
        (
            f"{environment.get('date')}, {environment.get('cores')} cores of {environment.get('cpu')}, "
            f"{environment.get('threads')} threads ({environment.get('threading_layer')}), "
            f"Python {environment.get('python')}: {versions}."
        ),
    ]
    if environment.get("missing"):
        lines.append(f"Not taking part: {', '.join(environment['missing'])}.")
    if environment.get("is_small"):
        lines.append("Small sizes: the times mean nothing.")
    return "\n".join(lines)


def summary(results: Results) -> str:
    """Return how many rows are at their bars, and which are not."""
    below = [f"{row.group}/{row.name}" for row in results.rows if not is_met(row)]
    count = len(results.rows)
    text = f"{count - len(below)} of {count} rows at their bars, {len(below)} below"
    return f"{text}: {', '.join(below)}" if below else text
