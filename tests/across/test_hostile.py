"""Arguments that nobody should pass: every one gives an error of fastops, or works; nothing else ever comes out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.hostile_calls import good_calls, is_refused
from tests.helpers.hostile_values import hostile_values
from tests.helpers.seeds import chooser, deal, noted
from tests.helpers.torture import scale

Array = np.ndarray[Any, Any]

#: What every position gets, besides others that are drawn.
ALWAYS = [None, True, 1.5, "1", [1.0], [True], object(), 10**5000, np.array([1.0]), np.ma.masked_array([1], [True])]


def test_each_position_of_each_function() -> None:
    rng = chooser("hostile values")
    for name, (function, positions) in good_calls().items():
        refused: set[str] = set()
        for rounds in range(400):
            # A value is not refused where another argument leaves it unread.
            if rounds >= scale(1, 20) and refused == set(positions):
                break
            choices = ({each: rng.choice(good) for each, good in positions.items()} for _ in range(10_000))
            good = next(chosen for chosen in choices if not is_refused(name, function, chosen))
            pool = rng.sample(hostile_values(rng), 30 if positions else 0)
            values = [(position, bad) for position in positions if position not in refused for bad in ALWAYS]
            values += zip(deal(rng, list(positions), len(pool)), pool, strict=True)
            for position, bad in values:
                with noted(name, position, type(bad)):
                    if is_refused(name, function, {**good, position: bad}):
                        refused.add(position)
        assert refused == set(positions), name


def test_arrays_that_span_more_than_there_is_memory_are_errors() -> None:
    for byte_strides, shape in (((2**62,), (5,)), ((-(2**63),), (2,)), ((2**62, 2**62), (3, 3))):
        wide: Array = np.lib.stride_tricks.as_strided(np.zeros(1), shape, byte_strides)
        first, one = [0] * len(shape), [1] * len(shape)
        calls: list[Callable[[], Any]] = [
            partial(fo.slice, wide, first, one),
            partial(fo.strided_slice, wide, first, one),
            partial(fo.variadic_split, wide, 0, [1, -1]),
            partial(fo.plan.slice(shape, first, one), wide),
            partial(fo.slice, np.zeros(shape), first, list(shape), out=wide),
        ]
        for call in calls:
            with pytest.raises(fo.FastopsError, match=r"must (span at most|hold each element)"):
                call()


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="longdouble is float64 here")
def test_long_doubles_count_by_their_own_values() -> None:
    first = np.longdouble(2**63)
    assert fo.range(first + 1, first + 3, 1, "u64").tolist() == [2**63 + 1, 2**63 + 2]
    assert fo.range(np.longdouble(0.5), np.longdouble(2), np.longdouble(0.5), "f32").tolist() == [0.5, 1, 1.5]
    with pytest.raises(fo.AttributeValueError, match="stop must be finite"):
        fo.range(0, np.longdouble("inf"), 1, "f32")


def test_a_type_that_numpy_does_not_know_takes_no_fill_value() -> None:
    scaled = np.zeros(3).astype(np._core._multiarray_umath._get_sfloat_dtype()(1.0))
    assert fo.slice(scaled, [0], [3]).astype("f8").tolist() == [0, 0, 0]
    with pytest.raises(fo.DTypeError, match="fill_value must be left out"):
        fo.slice(scaled, [0], [4], mode="fill", fill_value=3)
