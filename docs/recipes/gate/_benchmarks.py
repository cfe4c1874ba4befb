"""What the gate measures of `smoothing`: names that stay, and the call behind each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType

Call = Callable[[], object]


@dataclass(frozen=True)
class Benchmark:
    """A name, how its call is made of an installed version, whether short runs have it, and its threads."""

    name: str
    create: Callable[[ModuleType], Call]
    is_quick: bool = True
    threads: int | None = None


def _moving_average(count: int, width: int, library: ModuleType) -> Call:
    # The values exist before anything is timed.
    values = [i * i % 97 for i in range(count)]
    return partial(library.moving_average, values, width)


BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark("average/short", partial(_moving_average, 100, 3)),
        Benchmark("average/long", partial(_moving_average, 10_000, 9)),
    )
}
