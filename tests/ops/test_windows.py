"""Windows: random calls against one `fastops.slice` a window, plans, flips, lists of images, and errors."""

from __future__ import annotations

import pickle
import random
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import LAYOUTS, array_of, lay_out
from tests.helpers.seeds import chooser, noted, scale

MODES = ["strict_bounds", "wrap", "clamp", "fill", "reflect", "symmetric"]
DTYPES = ["u1", "i2", ">f4", "f8", "c16", "V3", "V12"]
EXTENTS = [1, 2, 3, 4, 5, 7, 16, 33]


def check_a_call(rng: random.Random) -> None:
    """Compare a random call, or a call of a plan, with one slice for each window, which may be flipped."""
    mode, dtype, n = rng.choice(MODES), np.dtype(rng.choice(DTYPES)), rng.choice((0, 1, 2, 3, 9, 140))
    shape = [rng.choice(EXTENTS) for _ in range(rng.randint(0, 4 if n < 9 else 3))]
    rank, first = len(shape), int(len(shape) > 0 and rng.random() < 0.3)
    axes = rng.sample(range(first, rank), rng.randint(0, rank - first))
    is_listed, is_varied, is_flipped = [rng.random() < share for share in (0.3 if n and not first else 0, 0.4, 0.4)]
    # Arrays of a list differ along the axes that are cut.
    shapes = [[rng.choice(EXTENTS) if k in axes and i else m for k, m in enumerate(shape)] for i in range(n or 1)]
    shapes = shapes if is_listed else shapes[:1]
    size = [rng.choice((*[0] * (rng.random() < 0.2), 1, 2, 3, 8, 20)) for _ in axes]
    common = [rng.choice((1, 1, -1, 2, -3, 0)) for _ in axes]
    if is_strict := mode == "strict_bounds":
        size = [min(m, *[each[axis] for each in shapes], 33) for axis, m in zip(axes, size, strict=True)]
        common = [rng.choice((1, -1)) for _ in axes]
    strides = [[rng.choice((1, -1)) for _ in axes] if is_varied else common for _ in range(n)]
    flips = np.array([[is_flipped and rng.random() < 0.5 for _ in axes] for _ in range(n)], bool).reshape(n, len(axes))
    starts = np.array([[rng.randint(-40, 60) for _ in axes] for _ in range(n)], np.int64).reshape(n, len(axes))
    for (i, j), stride in np.ndenumerate(np.array(strides).reshape(starts.shape) if is_strict else np.zeros((0, 0))):
        reach = max(size[j], 1) - 1
        starts[i, j] = rng.randint(0, shapes[i % len(shapes)][axes[j]] - 1 - reach) + (reach if stride < 0 else 0)
    arrays = [array_of(tuple(each), dtype, rng.choice(LAYOUTS), seed=i) for i, each in enumerate(shapes)]
    items = [rng.randrange(shape[0]) for _ in range(n)] if first else None
    window_shape = [dict(zip(axes, size, strict=True)).get(axis, shape[axis]) for axis in range(first, rank)]
    fill: dict[str, Any] = {"fill_value": 7} if mode == "fill" and dtype.kind != "V" else {}
    channel = rng.randrange(rank - first) if fill and window_shape and rng.random() < 0.5 else None
    if channel is not None:
        fill = {"fill_value": [rng.randint(1, 99) for _ in range(window_shape[channel])], "channel_axis": channel}
    expected = np.empty([n, *window_shape], dtype)
    for i in range(n):
        source = arrays[i % len(arrays)] if items is None else arrays[0][items[i]]
        own = [axis - first for axis in axes]
        flipped = [axis for axis, is_own in zip(own, flips[i], strict=True) if is_own]
        # Elements are flipped, but fill values are not.
        fills = {**fill, "fill_value": fill["fill_value"][::-1]} if channel in flipped else fill
        one = fo.slice(source, starts[i], size, strides[i], axes=own, mode=mode, **fills)
        expected[i] = np.flip(one, flipped)
    fill |= {} if channel is None else {"channel_axis": rng.choice((channel - rank + first, channel + first))}
    given = rng.choice((starts, starts.astype(np.int8), np.asfortranarray(starts), starts.tolist() if n else starts))
    out = lay_out(np.zeros(expected.shape, dtype), rng.choice(LAYOUTS[:-1])) if rng.random() < 0.5 else None
    if is_listed or is_varied or is_flipped or channel is not None or rng.random() < 0.5:
        data: Any = arrays if is_listed else arrays[0]
        how: dict[str, Any] = {"flip": flips} if is_flipped else {}
        stride = np.array(strides, np.int64).reshape(n, len(axes)) if is_varied else common
        result = fo.windows(data, given, size, stride, axes=axes, items=items, mode=mode, out=out, **fill, **how)
    else:
        plan = fo.plan.windows(tuple(shape), size, common, axes=axes, items=first == 1, mode=mode)
        result = plan(arrays[0], given, *([] if items is None else [items]), out=out, **fill)
    assert out is None or result is out
    assert (result.shape, result.tobytes()) == (expected.shape, expected.tobytes())


def test_windows_are_slices() -> None:
    for k in range(scale(900, 60_000)):
        with noted(k):
            check_a_call(chooser(f"windows {k}"))


def test_starts_of_any_number_fit_the_room_for_arguments() -> None:
    # Compiled code reads some 200 numbers of a call. At some counts the starts fill this room, and no mode fits behind.
    for rank, dtype in ((1, np.int64), (2, np.int32), (3, np.int64), (4, np.int64)):
        data = np.arange(3**rank).reshape((3,) * rank)
        for n in range(1, 240 // rank):
            starts = np.arange(rank * n, dtype=dtype).reshape(n, rank) % 3
            for written in (starts, starts.tolist()):
                result = fo.windows(data, written, [1] * rank, mode="wrap")
                assert np.array_equal(result.ravel(), data[tuple(starts.T)]), (rank, n)


def test_axes_are_flipped_by_names_and_by_booleans() -> None:
    data, starts = np.arange(20 * 30).reshape(20, 30), [[1, -2], [-5, 22]]
    options: dict[str, Any] = {"axes": [0, 1], "mode": "reflect"}
    one, two = fo.windows(data, starts, [4, 9], **options)
    for flips, forms in (
        ([False, True], (1, [1], -1, np.array([1]), [[False, True]] * 2)),
        ([True, True], ([0, 1], (-2, 1))),
        ([False, False], (None, False, [])),
        ([True, False], (0, [[True, False]] * 2)),
    ):
        expected = [np.flip(each, np.flatnonzero(flips)) for each in (one, two)]
        for flip in forms:
            found = fo.windows(data, starts, [4, 9], flip=flip, **options)
            np.testing.assert_array_equal(found, expected)
    # For the last axis alone, one boolean may be given for each window.
    for last in (True, [True, True], [True, False]):
        found = fo.windows(data, starts, [4, 9], flip=last, **options)
        pairs = zip((one, two), np.broadcast_to(last, 2), strict=True)
        wanted = [each[:, ::-1] if own else each for each, own in pairs]
        np.testing.assert_array_equal(found, wanted)
    assert fo.windows(data, np.zeros((2, 0), int), [], axes=[], flip=[True, False]).shape == (2, *data.shape)


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
    (DATA, ([[0, 0]], [2, 2], [[1, 1], [1, 1]]), {}, VALUE, r"stride must have shape \(1, 2\): one stride for each"),
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
    assert fo.windows(data, [[0]], [5], axes=[0], mode="wrap").shape == (1, 5, 0)


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
