"""What a call costs: warm, prepared, and with attributes that were never seen before."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

import fastops
from benchmarks.cases import CASES, RANDOM_KINDS, random_calls
from benchmarks.measure.processes import output_with_benchmarks
from benchmarks.measure.timing import QUICK, Sample, interleaved_medians
from benchmarks.peers._contest import fastest_call, samples_of
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers._work import create_work

_FRAMEWORKS = ("torch", "onnxruntime", "openvino", "tensorflow", "jax")

# What every warm call is compared with: a basic slice of an 8x8 float32, and the copy of it.
_REFERENCE = "x[1:7, ::2].copy()"

# More than any cache of calls remembers.
_DIFFERENT = 4096


def latency(_setup: Setup) -> list[Job]:
    """Return warm calls, prepared plans, and calls that are all different."""
    warm = ("tiny_strided_slice", "tiny_reflect_pad", "tiny_range")
    rows: dict[str, Callable[[Setup], Row]] = {f"warm_{name}": partial(_warm, name) for name in warm}
    rows["warm_tiny_split"] = _warm_split
    rows |= {f"plan_{name}": partial(_prepared, name) for name in warm[:2]}
    rows |= {f"different_{kind}": partial(_different, kind) for kind in RANDOM_KINDS}
    rows |= {f"growth_{kind}": partial(_growth, kind) for kind in RANDOM_KINDS}
    return [Job("latency", name, run) for name, run in rows.items()]


def _warm(name: str, setup: Setup) -> Row:
    asked = {"times_reference": 3.5, "best_peer": 2.0}
    samples, row = _warm_samples(name, _FRAMEWORKS, setup)
    row.asked = asked
    row.how[REFERENCE] = _REFERENCE
    samples[REFERENCE] = _statement_sample(_REFERENCE, {"x": np.zeros((8, 8), np.float32)}, setup)
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _warm_split(setup: Setup) -> Row:
    samples, row = _warm_samples("tiny_split", ("numpy", *_FRAMEWORKS), setup)
    row.asked = {"best_peer": 1.0}
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _warm_samples(name: str, peers: tuple[str, ...], setup: Setup) -> tuple[dict[str, Sample], Row]:
    """Return samples of fastops, as one writes it, and of the peers, and the row, without values yet."""
    case = CASES[name]
    work = create_work(case, case.full)
    arguments = [f"{key}={value!r}" for key, value in work.attributes.items()]
    statement = f"{case.operator}({', '.join((['data'] if work.outputs else []) + arguments)})"
    row = Row("latency", f"warm_{name}", f"fastops.{statement}")
    calls = {}
    for framework in setup.contenders(peers):
        call = fastest_call(framework, work, None, work.expected(), row)
        if call is not None:
            calls[framework.name] = call
    samples = samples_of(calls, setup)
    if FASTOPS in samples:
        names = {case.operator: getattr(fastops, case.operator), "data": work.data}
        samples[FASTOPS] = _statement_sample(statement, names, setup)
    return samples, row


def _prepared(name: str, setup: Setup) -> Row:
    case = CASES[name]
    work = create_work(case, case.full)
    plan = getattr(fastops.plan, case.operator)(case.full.shape, **work.attributes)
    names: dict[str, Any] = {"plan": plan, "data": work.data, "out": np.zeros(work.shapes[0], work.dtype)}
    row = Row("latency", f"plan_{name}", "plan(data, out=out)", asked={"times_reference": 1.5})
    row.how[REFERENCE] = _REFERENCE
    samples = {
        FASTOPS: _statement_sample("plan(data, out=out)", names, setup),
        REFERENCE: _statement_sample(_REFERENCE, {"x": np.zeros((8, 8), np.float32)}, setup),
    }
    if not np.array_equal(names["out"], work.expected()[0]):
        row.wrong = "differs from NumPy"
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _statement_sample(statement: str, names: dict[str, Any], setup: Setup) -> Sample:
    """Return the sample of a statement, in a loop without the cost of a call around it."""
    timer = timeit.Timer(statement, globals=names)
    # The first run may load kernels, which takes longer than a sample.
    timer.timeit(1)
    number = 1
    while timer.timeit(number) < setup.effort.sample_seconds:
        number *= 2
    return lambda: timer.timeit(number) / number


def _different(kind: str, setup: Setup) -> Row:
    # In a fixed order that is longer than the cache, so that each call finds itself forgotten.
    calls = list(islice(random_calls(fastops, kind), _DIFFERENT))

    def sample() -> float:
        start = timeit.default_timer()
        for call in calls:
            call()
        return (timeit.default_timer() - start) / len(calls)

    row = Row("latency", f"different_{kind}", f"{_DIFFERENT} calls with different attributes", asked={"seconds": 20e-6})
    sample()
    row.values = interleaved_medians({FASTOPS: sample}, setup.effort)
    return row


def _growth(kind: str, setup: Setup) -> Row:
    count = 20_000 if setup.effort is QUICK else 1_000_000
    program = f"from benchmarks.measure.growth import growth_of_random_calls as grow; print(grow({kind!r}, {count}))"
    row = Row("latency", f"growth_{kind}", f"memory after {count} different calls", "bytes", asked={"bytes": 2**20})
    row.values = {FASTOPS: float(output_with_benchmarks(program))}
    return row
