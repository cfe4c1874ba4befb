"""Chains run by the kernel: one pass gives what the stages give one by one, of every width, into any strides."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.plan import SlicePlan
from tests.helpers.chains import Array, draw_stages
from tests.helpers.strategies import DTYPES, LAYOUTS, lay_out
from tests.helpers.torture import scale

CHAINS = scale(400, 20_000)


def elements(chosen: random.Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    n = int(np.prod(shape))
    return np.frombuffer(chosen.randbytes(n * dtype.itemsize), dtype).reshape(shape)


def moved(data: Array, numbers: Array, fills: Array) -> Array:
    """The elements that numbers stand for: those of data, or the fill value of a slot below 0."""
    every = np.concatenate([fills[::-1], data.reshape(-1)])
    return every[numbers + fills.size]


def test_random_chains_into_any_strides() -> None:
    chosen = random.Random(7)
    for n in range(CHAINS):
        stages = draw_stages(chosen, chosen.randint(1, 4))
        plan, shape = stages[0].plan, stages[0].source_shape
        numbers, slots = np.arange(np.prod(shape, dtype=int)).reshape(shape), 0
        try:
            for i, stage in enumerate(stages):
                plan = plan.then(stage.plan) if i else plan
                numbers = stage.apply(numbers, slots)
                slots += stage.plan.fills
        except fo.AttributeValueError:
            continue
        dtype = chosen.choice(DTYPES)
        data = lay_out(elements(chosen, shape, dtype), chosen.choice(LAYOUTS))
        fills = elements(chosen, (plan.fills,), dtype)
        expected = moved(data, numbers, fills) if plan.size else np.zeros(plan.shape, dtype)
        given = [value.tobytes() if dtype.kind in "VS" else value for value in fills] if plan.fills else None
        result = plan(data, fill_value=given)
        assert result.dtype == dtype
        assert result.tobytes() == expected.tobytes(), (n, stages, plan, data.strides)
        out = lay_out(np.zeros(plan.shape, dtype), chosen.choice(LAYOUTS[:-1]))
        assert plan(data, out, given) is out
        assert out.tobytes() == expected.tobytes(), (n, stages, plan, out.strides)


@pytest.mark.parametrize("mode", ["reflect", "edge", "constant", "wrap", "symmetric"])
@pytest.mark.parametrize(("dtype", "channels"), [("u1", 3), ("u1", 1), ("u1", 4), ("u2", 3), ("f4", 3), ("f4", 2)])
def test_interiors_and_edges_of_images(mode: str, dtype: str, channels: int) -> None:
    chosen = random.Random(f"{mode}{dtype}{channels}")
    for _ in range(scale(12, 300)):
        height, width = chosen.randint(40, 140), chosen.randint(40, 140)
        image = elements(chosen, (height, width, channels), np.dtype(dtype))
        widths = (
            (chosen.randint(0, 35), chosen.randint(0, 35)),
            (chosen.randint(0, 35), chosen.randint(0, 35)),
            (0, 0),
        )
        padded = np.pad(image, widths, mode)  # type: ignore[call-overload]
        begins = [chosen.randint(0, n // 3) for n in padded.shape[:2]]
        ends = [chosen.randint(2 * n // 3, n) for n in padded.shape[:2]]
        key = (
            slice(begins[0], ends[0]),
            slice(ends[1] - 1, begins[1] or None, -1) if chosen.random() < 0.5 else slice(begins[1], ends[1]),
        )
        plan = fo.plan.numpy.pad(image.shape, widths, mode)[key].transpose((2, 0, 1))
        expected = padded[key].transpose(2, 0, 1)
        assert plan(image).tobytes() == expected.tobytes(), (image.shape, widths, key)
        rows = fo.plan.numpy.pad(image.shape, widths, mode)[key]
        assert rows(image).tobytes() == padded[key].tobytes(), (image.shape, widths, key)
        backwards = np.empty(expected.shape[::-1], dtype).T
        plan(image, backwards)
        assert backwards.tobytes() == expected.tobytes()


def test_a_chain_can_be_a_view() -> None:
    data = np.arange(120).reshape(4, 5, 6)
    plan = fo.plan.numpy.take_slice(data.shape, np.s_[1:, ::-2, 2])
    assert np.array_equal(plan.transpose((1, 0))(data), data[1:, ::-2, 2].T)
    split = SlicePlan.create([fo.plan.AxisMap.whole(2), fo.plan.AxisMap.whole(3)], (3, 2), (6,), (1, 0))
    assert np.array_equal(split(np.arange(6)), np.arange(6).reshape(2, 3).T)
