"""The command line: ``python -m benchmarks.peers``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from asv_gate.timing import FULL, QUICK

from benchmarks.peers import _case_groups, _front_group
from benchmarks.peers._chain_groups import chains, normalize, windows
from benchmarks.peers._race import PEERS, Job, Setup, environment_of, is_installed, start_threads
from benchmarks.peers._report import FASTOPS, Results, Row, Writer, draw, json_of, markdown_of, text_of

#: All groups, in the order in which they are measured.
GROUPS: dict[str, Callable[[Setup], list[Job]]] = {
    "front": _front_group.front,
    "pads": _case_groups.pads,
    "large": _case_groups.large,
    "fresh": _case_groups.fresh,
    "layouts": _case_groups.layouts,
    "cache": _case_groups.cache,
    "images": _case_groups.images,
    "chains": chains,
    "windows": windows,
    "normalize": normalize,
    "chunks": _case_groups.chunks,
    "ranges": _case_groups.ranges,
    "latency": _case_groups.latency,
    "start": _case_groups.start,
    "memory": _case_groups.memory,
}

#: Groups whose tables are not like those of the others.
WRITERS: dict[str, Writer] = {"front": _front_group.lines_of}

_EPILOG = """\
The limit of a case is the fastest copy of as many bytes as the case must touch: all that it writes, and the 64-byte
lines that it reads a byte of. A share is the time of the limit divided by that of a contender. All contenders and the
copies take turns; values are medians. Each result is compared with NumPy's, byte for byte, before anything is timed.

The exit code is 0, 1 if a result of fastops is wrong, and 2 if nothing could be measured.
"""


def main(arguments: list[str] | None = None) -> int:
    """Measure, show, and return the exit code."""
    options = _parser().parse_args(arguments)
    peers = tuple([name for name in PEERS if is_installed(name) and (not options.peer or name in options.peer)])
    setup = Setup(peers, options.threads or 2, QUICK if options.quick else FULL, options.small)
    jobs = [job for group in options.group or GROUPS for job in GROUPS[group](setup) if _is_chosen(job, options.only)]
    if options.list:
        sys.stdout.writelines(f"{job.group}/{job.name}\n" for job in jobs)
        return 0
    results = measured(jobs, setup)
    sys.stdout.write(text_of(results, WRITERS))
    for file, text in ((options.json, json_of(results)), (options.markdown, markdown_of(results, WRITERS))):
        if file:
            file.write_text(text, encoding="utf-8")
    if options.chart and not draw(results, options.chart):
        sys.stderr.write("no chart: no row has a limit to be drawn against\n")
    if not any(FASTOPS in row.values for row in results.rows):
        sys.stderr.write("nothing was measured: --list has the names of the rows\n")
        return 2
    return 1 if any(row.wrong for row in results.rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description="Time fastops beside other libraries, and beside copies of as many bytes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rows = parser.add_argument_group("which rows")
    rows.add_argument("--group", action="append", choices=GROUPS, help="measure this group; repeatable (default: all)")
    rows.add_argument("--only", metavar="SUBSTRING", action="append", help="only rows whose name has it; repeatable")
    rows.add_argument("--list", action="store_true", help="print the names of the rows and stop")
    how = parser.add_argument_group("how")
    how.add_argument("--peer", action="append", choices=PEERS, help="beside this library only; repeatable")
    how.add_argument("--threads", type=int, metavar="N", help="threads of every contender (default: 2)")
    how.add_argument("--quick", action="store_true", help="few rounds: the figures tell little")
    how.add_argument("--small", action="store_true", help="small sizes: the figures tell nothing, but all code runs")
    output = parser.add_argument_group("output, besides the text")
    output.add_argument("--json", type=Path, metavar="FILE", help="all medians, the timed expressions, the environment")
    output.add_argument("--markdown", type=Path, metavar="FILE", help="the tables")
    output.add_argument("--chart", type=Path, metavar="FILE", help="shares of the limit as bars: .png or .svg")
    return parser


def measured(jobs: Sequence[Job], setup: Setup) -> Results:
    """Return the rows of jobs, and the environment."""
    setup = setup.with_threads(start_threads(setup.threads, setup.peers))
    return Results(environment_of(setup), list(_rows(jobs, setup)))


def _rows(jobs: Sequence[Job], setup: Setup) -> Iterator[Row]:
    """Measure one row after the other, and say on stderr which one."""
    for i, job in enumerate(jobs, 1):
        sys.stderr.write(f"[{i}/{len(jobs)}] {job.group}/{job.name}\n")
        sys.stderr.flush()
        try:
            yield job.run(setup.with_threads(job.threads))
        except Exception as error:
            yield Row(job.group, job.name, "", wrong=f"{type(error).__name__}: {error}")
    setup.with_threads(None)


def _is_chosen(job: Job, parts: list[str] | None) -> bool:
    return not parts or any(part in job.name for part in parts)


if __name__ == "__main__":
    sys.exit(main())
