"""The range kernel against the formula in NumPy: each type, each rounding, and numbers in every form."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from fastops._execution import _execute, _range_call
from fastops.kernels._intrinsics import _numbers
from fastops.kernels._tables._arrays import NO_ARRAYS
from fastops.plan import RangePlan
from tests.helpers.launches import Array, Guarded, range_written, run_launch
from tests.helpers.seeds import scale

NARROW = ("int2", "int4", "uint2", "uint4")
INTEGERS = [np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
INTEGERS += [np.dtype(getattr(ml_dtypes, name)) for name in NARROW]
FLOATS = [np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
TYPES = {name: each for name, each in vars(ml_dtypes).items() if isinstance(each, type)}
SMALL_FLOATS = [np.dtype(each) for name, each in TYPES.items() if name.startswith(("float8", "float6", "float4"))]


def expected_of(plan: RangePlan, dtype: np.dtype[Any]) -> Array:
    """The values of a range: integers in exact arithmetic, wrapped to the type; floats by the formula of Range-4."""
    start, step, count = plan.start, plan.step, plan.count
    if dtype in INTEGERS:
        bits = int("".join(filter(str.isdigit, dtype.name)))
        low = [(int(start) + i * int(step)) % 2**bits for i in range(count)]
        signed = dtype.name.startswith("int")
        return np.array([dtype.type(v - 2**bits if signed and v >= 2 ** (bits - 1) else v) for v in low], dtype)
    accumulate = np.float64 if dtype == np.float64 else np.float32
    with np.errstate(all="ignore"):
        return (accumulate(start) + np.arange(count).astype(accumulate) * accumulate(step)).astype(dtype)


def check(plan: RangePlan, dtype: np.dtype[Any], workers: int = 1, offset: int = 0) -> None:
    """Assert that workers write the values, ``offset`` bytes into a cache line, past the caches or not."""
    expected, memory = expected_of(plan, dtype), Guarded((plan.count,), dtype, offset=offset)
    for streams in range(2) if plan.count and dtype not in SMALL_FLOATS else [None]:
        if streams is None:
            # ml_dtypes converts float32 to small types; no kernel writes a range without elements.
            plan(dtype, memory.out)
        else:
            with range_written(plan.geometry, dtype, memory.out, STREAMS=streams) as where:
                run_launch("run_range", *where, workers=workers)
        if dtype not in INTEGERS:
            # Any NaN is right: a NaN's sign and payload depend on the instruction that made it.
            are_nan = np.isnan(memory.out.astype(np.float64)) & np.isnan(expected.astype(np.float64))
            expected[are_nan] = memory.out[are_nan]
        memory.assert_holds(expected, plan, dtype, workers, offset, streams)


def test_integers_wrap_exactly() -> None:
    ranges = [(0, 1, 1), (-5, 3, 300), (2**63 - 3, 1, 7), (2**64 - 1, 2**62, 9), (7, -(2**63), 5), (1, 5, 0)]
    chosen = random.Random(5)
    far = (1, 2**8, 2**31, 2**64)
    ranges += [(*[chosen.randint(-n, n) for n in chosen.choices(far, k=2)], chosen.randint(0, 100)) for _ in range(30)]
    for dtype, numbers, workers in itertools.product(INTEGERS, ranges, (1, 3)):
        check(RangePlan(*numbers), dtype, workers)


def test_random_floats_are_bit_for_bit() -> None:
    rng = np.random.default_rng(13)
    bits = rng.integers(0, 2**64, 1000, np.uint64).view(np.float64)
    numbers = [bits[np.isfinite(bits)], rng.uniform(-1e5, 1e5, 1000), rng.uniform(-1e-5, 1e-5, 1000), [0.0, -0.0, 1.5]]
    for dtype in [*FLOATS, *SMALL_FLOATS] * scale(40, 1000):
        start, step = [float(rng.choice(numbers[k])) for k in rng.integers(0, 4, 2)]
        offset = int(rng.choice([0, dtype.itemsize, 64 - dtype.itemsize, 1, 33]))
        check(RangePlan(start, step, int(rng.integers(0, 300))), dtype, int(rng.integers(1, 3)), offset)
    for dtype in FLOATS:
        # More elements than one call of the vectors makes.
        check(RangePlan(-3.25, 0.1, _numbers.MOST_ELEMENTS + 200_003), dtype)
    for dtype in FLOATS[1:]:
        # 1e300 is infinite as a float32, and infinities that cancel make NaN.
        check(RangePlan(-1e300, 1e300, 40), dtype)
        assert np.isnan(expected_of(RangePlan(-1e300, 1e300, 40), dtype).astype(np.float64)).all()


def test_rounding_is_that_of_ml_dtypes() -> None:
    for dtype in [*FLOATS[2:], *SMALL_FLOATS]:
        # Values of the type, the midpoints between neighbours, and the float32 just below and above each of these.
        codes = np.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype).astype(np.float32)
        codes = np.unique(codes[np.isfinite(codes)])
        exact = np.concatenate([codes, codes[:-1] / 2 + codes[1:] / 2])
        around = [np.nextafter(exact, np.float32(end)) for end in (-np.inf, np.inf)]
        values = np.concatenate([exact, *around, [-0.0, 0.0, 3e38, -3e38]]).astype(np.float32)
        if dtype.itemsize > 1:
            values = np.random.default_rng(7).choice(values, scale(12_000, len(values)), replace=False)
        with np.errstate(all="ignore"):
            expected = values.astype(dtype)
        # A range of one element is its start; a step of the same sign keeps the sign of a zero.
        ranges = [RangePlan(float(value), math.copysign(1.0, value), 1)(dtype) for value in values]
        wrong = np.flatnonzero(np.concatenate(ranges).view(f"u{dtype.itemsize}") != expected.view(f"u{dtype.itemsize}"))
        assert not wrong.size, (dtype, values[wrong[0]])


def test_indices_beyond_2_to_24_round_once() -> None:
    result = RangePlan(0.0, 1.0, 2**24 + 9)("f32")
    np.testing.assert_array_equal(result[-9:], np.arange(2**24, 2**24 + 9).astype(np.float32))
    # Long integers become float32 in one rounding.
    for start in (2**62 + 1, 2**64 - 1, 2**53 + 1, -(2**62) - 1, 2**24 + 1, (1 << 80) + (1 << 56) + 1):
        first = fo.range(start, start + 1, 1, "f32")[0]
        exact = [abs(Fraction(float(np.nextafter(first, end))) - start) for end in np.float32([first, -np.inf, np.inf])]
        assert exact[0] == min(exact), start


def draw_number(chosen: random.Random) -> Any:
    """Return a number as callers write it: small, huge, or one that ranges refuse."""
    number = chosen.choice([0, 1, -1, chosen.randint(-40, 40), 2**53 + 1, 2**61, -(2**61) - 1, 2**63 - 1, 1 << 70])
    near = max(min(number, 2**31 - 1), -(2**31))
    fraction = near * chosen.choice((1.0, 0.5, 0.1, -1e-3, 1e300))
    kinds = [number, np.int64(near), np.int32(near), np.uint8(abs(near) % 256), fraction, np.float64(fraction)]
    return chosen.choice([*kinds, *kinds, np.float32(near / 8), -0.0, math.inf, -math.inf, math.nan, True, "1"])


def test_compiled_code_and_python_read_numbers_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, refuses = random.Random(11), _execute.Entry("execute_range")
    refuses.run = lambda *_: NO_ARRAYS
    counts = [0, 0]
    for _ in range(scale(4000, 200_000)):
        numbers = [draw_number(chosen) for _ in range(3)]
        output_type = chosen.choice(["i8", "u8", "i32", "i64", "f16", "bf16", "f32", "f64", "f8e5m2", ">i2", "int4"])
        found: list[Any] = []
        for entry in (_range_call._ENTRY, refuses):
            with monkeypatch.context() as patched:
                patched.setattr(_range_call, "_ENTRY", entry)
                try:
                    plan = fo.plan.range(*numbers, output_type)
                    if plan.count > 10**4:
                        break
                    found.append(fo.range(*numbers, output_type))
                except fo.FastopsError as error:
                    found.append((type(error), str(error)))
        if found:
            counts[isinstance(found[0], np.ndarray)] += 1
            told = [(each.dtype, each.tobytes()) if isinstance(each, np.ndarray) else each for each in found]
            assert told[0] == told[1], (numbers, output_type, found)
    assert min(counts) > 100
