"""The notes of `fastops explain`, as functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops
from fastops import SampleMode
from fastops._arrays._dtypes import as_output_type
from fastops._cli._range_notes import explain_range, note_truncation, value_at
from fastops._cli._slice_notes import count_outside, explain_slice, explain_variadic_split
from fastops._cli._strided_slice_notes import Written, explain_strided_slice, note_masks, note_shrink, note_slice
from fastops._cli._words import Block, describe_axis, numbered
from fastops.plan import AxisMap


def written(begin: int, end: int, stride: int = 1, *masks: str) -> Written:
    return Written(begin, end, stride, frozenset(masks))


def notes(blocks: list[Block]) -> list[str]:
    return [note for block in blocks for note in block.notes]


@pytest.mark.parametrize(
    ("extent", "at", "expected"),
    [
        (5, written(1, 3), []),
        (5, written(99, 4), ["begin clamped from 99 to 5", "nothing is taken"]),
        (5, written(-1, 5), ["begin -1 counts from the end: 4"]),
        (5, written(-9, 5), ["begin clamped from -9 to 0"]),
        (5, written(0, 99), ["end clamped from 99 to 5"]),
        (5, written(0, -1), ["end -1 counts from the end: 4, which is not taken"]),
        (5, written(99, 0, -1), ["begin clamped from 99 to 4"]),
        (5, written(4, -1, -1), ["end -1 counts from the end: 4; only end_mask", "nothing is taken"]),
        (5, written(4, -6, -1), ["end -6 counts from the end: one before index 0"]),
        (5, written(4, -99, -1), ["end clamped from -99 to before index 0"]),
        (5, written(-8, -10, -1), ["begin -8 lies before the axis", "end clamped", "NumPy takes nothing here"]),
        (5, written(-8, 3, -1), ["begin -8 lies before the axis", "nothing is taken"]),
        (5, written(9, 9, -2, "begin_mask", "end_mask"), ["end_mask under a negative stride takes index 0 too"]),
        (5, written(9, 9, 1, "begin_mask", "end_mask"), []),
        (5, written(0, 2, 7), ["stride 7 has no effect"]),
        (0, written(0, 2), ["the axis is empty"]),
    ],
)
def test_note_slice(extent: int, at: Written, expected: list[str]) -> None:
    found = note_slice(extent, at)
    assert len(found) == len(expected), found
    for note, start in zip(found, expected, strict=True):
        assert note.startswith(start)


def test_the_numpy_note_is_there_exactly_where_numpy_differs() -> None:
    for extent in range(5):
        data = np.arange(extent)
        for begin in range(-8, 9):
            for end in range(-8, 9):
                for stride in (-3, -2, -1, 1, 2, 3):
                    ours = fastops.plan.strided_slice([extent], [begin], [end], [stride]).shape[0]
                    differs = ours != len(data[begin:end:stride])
                    found = note_slice(extent, written(begin, end, stride))
                    assert any(note.startswith("NumPy") for note in found) == differs
                    assert any(note.startswith("nothing is taken") for note in found) == (ours == 0 < extent)


def test_note_masks() -> None:
    assert note_masks(3, {"begin_mask": [0, 0, 0, 1, 1]}) == ("begin_mask is longer than begin: bits 3..4 ignored",)
    assert note_masks(3, {"end_mask": [1, 1]}) == ("end_mask is shorter than begin: bit 2 taken as 0",)
    assert note_masks(3, {"begin_mask": [1, 1, 1], "end_mask": []}) == ()


def test_note_shrink() -> None:
    assert note_shrink(4, written(1, 0)) == ("end is ignored by shrink",)
    assert note_shrink(4, written(-1, 0, 5, "begin_mask")) == (
        "begin -1 counts from the end: 3",
        "end and stride are ignored by shrink",
        "begin_mask is ignored by shrink",
    )


def test_strided_slice_blocks() -> None:
    blocks = explain_strided_slice(
        (2, 3, 4, 5),
        [7, 8, 1],
        [9, 9, 0],
        [0, 0, -1],
        new_axis_mask=[1],
        ellipsis_mask=[0, 1],
        shrink_axis_mask=[1, 1, 1],
    )
    assert [block.line.split(":")[0] for block in blocks] == [
        "strided_slice",
        "new axis",
        "axis 0",
        "axis 1",
        "axis 2",
        "axis 3",
    ]
    assert blocks[0].line == "strided_slice: (2, 3, 4, 5) -> (1, 2, 3, 4), reads in bounds, so it can be a view"
    assert blocks[1].notes == (
        "begin, end and stride are ignored at a new axis",
        "shrink_axis_mask is ignored at a new axis",
    )
    assert blocks[2].notes == (
        "begin, end and stride are ignored at the ellipsis",
        "shrink_axis_mask is ignored at the ellipsis",
    )
    assert blocks[3].notes == ()
    assert blocks[5].line.endswith("index 1; dropped from the result")


def test_axes_that_are_not_named() -> None:
    assert "begin does not name axes 1..2: taken whole" in notes(explain_strided_slice((2, 3, 4), [0], [2]))
    assert "ellipsis: stands for no axis" in [
        block.line for block in explain_strided_slice((3,), [0, 0], [2, 0], ellipsis_mask=[0, 1])
    ]
    assert "axes does not name axes 0, 2: taken whole" in notes(explain_slice((2, 3, 4), [0], [2], axes=[1]))


def test_an_empty_plan_says_that_nothing_is_read() -> None:
    blocks = explain_strided_slice((2, 3), [-1, 3], [0, 1], shrink_axis_mask=[1])
    assert blocks[0].line.endswith("which is empty")
    assert "not read, because the result is empty" in blocks[1].line
    blocks = explain_slice((2, 3), [-5, 0], [2, 0])
    assert notes(blocks) == ["the result is empty: nothing is read, wherever it starts"]


def test_count_outside_by_brute_force() -> None:
    for extent in range(4):
        for start in range(-7, 8):
            for stride in range(-4, 5):
                for count in range(6):
                    coordinates = [start + y * stride for y in range(count)]
                    expected = (sum(x < 0 for x in coordinates), sum(x >= extent for x in coordinates))
                    assert count_outside(start, stride, count, extent) == expected


def test_fill_counts_elements() -> None:
    found = notes(explain_slice((5, 4), [-2, 3], [9, 2], mode="fill"))
    result = fastops.slice(np.ones((5, 4)), [-2, 3], [9, 2], mode="fill")
    assert f"{int((result == 0).sum())} of 18 elements are the fill value: zero, the default" in found
    assert "start -2 is not counted from the end: it lies 2 before the axis" in found
    assert "2 of 9 coordinates lie before the axis, 2 behind it" in found


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (((5,), [1], [3], None, "reflect"), "mode reflect never applies: all coordinates are in bounds"),
        (((5,), [-9], [3], None, "clamp"), "no coordinate is inside: clamp repeats the edge"),
        (((1,), [-1], [3], None, "reflect"), "an axis of length 1 reads its one index everywhere in mode reflect"),
        (((5,), [1], [3], [0], "wrap"), "stride 0 repeats one coordinate 3 times"),
        (((5,), [1], [1], [3], "wrap"), "stride 3 has no effect: there is one output"),
    ],
)
def test_slice_notes(call: tuple[Any, ...], expected: str) -> None:
    *attributes, mode = call
    assert expected in notes(explain_slice(*attributes, mode=mode))


def test_an_ordinary_call_has_no_notes() -> None:
    assert notes(explain_strided_slice((5, 6), [1, 0], [3, 6], [1, 2])) == []
    assert notes(explain_slice((5, 6), [1, 0], [3, 6])) == []
    assert notes(explain_variadic_split((5, 6), 0, [2, 3])) == []
    assert notes(explain_range(0, 5, 1, "i32")) == []


def test_variadic_split_blocks() -> None:
    blocks = explain_variadic_split((6, 4), -2, [1, -1, 0])
    assert [block.line for block in blocks] == [
        "variadic_split: (6, 4) -> 3 parts along axis 0",
        "part 0: shape (1, 4), index 0 of axis 0",
        "part 1: shape (5, 4), indices 1..5 of axis 0",
        "part 2: shape (0, 4), nothing of axis 0",
    ]
    assert notes(blocks) == [
        "axis -2 counts from the end: axis 0",
        "-1 in split_lengths is resolved to 5, what the others leave",
        "the part has length 0",
    ]


def test_range_notes() -> None:
    assert note_truncation(1.9, 3, -2.5) == (
        "start 1.9 is truncated to 1, because the output type is integral",
        "step -2.5 is truncated to -2, because the output type is integral",
    )
    assert notes(explain_range(1, -1, 0.1, "f32")) == ["no values: stop is not reached from start by step"]
    assert notes(explain_range(2, 2, 1, "f32")) == ["no values: start equals stop"]
    assert notes(explain_range(100, 200, 50, "i8")) == ["values leave -128..127: they wrap modulo 2^8"]
    assert notes(explain_range(0, 1e6, 1e5, "f16")) == ["the values leave the range of float16"]
    assert notes(explain_range(2**24, 2**24 + 2, 0.5, "f32")) == [
        "step is lost: float32 rounds the first two values to the same number"
    ]
    assert explain_range(2, 23, 3, "i32")[2].line == "values: 2 5 8 11 14 ...; the last is 20"


@pytest.mark.parametrize("name", ["i8", "u8", "i4", "u64", "i64", "f16", "bf16", "f32", "f64", "f8e4m3"])
@pytest.mark.parametrize("call", [(0, 9, 1), (-3.7, 300.2, 1.3), (7, -200, -3)])
def test_value_at_is_what_the_operator_writes(name: str, call: tuple[float, float, float]) -> None:
    dtype = as_output_type("range", name)
    made = fastops.plan.range(*call, name)
    result = fastops.range(*call, name)
    values = [np.asarray(value_at(made, dtype, i)).astype(dtype) for i in range(made.count)]
    assert b"".join(value.tobytes() for value in values) == result.tobytes()


def test_words() -> None:
    assert numbered(2, 2, "bit", "bits") == "bit 2"
    lines = {
        AxisMap.create(5, 4, -1, 5): "the whole axis, reversed",
        AxisMap.create(5, 2, 0, 3): "index 2, 3 times",
        AxisMap.create(5, 3, 1, 1): "index 3",
        AxisMap.create(50, 3, 1, 20): "indices 3..22",
        AxisMap.create(50, 0, 2, 25): "indices 0 2 4 6 8 10 12 ... 48",
        AxisMap.create(2, -1, 1, 4, SampleMode.FILL): "coordinates -1..2 read FILL 0 1 FILL",
    }
    for axis, words in lines.items():
        assert describe_axis(0, axis) == f"axis 0: {axis}: {words}"
