"""asv's suites: histories of the gate's cases, of counters, and of figures that can be compared between machines."""

from __future__ import annotations

import os
from functools import partial
from itertools import repeat
from math import nan
from typing import Any, ClassVar

import numba
from asv_gate.counting import allocated_bytes, counters_of_import
from asv_gate.timing import FULL, QUICK

import fastops
from benchmarks import cases, counters, gate

# Import modules, not their names: asv takes a class called Setup in a module of suites for the set-up of all benchmarks
# there.
from benchmarks.peers import _case_groups, _race
from benchmarks.peers._report import FASTOPS, Row

#: If set to small, benchmarks run in the sizes of the tests: their figures mean nothing, but all of their code runs.
SIZE_VARIABLE = "FASTOPS_BENCHMARK_SIZE"

# The number of calls of a tiny case: asv times each call of a benchmark by itself, and adds its own cost.
_CALLS = 10_000


@numba.njit("void()")
def _do_nothing() -> None:
    """Have Numba compile something: its first compilation in a process takes a third of a second or more.

    asv forks the process of each benchmark from one that has imported the suites, so this compilation is done once for
    all of them. This loads no kernel of fastops and starts no thread.
    """


class Suite:
    """The attributes that asv reads of every benchmark.

    asv keeps results under the names of class, method and parameters, and drops those of another version. By default
    the version is a hash of the source, so that a changed comment would lose the history; this one is raised by
    hand when a benchmark measures something else.
    """

    version = "1"
    timeout = 300
    is_small = os.environ.get(SIZE_VARIABLE) == "small"

    def row_of(self, group: str, name: str, peers: tuple[str, ...] = ()) -> Row:
        """Return a row of `benchmarks.peers`."""
        setup = _race.Setup(peers, 0, QUICK if self.is_small else FULL, self.is_small)
        setup = setup.with_threads(_race.start_threads(None, peers))
        (job,) = [job for job in _JOBS[group](setup) if job.name == name]
        row = job.run(setup.with_threads(job.threads))
        if row.wrong:
            raise ValueError(f"{name}: {row.wrong}")
        return row


_JOBS = {
    "large": _case_groups.large,
    "fresh": _case_groups.fresh,
    "ranges": _case_groups.ranges,
    "start": _case_groups.start,
    "memory": _case_groups.memory,
}


class Time(Suite):
    """Each case of the gate: seconds of a call; in the group latency, of 10,000 calls (1 ms is 0.1 us a call)."""

    params: ClassVar = list(gate.CASES)
    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Make the call, and load its kernel by a first call."""
        self.count = 1 if self.is_small or not name.startswith("latency/") else _CALLS
        self.call = gate.CASES[name]()
        self.call()

    def time_calls(self, _name: str) -> None:
        """Call."""
        call = self.call
        for _ in repeat(None, self.count):
            call()


class Threads(Suite):
    """Some cases with 1 to 16 threads; numbers of threads that are larger than Numba's are skipped."""

    params = (
        ["crop_f32", "horizontal_flip_f32", "pad_reflect_f32", "qkv_split_f32"],
        ["4MiB", "64MiB"],
        [1, 2, 4, 8, 16],
    )
    param_names: ClassVar = ["case", "output", "threads"]

    def setup(self, name: str, output: str, threads: int) -> None:
        """Make data and the caller's output, and set how many threads there are."""
        if threads > numba.config.NUMBA_NUM_THREADS:
            raise NotImplementedError(f"{threads} threads")
        numba.set_num_threads(threads)
        case = cases.CASES[name]
        size = case.small if self.is_small else case.resized(int(output.removesuffix("MiB")) * cases.MIB)
        call = case.call(fastops, size)
        self.call = partial(call, out=case.copied_outputs(call()))

    def time_out(self, _name: str, _output: str, _threads: int) -> None:
        """Write into the caller's output."""
        self.call()


class Figures(Suite):
    """Figures that carry over from one machine to another: ratios of times that were taken in turn."""

    params: ClassVar = [*cases.names_of("bandwidth"), "range_i64", "range_i32"]
    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Skip versions without the operator."""
        cases.operator_of(fastops, cases.CASES[name].operator)

    def track_share_of_limit(self, name: str) -> Any:
        """Return the time of the fastest copy or fill of as many bytes over that of a call into the caller's output."""
        return self.row_of("large", name).share(FASTOPS)

    def track_ratio_to_numpy(self, name: str) -> Any:
        """Return the time of a call that allocates its output over that of NumPy's fastest way."""
        times = self.row_of("fresh", name, ("numpy",)).times("numpy")
        return nan if times is None else 1 / times


class Counts(Suite):
    """Exact counts of a call, for tiny cases, and for large ones in a size at which threads share the work."""

    params: ClassVar = [*cases.names_of("latency"), *cases.names_of("bandwidth"), *cases.names_of("ranges")]
    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Make the call."""
        case = cases.CASES[name]
        self.call = case.call(fastops, case.small if self.is_small else counters.counted_size(case))

    def track_launches(self, _name: str) -> int:
        """Return how often compiled code is entered."""
        return counters.launches_of(self.call)

    def track_bytes_allocated(self, _name: str) -> int:
        """Return the most bytes allocated at once, the result included."""
        return allocated_bytes(self.call)

    def track_threads_that_write(self, _name: str) -> float:
        """Return how many threads write the output, if the system tells the page faults of each thread."""
        return counters.writers_of(self.call, cases.outputs_of(self.call())) if counters.can_count_writers() else nan


class Import(Suite):
    """The import of the package."""

    def track_threads(self) -> float:
        """Return how many threads a new process has after the import."""
        return counters_of_import("fastops")["import: threads"].value

    def track_modules(self) -> float:
        """Return how many modules the import loads."""
        return counters_of_import("fastops")["import: modules"].value


class Processes(Suite):
    """Rows that need new processes: the cost of a start in seconds, and memory beyond input and output in bytes."""

    params: ClassVar = [f"start/{name}" for name in _case_groups.START] + [
        f"memory/{name}" for name in _case_groups.MEMORY
    ]
    param_names: ClassVar = ["row"]

    def track_value(self, name: str) -> float:
        """Return the value of a row of `benchmarks.peers`."""
        return self.row_of(*name.split("/", 1)).values[FASTOPS]
