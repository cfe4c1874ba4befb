"""The process that runs blocks of calls in the environment of one commit, one request a line, one answer a line.

What a library prints goes to the standard error, so that nothing gets between the answers.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from importlib import import_module
from itertools import repeat
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from benchmarks.measure.timing import PAUSE_SECONDS, calls_per_sample
from benchmarks.regress._benchmarks import BENCHMARKS, Call
from benchmarks.regress._project import PACKAGE, refusals, take_threads

# About 20 microseconds.
_REFERENCE_STEPS = 400


def installed_library() -> ModuleType:
    """Return the library as this environment has it installed; fail if it comes from somewhere else."""
    library = import_module(PACKAGE)
    home = Path(str(library.__file__)).resolve()
    if not home.is_relative_to(Path(sys.prefix).resolve()):
        raise RuntimeError(f"{PACKAGE} comes from {home}, not from the environment")
    return library


def reference() -> int:
    """Return a sum, by a loop whose time tells how fast the core is just now."""
    total = 0
    for i in range(_REFERENCE_STEPS):
        total += i * i
    return total


def _nothing() -> None:
    """Stand for the call that has yet to be prepared."""


class Worker:
    """Answers requests; it has one benchmark ready at a time."""

    def __init__(self) -> None:
        self.library = installed_library()
        self.call: Call = _nothing

    def prepare(self, name: str) -> dict[str, Any]:
        """Make a benchmark ready; answer why not, if the commit has no such operator, or refuses the call."""
        # The arrays of the last one go before those of this one come.
        self.call = _nothing
        gc.collect()
        benchmark = BENCHMARKS[name]
        take_threads(benchmark.threads)
        try:
            self.call = benchmark.create(self.library)
            self.call()
        except NotImplementedError as error:
            return {"absent": str(error)}
        except refusals(self.library) as error:
            return {"refused": f"{type(error).__name__}: {error}"}
        return {}

    def calibrate(self, batch_seconds: float) -> dict[str, Any]:
        """Answer how many calls take at least so long."""
        return {"batch": calls_per_sample(self.call, batch_seconds)}

    def block(self, least_seconds: float, batch: int) -> dict[str, Any]:
        """Run batches of calls for at least so long; answer the seconds of a call, and of the reference, as medians."""
        time.sleep(PAUSE_SECONDS)
        call, clock = self.call, time.perf_counter
        # Back into the caches, and threads awake, after the turns of the others.
        call()
        seconds, references = [], []
        end = clock() + least_seconds
        finish = 0.0
        while finish < end:
            start = clock()
            for _ in repeat(None, batch):
                call()
            middle = clock()
            reference()
            finish = clock()
            seconds.append((middle - start) / batch)
            references.append(finish - middle)
        return {"seconds": median(seconds), "reference": median(references)}


def serve() -> None:
    """Answer requests until there are no more."""
    # Answers have a file of their own; the standard output becomes the standard error.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        worker = Worker()
        gc.disable()
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = getattr(worker, request.pop("do"))(**request)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve()
