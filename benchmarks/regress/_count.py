"""The process that counts what needs no statistics, in the environment of one commit; it prints JSON.

It compiles every function into a directory that is empty before, so that what is compiled can be counted and its
assembly looked at. It needs threads, but no quiet: it may run beside anything.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

from benchmarks import cases
from benchmarks.measure import counters as measure
from benchmarks.measure.assembly import compiled_code, kernels_in
from benchmarks.measure.streams import streamed_bytes
from benchmarks.regress._project import KERNELS_VARIABLE, PACKAGE, refusals
from benchmarks.regress._verdicts import Counters
from benchmarks.regress._worker import installed_library

# Enough for outputs to be streamed past the caches, by code that smaller ones do not compile.
_STREAMED_BYTES = 32 * cases.MIB

# What a process may call first: each compiles its kernel.
_FIRST = ("tiny_strided_slice", "tiny_range")

# Cases whose outputs are beyond the caches in their full size.
_LARGE = frozenset([*cases.names_of("bandwidth"), *cases.names_of("ranges")])


def counters_of(library: ModuleType, cache: Path) -> tuple[Counters, dict[str, str]]:
    """Return every counter of a version of fastops, by name, and the messages of calls that it refuses, by case."""
    counters = {"import: threads": measure.threads_at_import(), "import: modules": measure.modules_at_import()}
    refused = {}
    for name in dict.fromkeys([*_FIRST, *cases.CASES]):
        before = kernels_in(cache)
        try:
            found = _counters_of_case(library, cases.CASES[name])
        except NotImplementedError:
            # A commit without the operator has no counters of it.
            continue
        except refusals(library) as error:
            refused[name] = f"{type(error).__name__}: {error}"
            continue
        except Exception as error:
            raise RuntimeError(f"{name}: {type(error).__name__}: {error}") from error
        if name in _FIRST:
            found["kernels compiled first"] = kernels_in(cache) - before
        if name in _LARGE and (streamed := streamed_bytes(library, cases.CASES[name])) is not None:
            found["bytes streamed"] = streamed
        counters |= {f"{name}: {key}": value for key, value in found.items()}
    _call_streamed(library)
    _call_windows(library)
    return counters | _counters_of_code() | {"all: kernels compiled": kernels_in(cache)}, refused


def _counters_of_case(library: ModuleType, case: cases.Case) -> Counters:
    call = case.call(library, measure.counted_size(case))
    result = call()
    out = case.copied_outputs(result)
    counters = {
        "launches": measure.launches_of(call),
        "launches into out": measure.launches_of(lambda: call(out=out)),
        "bytes allocated": measure.allocated_bytes(call),
        "bytes allocated into out": measure.allocated_bytes(lambda: call(out=out)),
    }
    if measure.can_count_writers():
        counters["threads that write"] = measure.writers_of(call, cases.outputs_of(result))
    return counters


def _call_streamed(library: ModuleType) -> None:
    """Call each kind of case once with outputs beyond the caches, so that its code is compiled too."""
    for name in [*(f"{kind}_f32" for kind in cases.GRID_KINDS), *cases.names_of("ranges")]:
        try:
            cases.CASES[name].call(library, cases.CASES[name].resized(_STREAMED_BYTES))()
        except NotImplementedError:
            continue
        except refusals(library):
            # Which the counters of the same case in its small size have told.
            continue


def _call_windows(library: ModuleType) -> None:
    """Call each kind of windows, and a user's compiled function, so that their code is compiled too."""
    try:
        for case in cases.WINDOWS_CASES.values():
            case.call(library, is_small=True)()
        # Many windows, which threads share.
        library.windows(np.zeros((1 << 10, 1 << 10)), np.zeros((64, 2), np.int64), [1 << 7, 1 << 7])
        cases.compiled_pad(library)(cases.compiled_data("compiled_pad_8"), cases.COMPILED_PAD, 1)
    except NotImplementedError:
        return


def _counters_of_code() -> Counters:
    """Return what the machine code holds, of each function and of all, whose names may change."""
    counters = {}
    codes = compiled_code(PACKAGE)
    for code in codes:
        counters[f"{code.name}: vector bytes"] = code.vector_bytes
        counters[f"{code.name}: streaming stores"] = code.streaming_stores
    counters["all: vector bytes"] = max((code.vector_bytes for code in codes), default=0)
    counters["all: streaming stores"] = sum(code.streaming_stores for code in codes)
    return counters


def main() -> None:
    """Print the counters of the fastops that is installed."""
    # What a library prints is not to get between.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    counters, refused = counters_of(installed_library(), Path(os.environ[KERNELS_VARIABLE]))
    with answers:
        json.dump({"counters": counters, "refused": refused}, answers)


if __name__ == "__main__":
    sys.exit(main())
