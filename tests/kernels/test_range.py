"""The range kernel against the formula in NumPy: each type, stride and byte order."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

import fastops as fo
from fastops import _settings
from fastops._execution import _range_call
from fastops._execution._range_call import prepare_range
from fastops._runtime import _kernels
from fastops.kernels._intrinsics import _range_vectors
from fastops.plan import RangePlan

INTEGERS = [np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
NARROW = [np.dtype(getattr(ml_dtypes, name)) for name in ("int2", "int4", "uint2", "uint4")]
FLOATS = [np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
SMALL_FLOATS = [
    np.dtype(getattr(ml_dtypes, name))
    for name in dir(ml_dtypes)
    if name.startswith(("float8", "float6", "float4")) and isinstance(getattr(ml_dtypes, name), type)
]


def expected_floats(start: float, step: float, count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The values by the formula of Range-4."""
    accumulate = np.float64 if dtype == np.float64 else np.float32
    with np.errstate(all="ignore"):
        values = accumulate(start) + np.arange(count).astype(accumulate) * accumulate(step)
        return values.astype(dtype)


def expected_integers(start: int, step: int, count: int, dtype: np.dtype[Any]) -> list[int]:
    """The values in exact arithmetic, cut to the type."""
    bits = int("".join(filter(str.isdigit, dtype.name)))
    low = [(start + i * step) % 2**bits for i in range(count)]
    return [v - 2**bits if dtype.name.startswith("int") and v >= 2 ** (bits - 1) else v for v in low]


def run(plan: RangePlan, dtype: np.dtype[Any], workers: int, offset: int = 0) -> np.ndarray[Any, Any]:
    """The plan's values, written by workers into guarded memory that begins so many bytes into a cache line."""
    buffer = np.full(64 + 64 + plan.count * dtype.itemsize + 64, 0xA5, np.uint8)
    first = 64 + (offset - buffer.ctypes.data) % 64
    out = buffer[first : first + plan.count * dtype.itemsize].view(dtype)
    call = prepare_range(plan, dtype)
    _kernels.compile_kernel("fill_range").run(out, call.table, call.rounding, workers, 0, 1)
    assert (buffer[:first] == 0xA5).all()
    assert (buffer[first + out.nbytes :] == 0xA5).all()
    return out


@pytest.mark.parametrize("dtype", INTEGERS + NARROW, ids=str)
@pytest.mark.parametrize("workers", [1, 3])
def test_integers_wrap_exactly(dtype: np.dtype[Any], workers: int) -> None:
    for start, step, count in [
        (0, 1, 1),
        (-5, 3, 300),
        (2**63 - 3, 1, 7),
        (2**64 - 1, 2**62, 9),
        (7, -(2**63), 5),
        (1, 5, 0),
    ]:
        result = run(RangePlan(start, step, count), dtype, workers)
        assert [int(v) for v in result] == expected_integers(start, step, count, dtype)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(-(2**64), 2**64), st.integers(-(2**64), 2**64), st.integers(0, 100), st.sampled_from(INTEGERS + NARROW)
)
def test_random_integers(start: int, step: int, count: int, dtype: np.dtype[Any]) -> None:
    result = run(RangePlan(start, step, count), dtype, 1)
    assert [int(v) for v in result] == expected_integers(start, step, count, dtype)


finite = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e5, 1e5) | st.floats(-1e-5, 1e-5)


@settings(max_examples=500, deadline=None)
@given(finite, finite, st.integers(0, 300), st.sampled_from(FLOATS + SMALL_FLOATS), st.sampled_from([1, 2]))
def test_random_floats_are_bit_for_bit(
    start: float, step: float, count: int, dtype: np.dtype[Any], workers: int
) -> None:
    result = run(RangePlan(start, step, count), dtype, workers)
    expected = expected_floats(start, step, count, dtype)
    # A NaN's sign and payload depend on the instruction that made it; that it is one does not.
    nan = np.isnan(expected.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(result.astype(np.float64)), nan)
    assert result[~nan].tobytes() == expected[~nan].tobytes()


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), *SMALL_FLOATS], ids=str)
def test_rounding_is_that_of_ml_dtypes(dtype: np.dtype[Any]) -> None:
    # Every bfloat16, the float32 just below and above it, and those around the middle to the next one: a sample.
    top = np.arange(2**16, dtype=np.uint32) << 16
    bits = np.concatenate([top, top + 1, top - 1, top + 0x8000, top + 0x7FFF, top + 0x8001]).astype(np.uint32)
    values = bits.view(np.float32)
    values = values[np.isfinite(values)][::53]
    with np.errstate(all="ignore"):
        expected = values.astype(dtype)
    # A range of one element is its start; a step of the same sign keeps that of zero.
    ranges = [RangePlan(float(value), math.copysign(1.0, value), 1)(dtype) for value in values]
    assert np.concatenate(ranges).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_long_ranges_cross_blocks(dtype: np.dtype[Any]) -> None:
    count = _range_vectors.MOST_ELEMENTS + 200_003
    result = run(RangePlan(-3.25, 0.1, count), dtype, 1)
    assert result.tobytes() == expected_floats(-3.25, 0.1, count, dtype).tobytes()


@pytest.mark.parametrize("dtype", INTEGERS + NARROW + FLOATS + SMALL_FLOATS[:1], ids=str)
@pytest.mark.parametrize("streams", [False, True], ids=["stored", "streamed"])
def test_lengths_and_alignments(dtype: np.dtype[Any], streams: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_range_call, "STREAM_BYTES", 0 if streams else 2**62)
    is_integral = dtype in INTEGERS + NARROW
    for count in (1, 2, 7, 15, 16, 17, 31, 63, 64, 65, 127, 129, 500, 2049):
        if is_integral:
            expected = np.array([dtype.type(value) for value in expected_integers(-5, 3, count, dtype)], dtype)
        else:
            expected = expected_floats(-5, 0.375, count, dtype)
        plan = RangePlan(-5, 3 if is_integral else 0.375, count)
        # Offsets of whole elements, which are streamed after a head, and within one, which are not.
        for offset in (0, dtype.itemsize, 64 - dtype.itemsize, 1, 33):
            for workers in (1, 3):
                assert run(plan, dtype, workers, offset).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [np.dtype(np.uint8), np.dtype(np.int64), *FLOATS], ids=str)
def test_outputs_beyond_the_caches_are_streamed(dtype: np.dtype[Any]) -> None:
    count = _settings.STREAM_BYTES // dtype.itemsize + 5
    is_float = dtype in FLOATS
    step = 1e-3 if is_float else 3
    # Three elements before the output: it does not begin with a cache line.
    out = np.zeros(count + 3, dtype)[3:]
    assert fo.range(1, 1 + step * (count - 0.5), step, dtype, out=out) is out
    expected = expected_floats(1, step, count, dtype) if is_float else (1 + 3 * np.arange(count)).astype(dtype)
    assert out.tobytes() == expected.tobytes()


@intrinsic
def round_line(typingctx: Any, dst: Any, src: Any, as_bfloat16: Any) -> Any:
    """Round the 16 float32 at an address by the integer arithmetic of one of the types."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = [ir.VectorType(kind, 16) for kind in (ir.IntType(16), ir.FloatType())]
        to, source = (builder.inttoptr(arg, kind.as_pointer()) for arg, kind in zip(args[:2], kinds, strict=True))
        value = builder.load(source, align=1)
        halves = _range_vectors._round_to_float16(builder, value)
        brains = _range_vectors._round_to_bfloat16(builder, value)
        builder.store(builder.select(args[2], brains, halves), to, align=1)
        return context.get_dummy_value()

    return types.void(types.uintp, types.uintp, types.boolean), codegen


@njit
def round_lines(dst: int, src: int, lines: int, as_bfloat16: bool) -> None:
    for i in range(lines):
        round_line(np.uintp(dst + 32 * i), np.uintp(src + 64 * i), as_bfloat16)


@pytest.mark.parametrize("dtype", FLOATS[2:], ids=str)
def test_integer_arithmetic_rounds_to_nearest_even(dtype: np.dtype[Any]) -> None:
    # The low bits decide about rounding by where they lie to a half and to a tie, which these values surround, for
    # every sign, exponent and higher bits, of which the last is the one that ties look at.
    top = np.arange(2**16, dtype=np.uint32)[:, None] << 16
    last = 0x1000 if dtype == np.float16 else 0x8000
    low = np.array([0, 1, last - 1, last, last + 1, 3 * last - 1, 3 * last, 3 * last + 1, 0xFFFF], np.uint32) & 0xFFFF
    bits = np.concatenate([(top + low).ravel(), np.random.default_rng(1).integers(0, 2**32, 2**20, np.uint32)])
    bits = bits[: len(bits) // 16 * 16].copy()
    result = np.empty(len(bits), dtype)
    round_lines(result.ctypes.data, bits.ctypes.data, len(bits) // 16, dtype != np.float16)
    values = bits.view(np.float32)
    with np.errstate(all="ignore"):
        expected = values.astype(dtype)
    is_nan = np.isnan(values)
    assert result[~is_nan].tobytes() == expected[~is_nan].tobytes()
    # The NaN that arithmetic makes stays one in either type; float16's code keeps all the others, too.
    made = is_nan & (bits & 0xFFFF == 0) & (bits & 0x400000 != 0)
    assert np.isnan(result[made | (is_nan & (dtype == np.float16))].astype(np.float32)).all()


@pytest.mark.parametrize("dtype", FLOATS[1:], ids=str)
def test_infinities_that_cancel_make_nan(dtype: np.dtype[Any]) -> None:
    # 1e300 is infinite as a float32.
    result = run(RangePlan(-1e300, 1e300, 40), dtype, 1)
    assert np.isnan(result.astype(np.float64)).all()


@pytest.mark.parametrize("dtype", ["<i4", ">i4", "<f2", ">f2", ">f8", ">u8", ">f4", "i1"])
@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_out_of_any_stride_and_byte_order(dtype: str, step: int) -> None:
    buffer = np.zeros(100, dtype)
    out = buffer[::step][:30]
    assert fo.range(-4, 26, 1, np.dtype(dtype), out=out) is out
    np.testing.assert_array_equal(out.astype(float), np.arange(-4, 26).astype(np.dtype(dtype)).astype(float))
    assert np.count_nonzero(buffer) == np.count_nonzero(out)


def test_indices_beyond_2_to_24_round_once() -> None:
    plan = RangePlan(0.0, 1.0, 2**24 + 9)
    result = plan("f32")
    np.testing.assert_array_equal(result[-9:], np.arange(2**24, 2**24 + 9).astype(np.float32))


@pytest.mark.parametrize("start", [2**62 + 1, 2**64 - 1, 2**53 + 1, -(2**62) - 1, 2**24 + 1, (1 << 80) + (1 << 56) + 1])
def test_long_integers_become_float32_in_one_rounding(start: int) -> None:
    result = fo.range(start, start + 1, 1, "f32")[0]
    neighbours = [np.nextafter(result, np.float32(s)) for s in (-np.inf, np.inf)]
    distance = abs(Fraction(float(result)) - start)
    assert all(distance <= abs(Fraction(float(n)) - start) for n in neighbours)
