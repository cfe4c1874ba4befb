"""The command: cases at random until the time is over, or one of them again."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from math import ceil, inf
from typing import Any

CONTEXT: Any = multiprocessing.get_context("spawn")

# Cases of one process, at most: those of the next one have the numbers after them.
_MOST_CASES = 1 << 40


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if every case was right, 1 otherwise."""
    arguments = _parse(argv)
    os.environ["FASTOPS_CHECKED_KERNELS"] = str(int(arguments.form == "checked"))
    # Not before: it imports kernels, whose form the environment says.
    from tests.fuzz import _run

    seed = time.time_ns() % 2**32 if arguments.seed is None else arguments.seed
    print(f"{arguments.form} kernels, seed {seed}, {arguments.processes} processes", flush=True)
    firsts = [arguments.first + k * _MOST_CASES for k in range(arguments.processes)]
    counters = [CONTEXT.Value("q", 0) for _ in firsts]
    processes = []
    for first, counter in zip(firsts, counters, strict=True):
        limits = (arguments.cases, arguments.seconds)
        processes.append(CONTEXT.Process(target=_run.work, args=(seed, first, *limits, counter)))
        processes[-1].start()
    for process, first, counter in zip(processes, firsts, counters, strict=True):
        process.join()
        if process.exitcode not in (0, 1):
            again = f"--seed {seed} --first {first + counter.value} --cases 1 --processes 1 --form {arguments.form}"
            print(f"a case ended its process (exit code {process.exitcode}): {again}")
    is_right = not any(process.exitcode for process in processes)
    print(f"{sum(counter.value for counter in counters)} cases in all{': all are right' if is_right else ''}")
    return int(not is_right)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Random plans over random memory.")
    parser.add_argument("--seconds", type=float, help="how long (default: 60, or until all cases are done)")
    parser.add_argument("--cases", type=int, help="how many, of all processes together, or some more")
    parser.add_argument("--seed", type=int, help="the same seed gives the same cases (default: the clock)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case of the first process")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(default: as many as processors)")
    parser.add_argument("--form", choices=["checked", "plain"], default="checked", help="of the kernels")
    arguments = parser.parse_args(argv)
    if arguments.seconds is None:
        arguments.seconds = 60 if arguments.cases is None else inf
    arguments.cases = _MOST_CASES if arguments.cases is None else ceil(arguments.cases / arguments.processes)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
