"""The page of all recipes' timings, of which each recipe's page includes a part."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from benchmarks.measure.machine import core_count, cpu_model
from benchmarks.measure.tables import markdown_lines, shown_seconds
from benchmarks.recipes._case import FASTOPS, Case

#: Seconds of each way of a case.
Timing = Mapping[str, float]

_HEADER = ["", "takes", "times as long"]

# Distributions of the modules that cases need, as their projects write them.
_VERSIONS = {
    "cv2": ("OpenCV", "opencv-python-headless"),
    "torch": ("PyTorch", "torch"),
    "PIL": ("Pillow", "pillow"),
    "onnx": ("onnx", "onnx"),
    "dask": ("dask", "dask"),
}

_INTRODUCTION = """\
# Timings

How fast the recipes are beside what one writes without fastops. `python -m benchmarks.recipes` measures them and writes
this page, of which each recipe shows its part. Both ways run in one process, in turn, after a pause and an untimed call
each; the times are medians. Each library has the number of threads that it takes by default. A sample takes about 2
milliseconds, so that short calls find the caches colder than in a long loop, which may be twice as fast."""


def page_of(timings: Sequence[tuple[Case, Timing]], titles: Mapping[str, str]) -> str:
    """Return the page; recipes have titles."""
    parts = [_INTRODUCTION]
    for recipe, title in titles.items():
        found = [(case, timing) for case, timing in timings if case.recipe == recipe]
        needs = dict.fromkeys(module for case, _ in found for module in case.needs)
        tables = [text for case, timing in found for text in (f"{case.what}:", _table(timing))]
        parts += [f"## [{title}]({recipe}.md)", f"<!-- {recipe} -->", *tables, _where(needs), "<!-- end -->"]
    return "\n\n".join(parts) + "\n"


def _table(timing: Timing) -> str:
    """Return a row for each way."""
    rows = [[name, shown_seconds(seconds), f"{seconds / timing[FASTOPS]:.2g}"] for name, seconds in timing.items()]
    return "\n".join(markdown_lines([_HEADER, *rows], (0,)))


def _where(needs: Mapping[str, None]) -> str:
    """Return where and when the rows were measured, and the versions of what they need."""
    versions = {"fastops": version("fastops-numba"), "NumPy": version("numpy"), "Numba": version("numba")}
    for module in needs:
        if module in _VERSIONS:
            name, distribution = _VERSIONS[module]
            versions[name] = _version(distribution)
    shown = ", ".join(f"{name} {number}" for name, number in versions.items())
    date = datetime.now(UTC).date().isoformat()
    return f"{date}, {core_count()} cores of {cpu_model()}, Python {platform.python_version()}, {shown}."


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "of another distribution"
