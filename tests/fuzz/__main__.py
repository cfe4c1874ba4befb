"""The command: cases at random until the time is over, or one again."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from math import ceil, inf

from tests.fuzz._processes import MOST_CASES, run_processes


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if every case was right, 1 otherwise."""
    arguments = _parse(argv)
    os.environ["FASTOPS_CHECKED_KERNELS"] = str(int(arguments.form == "checked"))
    if arguments.replay is not None:
        from tests.fuzz._run import replay

        failure = replay([int(choice) for choice in arguments.replay.split(",")])
        print(failure or "The case is right.")
        return int(failure is not None)
    seed = time.time_ns() % 2**32 if arguments.seed is None else arguments.seed
    print(f"{arguments.form} kernels, seed {seed}, {arguments.processes} processes", flush=True)
    done, failures = run_processes(arguments, seed)
    print(f"{done} cases in all" + (": all are right" if not failures else ""))
    for failure in failures:
        print(failure)
    return int(bool(failures))


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Random plans over random memory.")
    parser.add_argument("--seconds", type=float, help="how long (default: 60, or until all cases are done)")
    parser.add_argument("--cases", type=int, help="how many, of all processes together, or some more")
    parser.add_argument("--seed", type=int, help="the same seed gives the same cases (default: the clock)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case of the first process")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(default: as many as processors)")
    parser.add_argument("--form", choices=["checked", "plain"], default="checked", help="of the kernels")
    parser.add_argument("--replay", help="the choices of one case, as a failure prints them")
    arguments = parser.parse_args(argv)
    if arguments.seconds is None:
        arguments.seconds = 60 if arguments.cases is None else inf
    arguments.cases = MOST_CASES if arguments.cases is None else ceil(arguments.cases / arguments.processes)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
