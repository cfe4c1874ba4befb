"""Processes that run cases side by side. Kernels are loaded by them alone, in the form that the environment says."""

from __future__ import annotations

import argparse
import multiprocessing
from multiprocessing.sharedctypes import Synchronized
from typing import Any

#: How processes are started: anew, because the environment says which form of the kernels they load.
CONTEXT: Any = multiprocessing.get_context("spawn")

#: Cases of one process, at most: those of the next one have the numbers after them.
MOST_CASES = 1 << 40


def run_processes(arguments: argparse.Namespace, seed: int) -> tuple[int, list[str]]:
    """Run the processes; return how many cases they did, and what failed."""
    results: Any = CONTEXT.SimpleQueue()
    counters = [CONTEXT.Value("q", 0) for _ in range(arguments.processes)]
    processes = []
    for k, counter in enumerate(counters):
        first = arguments.first + k * MOST_CASES
        limits = (arguments.cases, arguments.seconds)
        processes.append(CONTEXT.Process(target=_work, args=(seed, first, *limits, counter, results)))
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    failures = []
    while not results.empty():
        failures.append(results.get())
    for k, (process, counter) in enumerate(zip(processes, counters, strict=True)):
        if process.exitcode:
            case = arguments.first + k * MOST_CASES + counter.value
            again = f"--seed {seed} --first {case} --cases 1 --processes 1 --form {arguments.form}"
            failures.append(f"case {case} ended its process (exit code {process.exitcode}): {again}")
    return sum(counter.value for counter in counters), failures


def _work(seed: int, first: int, cases: int, seconds: float, counter: Synchronized[int], results: Any) -> None:
    """Run cases from number ``first`` on; the counter says how many are done, the queue takes the first failure."""
    from tests.fuzz._run import find_failure

    failure = find_failure(seed, first, cases, seconds, counter)
    if failure is not None:
        results.put(failure)
