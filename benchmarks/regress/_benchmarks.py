"""What the gate measures: names that stay, and the call behind each.

A benchmark is ``group/what``. Of the groups, large and cache are about bandwidth, beyond the cache with all threads and
inside of it with one, into outputs that exist; fresh is about results beyond the cache, which each call allocates;
windows is about many of them in one call; normalize is about what is cast and normalised, with one thread, and
normalize_shared with all; compiled is about calls in users' compiled code; and latency is about calls so small that all
their time is the way to the kernel and back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from types import ModuleType

from benchmarks import cases

Call = Callable[[], object]

#: The size of outputs in the groups large and fresh, and cache, as far as cases can be resized.
LARGE_BYTES, CACHE_BYTES = 32 * cases.MIB, cases.MIB // 2


@dataclass(frozen=True)
class Benchmark:
    """Something to measure.

    Attributes
    ----------
    group, what : str
        Its name.
    create : callable
        Returns the call, from a module of fastops; raises NotImplementedError where that has no such operator.
    is_quick : bool
        True if short runs measure it too.
    """

    group: str
    what: str
    create: Callable[[ModuleType], Call]
    is_quick: bool

    @property
    def threads(self) -> int | None:
        """How many threads of Numba it has; None for all."""
        return 1 if self.group in ("cache", "windows", "normalize") else None

    @property
    def name(self) -> str:
        """Under which results are kept."""
        return f"{self.group}/{self.what}"


def _into_out(name: str, output_bytes: int | None, library: ModuleType) -> Call:
    """Return a case that writes into an output which exists, of so many bytes if it can be resized."""
    case = cases.CASES[name]
    is_resized = output_bytes is not None and case.sized is not None
    call = case.call(library, case.resized(output_bytes) if is_resized else case.full)
    return partial(call, out=case.copied_outputs(call()))


def _fresh(name: str, output_bytes: int | None, library: ModuleType) -> Call:
    """Return a case that allocates its result, likewise."""
    case = cases.CASES[name]
    return case.call(library, case.full if output_bytes is None else case.resized(output_bytes))


def _plan(name: str, library: ModuleType) -> Call:
    case = cases.CASES[name]
    (call,) = case.prepared(library, case.full)
    return partial(call, out=case.copied_outputs(call()))


def _different(operator: str, library: ModuleType) -> Call:
    """Return a call that is another one each time."""
    calls = cases.different_calls(library, operator)
    # Calls that follow each other are alike: all blocks get the same mixture.
    random.Random(0).shuffle(calls)  # noqa: S311 - no secrets.
    following = cycle(calls)
    return lambda: next(following)()


def _windows(case: cases.WindowsCase, library: ModuleType) -> Call:
    return case.call(library, is_small=False)


def _compiled(name: str, library: ModuleType) -> Call:
    """Return a call of a user's compiled function, which pads many times."""
    return partial(cases.compiled_pad(library), cases.compiled_data(name), cases.COMPILED_PAD, cases.COMPILED_CALLS)


# One width for each kind, so that short runs see every kind and every width, beyond the cache and inside of it.
_QUICK_BEYOND = dict(zip(cases.GRID_KINDS, ["u16", "f64", "f32", "c128", "u8", "u16", "u8", "f32", "f32"], strict=True))
_QUICK_INSIDE = dict(zip(cases.GRID_KINDS, ["f32", "u8", "u16", "f32", "f32", "f64", "f32", "u8", "u16"], strict=True))
_QUICK_LARGE = ("bgr_to_rgb_u8", "range_f32", "range_i64")
_QUICK_FRESH = ("window_f32", "split_3_f32")
_QUICK_WINDOWS = ("windows_inside_u8", "windows_15x15_f32", "chw_f32_224", "photographs_f32")
_QUICK_COMPILED = "compiled_pad_8"
_PIXELS = "bgr_to_rgb_u8"
# Beyond the caches, or too much for one of them: work that waits whenever a core is slow is no other's measure.
_SHARED = ("chw_f32_1024", "volume_f32_160", "photographs_f32")


def _all() -> list[Benchmark]:
    beyond = [f"{kind}_{short}" for kind, short in _QUICK_BEYOND.items()]
    ranges, tiny = cases.names_of("ranges"), cases.names_of("latency")
    large = dict.fromkeys([*beyond, *cases.names_of("bandwidth"), *ranges, *cases.names_of("layouts")])
    quick = {*beyond, *_QUICK_LARGE}
    found = [Benchmark("large", name, partial(_into_out, name, LARGE_BYTES), name in quick) for name in large]
    cached = [f"{kind}_{short}" for kind in cases.GRID_KINDS for short in cases.GRID_DTYPES] + [_PIXELS, *ranges]
    quick = {*[f"{kind}_{short}" for kind, short in _QUICK_INSIDE.items()], _PIXELS}
    found += [Benchmark("cache", name, partial(_into_out, name, CACHE_BYTES), name in quick) for name in cached]
    fresh = [f"{kind}_f32" for kind in cases.GRID_KINDS] + ranges
    found += [Benchmark("fresh", name, partial(_fresh, name, LARGE_BYTES), name in _QUICK_FRESH) for name in fresh]
    for group, chosen in (
        ("windows", cases.WINDOWS_CASES),
        ("normalize", cases.NORMALIZE_CASES),
        ("normalize_shared", {name: cases.NORMALIZE_CASES[name] for name in _SHARED}),
    ):
        found += [Benchmark(group, name, partial(_windows, chosen[name]), name in _QUICK_WINDOWS) for name in chosen]
    named = cases.COMPILED_CASES
    found += [Benchmark("compiled", name, partial(_compiled, name), name == _QUICK_COMPILED) for name in named]
    found += [Benchmark("latency", f"warm_{name}", partial(_fresh, name, None), True) for name in tiny]
    found += [Benchmark("latency", f"out_{name}", partial(_into_out, name, None), False) for name in tiny]
    # A split is several plans.
    prepared = [name for name in tiny if cases.CASES[name].operator != "variadic_split"]
    found += [Benchmark("latency", f"plan_{name}", partial(_plan, name), name == prepared[0]) for name in prepared]
    found += [
        Benchmark("latency", f"miss_{operator}", partial(_different, operator), operator in ("slice", "strided_slice"))
        for operator in cases.DIFFERENT_OPERATORS
    ]
    return found


BENCHMARKS: dict[str, Benchmark] = {benchmark.name: benchmark for benchmark in _all()}
