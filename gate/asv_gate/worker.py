"""The process that runs in the environment of one commit: ``python -m asv_gate.worker PACKAGE CASES [count]``.

It answers requests, one a line: which cases there are, and blocks of calls of one of them. With ``count``, it prints
the counters of all cases and ends. Output that a library prints goes to standard error, so that it is never read as an
answer.
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
from typing import Any

from .counting import Counter, counters_of_call, counters_of_import
from .project import Cases, load_cases
from .timing import PAUSE_SECONDS, Call, calls_per_sample

# They take about 20 microseconds.
_REFERENCE_STEPS = 400


def check_installed(package: str) -> None:
    """Import the package; fail if Python finds it outside of this environment."""
    home = Path(str(import_module(package).__file__)).resolve()
    if not home.is_relative_to(Path(sys.prefix).resolve()):
        raise RuntimeError(f"{package} comes from {home}, not from the environment")


def reference() -> int:
    """Return a sum, by a loop whose time tells how fast the core is at the moment."""
    total = 0
    for i in range(_REFERENCE_STEPS):
        total += i * i
    return total


def _nothing() -> None:
    """Stand for the call of a case before one is prepared."""


class Worker:
    """Answers requests; it has one case ready at a time."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        self.call: Call = _nothing

    def names(self) -> dict[str, Any]:
        """Answer the names of all cases, and of those of a quick run."""
        return {"names": [*self.cases.timed], "quick": [name for name in self.cases.timed if name in self.cases.quick]}

    def prepare(self, name: str) -> dict[str, Any]:
        """Make a case ready; answer why not, if the commit does not have it or raises."""
        # The arrays of the last case are freed before those of this one are allocated.
        self.call = _nothing
        gc.collect()
        try:
            self.call = self.cases.timed[name]()
            self.call()
        except NotImplementedError as error:
            return {"absent": str(error) or "not implemented"}
        except Exception as error:
            return {"raised": f"{type(error).__name__}: {error}"}
        return {}

    def calibrate(self, batch_seconds: float) -> dict[str, Any]:
        """Answer how many calls take at least this time."""
        return {"batch": calls_per_sample(self.call, batch_seconds)}

    def block(self, least_seconds: float, batch: int) -> dict[str, Any]:
        """Run batches of calls for at least this time; answer the medians of seconds of a call and of the reference."""
        time.sleep(PAUSE_SECONDS)
        call, clock = self.call, time.perf_counter
        # This call fills the caches and wakes the threads after the turns of the others.
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

    def count(self, package: str) -> dict[str, Any]:
        """Answer all counters, and which cases raise."""
        counters: dict[str, Counter] = counters_of_import(package)
        raised = {}
        for name in self.cases.timed:
            if "raised" in (answer := self.prepare(name)):
                raised[name] = answer["raised"]
            elif not answer:
                counters |= counters_of_call(name, self.call)
        self.call = _nothing
        return {"counters": counters | dict(self.cases.count() if self.cases.count else {}), "raised": raised}


def main(package: str, cases: str, *words: str) -> None:
    """Answer requests until there are no more, or count."""
    # Answers have a file of their own; the standard output becomes the standard error.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        check_installed(package)
        worker = Worker(load_cases(cases))
        if words:
            json.dump(worker.count(package), answers)
            return
        gc.disable()
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = getattr(worker, request.pop("do"))(**request)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
