"""The command line: ``python -m benchmarks.recipes``."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure.tables import shown_seconds
from benchmarks.measure.timing import FULL, QUICK, Effort, calls_per_sample, interleaved_medians, sample_of
from benchmarks.recipes import _chunks, _images, _tensors, _volumes
from benchmarks.recipes._case import Case
from benchmarks.recipes._report import Timing, page_of

#: All cases, in the order of the page.
CASES: tuple[Case, ...] = (*_images.CASES, *_volumes.CASES, *_chunks.CASES, *_tensors.CASES)

PAGE = Path(__file__).absolute().parents[2] / "docs" / "recipes" / "timings.md"


def titles() -> dict[str, str]:
    """Return the titles of the recipes' pages, which are their first lines."""
    recipes = dict.fromkeys(case.recipe for case in CASES)
    return {name: (PAGE.parent / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0][2:] for name in recipes}


def timing_of(case: Case, effort: Effort) -> Timing:
    """Return the median of each way, in turn."""
    with case.open() as ways:
        samples = {name: sample_of(way, calls_per_sample(way, effort.sample_seconds)) for name, way in ways.items()}
        return interleaved_medians(samples, effort)


def main(arguments: list[str] | None = None) -> int:
    """Measure all cases and write the page; return 2 if what a case needs is not installed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recipes", description="Time the recipes beside what one writes without fastops."
    )
    parser.add_argument("--quick", action="store_true", help="few rounds: figures that tell little")
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
    options.output.write_text(page_of(timings, titles()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
