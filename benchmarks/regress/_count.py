"""The process that counts what needs no statistics, in the environment of one commit; it prints JSON.

It compiles every kernel into a directory that is empty before, so that what is compiled can be counted and its assembly
looked at. It needs threads, but no quiet: it may run beside anything.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.cases import CASES, MIB
from benchmarks.measure.assembly import compiled_code, kernels_in
from benchmarks.measure.counters import allocated_bytes, can_count_writers, launches_of, threads_at_import, writers_of
from benchmarks.regress._benchmarks import operator_of
from benchmarks.regress._worker import installed_fastops

#: Threads of Numba while counting: more than one even where there is one core, and as many on all machines.
COUNTING_THREADS = 2

# Outputs of cases that can be resized: enough for threads, and too few for memory that is used again, so that what a
# call allocates does not depend on the calls before it.
_BYTES = 3 * MIB // 4

# What a process may call first: each compiles its kernel.
_FIRST = ("tiny_strided_slice", "tiny_range")


def counters_of(library: ModuleType) -> tuple[dict[str, int], dict[str, str]]:
    """Return every counter of a version of fastops, by name, and why it refuses calls, by case."""
    refused = {}
    cache = Path(os.environ["NUMBA_CACHE_DIR"])
    counters = {"import: threads": threads_at_import()}
    for name in _FIRST:
        before = kernels_in(cache)
        with suppress(NotImplementedError):
            _call_of(library, name)()
            counters[f"{name}: kernels compiled first"] = kernels_in(cache) - before
    for name in CASES:
        try:
            counters |= {f"{name}: {key}": value for key, value in _counters_of_case(library, name).items()}
        except NotImplementedError:
            # Neither has a commit without the operator any counters of it.
            continue
        except (TypeError, library.FastopsError) as error:
            refused[name] = f"{type(error).__name__}: {error}"
        except Exception as error:
            raise RuntimeError(f"{name}: {type(error).__name__}: {error}") from error
    for code in compiled_code("fastops"):
        if code.vector_bytes:
            counters[f"{code.name}: vector bytes"] = code.vector_bytes
            counters[f"{code.name}: streaming stores"] = code.streaming_stores
    counters["all: kernels compiled"] = kernels_in(cache)
    return counters, refused


def _call_of(library: ModuleType, name: str) -> Callable[..., Any]:
    case = CASES[name]
    operator_of(library, case.operator)
    return case.call(library, case.resized(_BYTES) if case.sized else case.small)


def _counters_of_case(library: ModuleType, name: str) -> dict[str, int]:
    call = _call_of(library, name)
    result = call()
    results = result if isinstance(result, list) else [result]
    out = [array.copy() for array in results]
    into = out if isinstance(result, list) else out[0]
    counters = {
        "launches": launches_of(call),
        "launches into out": launches_of(lambda: call(out=into)),
        "bytes allocated": allocated_bytes(call),
        "bytes allocated into out": allocated_bytes(lambda: call(out=into)),
    }
    if can_count_writers():
        counters["threads that write"] = writers_of(call, results)
    return counters


def main() -> None:
    """Print the counters of the fastops that is installed."""
    counters, refused = counters_of(installed_fastops())
    print(json.dumps({"counters": counters, "refused": refused}))


if __name__ == "__main__":
    main()
