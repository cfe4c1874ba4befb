"""numpy.pad: random calls, and values and widths in every form."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._arrays._fill_values import Element
from fastops.ops.numpy import _pad as pad_module
from tests.conformance._calls import Call as DrawnCall, Dice
from tests.conformance._live import Function, check_live
from tests.conformance._numpy import DEPARTURES, DRAWS, NumPyDice
from tests.helpers.contract import without_numpy
from tests.helpers.seeds import scale


def any_values(rng: random.Random, rank: int, values: list[Any]) -> Any:
    """Return constant values in a form that NumPy takes, or in one that it refuses."""

    def one() -> Any:
        return rng.choice(values)

    forms = [one, lambda: (one(), one()), lambda: [one()], lambda: np.array(one()), lambda: ((one(),),)]
    forms += [lambda: [[one()] for _ in range(rank)], lambda: [(one(), one()) for _ in range(rank)]]
    return rng.choice([*forms, lambda: [one() for _ in range(3)], lambda: [[[one()]]]])()


VALUES = [None, None, 0, 3, -2, 300, 1.5, 0.0, -0.0, float("nan"), True, 1j, "a", "12", b"x", np.float32(2.5)]
VALUES += [np.int8(-1), 2**70, np.datetime64("2001-01-01"), np.datetime64("NaT", "s"), np.timedelta64(3, "s")]
TYPES = ["?", "i1", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8", "M8[s]", "m8[ms]"]
TYPES += ["S1", "S3", "U1", "U4"]


def draw_values(rng: Dice) -> DrawnCall:
    data = rng.data(rng.shape(), TYPES)
    width = rng.choice([1, (0, 2), (1, 0), 0])
    return DrawnCall(data, {"pad_width": width, "constant_values": any_values(rng, data.ndim, VALUES)})


def test_random_values_are_converted_as_numpy_does() -> None:
    check_live(Function("pad", draw_values, np.pad, fo.numpy.pad), (), scale(2_000, 20_000))


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="np.pad reads fewer dicts of widths")
def test_random_calls_are_those_of_numpy() -> None:
    check_live(Function("pad", DRAWS["pad"], np.pad, fo.numpy.pad, dice=NumPyDice), DEPARTURES, scale(2_000, 20_000))


def test_values_made_for_another_type_or_rank_are_not_read() -> None:
    """If another thread changes an array during a call, the kernel must not read beyond the values."""
    run, sides = pad_module._PAD.run_gather, pad_module._SIDES.run_gather
    for move, dtype, shape, size in ((run, "f8", (4,), 1), (sides, "f8", (4,), 2), (sides, "f4", (2, 2), 2)):
        x, out = np.ones(shape, dtype), np.ones(tuple(n + 2 for n in shape), dtype)
        fill = Element(np.zeros(size, "f4"))
        for options in ((None, True), (out, True), (None, None)):
            with pytest.raises(fo.AttributeValueError, match="array must keep its shape, strides and type"):
                move(x, (1, "constant"), *options, fill, None, None)


#: Functions that make widths of a number.
WIDTHS: list[Callable[[Any], Any]] = [
    *(lambda n: n, lambda n: [n, 1], lambda n: (np.int64(1), n), lambda n: [[n]], lambda n: [[1, n], [2, 2]]),
    lambda n: ((n, 1), (2, -1)),
]
HIDDEN = np.ma.array(1, mask=True)

#: Rules, and widths that break them.
NO_LENGTHS: dict[str, list[Any]] = {
    "be an integer, .* of a signed type of at most 64 bits, got": [
        *[form(n) for form in WIDTHS for n in (2**63, 2**64 - 1, 2**64, 2**70)],
        *(np.array([2**64, 1], object), [np.array(2**64, object), 1], -(2**63) - 1, [-(2**70), 1]),
        *(np.uint8(2), [np.uint64(1), np.uint64(2)], [np.uint64(1), 2], np.array([[1, 2], [3, 4]], "u4")),
    ],
    "have no masked entries, got": [HIDDEN, np.ma.array([1, 2], mask=[0, 1])],
    "hold integers only, got": [{0: HIDDEN}, {0: (1, HIDDEN)}],
}


def test_errors_of_widths_in_every_form() -> None:
    for rule, width in [(rule, width) for rule, widths in NO_LENGTHS.items() for width in widths]:
        # First, pad by right widths.
        assert fo.numpy.pad(np.zeros((2, 3)), [3, 1]).shape == (6, 7)
        with without_numpy(), pytest.raises(fo.DTypeError, match=rf"^numpy\.pad: pad_width must {rule}"):
            fo.numpy.pad(np.zeros((2, 3)), width)
    assert fo.numpy.pad(np.arange(3), np.ma.array(1)).tolist() == [0, 0, 1, 2, 0]


def test_text_and_elements_without_bytes() -> None:
    for dtype, shape in itertools.product(["S0", "U0", ">U0"], [(), (0,), (3,), (2, 3)]):
        data = np.ndarray(shape, dtype)
        for options in ({}, {"constant_values": b"x"}, {"constant_values": ("ab", 7)}, {"constant_values": None}):
            for width in (0, 1, (0, 2)):
                expected: Any = np.pad(data, width, **options)
                result = fo.numpy.pad(data, width, **options)
                assert (result.dtype, result.tolist()) == (expected.dtype, expected.tolist()), (options, width)
        out = fo.numpy.pad(data, 2)
        assert fo.numpy.pad(data, 2, out=np.zeros_like(out)).tolist() == out.tolist()
    assert fo.numpy.pad(np.ndarray(2, "V0"), 1, constant_values=b"x").tobytes() == b""
