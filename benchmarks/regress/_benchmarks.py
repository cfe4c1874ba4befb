"""What the gate measures: names that stay, and the call behind each.

A benchmark is ``group/what``. Of the groups, memory and cache are about bandwidth, beyond the cache with all threads
and inside of it with one; latency is about calls so small that all their time is the way to the kernel and back; start
is about new processes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from types import ModuleType
from typing import Any

from benchmarks.cases import CASES, DIFFERENT_OPERATORS, GRID_DTYPES, GRID_KINDS, MIB, different_calls, names_of
from benchmarks.measure.processes import seconds_of

Call = Callable[[], object]

#: The size of outputs in the groups memory and cache, as far as cases can be resized.
MEMORY_BYTES, CACHE_BYTES = 32 * MIB, MIB // 2


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
        return 1 if self.group == "cache" else None

    @property
    def name(self) -> str:
        """Under which results are kept."""
        return f"{self.group}/{self.what}"


def operator_of(library: ModuleType, name: str) -> Any:
    """Return an operator of fastops, or of its plans."""
    if not hasattr(library, name):
        raise NotImplementedError(f"fastops {getattr(library, '__version__', '')} has no {name}")
    return getattr(library, name)


def _into_out(name: str, output_bytes: int | None, library: ModuleType) -> Call:
    """Return a case that writes into an output which exists, of so many bytes if it can be resized."""
    case = CASES[name]
    operator_of(library, case.operator)
    is_resized = output_bytes is not None and case.sized is not None
    call = case.call(library, case.resized(output_bytes) if is_resized else case.full)
    return partial(call, out=call())


def _fresh(name: str, library: ModuleType) -> Call:
    case = CASES[name]
    operator_of(library, case.operator)
    return case.call(library, case.full)


def _plan(name: str, library: ModuleType) -> Call:
    case = CASES[name]
    operator_of(operator_of(library, "plan"), case.operator)
    (call,) = case.prepared(library, case.full)
    return partial(call, out=call())


def _different(operator: str, library: ModuleType) -> Call:
    """Return a call that is another one each time."""
    operator_of(library, operator)
    calls = different_calls(library, operator)
    # Calls that follow each other are alike: all blocks get the same mixture.
    random.Random(0).shuffle(calls)  # noqa: S311 - no secrets.
    following = cycle(calls)
    return lambda: next(following)()


def _import(_library: ModuleType) -> Call:
    return lambda: seconds_of("import fastops", "")


# One width for each kind, so that short runs see every kind and every width, beyond the cache and inside of it.
_QUICK_BEYOND = dict(zip(GRID_KINDS, ["u16", "f64", "f32", "c128", "u8", "u16", "u8", "f32", "f32"], strict=True))
_QUICK_INSIDE = dict(zip(GRID_KINDS, ["f32", "u8", "u16", "f32", "f32", "f64", "f32", "u8", "u16"], strict=True))
_QUICK_LARGE = ("bgr_to_rgb_u8", "range_f32", "range_i64")
_PIXELS = "bgr_to_rgb_u8"


def _all() -> list[Benchmark]:
    beyond = [f"{kind}_{short}" for kind, short in _QUICK_BEYOND.items()]
    large = [*names_of("bandwidth"), *names_of("ranges"), *names_of("layouts")]
    quick = {*beyond, *_QUICK_LARGE}
    found = [
        Benchmark("memory", name, partial(_into_out, name, MEMORY_BYTES), name in quick)
        for name in dict.fromkeys([*beyond, *large])
    ]
    inside = [f"{kind}_{short}" for kind in GRID_KINDS for short in GRID_DTYPES]
    quick = {*[f"{kind}_{short}" for kind, short in _QUICK_INSIDE.items()], _PIXELS}
    found += [
        Benchmark("cache", name, partial(_into_out, name, CACHE_BYTES), name in quick) for name in [*inside, _PIXELS]
    ]
    tiny = names_of("latency")
    found += [Benchmark("latency", f"warm_{name}", partial(_fresh, name), True) for name in tiny]
    found += [Benchmark("latency", f"out_{name}", partial(_into_out, name, None), False) for name in tiny]
    # A split is several plans.
    prepared = [name for name in tiny if CASES[name].operator != "variadic_split"]
    found += [Benchmark("latency", f"plan_{name}", partial(_plan, name), name == prepared[0]) for name in prepared]
    found += [
        Benchmark("latency", f"miss_{operator}", partial(_different, operator), operator in ("slice", "strided_slice"))
        for operator in DIFFERENT_OPERATORS
    ]
    return [*found, Benchmark("start", "import", _import, False)]


BENCHMARKS: dict[str, Benchmark] = {benchmark.name: benchmark for benchmark in _all()}
