"""The race of one row, the libraries that take part, and the machine."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import inf
from typing import Any

import numba
import numpy as np
from asv_gate.tables import core_count, cpu_model
from asv_gate.timing import QUICK, Call, Effort, Sample, calls_per_sample, interleaved_medians, sample_of
from numpy.typing import NDArray

import fastops
from benchmarks.peers._report import FASTOPS, Row

_LONGEST_REASON = 200

# How the fastest of one contender's ways is found: the number of trials, the seconds of a trial, and the ratio to the
# fastest way beyond which a way is not tried again.
_TRIALS, _TRIAL_SECONDS, _HOPELESS = 7, 2e-4, 4

# No output has this value in every byte.
_POISON = 0xA5


@dataclass(frozen=True)
class Setup:
    """The settings of a run.

    Attributes
    ----------
    peers : tuple of str
        The other libraries that are installed and wanted.
    threads : int
        How many threads each contender has.
    effort : Effort
    is_small : bool
        True for the small sizes of the cases, whose times mean nothing.
    """

    peers: tuple[str, ...]
    threads: int
    effort: Effort
    is_small: bool

    def with_threads(self, threads: int | None) -> Setup:
        """Set the number of threads of the libraries that have one for the whole process; return the setup with it.

        None keeps the number of the run.
        """
        threads = threads or self.threads
        numba.set_num_threads(threads)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(threads)
        if "cv2" in sys.modules:
            sys.modules["cv2"].setNumThreads(threads)
        return replace(self, threads=threads)


@dataclass(frozen=True)
class Job:
    """One row to be measured.

    Attributes
    ----------
    group, name : str
        Those of the row.
    run : callable
        Measures it.
    threads : int or None
        How many threads each contender has; None for the number of the run.
    """

    group: str
    name: str
    run: Callable[[Setup], Row]
    threads: int | None = None


class CannotExpressError(ValueError):
    """A library cannot do the work; the message says why."""


@dataclass(frozen=True)
class Way:
    """One way to do the work.

    Attributes
    ----------
    how : str
        The expression, in few words.
    build : callable
        Prepares the work, untimed, and returns the call to time. It may raise anything.
    """

    how: str
    build: Callable[[], Call]


def prepared(how: str, call: Call) -> Way:
    """Return the way whose call exists already."""
    return Way(how, lambda: call)


@dataclass(frozen=True)
class Expected:
    """The right result.

    Attributes
    ----------
    arrays : sequence of ndarray
        One for each output.
    outs : sequence of ndarray, optional
        Where all contenders write. Without it, calls return fresh results.
    data : ndarray, optional
        The input: a fresh result that shares memory with it is a view, not a copy.
    rtol : float
        0 for equal bytes.
    """

    arrays: Sequence[NDArray[Any]]
    outs: Sequence[NDArray[Any]] | None = None
    data: NDArray[Any] | None = None
    rtol: float = 0.0

    def difference(self, call: Call) -> str:
        """Return how the result of a call differs; an empty string if it does not."""
        for out in self.outs or ():
            if out.flags.c_contiguous:
                out.view(np.uint8)[...] = _POISON
            else:
                out[...] = 77
        result = call()
        found = list(self.outs) if self.outs is not None else result
        results = [np.asarray(each) for each in (found if isinstance(found, list | tuple) else [found])]
        if len(results) != len(self.arrays):
            return f"gives {len(results)} results"
        for array, right in zip(results, self.arrays, strict=True):
            if self.outs is None and self.data is not None and np.may_share_memory(array, self.data):
                return "gives a view of its input"
            if array.shape[: right.ndim] != right.shape or array.nbytes != right.nbytes:
                return f"has shape {array.shape} and {array.nbytes} bytes"
            if self.rtol and np.allclose(array, right, self.rtol, 1e-4):
                continue
            # By bytes, so that an array of another type, or of NaN, can be compared.
            pair = [np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (array, right)]
            wrong = (pair[0] != pair[1]).reshape(-1, right.itemsize).any(axis=1)
            if wrong.any():
                return f"differs in {int(wrong.sum())} of {right.size} elements"
        return ""


def race(
    row: Row,
    ways: Mapping[str, Sequence[Way]],
    expected: Expected,
    setup: Setup,
    limits: Mapping[str, Call] | None = None,
) -> Row:
    """Fill in a row: the medians of each contender's fastest right way, and of the limits, all taken in turn."""
    calls: dict[str, Call] = {}
    for contender, choices in ways.items():
        call = find_fastest(contender, choices, expected, row)
        if call is not None:
            calls[contender] = call
    row.wrong = row.absent.get(FASTOPS, "")
    medians = interleaved_medians(samples_of({**calls, **(limits or {})}, setup), setup.effort) if calls else {}
    row.values = {name: medians[name] for name in calls}
    row.limits = {name: medians[name] for name in limits or () if name in medians}
    return row


def samples_of(calls: Mapping[str, Call], setup: Setup) -> dict[str, Sample]:
    """Return a sample of each call, after calls that are not timed."""
    return {name: sample_of(call, calls_per_sample(call, setup.effort.sample_seconds)) for name, call in calls.items()}


def cycled_sample(calls: Sequence[Call]) -> Sample:
    """Return the sample that makes each of these calls once, after an untimed first call."""

    def sample() -> float:
        calls[0]()
        start = time.perf_counter()
        for call in calls:
            call()
        return (time.perf_counter() - start) / len(calls)

    return sample


def find_fastest(contender: str, choices: Sequence[Way], expected: Expected, row: Row) -> Call | None:
    """Return the fastest call whose result is right, or None; note in the row how, or why there is none."""
    right: list[tuple[str, Call]] = []
    reasons = []
    for way in choices:
        try:
            call = way.build()
            reason = expected.difference(call)
        except Exception as error:
            reason = _first_line(error)
        if reason:
            reasons.append(f"{way.how}: {reason}")
        else:
            right.append((way.how, call))
    if not right:
        row.absent[contender] = "; ".join(reasons)
        return None
    row.how[contender], call = right[_fastest([call for _, call in right])]
    return call


def _fastest(calls: Sequence[Call]) -> int:
    """Return the index of the fastest call, by the shortest of a few samples in turn."""
    if len(calls) == 1:
        return 0
    samples = [sample_of(call, calls_per_sample(call, _TRIAL_SECONDS)) for call in calls]
    shortest = [inf] * len(calls)
    for _ in range(_TRIALS):
        for i, sample in enumerate(samples):
            if shortest[i] == inf or shortest[i] <= _HOPELESS * min(shortest):
                shortest[i] = min(shortest[i], sample())
    return min(range(len(calls)), key=shortest.__getitem__)


def _first_line(error: Exception) -> str:
    text = next((line.strip() for line in str(error).splitlines() if line.strip()), "no message")
    return text if isinstance(error, CannotExpressError) else f"{type(error).__name__}: {text}"[:_LONGEST_REASON]


def is_quick(setup: Setup) -> bool:
    """Return whether the figures may be unreliable, because there are few rounds."""
    return setup.effort == QUICK


#: The other libraries, in the order in which they are shown, with what has to be importable, and the distributions that
#: each may come from. OpenCV takes part only in the groups chains, windows, normalize and front, which call its
#: functions directly.
PEERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "numpy": (("numpy",), ("numpy",)),
    "torch": (("torch",), ("torch",)),
    "opencv": (("cv2",), ("opencv-python-headless", "opencv-python")),
    "onnxruntime": (("onnxruntime", "onnx"), ("onnxruntime",)),
    "openvino": (("openvino",), ("openvino",)),
    "tensorflow": (("tensorflow",), ("tensorflow", "tensorflow-cpu")),
    "jax": (("jax",), ("jax",)),
    "dask": (("dask",), ("dask",)),
}


def is_installed(name: str) -> bool:
    """Return whether the modules of a library can be imported."""
    return all(find_spec(module) is not None for module in PEERS[name][0])


def installed_version(name: str) -> str | None:
    """Return the version of a library, without importing it; None if no known distribution has it."""
    for distribution in PEERS[name][1]:
        with suppress(PackageNotFoundError):
            return version(distribution)
    return None


def start_threads(wanted: int | None, peers: tuple[str, ...]) -> int:
    """Start Numba's threads by two large calls, and return the number of threads: at most ``wanted``, two for None.

    Then import PyTorch and OpenCV, whose number of threads is set for the whole process. Other libraries are imported
    later: after an import of OpenVINO, Numba would take OpenVINO's TBB.
    """
    threads = min(wanted or 2, int(numba.get_num_threads()))
    numba.set_num_threads(threads)
    fastops.strided_slice(np.zeros((1024, 1024), np.float32), [0, 0], [0, 0], end_mask=[1, 1])
    fastops.range(0, 1 << 20, 1, "f32")
    for name, module in (("torch", "torch"), ("opencv", "cv2")):
        if name in peers:
            import_module(module)
    return threads


def environment_of(setup: Setup) -> dict[str, Any]:
    """Return the date, versions, machine and threads of a run."""
    versions = {name: installed_version(name) for name in setup.peers}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": cpu_model(),
        "cores": core_count(),
        "system": f"{platform.system()} {platform.release()}",
        "threads": setup.threads,
        "threading_layer": numba.threading_layer(),
        "python": platform.python_version(),
        "versions": {"fastops": fastops.__version__, "numba": version("numba"), "numpy": np.__version__} | versions,
        "missing": [name for name in PEERS if name not in setup.peers],
        "is_small": setup.is_small,
    }
