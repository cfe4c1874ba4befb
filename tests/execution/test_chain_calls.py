"""Chains run by the kernel: one pass gives what the stages give one by one, of every width, into any strides."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from fastops._execution import _tables
from fastops._execution._views import as_view
from fastops._schedules import _interiors
from fastops.plan import SlicePlan
from tests.helpers.chains import Array, Stage, draw_stages
from tests.helpers.torture import scale

CHAINS = scale(400, 20_000)

# Types of every width that kernels know, and of others; both byte orders, and types whose elements are not any bytes.
DTYPES = [
    *("?", "u1", "i1", "<i2", ">u2", "f2", "V3", "f4", ">i4", "V5", "V6", "S7", "U2", "f8", ">f8", "c8", "M8[s]"),
    *("V9", ">U3", "V12", "c16", ">c16", "V16", "V24", "V32", "V40", "V100", "V200", ml_dtypes.bfloat16),
    [("a", "<i2"), ("b", ">f4"), ("c", "u1", 3)],
    np.dtype([("x", "f8"), ("y", "?"), ("z", "S3")], align=True),
]

# Of small chains, and of those that have rows of vectors.
SMALL: dict[str, Any] = {}
LARGE: dict[str, Any] = {"lengths": (1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 48, 64, 97), "most": 20_000}


def elements(chosen: random.Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    n = int(np.prod(shape))
    if dtype.names is not None:
        # What lies between fields is no part of a fill value.
        record = np.zeros(shape, dtype)
        for name in dtype.names:
            field = dtype[name]
            record[name] = elements(chosen, (*shape, *field.shape), field.base)
        return record
    if dtype.kind == "U":
        points = [chosen.randint(1, 0xD7FF) for _ in range(n * dtype.itemsize // 4)]
        return np.array(points, dtype.byteorder + "u4").view(dtype).reshape(shape)
    made = np.frombuffer(chosen.randbytes(n * dtype.itemsize), dtype).reshape(shape)
    if dtype.kind == "b":
        made = (made.view(np.uint8) & 1).view(dtype)
    return made


def moved(data: Array, numbers: Array, fills: Array) -> Array:
    """The elements that numbers stand for: those of data, or the fill value of a slot below 0."""
    # By bytes, of which NumPy would change some: the order, and what lies between fields.
    cell = np.dtype(f"V{data.itemsize}")
    every = np.concatenate([fills.view(cell)[::-1], data.reshape(-1).view(cell)])
    return np.ascontiguousarray(every[numbers + fills.size]).view(data.dtype).reshape(numbers.shape)


class Memory:
    """A buffer with an array of any strides in it: axes in any order, up and down, with gaps, at any address."""

    def __init__(self, chosen: random.Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = shape, dtype
        order = list(range(len(shape)))
        is_plain = chosen.random() < 0.3
        if not is_plain and chosen.random() < 0.5:
            chosen.shuffle(order)
        steps = [0] * len(shape)
        low, span = 0, dtype.itemsize
        for axis in order[::-1]:
            steps[axis] = span if is_plain else span + chosen.choice((0, 0, 0, 1, 2, 3, dtype.itemsize, 16))
            reach = steps[axis] * max(shape[axis] - 1, 0)
            span += reach
            if not is_plain and chosen.random() < 0.3:
                low -= reach
                steps[axis] *= -1
        # Of empty arrays they can be anything.
        self.byte_strides, self.first, self.bytes = tuple(steps), -low, span
        if 0 in shape:
            self.first, self.bytes = 0, 0

    def place(self, buffer: Array, at: int) -> Array:
        """The array, of which the lowest byte lies at a place of a buffer."""
        return np.ndarray(self.shape, self.dtype, buffer, at + self.first, self.byte_strides)


def given_values(chosen: random.Random, fills: Array) -> Any:
    """Fill values as a call gives them."""
    values: list[Any] = [value.tobytes() if fills.dtype.kind == "S" else value for value in fills]
    if fills.dtype.kind == "V" and fills.dtype.names is None and fills.dtype.isbuiltin != 2:
        values = [value.tobytes() for value in fills]
    if len({value.tobytes() for value in fills}) == 1 and chosen.random() < 0.5:
        return values[0]
    return tuple(values) if fills.dtype.names is None and chosen.random() < 0.5 else values


def run_stages(chosen: random.Random, stages: Sequence[Stage], dtype: np.dtype[Any], counted: Counter[str]) -> None:
    """Compare a chain with its stages one by one: in as few plans as there can be, each into memory at random."""
    groups: list[tuple[SlicePlan, list[Stage]]] = []
    for stage in stages:
        try:
            if groups:
                groups[-1] = (groups[-1][0].then(stage.plan), [*groups[-1][1], stage])
            else:
                groups.append((stage.plan, [stage]))
        except fo.AttributeValueError:
            groups.append((stage.plan, [stage]))
    counted["one plan" if len(groups) == 1 else "several plans"] += 1
    data = elements(chosen, stages[0].source_shape, dtype)
    for plan, own in groups:
        again = SlicePlan.from_json(plan.to_json())
        assert again == plan
        assert repr(again) == repr(plan)
        numbers, slots = np.arange(data.size).reshape(data.shape), 0
        for stage in own:
            numbers = stage.apply(numbers, slots)
            slots += stage.plan.fills
        assert plan.fills == slots
        fills = elements(chosen, (plan.fills,), dtype)
        if chosen.random() < 0.2:
            fills = np.zeros(fills.shape, dtype)
        elif chosen.random() < 0.2:
            fills = fills[:1].view(f"V{dtype.itemsize}").repeat(plan.fills).view(dtype)[: plan.fills]
        expected = moved(data, numbers, fills) if plan.size else np.zeros(plan.shape, dtype)
        given = given_values(chosen, fills) if plan.fills else None
        if not any(fills.tobytes()) and chosen.random() < 0.7:
            given = None
        check_call(chosen, plan, again, data, expected, given, counted)
        data = expected


def check_call(
    chosen: random.Random,
    plan: SlicePlan,
    again: SlicePlan,
    data: Array,
    expected: Array,
    given: Any,
    counted: Counter[str],
) -> None:
    """Run a plan, and the same from JSON, from memory at random and into such; nothing but ``out`` may change."""
    dtype = data.dtype
    sources, targets = Memory(chosen, data.shape, dtype), Memory(chosen, expected.shape, dtype)
    overlaps = chosen.random() < 0.3
    room = max(sources.bytes, targets.bytes) if overlaps else sources.bytes + targets.bytes
    buffer = np.frombuffer(bytearray(chosen.randbytes(room + 80)), np.uint8)
    ends = [chosen.randint(0, 15) + (0 if overlaps else at) for at in (0, 16 + sources.bytes)]
    source, target = sources.place(buffer, ends[0]), targets.place(buffer, ends[1])
    np.copyto(source.view(f"V{dtype.itemsize}"), data.view(f"V{dtype.itemsize}"))
    told = (plan, data.dtype, source.strides, target.strides, given, overlaps)
    if chosen.random() < 0.3:
        source.flags.writeable = False
    result = plan(source, fill_value=given)
    assert result.dtype == dtype
    assert result.flags.c_contiguous
    assert result.tobytes() == expected.tobytes(), told
    # What the first call has prepared, the second one runs.
    assert plan(source, fill_value=given).tobytes() == expected.tobytes(), told
    if plan.is_view:
        view = as_view(plan, source)
        assert view.shape == expected.shape
        assert np.ascontiguousarray(view.view(f"V{dtype.itemsize}")).tobytes() == expected.tobytes(), told
        assert not view.size or np.shares_memory(view, source)
        counted["views"] += 1
    after = buffer.copy()
    np.copyto(targets.place(after, ends[1]).view(f"V{dtype.itemsize}"), expected.view(f"V{dtype.itemsize}"))
    # The whole array is read before any of it is written.
    assert again(source, target, given) is target
    assert np.array_equal(buffer, after), told
    counted["overlapping" if overlaps and np.shares_memory(source, target) else "apart"] += 1


@pytest.mark.parametrize("smallest_peeled", [1, 1 << 13])
@pytest.mark.parametrize("limits", [SMALL, LARGE], ids=["small", "large"])
def test_random_chains_into_any_strides(
    smallest_peeled: int, limits: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_interiors, "_SMALLEST_PEELED", smallest_peeled)
    monkeypatch.setattr(_interiors, "_SMALLEST_PEELED_EDGE", min(smallest_peeled, 1 << 10))
    chosen = random.Random(f"7 {smallest_peeled} {sorted(limits)}")
    counted: Counter[str] = Counter()
    for _ in range(CHAINS // 4):
        monkeypatch.setattr(_tables, "STREAM_BYTES", chosen.choice((1 << 24, 1 << 24, 1)))
        stages = draw_stages(chosen, chosen.choice((1, 2, 2, 3, 3, 4, 4)), **limits)
        run_stages(chosen, stages, np.dtype(chosen.choice(DTYPES)), counted)
    print(dict(counted))
    assert counted["one plan"] > counted["several plans"] > 0
    assert counted["overlapping"] > 0


def draw_image(chosen: random.Random, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An image of pixels or of planes, whose rows have gaps or none and whose axes go up or down; maybe read-only."""
    height, width, channels = shape
    inner = channels if chosen.random() < 0.7 else 1
    row = width * inner * dtype.itemsize + chosen.choice((0, 0, 1, dtype.itemsize, 64))
    memory = np.frombuffer(bytearray(chosen.randbytes(channels // inner * height * row + 8)), np.uint8)
    strides = (row, inner * dtype.itemsize, dtype.itemsize if inner == channels else height * row)
    image: Array = np.ndarray(shape, dtype, memory, chosen.choice((0, 0, 1, 4)), strides)
    image = image[tuple([slice(None, None, chosen.choice((1, 1, 1, -1))) for _ in shape])]
    image.flags.writeable = chosen.random() < 0.7
    return image


def _draw_widths(chosen: random.Random, most: int) -> list[tuple[int, int]]:
    return [*[(chosen.randint(0, most), chosen.randint(0, most)) for _ in range(2)], (0, 0)]


@pytest.mark.parametrize("mode", ["reflect", "edge", "constant", "wrap", "symmetric"])
@pytest.mark.parametrize(
    ("dtype", "channels"),
    [
        *(("u1", 1), ("u1", 2), ("u1", 3), ("u1", 4), ("u2", 3), ("u2", 4)),
        *(("f4", 3), ("f4", 2), ("f8", 1), ("V3", 1), ("V12", 1)),
    ],
)
def test_interiors_and_edges_of_images(mode: str, dtype: str, channels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(f"{mode}{dtype}{channels}")
    for _ in range(scale(10, 300)):
        monkeypatch.setattr(_tables, "STREAM_BYTES", chosen.choice((1 << 24, 1 << 24, 1)))
        side = chosen.choice((140, 140, 140, 500)) if chosen.random() < 0.3 else 90
        image = draw_image(chosen, (chosen.randint(30, side), chosen.randint(30, side), channels), np.dtype(dtype))
        widths, most = _draw_widths(chosen, chosen.choice((4, 29))), 3
        padded = np.pad(np.arange(image.size).reshape(image.shape), widths, mode)  # type: ignore[call-overload]
        if mode == "constant":
            padded = np.pad(np.arange(image.size).reshape(image.shape), widths, constant_values=-1)
        begins = [chosen.randint(0, n // 3) for n in padded.shape[:2]]
        ends = [chosen.randint(2 * n // 3, n) for n in padded.shape[:2]]
        rows = slice(begins[0], ends[0], chosen.choice((1, 1, 1, 2)))
        key = (
            rows,
            slice(ends[1] - 1, begins[1] or None, -1) if chosen.random() < 0.5 else slice(begins[1], ends[1]),
            slice(None, None, chosen.choice((1, 1, -1))),
        )
        plan = fo.plan.numpy.pad(image.shape, widths, mode)[key]
        numbers = padded[key]
        while chosen.random() < 0.4 and plan.fills < most:
            # Frames of other fill values, of which later ones lie over those before.
            own = _draw_widths(chosen, 5)
            plan = plan.then(fo.plan.numpy.pad(plan.shape, own))
            numbers = np.pad(numbers, own, constant_values=-plan.fills)
            if chosen.random() < 0.5:
                turned = slice(None, None, -1)
                plan, numbers = plan[:, turned], numbers[:, turned]
        fills = elements(chosen, (plan.fills,), image.dtype)
        given = given_values(chosen, fills) if plan.fills else None
        for axes in ((0, 1, 2), (2, 0, 1), (1, 0, 2), (2, 1, 0)):
            each = plan.transpose(axes)
            expected = moved(np.ascontiguousarray(image), numbers.transpose(axes), fills)
            told = (image.shape, image.strides, widths, key, axes, plan)
            assert each(image, fill_value=given).tobytes() == expected.tobytes(), told
            backwards = np.empty(expected.shape[::-1], dtype).T
            each(image, backwards, given)
            assert backwards.tobytes() == expected.tobytes(), told


def test_a_chain_can_be_a_view() -> None:
    data = np.arange(120).reshape(4, 5, 6)
    plan = fo.plan.numpy.take_slice(data.shape, np.s_[1:, ::-2, 2])
    assert np.array_equal(plan.transpose((1, 0))(data), data[1:, ::-2, 2].T)
    split = SlicePlan.create([fo.plan.AxisMap.whole(2), fo.plan.AxisMap.whole(3)], (3, 2), (6,), (1, 0))
    assert np.array_equal(split(np.arange(6)), np.arange(6).reshape(2, 3).T)
