"""Windows: random calls against one `fastops.slice` a window, what is refused, hostile numbers, plans."""

from __future__ import annotations

import itertools
import math
import pickle
import random
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.seeds import scale

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]
DTYPES = ["u1", "i2", ">f4", "f8", "c16", "V3", "V12"]
EXTENTS = [1, 2, 3, 4, 5, 7, 16, 31, 33]
FAR_STRIDES = [2**31, -(2**40), 2**61, 2**61 + 1, -(2**61) - 1, 2**63 - 1, -(2**63)]
_MOST_ELEMENTS = 1 << 22
FAR_STARTS = [2**61, 2**62, -(2**63), 2**63 - 1, -(2**61) - 1]


def source_of(rng: random.Random, shape: list[int], dtype: np.dtype[Any]) -> Any:
    """An array of random bytes, with axes in any order in memory, some of them falling."""
    order = rng.sample(range(len(shape)), len(shape))
    memory = bytearray(rng.randbytes(int(np.prod(shape)) * dtype.itemsize))
    array: Any = np.ndarray([shape[k] for k in order], dtype, memory).transpose(np.argsort(order))
    return array[(..., *[slice(None, None, rng.choice([1, 1, 1, 1, -1])) for _ in shape])]


def start_of(rng: random.Random, mode: str, extent: int, size: int, stride: int) -> int | None:
    """A start that the mode allows; None if there is none."""
    if mode != "strict_bounds":
        return rng.choice(FAR_STARTS) if rng.random() < 0.05 else rng.randint(-2 * extent - 5, 3 * extent + 5)
    reach = (max(size, 1) - 1) * stride
    low, high = -min(reach, 0), extent - 1 - max(reach, 0)
    return rng.randint(low, high) if low <= high else None


def stride_of(rng: random.Random, mode: str) -> int:
    far = rng.choice(FAR_STRIDES) if mode != "strict_bounds" and rng.random() < 0.2 else 1
    return rng.choice([1, 1, 1, -1, -1, 2, -3, 0, rng.randint(-40, 40), far])


def check_a_call(rng: random.Random) -> bool:
    """Compare a random call with a slice for each window; return False if there was none to compare."""
    mode, dtype = rng.choice(MODES), np.dtype(rng.choice(DTYPES))
    rank, n = rng.randint(0, 4), rng.choice([0, 1, 2, 3, 9])
    shape = [rng.choice(EXTENTS) for _ in range(rank)]
    first = int(rank > 0 and rng.random() < 0.3)
    is_listed = n > 0 and not first and rng.random() < 0.3
    axes = rng.sample(range(first, rank), rng.randint(0, rank - first))
    size = [rng.choice([*[0] * (rng.random() < 0.2), 1, 2, 3, 5, 8, 20, 70]) for _ in axes]
    is_varied = rng.random() < 0.4
    common = [stride_of(rng, mode) for _ in axes]
    strides = [[stride_of(rng, mode) for _ in axes] if is_varied else common for _ in range(n)]
    # Arrays of a list differ along the axes that are cut.
    drawn = [{axis: rng.choice(EXTENTS) for axis in axes} for _ in range(n - 1 if is_listed else 0)]
    shapes = [shape, *[[own.get(axis, extent) for axis, extent in enumerate(shape)] for own in drawn]]
    extents = [[shapes[i % len(shapes)][axis] for axis in axes] for i in range(n)]
    starts = [[start_of(rng, mode, *each) for each in zip(extents[i], size, strides[i], strict=True)] for i in range(n)]
    window_shape = [dict(zip(axes, size, strict=True)).get(axis, shape[axis]) for axis in range(first, rank)]
    if any(None in row for row in starts) or n * math.prod(window_shape) > _MOST_ELEMENTS:
        return False
    arrays = [source_of(rng, each, dtype) for each in shapes]
    items = [rng.randrange(shape[0]) for _ in range(n)] if first else None
    keywords = {"fill_value": 7} if mode == "fill" and dtype.kind != "V" else {}
    expected = np.empty([n, *window_shape], dtype)
    for i in range(n):
        source = arrays[i % len(arrays)] if items is None else arrays[0][items[i]]
        own = [axis - first for axis in axes]
        expected[i] = fo.slice(source, starts[i], size, strides[i], axes=own, mode=mode, **keywords)
    written: Any = np.array(starts, np.int64).reshape(n, len(axes)) if rng.random() < 0.7 else starts
    stride: Any = np.array(strides, np.int64).reshape(n, len(axes)) if is_varied else common
    out = source_of(rng, [n, *window_shape], dtype) if rng.random() < 0.5 else None
    data = arrays if is_listed else arrays[0]
    result = fo.windows(data, written, size, stride, axes=axes, items=items, mode=mode, out=out, **keywords)
    assert out is None or result is out
    assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes())
    return True


@pytest.mark.parametrize("seed", range(scale(2, 40)))
def test_windows_are_slices(seed: int) -> None:
    rng = random.Random(seed)
    assert sum(check_a_call(rng) for _ in range(scale(500, 2500))) > 100


@pytest.mark.parametrize("mode", MODES)
def test_large_windows_of_images(mode: str) -> None:
    rng = np.random.default_rng(1)
    photos = [rng.integers(0, 256, (*rng.integers(60, 150, 2), 3), np.uint8) for _ in range(30)]
    lows, highs = (0, 49) if mode == "strict_bounds" else (-60, 0)
    starts = np.array([[rng.integers(lows, n - highs) for n in photo.shape[:2]] for photo in photos])
    strides = np.ones((30, 2), int)
    strides[::2, 1] = -1
    starts[::2, 1] += 49
    given = zip(photos, starts, strides, strict=True)
    expected = [fo.slice(photo, start, [50, 50], stride, axes=[0, 1], mode=mode) for photo, start, stride in given]
    # Channels last, and channels first.
    for out in (np.empty((30, 50, 50, 3), np.uint8), np.empty((30, 3, 50, 50), np.uint8).transpose(0, 2, 3, 1)):
        fo.windows(photos, starts, [50, 50], strides, axes=[0, 1], mode=mode, out=out)
        np.testing.assert_array_equal(out, expected)


def test_many_windows_are_shared_among_threads_and_so_are_few_or_outputs_past_the_caches() -> None:
    data = np.arange(2000 * 1000, dtype=np.float32).reshape(2000, 1000)
    rng = np.random.default_rng(0)
    for n, size, mode in ((400, [40, 50], "symmetric"), (3, [900, 900], "symmetric"), (35, [200, 1000], "wrap")):
        starts = rng.integers(-30, 100, (n, 2))
        for start, window in zip(starts, fo.windows(data, starts, size, mode=mode), strict=True):
            np.testing.assert_array_equal(window, fo.slice(data, start, size, mode=mode))


def test_a_plan_is_prepared_for_many_calls() -> None:
    plan = fo.plan.windows((5, 6), [2], -1, axes=[1], items=True, mode="reflect")
    again = pickle.loads(pickle.dumps(plan))
    assert (again, hash(again), again.shape) == (plan, hash(plan), (2,))
    data = np.arange(30).reshape(5, 6)
    assert again(data, [[0], [5]], [4, 0]).tolist() == [[24, 25], [5, 4]]
    with pytest.raises(fo.AttributeValueError, match=r"plan: data must have shape \(5, 6\), got \(6, 5\)"):
        plan(data.T, [[0]], [0])


def test_the_window_of_a_plan_has_a_start_for_each_axis() -> None:
    plan = fo.plan.windows((5, 6), [2, 2])
    assert plan.window(np.array([1, 2])) == plan.window((1, 2)) == plan.window([1, 2])
    assert plan.window([1, 2]).starts == (1, 2)
    wrong: list[Any] = [([1, 2, 3],), ([1, 2], [1]), (5,), ("ab",), ([1.5, 2],), (None,), ([1, 2], ["a", 1])]
    for lists in wrong:
        name = ["starts", "strides"][len(lists) - 1]
        with pytest.raises(fo.FastopsError, match=rf"WindowsPlan\.window: {name} must "):
            plan.window(*lists)


DATA = np.arange(12).reshape(3, 4)
WRONG: list[tuple[Any, tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (
        DATA,
        ([[0, 0], [1, 3]], [2, 2]),
        {},
        IndexError,
        r"starts\[1\] must .* 3\.\.4 .* got \(1, 3\) \(axis 1, extent 4\)",
    ),
    (DATA, ([[0, 0], [-1, 0]], [2, 2]), {}, IndexError, r"starts\[1\] must be in 0\.\.2 in mode strict_bounds"),
    (DATA, ([[2**62, 0]], [2, 2]), {}, IndexError, r"starts\[0\] must be in 0\.\.2"),
    (DATA, ([[2**63, 0]], [2, 2]), {}, IndexError, "starts must hold integers of 64 bits"),
    *[(DATA, (starts, [2, 2]), {}, ValueError, r"starts must have shape \(N, 2\)") for starts in ([[0, 0, 0]], [0, 0])],
    *[(DATA, ([[n, 0]], [2, 2]), {}, TypeError, "starts must hold integers only") for n in (0.5, True)],
    *[(DATA, (a, [2, 2]), {}, TypeError, "starts must be an array of integers") for a in (np.zeros((1, 2)), "ab")],
    (DATA, ([[0, 0]], [2, -1]), {}, ValueError, "size must be at least 0"),
    (DATA, ([[0, 0]], [2]), {}, ValueError, "size must have 2 values"),
    (DATA, ([[0, 0]], [2, 2], [1, 1, 1]), {}, ValueError, "stride must have 2 values"),
    (DATA, ([[0, 0]], [2, 2], [[1, 1], [1, 1]]), {}, ValueError, r"stride must have shape \(1, 2\), as starts"),
    (DATA, ([[0], [0]], [2]), {"items": [0, 3]}, IndexError, r"items\[1\] must be in 0\.\.2, got 3"),
    (DATA, ([[0]], [0]), {"items": [-1]}, IndexError, r"items\[0\] must be in 0\.\.2, got -1"),
    (DATA, ([[0], [0]], [2]), {"items": [[0, 1], [1]]}, ValueError, r"items must have shape \(2,\): .*, got \[\[0, 1"),
    (DATA, ([[0], [0]], [2]), {"items": [0]}, ValueError, r"items must have shape \(2,\)"),
    (DATA, ([[0]], [2]), {"axes": [0], "items": [0]}, ValueError, "axes must not name axis 0"),
    (DATA, ([[0, 0]], [1, 1]), {"fill_value": 1}, ValueError, "fill_value must be given in mode fill only"),
    ([DATA, DATA * 1.0], ([[0, 0]] * 2, [1, 1]), {}, ValueError, "data must have arrays of one dtype"),
    ([DATA, DATA[:, :2]], ([[0]] * 2, [1]), {"axes": [0]}, ValueError, "extent 4 along axis 1"),
    ([DATA, DATA], ([[0, 0]], [1, 1]), {}, ValueError, "starts must have 2 rows"),
    ([DATA, DATA[:0]], ([[0, 0]] * 2, [1, 1]), {"mode": "clamp"}, IndexError, "size must be 0 .* as in window 1"),
]


def test_what_is_wrong_is_told_before_a_byte_is_written() -> None:
    for data, arguments, options, error, message in WRONG:
        out = np.full((len(arguments[0]), *map(abs, arguments[1])), 7)
        with pytest.raises(error, match=f"^windows: .*{message}") as info:
            fo.windows(data, *arguments, **options, out=out)
        assert isinstance(info.value, fo.FastopsError)
        assert (out == 7).all()


def test_nothing_is_legal() -> None:
    data = np.zeros((3, 0), np.float32)
    assert fo.windows(data, np.empty((0, 2), int), [2, 2]).shape == (0, 2, 2)
    assert fo.windows(data, [[9, 9]], [0, 2]).shape == (1, 0, 2)
    assert fo.windows(data, [[0]], [5], axes=[0], mode="wrap").shape == (1, 5, 0)
    assert fo.windows(np.array(5), np.empty((2, 0), int), []).tolist() == [5, 5]
    assert fo.windows(data, [], [2, 2]).shape == (0, 2, 2)


@pytest.mark.parametrize("is_plan", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_calls_like_an_earlier_one_are_as_right_as_that(mode: str, is_plan: bool) -> None:
    rng = np.random.default_rng(0)
    data = rng.integers(0, 99, (5, 12, 14)).astype(np.int16)
    options: dict[str, Any] = {"axes": [2, 1], "mode": mode}
    plan = fo.plan.windows(data.shape, [4, 3], [2, -1], items=True, **options)

    def cut(starts: Any, items: Any, out: Any = None) -> Any:
        if is_plan:
            return plan(data, starts, items, out)
        return fo.windows(data, starts, [4, 3], [2, -1], items=items, out=out, **options)

    reach = (0, 7) if mode == "strict_bounds" else (-30, 30)
    for n in (3, 1, 0, 7, 3):
        starts, items = rng.integers(*reach, (n, 2)) + np.array([0, 2]), rng.integers(0, 5, n)
        pairs = zip(items, starts, strict=True)
        slices = [fo.slice(data[k], start, [4, 3], [2, -1], axes=[1, 0], mode=mode) for k, start in pairs]
        expected = np.array(slices, np.int16).reshape(n, 3, 4)
        for given in (starts, starts.astype(np.int8), starts.tolist(), np.asfortranarray(starts)):
            np.testing.assert_array_equal(cut(given if n else starts, items), expected, strict=True)
        for out in (np.zeros((n, 3, 4), np.int16), np.zeros((4, 3, n), np.int16).T):
            assert cut(starts, items, out) is out
            np.testing.assert_array_equal(out, expected)
    rows, items = np.array([[0, 2], [0, 2]]), np.array([0, 1])
    cases: list[tuple[Any, ...]] = [
        (fo.OutOfBoundsError, r"items\[1\] must be in 0\.\.4, got 5", rows, np.array([0, 5])),
        (fo.AttributeValueError, r"starts must have shape \(N, 2\)", np.zeros((2, 3), np.int64), items),
        (fo.AttributeValueError, r"items must have shape \(2,\)", rows, items[:1]),
        (fo.OutputError, r"out must have shape \(1, 3, 4\)", rows[:1], items[:1], np.zeros((2, 3, 4), np.int16)),
    ]
    if mode == "strict_bounds":
        rule = r"starts\[1\] must keep coordinates 9\.\.15 in 0\.\.13 in mode"
        cases.append((fo.OutOfBoundsError, rule, np.array([[0, 2], [9, 2]]), items))
    for error, message, *arguments in cases * 2:
        with pytest.raises(error, match=message):
            cut(*arguments)


def test_a_call_and_one_like_it_may_write_over_their_data() -> None:
    starts = np.array([[4], [0], [9]])
    for _ in range(3):
        memory = np.arange(60)
        out = memory[5:29].reshape(3, 8)
        assert fo.windows(memory[:40], starts, [8], mode="wrap", out=out) is out
        np.testing.assert_array_equal(out, starts + np.arange(8))


def test_a_list_that_changes_and_items_are_another_call() -> None:
    size: list[Any] = [2]
    for size[0], expected in ((2, [[3, 4]]), (3, [[3, 4, 5]])):
        assert fo.windows(np.arange(9), np.array([[3]]), size).tolist() == expected
    for size[0] in (3.0, True):
        with pytest.raises(fo.DTypeError, match="size must"):
            fo.windows(np.arange(9), np.array([[3]]), size)
    for _ in range(2):
        assert fo.windows(DATA, [[1]], [2], axes=[1]).tolist() == [[[1, 2], [5, 6], [9, 10]]]
        assert fo.windows(DATA, [[1]], [2], axes=[1], items=[2]).tolist() == [[9, 10]]


def with_property(name: str) -> Any:
    """Return what makes objects that have memory by one of NumPy's protocols."""
    return lambda array: type("Own", (), {name: property(lambda _: getattr(array, name))})()


PROTOCOLS: list[Any] = [
    np.asarray,
    memoryview,
    *map(with_property, ("__array_interface__", "__array_struct__", "__array__")),
    lambda array: SimpleNamespace(__array_interface__=array.__array_interface__, kept=array),
    lambda array: pytest.importorskip("PIL.Image").fromarray(array),
]


@pytest.mark.parametrize("as_image", PROTOCOLS)
def test_a_list_of_images_is_one_by_whatever_protocol_they_are_arrays(as_image: Any) -> None:
    starts = [[0, 0], [3, 2], [-4, 8], [30, 20], [2, -9]]
    # Of one size, and of several.
    for growth, kind in ((0, list), (3, tuple)):
        arrays = [np.full((40 + growth * i, 50 - growth * i, 3), i, np.uint8) for i in range(5)]
        images = kind([as_image(array) for array in arrays])
        expected = fo.windows(arrays, starts, [32, 32], axes=[0, 1], mode="reflect")
        result = fo.windows(images, starts, [32, 32], axes=[0, 1], mode="reflect")
        assert result.shape == (5, 32, 32, 3)
        np.testing.assert_array_equal(result, expected)
        with pytest.raises(fo.AttributeValueError, match="items must be None where data is a list of arrays"):
            fo.windows(images, starts, [32, 32], axes=[1, 2], items=[0] * 5)


def test_lists_of_numbers_are_one_array() -> None:
    assert fo.windows([np.float32(1), np.float32(2), 3], [[1]], [2]).tolist() == [[2, 3]]
    assert fo.windows([b"one", b"two"], [[1]], [1]).tolist() == [[b"two"]]
    assert fo.windows([[1, 2], [3, 4]], [[0, 1]], [2, 1]).tolist() == [[[2], [4]]]


def test_mirrored_windows_are_the_others_backwards() -> None:
    rng = np.random.default_rng(3)
    data = rng.integers(0, 99, (20, 30, 3)).astype(np.uint8)
    # Few, and more than compiled code lowers; all in one way, and each in its own.
    for n in (0, 1, 2, 9, 140):
        starts, size = rng.integers(-20, 30, (n, 2)), rng.integers(0, 9, 2).tolist()
        own: list[Any] = [1, -2, [2, 3], rng.integers(-3, 4, (n, 2))]
        forms: list[tuple[Any, Any]] = [
            (0, [True, False]),
            ([1, -3], [True, True]),
            (True, [False, True]),
            ([True] * n, [False, True]),
            (one := rng.random(n) < 0.5, np.stack([np.zeros(n, bool), one], 1)),
            (each := rng.random((n, 2)) < 0.5, each),
        ]
        for stride, (flip, flips) in itertools.product(own, forms):
            options: dict[str, Any] = {"axes": [0, 1], "mode": "reflect"}
            plain = fo.windows(data, starts, size, stride, **options)
            backwards = np.broadcast_to(flips, (n, 2))
            pairs = zip(plain, backwards, strict=True)
            expected = np.array([np.flip(window, np.flatnonzero(axes)) for window, axes in pairs], np.uint8)
            expected = expected.reshape(plain.shape)
            for given in (starts, starts.tolist()):
                found = fo.windows(data, given if n else starts, size, stride, flip=flip, **options)
                np.testing.assert_array_equal(found, expected, strict=True)
            found = fo.windows([data] * n if n else data, starts, size, stride, flip=flip, **options)
            np.testing.assert_array_equal(found, expected, strict=True)
    assert fo.windows(data, np.zeros((2, 0), int), [], axes=[], flip=[True, False]).shape == (2, *data.shape)
    for n in (1, 300):
        for starts, stride in ((2**62, 1), (0, 2**62), (-(2**63), [[1]] * n), (3, [[-(2**63)]] * n)):
            with pytest.raises(fo.OutOfBoundsError, match=r"starts must keep all coordinates within 2\^62 where"):
                fo.windows(np.arange(9), [[starts]] * n, [3], stride, mode="wrap", flip=0)


def test_items_and_fill_values_are_checked_whatever_the_number_of_windows() -> None:
    data = np.arange(12).reshape(3, 4)
    for n in (1, 3, 40):
        for item in (7, -1, 2**61):
            with pytest.raises(fo.OutOfBoundsError, match="items"):
                fo.windows(data, [[-9]] * n, [2], items=[0] * (n - 1) + [item], mode="fill")
        with pytest.raises(fo.AttributeValueError, match="has no zero"):
            fo.windows(np.ones(5, ml_dtypes.float8_e8m0fnu), [[0]] * n, [2], mode="fill")
