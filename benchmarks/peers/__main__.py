"""The command line: ``python -m benchmarks.peers``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from benchmarks.measure.timing import FULL, QUICK
from benchmarks.peers._bars import is_met
from benchmarks.peers._chart import draw
from benchmarks.peers._environment import environment_of, start_threads
from benchmarks.peers._groups import GROUPS
from benchmarks.peers._report import markdown_of, text_of
from benchmarks.peers._rows import FASTOPS, Results, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._store import StoreError, load, save
from benchmarks.peers.frameworks import PEERS, is_installed

_EPILOG = """\
The limit of a case is the best of three copies of as many bytes as it must touch: all that it writes, and the 64-byte
lines that it reads a byte of. Shares are the seconds of the limit over those of a contender. All contenders and the
copies take turns; values are medians. Each result is compared with NumPy's, byte for byte, before anything is timed.

The exit code is 0 if every row is at its bars, 1 if a row is below or a result of fastops is wrong, and 2 if nothing
could be measured, or the file of --from-json cannot be read.
"""


def main(arguments: list[str] | None = None) -> int:
    """Measure or load, show, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        results = _chosen(load(options.from_json), options) if options.from_json else _measured(options)
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(text_of(results))
    if options.json:
        save(results, options.json)
    if options.markdown:
        options.markdown.write_text(markdown_of(results), encoding="utf-8")
    if not any(FASTOPS in row.values for row in results.rows):
        return 2
    if options.chart and not draw(results, options.chart):
        sys.stderr.write("no chart: no row has a limit to be drawn against\n")
    return 0 if all(map(is_met, results.rows)) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description="Time fastops beside other libraries, and beside what the memory can do, and judge every row.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    rows = parser.add_argument_group("which rows")
    rows.add_argument("--group", action="append", choices=GROUPS, help="measure this group; repeatable (default: all)")
    rows.add_argument("--only", metavar="SUBSTRING", action="append", help="only rows whose name has it; repeatable")
    rows.add_argument("--list", action="store_true", help="print the names of the rows and stop")
    how = parser.add_argument_group("how")
    how.add_argument("--peer", action="append", choices=PEERS, help="beside this peer only; repeatable")
    how.add_argument("--threads", type=int, metavar="N", help="threads of every contender (default: 2)")
    how.add_argument("--quick", action="store_true", help="few rounds: figures that tell little")
    how.add_argument("--small", action="store_true", help="small sizes: figures that tell nothing, but all code runs")
    how.add_argument("--from-json", type=Path, metavar="FILE", help="show what --json has stored; measure nothing")
    output = parser.add_argument_group("output, besides the text")
    output.add_argument("--json", type=Path, metavar="FILE", help="all medians, how they came about, the environment")
    output.add_argument("--markdown", type=Path, metavar="FILE", help="the tables")
    output.add_argument("--chart", type=Path, metavar="FILE", help="shares of the limit as bars: .png or .svg")
    return parser


def _measured(options: argparse.Namespace) -> Results:
    """Return the results of a new run; with ``--json``, those so far are in the file at any time."""
    wanted = [name for name in PEERS if not options.peer or name in options.peer]
    setup = Setup(
        peers=tuple(name for name in wanted if is_installed(name)),
        threads=1 if options.list else start_threads(options.threads),
        effort=QUICK if options.quick else FULL,
        is_small=options.small,
    )
    jobs = [job for group in options.group or GROUPS for job in GROUPS[group](setup) if _is_chosen(job.name, options)]
    if options.list:
        sys.stdout.writelines(f"{job.group}/{job.name}\n" for job in jobs)
        raise SystemExit(0)
    if not jobs:
        sys.stderr.write(f"no row has {' or '.join(options.only)} in its name: --list has the names\n")
    results = Results(environment_of(setup), [])
    for row in _rows(jobs, setup):
        results.rows.append(row)
        if options.json:
            save(results, options.json)
    return results


def _rows(jobs: list[Job], setup: Setup) -> Iterable[Row]:
    """Measure one row after the other, and say on stderr which one."""
    is_terminal = sys.stderr.isatty()
    for i, job in enumerate(jobs, 1):
        line = f"[{i}/{len(jobs)}] {job.group}/{job.name}"
        sys.stderr.write(f"\r\x1b[K{line}" if is_terminal else f"{line}\n")
        sys.stderr.flush()
        try:
            row = job.run(setup)
        except Exception as error:
            row = Row(job.group, job.name, "", wrong=f"{type(error).__name__}: {error}")
        if setup.is_small:
            # The times mean nothing, so that only a wrong result can be below a bar.
            row.asked = {}
        yield row
    if is_terminal:
        sys.stderr.write("\r\x1b[K")


def _is_chosen(name: str, options: argparse.Namespace) -> bool:
    return not options.only or any(part in name for part in options.only)


def _chosen(results: Results, options: argparse.Namespace) -> Results:
    """Return the rows of stored results that the options ask for."""
    rows = [row for row in results.rows if _is_chosen(row.name, options)]
    return replace(results, rows=[row for row in rows if not options.group or row.group in options.group])


if __name__ == "__main__":
    sys.exit(main())
