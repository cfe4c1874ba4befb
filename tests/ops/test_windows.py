"""Windows: random calls against one `fastops.slice` a window, plans, mirrored windows, lists of images, and errors."""

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
from tests.helpers.seeds import noted, scale

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]
DTYPES = ["u1", "i2", ">f4", "f8", "c16", "V3", "V12"]
EXTENTS = [1, 2, 3, 4, 5, 7, 16, 31, 33]
FAR_STRIDES = [2**31, -(2**40), 2**61, 2**61 + 1, -(2**61) - 1, 2**63 - 1, -(2**63)]
FAR_STARTS = [2**61, 2**62, -(2**63), 2**63 - 1, -(2**61) - 1]
MOST_ELEMENTS = 1 << 22


def source_of(rng: random.Random, shape: list[int], dtype: np.dtype[Any]) -> Any:
    """Return an array of random bytes with axes in any order in memory and of either direction."""
    order = rng.sample(range(len(shape)), len(shape))
    memory = bytearray(rng.randbytes(int(np.prod(shape)) * dtype.itemsize))
    array: Any = np.ndarray([shape[k] for k in order], dtype, memory).transpose(np.argsort(order))
    return array[(..., *[slice(None, None, rng.choice([1, 1, 1, 1, -1])) for _ in shape])]


def start_of(rng: random.Random, mode: str, extent: int, size: int, stride: int) -> int | None:
    """Return a start that the mode allows, or None if there is none."""
    if mode != "strict_bounds":
        return rng.choice(FAR_STARTS) if rng.random() < 0.05 else rng.randint(-2 * extent - 5, 3 * extent + 5)
    reach = (max(size, 1) - 1) * stride
    low, high = -min(reach, 0), extent - 1 - max(reach, 0)
    return rng.randint(low, high) if low <= high else None


def stride_of(rng: random.Random, mode: str) -> int:
    far = rng.choice(FAR_STRIDES) if mode != "strict_bounds" and rng.random() < 0.2 else 1
    return rng.choice([1, 1, 1, -1, -1, 2, -3, 0, rng.randint(-40, 40), far])


def written(rng: random.Random, rows: list[list[int]], n: int) -> Any:
    """Return rows of numbers as lists, or as an array of one of several types and layouts."""
    array = np.array(rows, np.int64).reshape(len(rows), n)
    is_small = array.size == 0 or abs(array).max() < 128
    forms = [array, array, np.asfortranarray(array), rows, *([array.astype(np.int8)] if is_small else [])]
    return rng.choice(forms) if rows else array


def check_a_call(rng: random.Random) -> bool:
    """Compare a random call, or a call of its plan, with a slice for each window; False if there was none."""
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
    if any(None in row for row in starts) or n * math.prod(window_shape) > MOST_ELEMENTS:
        return False
    arrays = [source_of(rng, each, dtype) for each in shapes]
    items = [rng.randrange(shape[0]) for _ in range(n)] if first else None
    keywords = {"fill_value": 7} if mode == "fill" and dtype.kind != "V" else {}
    expected = np.empty([n, *window_shape], dtype)
    for i in range(n):
        source = arrays[i % len(arrays)] if items is None else arrays[0][items[i]]
        own = [axis - first for axis in axes]
        expected[i] = fo.slice(source, starts[i], size, strides[i], axes=own, mode=mode, **keywords)
    given, stride = written(rng, starts, len(axes)), written(rng, strides, len(axes)) if is_varied else common
    out = source_of(rng, [n, *window_shape], dtype) if rng.random() < 0.5 else None
    if is_listed or is_varied or rng.random() < 0.5:
        data = arrays if is_listed else arrays[0]
        result = fo.windows(data, given, size, stride, axes=axes, items=items, mode=mode, out=out, **keywords)
    else:
        plan = fo.plan.windows(tuple(shape), size, common, axes=axes, items=first == 1, mode=mode)
        result = plan(arrays[0], given, *([] if items is None else [items]), out=out, **keywords)
    assert out is None or result is out
    assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes())
    return True


@pytest.mark.parametrize("seed", range(scale(2, 40)))
def test_windows_are_slices(seed: int) -> None:
    rng = random.Random(seed)
    calls = scale(500, 2500)
    compared = 0
    for i in range(calls):
        with noted(f"call {i}"):
            compared += check_a_call(rng)
    assert compared > 100


def test_plans() -> None:
    plan = fo.plan.windows((5, 6), [2], -1, axes=[1], items=True, mode="reflect")
    again = pickle.loads(pickle.dumps(plan))
    assert (again, hash(again), again.shape) == (plan, hash(plan), (2,))
    data = np.arange(30).reshape(5, 6)
    assert again(data, [[0], [5]], [4, 0]).tolist() == [[24, 25], [5, 4]]
    wrong: list[tuple[Any, ...]] = [
        (r"plan: data must have shape \(5, 6\), got \(6, 5\)", data.T, [[0]], [0]),
        (r"items\[1\] must be in 0\.\.4, got 5", data, [[0], [0]], np.array([0, 5])),
        (r"starts must have shape \(N, 1\)", data, np.zeros((2, 2), np.int64), [0, 1]),
        (r"items must have shape \(2,\)", data, [[0], [0]], np.array([0])),
        (r"out must have shape \(1, 2\)", data, [[0]], [0], np.zeros((2, 2), np.int64)),
    ]
    for rule, *arguments in wrong:
        with pytest.raises(fo.FastopsError, match=rule):
            plan(*arguments)


DATA = np.arange(12).reshape(3, 4)
FAR = r"starts\[1\] must .* 3\.\.4 .* got \(1, 3\) \(axis 1, extent 4\)"
VALUE, BOUNDS, DTYPE = fo.AttributeValueError, fo.OutOfBoundsError, fo.DTypeError
WRONG: list[tuple[Any, tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (DATA, ([[0, 0], [1, 3]], [2, 2]), {}, BOUNDS, FAR),
    (DATA, ([[0, 0], [-1, 0]], [2, 2]), {}, BOUNDS, r"starts\[1\] must be in 0\.\.2 in mode strict_bounds"),
    (DATA, ([[2**62, 0]], [2, 2]), {}, BOUNDS, r"starts\[0\] must be in 0\.\.2"),
    (DATA, ([[2**63, 0]], [2, 2]), {}, BOUNDS, "starts must hold integers of 64 bits"),
    *[(DATA, (starts, [2, 2]), {}, VALUE, r"starts must have shape \(N, 2\)") for starts in ([[0, 0, 0]], [0, 0])],
    (DATA, (np.zeros((2, 3), np.int64), [2, 2]), {}, VALUE, r"starts must have shape \(N, 2\)"),
    *[(DATA, ([[n, 0]], [2, 2]), {}, DTYPE, "starts must hold integers only") for n in (0.5, True)],
    *[(DATA, (a, [2, 2]), {}, DTYPE, "starts must be an array of integers") for a in (np.zeros((1, 2)), "ab")],
    (DATA, ([[0, 0]], [2, -1]), {}, VALUE, "size must be at least 0"),
    (DATA, ([[0, 0]], [2]), {}, VALUE, "size must have 2 values"),
    (DATA, ([[0, 0]], [2, 2], [1, 1, 1]), {}, VALUE, "stride must have 2 values"),
    (DATA, ([[0, 0]], [2, 2], [[1, 1], [1, 1]]), {}, VALUE, r"stride must have shape \(1, 2\), as starts"),
    *[(DATA, ([[0, 0]], [n, 2]), {}, DTYPE, "size must") for n in (3.0, True)],
    (DATA, ([[0], [0]], [2]), {"items": [0, 3]}, BOUNDS, r"items\[1\] must be in 0\.\.2, got 3"),
    (DATA, ([[0]], [0]), {"items": [-1]}, BOUNDS, r"items\[0\] must be in 0\.\.2, got -1"),
    (DATA, ([[0], [0]], [2]), {"items": [[0, 1], [1]]}, VALUE, r"items must have shape \(2,\): .*, got \[\[0, 1"),
    (DATA, ([[0], [0]], [2]), {"items": [0]}, VALUE, r"items must have shape \(2,\)"),
    (DATA, ([[0]], [2]), {"axes": [0], "items": [0]}, VALUE, "axes must not name axis 0"),
    (DATA, ([[0, 0]], [1, 1]), {"fill_value": 1}, VALUE, "fill_value must be given in mode fill only"),
    ([DATA, DATA * 1.0], ([[0, 0]] * 2, [1, 1]), {}, VALUE, "data must have arrays of one dtype"),
    ([DATA, DATA[:, :2]], ([[0]] * 2, [1]), {"axes": [0]}, VALUE, "extent 4 along axis 1"),
    ([DATA, DATA], ([[0, 0]], [1, 1]), {}, VALUE, "starts must have 2 rows"),
    ([DATA, DATA[:0]], ([[0, 0]] * 2, [1, 1]), {"mode": "clamp"}, BOUNDS, "size must be 0 .* as in window 1"),
]


def test_errors_come_before_a_byte_is_written() -> None:
    for data, arguments, options, error, message in WRONG:
        out = np.full((len(arguments[0]), *[abs(int(n)) for n in arguments[1]]), 7)
        with pytest.raises(error, match=f"^windows: .*{message}"):
            fo.windows(data, *arguments, **options, out=out)
        assert (out == 7).all()
    # These errors are the same for any number of windows.
    for n in (1, 3, 40):
        for item in (7, -1, 2**61):
            with pytest.raises(fo.OutOfBoundsError, match="items"):
                fo.windows(DATA, [[-9]] * n, [2], items=[0] * (n - 1) + [item], mode="fill")
        with pytest.raises(fo.AttributeValueError, match="has no zero"):
            fo.windows(np.ones(5, ml_dtypes.float8_e8m0fnu), [[0]] * n, [2], mode="fill")


def test_windows_without_elements_or_axes() -> None:
    data = np.zeros((3, 0), np.float32)
    assert fo.windows(data, np.empty((0, 2), int), [2, 2]).shape == (0, 2, 2)
    assert fo.windows(data, [[9, 9]], [0, 2]).shape == (1, 0, 2)
    assert fo.windows(data, [[0]], [5], axes=[0], mode="wrap").shape == (1, 5, 0)
    assert fo.windows(np.array(5), np.empty((2, 0), int), []).tolist() == [5, 5]
    assert fo.windows(data, [], [2, 2]).shape == (0, 2, 2)


def test_windows_may_write_over_their_data() -> None:
    starts = np.array([[4], [0], [9]])
    for _ in range(2):
        memory = np.arange(60)
        out = memory[5:29].reshape(3, 8)
        assert fo.windows(memory[:40], starts, [8], mode="wrap", out=out) is out
        np.testing.assert_array_equal(out, starts + np.arange(8))


def with_property(name: str) -> Any:
    """Return a function that makes objects that show an array's memory by this protocol of NumPy only."""
    return lambda array: type("Own", (), {name: property(lambda _: getattr(array, name))})()


PROTOCOLS: list[Any] = [
    np.asarray,
    memoryview,
    *map(with_property, ("__array_interface__", "__array_struct__", "__array__")),
    lambda array: SimpleNamespace(__array_interface__=array.__array_interface__, kept=array),
    lambda array: pytest.importorskip("PIL.Image").fromarray(array),
]


@pytest.mark.parametrize("as_image", PROTOCOLS)
def test_lists_of_images_by_each_protocol(as_image: Any) -> None:
    starts = [[0, 0], [3, 2], [-4, 8], [30, 20], [2, -9]]
    # Images of one size, and of several.
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


def test_mirrored_windows_are_flipped_windows() -> None:
    rng = np.random.default_rng(3)
    data = rng.integers(0, 99, (20, 30, 3)).astype(np.uint8)
    # No windows, few and many; all mirrored alike, and each in its own way.
    for n in (0, 1, 2, 9, 140):
        starts, size = rng.integers(-20, 30, (n, 2)), rng.integers(0, 9, 2).tolist()
        own: list[Any] = [1, -2, [2, 3], rng.integers(-3, 4, (n, 2))]
        forms: list[tuple[Any, Any]] = [
            *[(flip, [False, True]) for flip in (1, [1], -2, np.array([1]), True, [True] * n, [[False, True]] * n)],
            *[(flip, [True, True]) for flip in ([0, 1], (-2, 0))],
            *[(flip, [False, False]) for flip in (None, False, [])],
            (0, [True, False]),
            (one := rng.random(n) < 0.5, np.stack([np.zeros(n, bool), one], 1)),
            (each := rng.random((n, 2)) < 0.5, each),
        ]
        for stride, (flip, flips) in itertools.product(own, forms):
            options: dict[str, Any] = {"axes": [0, 1], "mode": "reflect"}
            plain = fo.windows(data, starts, size, stride, **options)
            pairs = zip(plain, np.broadcast_to(flips, (n, 2)), strict=True)
            expected = np.array([np.flip(window, np.flatnonzero(axes)) for window, axes in pairs], np.uint8)
            expected = expected.reshape(plain.shape)
            for x, given in ((data, starts), (data, starts.tolist() if n else starts), ([data] * n or data, starts)):
                found = fo.windows(x, given, size, stride, flip=flip, **options)
                np.testing.assert_array_equal(found, expected, strict=True)
    assert fo.windows(data, np.zeros((2, 0), int), [], axes=[], flip=[True, False]).shape == (2, *data.shape)


def test_errors_of_flip() -> None:
    x, starts, mirrored = np.arange(20).reshape(4, 5), [[0, 1], [1, 0]], {"flip": 0, "mode": "wrap"}
    wrong: list[tuple[Any, str]] = [
        (2, r"must be in -2\.\.1"),
        ([0, 0], "must name each axis once"),
        ([True] * 3, r"must have shape \(2,\) or \(2, 2\), or name axes"),
        (1.5, "must hold axes, or booleans"),
        ("ab", "must hold axes, or booleans"),
    ]
    for flip, rule in wrong:
        with pytest.raises(fo.FastopsError, match=f"windows: flip {rule}"):
            fo.windows(x, starts, [2, 3], flip=flip, axes=[0, 1])
    with pytest.raises(fo.AttributeValueError, match=r"flip must have shape \(2, 2\) where axes are not named"):
        fo.windows(x, starts, [2, 3], flip=[True, False])
    with pytest.raises(fo.AttributeValueError, match="flip must name axes that windows have starts for"):
        fo.windows(x, [[0]], [2], axes=[0], flip=1)
    for n in (1, 300):
        for start, stride in ((2**62, 1), (0, 2**62), (-(2**63), [[1]] * n), (3, [[-(2**63)]] * n)):
            with pytest.raises(fo.OutOfBoundsError, match=r"starts must keep all coordinates within 2\^62 where"):
                fo.windows(np.arange(9), [[start]] * n, [3], stride, **mirrored)
