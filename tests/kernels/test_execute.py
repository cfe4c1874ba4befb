"""The core called as a function: if it refuses arguments, it returns a status and writes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops import SampleMode
from fastops._arrays._conversions import Normalization, find_conversion
from fastops._execution._execute import as_table
from fastops._geometry._words import Piece, to_words
from fastops._runtime._kernels import load_entry
from fastops._settings import STREAM_BYTES
from fastops.kernels._tables import _arrays as a, _conversion as c, _words as w
from fastops.plan import AxisMap, SlicePlan
from tests.helpers.draws import Choices, draw_gather_case
from tests.helpers.launches import described
from tests.helpers.seeds import chooser, scale

STATUSES = {a.DONE, a.NO_ARRAYS, a.OTHER_SHAPE, a.TOO_FAR, a.SHARED, a.NO_FILL, a.WRONG_WORDS, a.NO_MEMORY}

SOURCE = np.arange(60, dtype=np.float32).reshape(12, 5)
PLAN = SlicePlan((AxisMap.create(12, -2, 3, 4, SampleMode.FILL), AxisMap.whole(5)), (4, 5), (12, 5))
FILL = np.zeros(4, np.uint8)


def words_of(*plans: SlicePlan) -> Any:
    pieces = [Piece(plan.geometry, i) for i, plan in enumerate(plans)]
    return as_table(to_words(plans[0].source_shape, [plan.shape for plan in plans], pieces))


def execute(outs: tuple[Any, ...], source: Any, words: Any, fill: Any = FILL, conversion: Any = None) -> int:
    """Run the entry for objects with one thread; return its status."""
    found = load_entry("execute")(outs, source, words, None, fill, conversion, STREAM_BYTES, 0, 0)
    assert found is outs or isinstance(found, int)
    return a.DONE if found is outs else found


def changed(words: Any, *changes: tuple[int, int]) -> list[Any]:
    """Copies of words, each with one of the changes: a place and a value."""
    copies = [words.copy() for _ in changes]
    for copy, (place, value) in zip(copies, changes, strict=True):
        copy[place] = value
    return copies


def new_outs(n: int = 1) -> tuple[np.ndarray[Any, Any], ...]:
    return tuple([np.full((4, 5), 7, np.float32) for _ in range(n)])


def test_who_calls_is_asked_to_pin_memory_that_belongs_to_no_array() -> None:
    source = np.frombuffer(bytes(range(250)) * 400, np.uint8)
    plan = fo.plan.slice(source.shape, [1], [source.size - 1])
    outs, words = (np.zeros(plan.shape, np.uint8),), words_of(plan)
    run, how = load_entry("execute"), (words, None, FILL, None, STREAM_BYTES)
    assert run(outs, source, *how, 0, 0) == a.NOT_PINNED
    assert not outs[0].any()
    assert run(outs, source, *how, 1, 0) is outs
    np.testing.assert_array_equal(outs[0], source[1:])


def test_arrays_that_do_not_fit_are_a_status() -> None:
    read_only, (out,) = new_outs()[0], new_outs()
    read_only.setflags(write=False)
    shared = np.zeros((12, 10), np.float32)
    one_row = np.lib.stride_tricks.as_strided(np.zeros(5, np.float32), (4, 5), (0, 4))
    cases: list[tuple[int, list[tuple[Any, Any, Any]]]] = [
        (
            a.NO_ARRAYS,
            [
                *[((), SOURCE, FILL), (new_outs(2), SOURCE, FILL), ((out.tolist(),), SOURCE, FILL)],
                *[((out,), SOURCE.tolist(), FILL), ((out,), None, FILL), ((out.view(np.matrix),), SOURCE, FILL)],
                *[((np.ma.masked_array(out),), SOURCE, FILL), ((out.view(np.int32),), SOURCE, FILL)],
                *[((out.view(out.dtype.newbyteorder()),), SOURCE, FILL), ((out[None],), SOURCE, FILL)],
                ((np.empty((4, 5), object),), SOURCE.astype(object), FILL),
            ],
        ),
        (a.OTHER_SHAPE, [((out,), SOURCE[0], FILL), ((out[:3],), SOURCE, FILL), ((out,), SOURCE[1:], FILL)]),
        (a.NOT_WRITEABLE, [((read_only,), SOURCE, FILL)]),
        (a.SHARED, [((shared[:4, :5],), shared[:, :5], FILL), ((one_row,), SOURCE, FILL)]),
        (
            a.NO_FILL,
            [
                *[((out,), SOURCE, fill) for fill in (FILL[:3], FILL.reshape(2, 2), None, np.zeros(1, np.int32))],
                *[((out,), SOURCE, fill) for fill in (np.zeros(1, ">f4"), np.zeros(9, np.float64))],
            ],
        ),
    ]
    for status, calls in cases:
        for outs, source, fill in calls:
            assert execute(outs, source, words_of(PLAN), fill) == status, (status, outs, source, fill)
    # A plan of two fill values, but only one is given.
    once = fo.plan.numpy.pad((12, 5), 1)
    plan = once.then(fo.plan.numpy.pad(once.shape, 1))
    (out_of_two,) = outs = (np.full(plan.shape, 7, np.float32),)
    for fill in (FILL, np.zeros(7, np.uint8), np.zeros(1, np.float32)):
        assert execute(outs, SOURCE, words_of(plan), fill) == a.NO_FILL, fill
    assert {*out_of_two.ravel()} == {7}
    assert execute(outs, SOURCE, words_of(plan), np.array([1, 2], np.float32)) == a.DONE
    np.testing.assert_array_equal(out_of_two, np.pad(np.pad(SOURCE, 1, constant_values=1), 1, constant_values=2))
    outs = new_outs() * 2
    assert execute(outs, SOURCE, words_of(PLAN, PLAN)) == a.SHARED
    assert {*out.ravel(), *outs[0].ravel(), *read_only.ravel()} == {7}


def test_words_that_are_none_are_a_status() -> None:
    right = words_of(PLAN)
    header = ((w.PIECES, 2), (w.OUTPUTS, 0), (w.SRC_RANK, 1), (w.SRC_RANK, -1), (w.FIRST_PIECE, 5))
    first_axis = right[w.FIRST_PIECE] + w.PIECE_COLUMNS
    of_axis = (
        *((w.COUNT, 5), (w.COUNT, -1), (w.MODE, 9), (w.MODE, -1), (w.MODE, w.STRICT_BOUNDS), (w.EXTENT, 13)),
        *((w.SRC_AXIS, 2), (w.SRC_FIRST, 1), (w.SRC_STEP, 2), (w.SRC_STEP, -1), (w.START, 1 << 62)),
        *((w.DST_AXIS, 2), (w.DST_FIRST, 1), (w.DST_FIRST, -1), (w.DST_STEP, 2), (w.DST_STEP, -1)),
    )
    wrong = [right[:n] for n in range(right.size)]
    wrong += changed(right, *header, *[(first_axis + column, value) for column, value in of_axis])
    outs = new_outs()
    for words in wrong:
        assert execute(outs, SOURCE, words) == a.WRONG_WORDS, words.tolist()
    assert {*outs[0].ravel()} == {7}


def test_conversions_that_do_not_fit_are_a_status() -> None:
    data, wanted = np.arange(60, dtype=np.uint8).reshape(4, 5, 3), Normalization((1, 2, 3), (4, 5, 6), 2, None)
    plan = fo.plan.slice(data.shape, [1], [3], axes=[0])
    out, right = np.full(plan.shape, 7, np.float32), find_conversion(wanted, data.dtype, None, 3)
    wrong = [right.words[:n] for n in (*range(c.HEADER_COLUMNS), -8)]
    wrong += changed(
        right.words,
        *((c.SOURCE, -1), (c.SOURCE, 7), (c.SOURCE, c.UINT16), (c.SOURCE, c.FLOAT32)),
        *((c.RESULT, -1), (c.RESULT, 4), (c.RESULT, c.TO_FLOAT64)),
        *((c.CHANNEL_AXIS, -2), (c.CHANNEL_AXIS, -1), (c.CHANNEL_AXIS, 1), (c.CHANNEL_AXIS, 3)),
        *((c.CHANNELS, 0), (c.CHANNELS, 2), (c.CHANNELS, 4), (c.CHANNELS, -1), (c.CHANNELS, 1 << 62)),
    )
    of_int8 = find_conversion(wanted, np.dtype(np.int8), None, 3)
    cases = [(right._replace(words=words.copy()), out, data, a.WRONG_WORDS) for words in wrong]
    cases += [(of_int8, out, data, a.NO_ARRAYS), (right, out, data.astype(np.int8), a.NO_ARRAYS)]
    cases += [(right, out.astype(dtype), data, a.NO_ARRAYS) for dtype in (np.float64, ">f4")]
    for conversion, target, source, status in cases:
        assert execute((target,), source, words_of(plan), FILL, conversion) == status, conversion
    assert {*out.ravel()} == {7}
    # Words without outputs.
    assert execute((), data, as_table([0, 0, 3, 0, 8, *data.shape]), FILL, right) == a.WRONG_WORDS
    assert execute((out,), data, words_of(plan), FILL, right) == a.DONE
    scales = (1 / np.array(wanted.std)).astype(np.float32)
    shifts = (-np.array(wanted.mean) / np.array(wanted.std)).astype(np.float32)
    np.testing.assert_array_equal(out, data[1:].astype(np.float32) * scales + shifts)


def test_whatever_words_say_nothing_but_outputs_is_written() -> None:
    statuses = set()
    for seed in range(scale(400, 100_000)):
        choices = Choices(chooser(f"wrong words {seed}"))
        case = draw_gather_case(choices)
        if not sum(plan.size for plan in case.plans):
            continue
        words = words_of(*case.plans)
        for _ in range(choices.pick((1, 1, 2, 4))):
            near = int(words[choices.integer(0, words.size - 1)])
            value = choices.pick((0, 1, -1, near, near + 1, near - 1, -near, 2 * near, 1 << 40, -(1 << 60), 2**63 - 1))
            words[choices.integer(0, words.size - 1)] = max(min(value, 2**63 - 1), -(2**63))
        memories = case.source, *case.outputs
        buffers = [memory.new_buffer(case.seed) for memory in memories]
        guards = [buffer.copy() for buffer in buffers]
        arrays = [memory.array_in(buffer, case.dtype) for memory, buffer in zip(memories, buffers, strict=True)]
        fill = np.zeros(max(plan.fills for plan in case.plans) * case.dtype.itemsize + 1, np.uint8)
        with described(arrays, words, fill) as where:
            statuses.add(load_entry("execute_at")(*where, case.smallest_peeled, STREAM_BYTES, 1, 1, 0, 1))
        for memory, buffer, guard in zip(case.outputs, buffers[1:], guards[1:], strict=True):
            memory.array_in(guard, case.dtype)[...] = memory.array_in(buffer, case.dtype)
        # The source, and the bytes around and between the elements of outputs, are as before.
        assert list(map(np.ndarray.tobytes, buffers)) == list(map(np.ndarray.tobytes, guards)), seed
    assert {a.DONE, a.WRONG_WORDS} <= statuses <= STATUSES


def test_ints_that_are_no_words_are_errors() -> None:
    outs = new_outs()
    for place in range(5):
        how: list[int] = [STREAM_BYTES, 0, 1, 0, 1]
        how[place] = 1 << 63
        with pytest.raises(OverflowError):
            load_entry("execute_launch")(outs, SOURCE, words_of(PLAN), FILL, None, *how)
    with pytest.raises(OverflowError):
        load_entry("execute")(outs, SOURCE, words_of(PLAN), None, FILL, None, 1 << 63, 0, 0)
    assert execute(outs, SOURCE, words_of(PLAN)) == a.DONE
