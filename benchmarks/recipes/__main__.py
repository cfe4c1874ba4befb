"""The command line: ``python -m benchmarks.recipes``, which measures recipes and writes the page of timings."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from asv_gate.tables import core_count, cpu_model, markdown_lines, shown_seconds
from asv_gate.timing import FULL, QUICK, Effort, calls_per_sample, interleaved_medians, sample_of

import fastops
from benchmarks.recipes import FASTOPS, Case
from benchmarks.recipes._recipes import IMAGES, TENSORS

#: All cases, in the order of the page.
CASES: tuple[Case, ...] = (*IMAGES, *TENSORS)

PAGE = Path(__file__).absolute().parents[2] / "docs" / "recipes" / "timings.md"

#: Seconds of each way of a case.
Timing = Mapping[str, float]

_INTRODUCTION = """\
# Timings

The speed of the recipes beside code without fastops. `python -m benchmarks.recipes` measures them and writes
this page; each recipe shows its part. All ways of a case, with fastops and without, run in one process, in turn, each
after a pause and an untimed call; the times are medians. Each library has the number of threads that it takes by
default. A sample takes only about 2 ms. So short calls find the caches colder than in a long loop, where they may be
twice as fast."""


def titles() -> dict[str, str]:
    """Return the titles of the recipes' pages, which are their first lines."""
    recipes = dict.fromkeys(case.recipe for case in CASES)
    return {name: (PAGE.parent / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0][2:] for name in recipes}


def timing_of(case: Case, effort: Effort) -> Timing:
    """Return the median of the seconds of each way; the ways run in turn."""
    with case.open() as ways:
        samples = {name: sample_of(way, calls_per_sample(way, effort.sample_seconds)) for name, way in ways.items()}
        return interleaved_medians(samples, effort)


def page_of(timings: Sequence[tuple[Case, Timing]]) -> str:
    """Return the page."""
    parts = [_INTRODUCTION]
    for recipe, title in titles().items():
        parts += [f"## [{title}]({recipe}.md)", f"<!-- {recipe} -->"]
        for case, timing in timings:
            if case.recipe == recipe:
                rows = [
                    [name, shown_seconds(seconds), f"{seconds / timing[FASTOPS]:.2g}"]
                    for name, seconds in timing.items()
                ]
                parts += [f"{case.what}:", "\n".join(markdown_lines([["", "takes", "times as long"], *rows], (0,)))]
        parts += [_where([case for case, _ in timings if case.recipe == recipe]), "<!-- end -->"]
    return "\n\n".join(parts) + "\n"


def _where(cases: Sequence[Case]) -> str:
    """Return the date, the machine, and the versions of the packages that the rows need."""
    modules = {name: sys.modules.get(name) for case in cases for name in ("numpy", "numba", *case.needs)}
    versions = {"fastops": fastops.__version__} | {
        name: str(getattr(module, "__version__", "unknown")) for name, module in modules.items() if module
    }
    shown, date = ", ".join(f"{name} {number}" for name, number in versions.items()), datetime.now(UTC).date()
    return f"{date}, {core_count()} cores of {cpu_model()}, Python {platform.python_version()}, {shown}."


def main(arguments: list[str] | None = None) -> int:
    """Measure all cases and write the page; return 2 if a package that a case needs is not installed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recipes", description="Time the recipes beside code without fastops."
    )
    parser.add_argument("--quick", action="store_true", help="few rounds, so the figures are unreliable")
    parser.add_argument("--output", type=Path, default=PAGE, metavar="FILE", help="the page (default: %(default)s)")
    options = parser.parse_args(arguments)
    missing = sorted({module for case in CASES for module in case.needs if find_spec(module) is None})
    if missing:
        sys.stderr.write(f"not installed: {', '.join(missing)}\n")
        return 2
    timings = []
    for case in CASES:
        timing = timing_of(case, QUICK if options.quick else FULL)
        timings.append((case, timing))
        shown = ", ".join(f"{name} {shown_seconds(seconds)}" for name, seconds in timing.items())
        sys.stderr.write(f"{case.recipe}: {shown}\n")
    options.output.write_text(page_of(timings), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
