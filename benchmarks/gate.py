"""The table of asv-gate, which asv's suites use too: stable names, and the call of each.

A case is ``group/what``:

================  ==================================================================================
large             into outputs beyond the cache, with all threads
cache             into outputs inside of the cache, with one thread
fresh             results beyond the cache that each call allocates
windows           many windows in one call, with one thread
normalize         crops that are cast and normalised, with one thread; normalize_shared: with all
compiled          calls in users' compiled code
latency           tiny calls, which show the cost of a call
================  ==================================================================================
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

import numba
from asv_gate.counting import Counter

import fastops
from benchmarks import cases, counters

Call = Callable[[], object]

#: The size of outputs in the groups large and fresh, and in cache, as far as cases can be resized.
LARGE_BYTES, CACHE_BYTES = 32 * cases.MIB, cases.MIB // 2


def _into_out(name: str, output_bytes: int | None) -> Call:
    """Return a case that writes into an output which exists, of about so many bytes."""
    case = cases.CASES[name]
    call = case.call(fastops, case.resized(output_bytes))
    return partial(call, out=case.copied_outputs(call()))


def _fresh(name: str, output_bytes: int | None) -> Call:
    """Return a case that allocates its result, of about so many bytes."""
    case = cases.CASES[name]
    return case.call(fastops, case.resized(output_bytes))


def _plan(name: str) -> Call:
    case = cases.CASES[name]
    (call,) = case.prepared(fastops, case.full)
    return partial(call, out=case.copied_outputs(call()))


def _different(operator: str) -> Call:
    """Return a call whose attributes differ each time."""
    calls = cases.different_calls(fastops, operator)
    # Neighbours are alike, so shuffle them: all blocks then have the same mixture.
    random.Random(0).shuffle(calls)  # noqa: S311 - no secrets.
    following = cycle(calls)
    return lambda: next(following)()


def _compiled(name: str) -> Call:
    """Return a call of a user's compiled function, which pads many times."""
    return partial(cases.compiled_pad(fastops), cases.compiled_data(name), cases.COMPILED_PAD, cases.COMPILED_CALLS)


# If threads share work in the cache, all of it waits for a core that is slow. So it is timed with one thread, and the
# threads that write are counted.
_ONE_THREAD = ("cache", "windows", "normalize")


def _with_threads(group: str, create: Callable[[], Call]) -> Call:
    """Set the threads of a group, and return its call."""
    numba.set_num_threads(1 if group in _ONE_THREAD else numba.config.NUMBA_NUM_THREADS)
    return create()


def _named() -> Iterator[tuple[str, str, Callable[[], Call]]]:
    """Give the group, the name in it, and the function that makes the call."""
    tiny, ranges, kinds = cases.names_of("latency"), cases.names_of("ranges"), cases.GRID_KINDS
    beyond = [f"{kind}_{short}" for kind, short in _BEYOND.items()]
    for name in dict.fromkeys([*beyond, *cases.names_of("bandwidth"), *ranges, *cases.names_of("layouts")]):
        yield "large", name, partial(_into_out, name, LARGE_BYTES)
    for name in [f"{kind}_{short}" for kind in kinds for short in cases.GRID_DTYPES] + [_PIXELS, *ranges]:
        yield "cache", name, partial(_into_out, name, CACHE_BYTES)
    for name in [f"{kind}_f32" for kind in kinds] + ranges:
        yield "fresh", name, partial(_fresh, name, LARGE_BYTES)
    windows = [("windows", name, case) for name, case in cases.WINDOWS_CASES.items()]
    windows += [("normalize", name, case) for name, case in cases.NORMALIZE_CASES.items()]
    windows += [("normalize_shared", name, cases.NORMALIZE_CASES[name]) for name in _SHARED]
    for group, name, case in windows:
        yield group, name, partial(case.call, fastops, is_small=False)
    for name in cases.COMPILED_CASES:
        yield "compiled", name, partial(_compiled, name)
    for name in tiny:
        yield "latency", f"warm_{name}", partial(_fresh, name, None)
    for name in tiny:
        yield "latency", f"out_{name}", partial(_into_out, name, None)
    for name in tiny:
        # A split is several plans.
        if cases.CASES[name].operator != "variadic_split":
            yield "latency", f"plan_{name}", partial(_plan, name)
    for operator in cases.DIFFERENT_OPERATORS:
        yield "latency", f"miss_{operator}", partial(_different, operator)


_PIXELS = "bgr_to_rgb_u8"
# Cases whose data is larger than a core's own cache.
_SHARED = ("chw_f32_1024", "volume_f32_160", "photographs_f32")
# One width for each kind: quick runs have every kind beyond the cache and inside of it, and every width beyond it.
_BEYOND = dict(zip(cases.GRID_KINDS, ["u16", "f64", "f32", "c128", "u8", "u16", "u8", "f32", "f32"], strict=True))
_INSIDE = dict(zip(cases.GRID_KINDS, ["f32", "u8", "u16", "f32", "f32", "f64", "f32", "u8", "u16"], strict=True))

#: Each case by its name, with the function that prepares it.
CASES: dict[str, Callable[[], Call]] = {
    f"{group}/{what}": partial(_with_threads, group, create) for group, what, create in _named()
}

#: The cases that ``--quick`` measures.
QUICK = frozenset(
    [
        *[f"large/{kind}_{short}" for kind, short in _BEYOND.items()],
        *[f"large/{name}" for name in (_PIXELS, "range_f32", "range_i64")],
        *[f"cache/{kind}_{short}" for kind, short in _INSIDE.items()],
        *[f"cache/{_PIXELS}", "fresh/window_f32", "fresh/split_3_f32", "compiled/compiled_pad_8"],
        *["windows/windows_inside_u8", "windows/windows_15x15_f32"],
        *["normalize/chw_f32_224", "normalize/photographs_f32", "normalize_shared/photographs_f32"],
        *[f"latency/warm_{name}" for name in cases.names_of("latency")],
        *["latency/plan_tiny_strided_slice", "latency/miss_slice", "latency/miss_strided_slice"],
    ]
)


def count() -> dict[str, Counter]:
    """Return the counters of all cases, in sizes that threads share if possible, and of the machine code."""
    found: dict[str, Counter] = {}
    for name, case in cases.CASES.items():
        try:
            found |= {f"{name}: {key}": counter for key, counter in _counters_of(case).items()}
        except (NotImplementedError, TypeError, fastops.FastopsError):
            # A commit without the operator, or without these attributes, has no counters of the case.
            continue
    codes = list(counters.code_of_kernels())
    found["all: vector bytes"] = Counter(max([code.vector_bytes for code in codes], default=0), "fewer")
    found["all: streaming stores"] = Counter(sum(code.streaming_stores for code in codes), "none")
    for code in codes:
        found[f"{code.name}: vector bytes"] = Counter(code.vector_bytes, "fewer")
        # Another loop may have fewer stores; it is a loss only if there are none left.
        found[f"{code.name}: streaming stores"] = Counter(code.streaming_stores, "none")
    return found


def _counters_of(case: cases.Case) -> dict[str, Counter]:
    call: Callable[..., Any] = case.call(fastops, counters.counted_size(case))
    result = call()
    out = case.copied_outputs(result)
    found = {
        "launches": Counter(counters.launches_of(call)),
        "launches into out": Counter(counters.launches_of(lambda: call(out=out))),
    }
    if counters.can_count_writers():
        found["threads that write"] = Counter(counters.writers_of(call, cases.outputs_of(result)), "fewer")
    return found
