"""`fastops demo`: the four operators of the top level in every mode on real input, checked and timed against NumPy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import fastops
from fastops._cli._arguments import read_count
from fastops._cli._cases import Case, create_cases
from fastops._cli._frames import MOST_FRAMES, read_input
from fastops._cli._progress import ProgressBar
from fastops._cli._table import format_shape, format_table
from fastops._cli._timing import Outcome, measure
from fastops._errors import counted
from fastops._runtime._kernels import PARALLEL, link_parallel, load_object, thread_count
from fastops._runtime._threading_layers import threading_layer

_REPEATS = 7
_MOST_REPEATS = 1000

# With the default input the table is narrower than 80 columns.
_HEADER = ("operator", "what", "out", "ms", "GB/s", "x NumPy", "ok")
_NUMERIC = (3, 4, 5)

_FOOTNOTE = """\
ms: median of {repeats} runs into a reused output, in turn with NumPy's.
GB/s: bytes written plus bytes read, where bytes read are those that the output
needs, at most the whole input.
x NumPy: NumPy's median over fastops', for np.copyto of the view, np.pad, or
np.arange, of which the last two allocate.
ok: equal to NumPy's bytes."""

_BUSY = "busy"

_BUSY_NOTE = """\
{word}: threads had to wait for a processor, so that a ratio would say nothing.
ms and GB/s are those of a busy machine there; run it again when it is quiet."""


def add_demo(commands: Any) -> None:
    """Add the command to the parser."""
    text = "run the four operators in every mode on full-HD frames, check the results and print a table"
    parser = commands.add_parser("demo", help=text, description=text + ". Exit code 0 only if all of it is correct.")
    parser.set_defaults(run=run_demo)
    parser.add_argument("--input", metavar="FILE", help=".npy file, or a PNG or JPEG image where Pillow is installed")
    parser.add_argument(
        "--frames",
        metavar="N",
        help=f"frames to make (default: 8, at most {MOST_FRAMES}), copies of the image, or items of the .npy file",
    )
    parser.add_argument("--repeats", metavar="N", help=f"timed runs of each case (default: {_REPEATS})")


def run_demo(args: argparse.Namespace) -> int:
    """Print the table; return 0 if all results are correct, and 1 if not."""
    frames = None if args.frames is None else read_count("demo", "frames", args.frames, MOST_FRAMES)
    repeats = _REPEATS if args.repeats is None else read_count("demo", "repeats", args.repeats, _MOST_REPEATS)
    source = read_input(args.input, frames)
    cases = list(create_cases(source.data))
    outcomes = _run_cases(cases, repeats)
    print(f"fastops {fastops.__version__} on {source}")
    print()
    rows = [format_row(case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    print("\n".join(format_table(_HEADER, rows, _NUMERIC)))
    print()
    print(_FOOTNOTE.format(repeats=repeats))
    if any(outcome.is_busy for outcome in outcomes):
        print(_BUSY_NOTE.format(word=_BUSY))
    wrong = sum(not outcome.is_correct for outcome in outcomes)
    print(summarise(len(cases), wrong))
    return 1 if wrong else 0


def _run_cases(cases: Sequence[Case], repeats: int) -> list[Outcome]:
    outcomes = []
    # Where it is compiled, it says so itself, before there is a bar.
    load_object()
    with ProgressBar(len(PARALLEL) + len(cases)) as bar:
        for name in PARALLEL:
            bar.show(f"compiling {name} for threads, once")
            link_parallel(name)
            bar.advance()
        for case in cases:
            bar.show(f"{case.operator} {case.title}")
            outcomes.append(measure(case, repeats))
            bar.advance()
    return outcomes


def format_row(case: Case, outcome: Outcome) -> tuple[str, ...]:
    """Return the cells of a case."""
    return (
        case.operator,
        case.title,
        format_shapes(outcome.shapes),
        f"{outcome.seconds * 1e3:.2f}",
        f"{outcome.moved_bytes / outcome.seconds / 1e9:.1f}",
        _BUSY if outcome.is_busy else f"{outcome.numpy_seconds / outcome.seconds:.2f}",
        "yes" if outcome.is_correct else "NO",
    )


def format_shapes(shapes: Sequence[tuple[int, ...]]) -> str:
    """Return the shapes of results: of one, of some that are alike, or of the first and the number of the others.

    Examples
    --------
    >>> format_shapes([(2, 3)]), format_shapes([(2,), (2,)]), format_shapes([(2,), (3,)])
    ('2x3', '2 of 2', '2, and 1 more')
    """
    first = format_shape(shapes[0])
    if len(shapes) == 1:
        return first
    return f"{len(shapes)} of {first}" if len(set(shapes)) == 1 else f"{first}, and {len(shapes) - 1} more"


def summarise(cases: int, wrong: int) -> str:
    """Return the last line: the threads, their layer, and whether all is correct."""
    verdict = f"all {cases} correct" if wrong == 0 else f"{wrong} of {cases} WRONG"
    return f"{counted(thread_count(), 'thread')}, threading layer {threading_layer()}: {verdict}"
