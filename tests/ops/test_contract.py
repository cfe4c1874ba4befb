"""What all operators promise: dtypes, layouts, out, overlap, views."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastops as fo
from tests._strategies import LAYOUTS, array_of, lay_out

Array = np.ndarray[Any, Any]

NUMPY_DTYPES = [
    np.dtype(code)
    for code in ("?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g", "F", "D", "G")
] + [np.dtype(code) for code in ("M8[ns]", "m8[us]", "S1", "S7", "U3", "V1", "V3", ">i2", ">f8", ">U2", "V0")]
STRUCTURED = [
    np.dtype([("a", "u1"), ("b", "<f2")]),
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
    np.dtype([("rgb", "u1", 3)]),
    np.dtype([("x", [("y", ">i4"), ("z", "S3")])]),
]
ML_DTYPES = [
    np.dtype(getattr(ml_dtypes, name))
    for name in dir(ml_dtypes)
    if name.startswith(("bfloat", "float", "int", "uint", "complex", "bcomplex"))
    and isinstance(getattr(ml_dtypes, name), type)
]
ALL_DTYPES = NUMPY_DTYPES + STRUCTURED + ML_DTYPES


def random_array(shape: tuple[int, ...], dtype: np.dtype[Any], layout: str = "C") -> Array:
    if dtype.itemsize == 0:
        return np.ndarray(shape, dtype)
    return array_of(shape, dtype, layout)


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=str)
def test_every_dtype_is_moved_bit_for_bit(dtype: np.dtype[Any]) -> None:
    data = random_array((5, 6), dtype)
    # NumPy leaves the padding of structured elements out of its copies: compare with copies of plain bytes.
    raw = data.view(f"V{dtype.itemsize}") if dtype.itemsize else data
    crop = fo.strided_slice(data, [1, -1], [4, -9], [1, -2])
    assert crop.dtype == dtype
    assert crop.tobytes() == raw[1:4, ::-2].tobytes()
    assert crop.flags.c_contiguous
    parts = fo.variadic_split(data, 1, [1, -1, 2])
    assert [part.tobytes() for part in parts] == [p.tobytes() for p in np.split(raw, [1, 4], axis=1)]
    wrapped = fo.slice(data, [-1, -2], [7, 11], mode="wrap")
    assert wrapped.tobytes() == raw[np.arange(-1, 6) % 5][:, np.arange(-2, 9) % 6].tobytes()
    assert wrapped.dtype == dtype
    if dtype != np.dtype(ml_dtypes.float8_e8m0fnu):
        filled = fo.slice(data, [-1, 0], [7, 6], mode="fill")
        assert filled[1:6].tobytes() == raw.tobytes()
        assert set(filled[0].tobytes() + filled[6].tobytes()) <= {0}


def test_nan_payloads_and_negative_zeros_survive() -> None:
    bits = np.array([0x7FF0000000000001, 0xFFF8DEADBEEF0000, 0x8000000000000000, 0x7FF8000000000000], np.uint64)
    for result in (
        fo.slice(bits.view(np.float64), [-4], [12], mode="wrap"),
        fo.slice(bits.view(np.complex128), [-2], [6], mode="wrap").view(np.float64),
    ):
        assert result.view(np.uint64).tolist() == bits.tolist() * 3
    halves = np.array([0x7D01, 0xFE02, 0x8000], np.uint16)
    assert fo.strided_slice(halves.view(np.float16), [-1], [-9], [-1]).view(np.uint16).tolist() == halves[::-1].tolist()


@pytest.mark.parametrize("dtype", [np.dtype(object), np.dtype([("a", object)]), np.dtypes.StringDType()], ids=str)
def test_references_are_refused(dtype: Any) -> None:
    data = np.zeros(3, dtype)
    for call in (
        lambda: fo.strided_slice(data, [0], [1]),
        lambda: fo.variadic_split(data, 0, [3]),
        lambda: fo.slice(data, [0], [1]),
    ):
        with pytest.raises(fo.DTypeError, match="data must not have elements of object or StringDType"):
            call()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2), (3, 4), (2, 3, 2, 1, 2, 2, 1, 3)])
def test_every_layout_and_rank(layout: str, shape: tuple[int, ...]) -> None:
    data = array_of(shape, np.dtype("i4"), layout)
    data.flags.writeable = False
    assert fo.strided_slice(data, [], []).tobytes() == data.tobytes()
    whole = fo.slice(data, [0] * data.ndim, shape)
    assert whole.tobytes() == data.tobytes()
    assert whole.shape == shape
    assert whole.flags.writeable
    if data.ndim:
        assert fo.variadic_split(data, -1, [-1])[0].tobytes() == data.tobytes()


def test_subclasses_and_masks_are_dropped() -> None:
    class Subclass(np.ndarray[Any, Any]):
        def __array_finalize__(self, obj: object) -> None:
            assert obj is None or isinstance(obj, np.ndarray)

    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    for data in (masked, np.arange(3).view(Subclass), [[1, 2, 3]], (1, 2, 3), range(3), memoryview(b"abc")):
        result = fo.strided_slice(data, [0], [9])
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, np.asarray(data))


def test_memory_maps(tmp_path: Any) -> None:
    np.save(tmp_path / "a.npy", np.arange(24).reshape(4, 6))
    data = np.load(tmp_path / "a.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "b.npy", "w+", data.dtype, (4, 3))
    assert fo.strided_slice(data, [0, 0], [4, 6], [1, 2], out=out) is out
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), np.arange(24).reshape(4, 6)[:, ::2])


def test_ragged_data_is_an_error_of_fastops() -> None:
    with pytest.raises(fo.DTypeError, match="data must be an array, or nested lists of one shape"):
        fo.slice([[1], [1, 2]], [0], [1])


# --- out -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout != "broadcast"])
def test_out_takes_any_strides(layout: str) -> None:
    data = np.arange(60).reshape(3, 4, 5)
    expected = np.pad(data, ((1, 1), (2, 0), (0, 3)), mode="reflect")
    out = lay_out(np.zeros(expected.shape, data.dtype), layout)
    assert fo.slice(data, [-1, -2, 0], expected.shape, mode="reflect", out=out) is out
    np.testing.assert_array_equal(out, expected)
    outs = [lay_out(np.zeros((3, 4, n), data.dtype), layout) for n in (2, 3)]
    results = fo.variadic_split(data, 2, [2, -1], out=outs)
    assert all(result is out for result, out in zip(results, outs, strict=True))
    np.testing.assert_array_equal(np.concatenate(outs, axis=2), data)


def _read_only(shape: tuple[int, ...]) -> Array:
    out = np.zeros(shape)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("out", "rule"),
    [
        (np.zeros(4), r"out must have shape \(3,\), got \(4,\)"),
        (np.zeros((3, 1)), r"out must have shape \(3,\), got \(3, 1\)"),
        (np.zeros(3, np.float32), "out must have dtype float64, got dtype"),
        (np.zeros(3, ">f8"), "out must have dtype float64, got"),
        (_read_only((3,)), "out must be writeable"),
        (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "out must hold each element at bytes of its own"),
        ([0.0, 0.0, 0.0], "out must be an array of NumPy, without a mask, got"),
        (np.ma.zeros(3), "out must be an array of NumPy, without a mask, got"),
    ],
)
def test_an_out_that_does_not_fit_is_refused_before_a_byte_is_written(out: Any, rule: str) -> None:
    before = bytes(out.tobytes()) if isinstance(out, np.ndarray) else None
    data = np.arange(1.0, 4.0)
    for call in (
        lambda: fo.strided_slice(data, [0], [3], out=out),
        lambda: fo.slice(data, [0], [3], out=out),
        lambda: fo.variadic_split(data, 0, [3], out=[out]),
        lambda: fo.range(0, 3, 1, "f64", out=out),
        lambda: fo.plan.slice((3,), [0], [3])(data, out=out),
    ):
        with pytest.raises(fo.OutputError, match=rule):
            call()
    assert before is None or out.tobytes() == before


@pytest.mark.parametrize("out", [[np.zeros(1)], [np.zeros(1)] * 3, np.zeros((2, 1)), None.__class__])
def test_split_wants_one_out_a_part(out: Any) -> None:
    with pytest.raises(fo.OutputError, match="out must be a list of 2 arrays"):
        fo.variadic_split(np.arange(2.0), 0, [1, 1], out=out)


def test_outs_that_overlap_each_other_are_refused_and_interleaved_ones_are_not() -> None:
    data = np.arange(12.0).reshape(3, 4)
    buffer = np.zeros((3, 4))
    with pytest.raises(fo.OutputError, match="overlap each other"):
        fo.variadic_split(data, 1, [2, 2], out=[buffer[:, :2], buffer[:, 1:3]])
    assert not buffer.any()
    fo.variadic_split(data, 1, [2, 2], out=[buffer[:, 2:], buffer[:, :2]])
    np.testing.assert_array_equal(buffer, np.roll(data, 2, axis=1))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_an_out_that_overlaps_data_gives_the_same_answer(data: st.DataObject) -> None:
    draw = data.draw
    buffer = np.arange(draw(st.integers(20, 60)))
    n = draw(st.integers(1, 8))
    steps = st.sampled_from([-3, -2, -1, 1, 2, 3])

    def window() -> Array:
        step = draw(steps)
        reach = (n - 1) * abs(step) + 1
        first = draw(st.integers(0, len(buffer) - reach)) if reach <= len(buffer) else 0
        view = buffer[first : first + reach : abs(step)]
        return view if step > 0 else view[::-1]

    source, out = window(), window()
    m = len(out)
    mode = draw(st.sampled_from(["wrap", "clamp", "fill", "reflect", "symmetric"]))
    start, stride = draw(st.integers(-9, 9)), draw(steps)
    expected = fo.slice(source.copy(), [start], [m], [stride], mode=mode)
    outside = np.ones(len(buffer), bool)
    before = buffer.copy()
    fo.slice(source, [start], [m], [stride], mode=mode, out=out)
    np.testing.assert_array_equal(out, expected)
    offset = (out.__array_interface__["data"][0] - buffer.__array_interface__["data"][0]) // buffer.itemsize
    outside[[offset + k * (out.strides[0] // buffer.itemsize) for k in range(m)]] = False
    np.testing.assert_array_equal(buffer[outside], before[outside])


def test_outputs_beyond_memory_are_errors_in_microseconds() -> None:
    data = np.zeros(4, np.uint16)
    for size in (2**45, 2**62, 2**63, 2**70):
        with pytest.raises(
            fo.OutputError, match=f"the output must fit in memory as elements of 2 bytes, got \\({size},\\)"
        ):
            fo.slice(data, [0], [size], mode="wrap")
        with pytest.raises(fo.OutputError, match="the output must fit in memory"):
            fo.range(0, size, 1, "u16")
    with pytest.raises(fo.OutputError, match="the output must fit in memory"):
        fo.slice(np.zeros((2, 2)), [0, 0], [2**40, 2**40], mode="clamp")


# --- copy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copy", [False, None])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_share_memory_with_data(copy: bool | None, layout: str) -> None:
    data = array_of((4, 5, 3), np.dtype("i4"), layout)
    for view, expected in (
        (
            fo.strided_slice(data, [-1, 0, 1], [-9, 5, 0], [-2, 3, 1], shrink_axis_mask=[0, 0, 1], copy=copy),
            data[::-2, ::3, 1],
        ),
        (fo.strided_slice(data, [0, 1], [0, 3], new_axis_mask=[1, 0], copy=copy), data[None, 1:3]),
        (fo.slice(data, [3, 0, 2], [4, 5, 3], [-1, 1, -1], copy=copy), data[::-1, :, ::-1]),
        (fo.variadic_split(data, 1, [2, -1], copy=copy)[1], data[:, 2:]),
        (fo.slice(data, [1, 0, 0], [2, 5, 3], mode="wrap", copy=copy), data[1:3]),
    ):
        np.testing.assert_array_equal(view, expected)
        assert np.shares_memory(view, data)
        assert view.flags.writeable == data.flags.writeable


def test_a_view_with_stride_zero_is_read_only() -> None:
    data = np.arange(6).reshape(2, 3)
    view = fo.slice(data, [1, 0], [4, 3], [0, 1], copy=False)
    np.testing.assert_array_equal(view, np.repeat(data[1:], 4, axis=0))
    assert np.shares_memory(view, data)
    assert not view.flags.writeable
    assert fo.slice(data, [9, 0], [4, 3], mode="clamp", copy=None).tolist() == [data[1].tolist()] * 4


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (7, 0)])
def test_views_without_elements(shape: tuple[int, int]) -> None:
    view = fo.slice(np.zeros((3, 4)), [5, 5], shape, copy=False)
    assert view.shape == shape
    assert view.dtype == float


def test_a_view_that_cannot_be_is_an_error_or_a_copy() -> None:
    data = np.arange(4)
    with pytest.raises(ValueError, match="copy must be True or None for a result that reads out of bounds"):
        fo.slice(data, [-1], [4], mode="clamp", copy=False)
    copied = fo.slice(data, [-1], [4], mode="clamp", copy=None)
    assert copied.tolist() == [0, 0, 1, 2]
    with pytest.raises(ValueError, match="copy must be True or None for a result written into out"):
        fo.strided_slice(data, [0], [4], out=np.zeros(4, data.dtype), copy=False)
    with pytest.raises(ValueError, match="copy must be True or None for data that is no array in memory"):
        fo.strided_slice([1, 2], [0], [1], copy=False)
    with pytest.raises(ValueError, match="copy must be True, False or None, got 'no'"):
        fo.strided_slice(data, [0], [1], copy="no")  # type: ignore[arg-type]
    out = np.zeros(2, data.dtype)
    assert fo.strided_slice(data, [1], [3], out=out, copy=None) is out


def test_a_copy_shares_nothing() -> None:
    data = np.arange(4)
    assert not any(
        np.shares_memory(data, x) for x in (fo.strided_slice(data, [], []), *fo.variadic_split(data, 0, [2, 2]))
    )


# --- indices -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_indices_of_every_integer_type(dtype: str) -> None:
    data = np.arange(10)
    begin, end = np.array([2], dtype), np.array([np.iinfo(dtype).max], dtype)
    assert fo.strided_slice(data, begin, end).tolist() == data[2:].tolist()
    assert fo.slice(data, begin, begin).tolist() == [2, 3]
    assert [len(p) for p in fo.variadic_split(data, begin[0] - begin[0], np.array([4, 6], dtype))] == [4, 6]


def test_indices_of_ml_dtypes() -> None:
    assert fo.strided_slice(np.arange(10), np.array([-8], ml_dtypes.int4), np.array([7], ml_dtypes.int4)).tolist() == [
        2,
        3,
        4,
        5,
        6,
    ]


@pytest.mark.parametrize(
    "bad", [[1.0], [True], np.array([1.0]), np.array([True]), np.array([]), ["1"], "1", [None], None, 1.0, {1}]
)
def test_floats_booleans_and_strings_are_no_indices(bad: Any) -> None:
    data = np.arange(5)
    calls = [
        lambda: fo.strided_slice(data, bad, [3]),
        lambda: fo.strided_slice(data, [1], bad),
        lambda: fo.variadic_split(data, 0, bad),
        lambda: fo.slice(data, bad, [1]),
        lambda: fo.slice(data, [0], bad),
        lambda: fo.plan.slice((5,), bad, [1]),
    ]
    if bad is not None:
        calls += [lambda: fo.strided_slice(data, [1], [3], bad), lambda: fo.slice(data, [0], [1], axes=bad)]
    # A float equals an integer as a key: the caches must not take one for the other.
    fo.strided_slice(data, [1], [3], [1])
    fo.slice(data, [1], [1])
    for call in calls:
        with pytest.raises(fo.DTypeError):
            call()


@pytest.mark.parametrize("bad", [1, [[1]], np.array(1), np.array([[1]]), [(1,)]])
def test_nested_lists_and_scalars_are_no_lists(bad: Any) -> None:
    with pytest.raises(fo.AttributeValueError, match="begin must be a list of integers"):
        fo.strided_slice(np.arange(5), bad, [3])


def test_sequential_results_do_not_depend_on_the_cache() -> None:
    data = np.arange(24).reshape(4, 6)
    for begin, end in itertools.product(range(-5, 6), repeat=2):
        for _ in range(2):
            np.testing.assert_array_equal(fo.strided_slice(data, [begin], [end]), data[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.T, [begin], [end]), data.T[begin:end])
            np.testing.assert_array_equal(fo.strided_slice(data.astype("u1"), [begin], [end]), data[begin:end])
