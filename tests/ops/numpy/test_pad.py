"""numpy.pad."""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._arrays._fill_values import Element
from fastops.ops.numpy import _pad as pad_module
from tests.helpers.contract import Call, Refusal, contract

CALLS = [
    Call((2, 3), {"pad_width": 2}, lambda x: np.pad(x, 2)),
    Call((2, 3), {"pad_width": [1, 2], "mode": "edge"}, lambda x: np.pad(x, (1, 2), "edge")),
    Call((2, 3), {"pad_width": [[0, 1], [7, 8]], "mode": "reflect"}, lambda x: np.pad(x, ((0, 1), (7, 8)), "reflect")),
    Call((2, 3), {"pad_width": [[1], [2]], "mode": "symmetric"}, lambda x: np.pad(x, ((1,), (2,)), "symmetric")),
    Call((2, 3), {"pad_width": {-1: (1, 4)}, "mode": "wrap"}, lambda x: np.pad(x, ((0, 0), (1, 4)), "wrap")),
    Call((2, 3), {"pad_width": {0: 1}}, lambda x: np.pad(x, ((1, 1), (0, 0)))),
    Call((2, 3), {"pad_width": {True: 2, 0: (False, True)}}, lambda x: np.pad(x, ((0, 1), (2, 2)))),
    Call((2, 1), {"pad_width": 3, "mode": "reflect", "reflect_type": "even"}, lambda x: np.pad(x, 3, "reflect")),
    Call((2, 1), {"pad_width": 3, "mode": "symmetric", "reflect_type": None}, lambda x: np.pad(x, 3, "symmetric")),
    Call(
        (2, 3),
        {"pad_width": 1, "constant_values": None},
        lambda x: np.pad(x, 1, constant_values=None),
        ("f2", "f4", "f8", "M8[s]", "m8[ns]", "U2", "U7", "S3", "?"),
    ),
    Call((), {"pad_width": 1, "constant_values": None}, lambda x: np.pad(x, 1, constant_values=None)),
    Call((0, 2), {"pad_width": [[1, 2], [0, 0]]}, lambda x: np.pad(x, ((1, 2), (0, 0)))),
    Call((0, 2), {"pad_width": [[0, 0], [1, 1]], "mode": "edge"}, lambda x: np.pad(x, ((0, 0), (1, 1)), "edge")),
    Call((2, 3), {"pad_width": 0, "mode": "edge"}, lambda x: x),
    Call((), {"pad_width": 3}, lambda x: np.pad(x, 3)),
    Call(
        (2, 3),
        {"pad_width": 1, "constant_values": 5},
        lambda x: np.pad(x, 1, constant_values=5),
        ("u1", "f4", "c8", "?"),
    ),
    Call((2, 3), {"pad_width": 1, "constant_values": 1.5}, lambda x: np.pad(x, 1, constant_values=1.5), ("i8", "f4")),
    Call((2,), {"pad_width": 1, "constant_values": 300}, lambda x: np.pad(x, 1, constant_values=300), ("u1", "f2")),
    Call((2,), {"pad_width": 1}, lambda x: np.pad(x, 1), ("U2", "S2", "V3", "M8[s]")),
    Call(
        (2, 3),
        {"pad_width": 2, "constant_values": (1, 2)},
        lambda x: np.pad(x, 2, constant_values=(1, 2)),
        ("u1", "f4"),
    ),
    Call(
        (2, 3),
        {"pad_width": [[1, 2], [3, 4]], "constant_values": ((1, 2), (3, 4))},
        lambda x: np.pad(x, ((1, 2), (3, 4)), constant_values=((1, 2), (3, 4))),
        ("u1", "f4", ">i4"),
    ),
    Call(
        (0, 3),
        {"pad_width": [[1, 2], [0, 4]], "constant_values": ((1, 2), (3, 4))},
        lambda x: np.pad(x, ((1, 2), (0, 4)), constant_values=((1, 2), (3, 4))),
        ("u1",),
    ),
]

REFUSALS = [
    *[
        Refusal((3,), {"pad_width": {0: width}}, ValueError, "pad_width must map axes to integers, or to tuples of two")
        for width in ([1], [1, 2], (1, 2, 3), (), ((1, 2), 3))
    ],
    Refusal((3,), {"pad_width": {0: 1.5}}, TypeError, r"pad_width must hold integers only, got \{0: 1.5\}"),
    Refusal((), {"pad_width": {0: 1}}, IndexError, "pad_width must name no axis of data of rank 0"),
    Refusal((3,), {"pad_width": {1: 2**63}}, IndexError, "pad_width must be in -1..0"),
    Refusal((3,), {"pad_width": {0: -(2**70)}}, TypeError, "pad_width must be at least 0"),
    Refusal((), {"pad_width": {}}, TypeError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": -1}, ValueError, "pad_width must be at least 0, got -1"),
    Refusal((3,), {"pad_width": 1.5}, TypeError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": True}, TypeError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": [1, 2, 3]}, ValueError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": []}, TypeError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": range(2**40)}, ValueError, "pad_width must be an integer, one pair of them"),
    Refusal((3,), {"pad_width": {1: 1}}, ValueError, "pad_width must be in -1..0"),
    Refusal((0,), {"pad_width": 1, "mode": "edge"}, ValueError, "pad_width must be 0 on an empty axis in mode edge"),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "mean"},
        ValueError,
        "mode must be one of .*; np.pad has those that compute values, as mean, got 'mean'",
    ),
    Refusal((3,), {"pad_width": 1, "mode": "empty"}, ValueError, "np.pad has those that compute values, as mean"),
    *[
        Refusal(
            (3,),
            {"pad_width": 1, "mode": mode},
            ValueError,
            "mode must be one of .*; np.pad has those that compute values, as mean",
        )
        for mode in (max, 1, None, True, "Edge")
    ],
    *[
        Refusal((3,), {"pad_width": 1, "mode": mode, name: value}, ValueError, f"{name} must not be given in mode")
        for mode, name, value in (
            ("wrap", "constant_values", 3),
            ("symmetric", "constant_values", 0),
            ("wrap", "reflect_type", "even"),
            ("edge", "stat_length", 1),
            # Given at all, as in NumPy.
            ("constant", "stat_length", None),
            ("edge", "constant_values", None),
            ("wrap", "reflect_type", None),
            ("reflect", "end_values", 0),
            ("constant", "end_values", (1, 2)),
        )
    ],
    Refusal((3,), {"pad_width": 1, "mode": "mean", "stat_length": 2}, ValueError, "mode must be one of"),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "edge", "constant_values": 1},
        ValueError,
        "constant_values must not be given in mode edge",
    ),
    Refusal(
        (3,), {"pad_width": 1, "reflect_type": "even"}, ValueError, "reflect_type must not be given in mode constant"
    ),
    Refusal(
        (3,),
        {"pad_width": 1, "mode": "reflect", "reflect_type": "odd"},
        ValueError,
        "reflect_type must be one of even; np.pad has odd",
    ),
    Refusal(
        (3,), {"pad_width": 1, "constant_values": [1, 2, 3]}, ValueError, "constant_values must be a scalar, one pair"
    ),
    Refusal(
        (3,),
        {"pad_width": 1, "constant_values": "x"},
        ValueError,
        "constant_values must be what NumPy converts to float32",
    ),
]

test_pad = contract(fo.numpy.pad, CALLS, REFUSALS)


def any_width(rng: random.Random, rank: int) -> Any:
    """Return a pad width in one of NumPy's forms, or one that NumPy does not take."""

    def one() -> int:
        return rng.choice([0, 0, 1, 2, 3, 5, 11]) if rng.random() < 0.99 else -1

    def pair() -> tuple[int, int]:
        return one(), one()

    wrong = [1.5, True, None, "1", [], [1, 2, 3], np.uint8(2), [[[1]]], [[1, 2], [3]]]
    forms = [one, pair, lambda: (one(),), lambda: [[one()] for _ in range(rank)], lambda: rng.choice(wrong)]
    # np.pad takes a dict since NumPy 2.2, fastops with any.
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":
        forms.append(lambda: {rng.randrange(-rank, rank): rng.choice([one(), pair()])} if rank else {})
    forms += [lambda: np.array([pair() for _ in range(rank)], rng.choice(["i8", "i1"])).reshape(-1, 2)]
    forms += [lambda: [pair() for _ in range(rank)]] * 6
    return rng.choice(forms)()


def any_constants(rng: random.Random, rank: int) -> Any:
    """Return constant values in one of NumPy's forms, or some that NumPy does not take."""

    def one() -> Any:
        return rng.choice([0, 1, 3, -2, 200, 300, 1.5, -0.0, float("nan")])

    forms = [one, lambda: (one(), one()), lambda: [[one()] for _ in range(rank)]]
    forms += [lambda: rng.choice(["a", [1, 2, 3], 1j, True]), lambda: [(one(), one()) for _ in range(rank)]]
    return rng.choice(forms)()


def sides_of(rng: random.Random, rank: int, value: Callable[[], Any]) -> Any:
    """Return constant values in any form that NumPy takes, and in some that it does not."""
    forms = [value, lambda: (value(), value()), lambda: [value()], lambda: np.array(value()), lambda: ((value(),),)]
    forms += [lambda: [[value()] for _ in range(rank)], lambda: [(value(), value()) for _ in range(rank)]]
    return rng.choice([*forms, lambda: [value() for _ in range(3)], lambda: [[[value()]]]])()


@pytest.mark.parametrize("seed", range(4))
def test_values_are_converted_as_numpy_does(seed: int) -> None:
    rng = random.Random(seed)
    own = [None, None, 0, 3, -2, 300, 1.5, float("nan"), True, 1j, "a", "12", b"x", np.float32(2.5), np.int8(-1), 2**70]
    own += [np.datetime64("2001-01-01"), np.datetime64("NaT"), np.timedelta64(3, "s")]
    dtypes = ["?", "i1", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8", "M8[s]", "m8[ms]"]
    dtypes += ["S1", "S3", "U1", "U4", "V3"]
    for _ in range(2000):
        shape = tuple(rng.choices([0, 1, 2, 3], k=rng.choice([0, 1, 1, 2, 2, 3])))
        data = np.zeros(shape, rng.choice(dtypes))
        values = sides_of(rng, len(shape), lambda: rng.choice(own))
        width = rng.choice([0, 1, (0, 2), (1, 0)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = outcome(np.pad, Exception, data, width, constant_values=values)
            result = outcome(fo.numpy.pad, fo.FastopsError, data, width, constant_values=values)
        is_same = isinstance(result, type(expected)) if isinstance(expected, Exception) else result == expected
        assert is_same, (shape, data.dtype, width, values, expected, result)


def outcome(pad: Any, error: type[Exception], *arguments: Any, **options: Any) -> Any:
    """Return shape, type and bytes of a result, or an error."""
    try:
        result = pad(*arguments, **options)
    except error as refusal:
        return refusal
    return result.shape, result.dtype, result.tobytes()


@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_random_calls_are_numpy_s(seed: int) -> None:
    rng = random.Random(seed)
    modes = ["constant", "edge", "reflect", "symmetric", "wrap"]
    n, failed = 1000, 0
    for k in range(n):
        shape = tuple(rng.choice([0, 1, 1, 2, 3, 4, 5, 7]) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])))
        dtype = rng.choice(["u1", "i2", "f4", "f8", "c16", "?", ">i4", "f2", "M8[s]", "S3", "U2"])
        data = np.random.default_rng(k).integers(0, 200, shape).astype("u1").astype(dtype)
        data = data[..., ::-1] if shape and rng.random() < 0.3 else data
        data = data.T if rng.random() < 0.2 else data
        mode = rng.choice([*modes * 6, "bogus"])
        options = {}
        if rng.random() < (0.5 if mode == "constant" else 0.02):
            options["constant_values"] = any_constants(rng, len(shape))
        if rng.random() < 0.05:
            options["reflect_type"] = "even"
        width = any_width(rng, len(shape))
        with warnings.catch_warnings():
            # Complex values lose their imaginary parts, and large ones overflow, in NumPy as here.
            warnings.simplefilter("ignore")
            expected = outcome(np.pad, Exception, data, width, mode, **options)
            result = outcome(fo.numpy.pad, fo.FastopsError, data, width, mode, **options)
        if isinstance(expected, Exception):
            assert isinstance(result, fo.FastopsError), (data.shape, dtype, width, mode, options)
            failed += 1
        else:
            assert result == expected, (data.shape, dtype, width, mode, options)
    assert n / 20 < failed < n / 2


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_zeros_keep_their_signs_whatever_was_padded_before(kind: Any) -> None:
    x = np.ones(1)
    for zero in (0.0, -0.0, 0.0):
        for values in (kind(zero), [kind(zero), kind(1)], (kind(zero), kind(1)), np.array([zero, 1])):
            padded = fo.numpy.pad(x, 1, constant_values=values)
            assert padded.tobytes() == np.pad(x, 1, constant_values=values).tobytes()


@pytest.mark.parametrize("dtype", ["u1", "f4", ">f8", "V3"])
@pytest.mark.parametrize("shape", [(3, 700, 901), (1_000_003,), (40_000, 7, 3)])
def test_sides_of_large_results_have_values_of_their_own(shape: tuple[int, ...], dtype: str) -> None:
    x = np.random.default_rng(0).integers(0, 251, (*shape, np.dtype(dtype).itemsize), "u1").view(dtype)[..., 0]
    width = [(3, 2)] * len(shape)
    values = np.arange(2 * len(shape)).astype("u1").astype(dtype if dtype != "V3" else "S3").reshape(-1, 2)
    values = values.view("V3") if dtype == "V3" else values
    expected = np.pad(x, width, constant_values=values.tolist())
    assert fo.numpy.pad(x, width, constant_values=values.tolist()).tobytes() == expected.tobytes()
    # Rows of an output with gaps, and an output that the array lies in.
    memory = np.zeros((*expected.shape[:-1], expected.shape[-1] + 5), dtype)
    out = memory[..., 2:-3]
    inner = out[tuple([slice(3, -2)] * len(shape))]
    fo.numpy.pad(x, width, constant_values=values.tolist(), out=out)
    assert out.tobytes() == expected.tobytes()
    assert not memory[..., :2].tobytes().strip(b"\0")
    assert not memory[..., -3:].tobytes().strip(b"\0")
    fo.numpy.pad(inner, width, constant_values=values.tolist(), out=out)
    assert out.tobytes() == expected.tobytes()


def test_values_made_for_another_type_or_rank_are_not_read() -> None:
    """An array whose type or shape another thread changes amid a call; the kernel would read beyond the values."""
    run, sides = pad_module._OPERATOR.run_gather, pad_module._SIDES.run_gather
    for move, dtype, shape, size in ((run, "f8", (4,), 1), (sides, "f8", (4,), 2), (sides, "f4", (2, 2), 2)):
        x, out = np.ones(shape, dtype), np.ones(tuple(n + 2 for n in shape), dtype)
        fill = Element(np.zeros(size, "f4"))
        for options in ((None, True), (out, True), (None, None)):
            with pytest.raises(fo.AttributeValueError, match="array must keep its shape, strides and type"):
                move(x, (1, "constant"), *options, fill)


def test_widths_of_unsigned_types_are_refused_whatever_was_padded_before() -> None:
    data = np.zeros(3)
    for _ in range(2):
        assert fo.numpy.pad(data, [3, 1]).shape == (7,)
        for widths in ([np.uint64(3), 1], [np.uint8(3), np.uint8(1)]):
            with pytest.raises(fo.DTypeError, match=r"pad_width must be (an integer|of a signed type)"):
                fo.numpy.pad(data, widths)


def test_where_nothing_is_padded_there_is_a_view_whatever_the_values_are() -> None:
    data = np.arange(6).reshape(2, 3)
    for copy in (None, False):
        result = fo.numpy.pad(data, 0, constant_values=(1, 2), copy=copy)
        assert np.shares_memory(result, data)
        assert result.tolist() == data.tolist()
    assert not np.shares_memory(fo.numpy.pad(data, 0, constant_values=(1, 2)), data)


@pytest.mark.parametrize("n", [2**63, 2**64 - 1, 2**64, 2**70])
@pytest.mark.parametrize(
    "form",
    [
        lambda n: n,
        lambda n: [n, 1],
        lambda n: (np.int64(1), n),
        lambda n: [[n]],
        lambda n: [[1, n], [2, 2]],
        lambda n: ((n, 1), (2, -1)),
        lambda n: {0: n},
        lambda n: {0: (1, n)},
    ],
)
def test_widths_beyond_63_bits_are_told_so_in_every_form(form: Callable[[int], Any], n: int) -> None:
    with pytest.raises(fo.DTypeError, match=r"pad_width must be less than 2\^63, got"):
        fo.numpy.pad(np.zeros((2, 3)), form(n))


@pytest.mark.parametrize("form", [lambda n: n, lambda n: (n, 1), lambda n: [[1, n]], lambda n: [n]])
def test_negative_widths_of_data_of_rank_0_are_errors_whatever_was_padded_before(form: Callable[[int], Any]) -> None:
    data = np.array(7)
    for n in (1, 2, 0, 3, 5):
        assert fo.numpy.pad(data, form(n)) == 7
        with pytest.raises(fo.AttributeValueError, match="pad_width must be at least 0, got"):
            fo.numpy.pad(data, form(-n - 1))


@pytest.mark.parametrize("width", [np.array([2**64, 1], object), [np.array(2**64, object), 1]], ids=["array", "list"])
def test_long_integers_in_arrays_of_objects(width: Any) -> None:
    with pytest.raises(fo.DTypeError, match=r"^numpy.pad: pad_width must be less than 2\^63, got"):
        fo.numpy.pad(np.arange(4), width)


@pytest.mark.parametrize("width", [-(2**63) - 1, [-(2**70), 1]])
def test_negative_widths_beyond_64_bits_are_told_so(width: Any) -> None:
    with pytest.raises(fo.DTypeError, match=r"pad_width must be at least 0, got"):
        fo.numpy.pad(np.zeros((2, 3)), width)


@pytest.mark.parametrize("width", [(0, 2), [1], ((1, 2),), {0: 1}])
def test_masked_widths_are_no_integers(width: Any) -> None:
    data = np.arange(3)
    masked = np.ma.array(1, mask=True)
    for wrong in (masked, [masked, 2], [[masked, 2]], {0: masked}, {0: (1, masked)}, np.ma.array([1, 2], mask=[0, 1])):
        with pytest.raises(fo.DTypeError, match=r"pad_width must (have no masked entries|hold integers only), got"):
            fo.numpy.pad(data, wrong)
    assert fo.numpy.pad(data, np.ma.array(1)).tolist() == [0, 0, 1, 2, 0]
    assert fo.numpy.pad(data, width).tolist() == np.pad(data, width if isinstance(width, tuple) else 1).tolist()


@pytest.mark.parametrize("dtype", ["S0", "U0", ">U0"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_text_of_no_length_is_padded_as_text_of_length_1(shape: tuple[int, ...], dtype: str) -> None:
    data = np.ndarray(shape, dtype)
    for options in ({}, {"constant_values": b"x"}, {"constant_values": ("ab", 7)}, {"constant_values": None}):
        for width in (0, 1, (0, 2)):
            expected: Any = np.pad(data, width, **options)
            result = fo.numpy.pad(data, width, **options)
            assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist())
    out = fo.numpy.pad(data, 2)
    assert fo.numpy.pad(data, 2, out=np.zeros_like(out)).tolist() == out.tolist()


def test_elements_of_no_bytes_are_padded_with_such() -> None:
    assert fo.numpy.pad(np.ndarray(2, "V0"), 1, constant_values=b"x").tobytes() == b""


@pytest.mark.parametrize(
    "width",
    [np.uint8(2), [np.uint64(1), np.uint64(2)], [np.uint64(1), 2], np.array([[1, 2], [3, 4]], "u4"), np.uint64(2**63)],
)
def test_widths_of_unsigned_types_are_told_so(width: Any) -> None:
    with pytest.raises(fo.DTypeError, match=r"pad_width must be of a signed type, as numpy\.pad has it, got"):
        fo.numpy.pad(np.zeros((2, 3)), width)


def test_pairs_of_each_type_are_those_of_numpy() -> None:
    x = np.arange(6).reshape(2, 3)
    low, high = (1, np.int64(1), np.int32(1), np.array(1), np.uint8(1), True, 1.0), (2, np.int64(2), np.uint64(2))
    for a, b in itertools.product(low, high):
        for width in (((a, b), (b, a)), [[a, b], (0, b)], (a, b), ((a, b),), ((a,), (b,))):
            try:
                expected = np.pad(x, width)
            except (TypeError, ValueError):
                with pytest.raises((TypeError, ValueError)):
                    fo.numpy.pad(x, width)
            else:
                np.testing.assert_array_equal(fo.numpy.pad(x, width), expected)
