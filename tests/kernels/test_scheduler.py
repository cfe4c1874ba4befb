"""The scheduler, interpreted: the tables that it makes of words are those of `_schedules`, and words are plans."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from fastops._geometry._geometry import size_of
from fastops._geometry._words import Piece, Place, from_words, to_words, whole_output
from fastops._schedules import _byte_axes, _cuts
from fastops._schedules._schedule import create_schedule
from fastops.kernels._tables import _gather as g
from fastops.plan import SlicePlan
from tests.fuzz._choices import Choices
from tests.fuzz._gather_cases import GatherCase, draw_gather_case
from tests.helpers.schedules import table_of
from tests.helpers.seeds import SEED, chooser
from tests.helpers.torture import scale

Part = tuple[list[int], list[int]]


def drawn(n: int) -> Choices:
    """What draws case n."""
    return Choices(chooser(f"scheduler {n}"))


def parts_of(table: list[int]) -> list[Part]:
    """The parts of a table of the scheduler: their rows, without places in the table, and what follows them."""
    parts, at = [], g.HEADER_COLUMNS
    for _ in range(table[g.PARTS]):
        end = at + table[at + g.LENGTH]
        parts.append(part_of(table[at : at + g.PART_COLUMNS], table[at + g.PART_COLUMNS : end]))
        at = end
    assert at == len(table)
    return parts


def parts_in_rows(table: list[int]) -> list[Part]:
    """The same of a table of `_schedules`, which has the rows of all parts before their axes."""
    rows = [table[g.HEADER_COLUMNS + i * g.PART_COLUMNS :][: g.PART_COLUMNS] for i in range(table[g.PARTS])]
    ends = [*[row[g.FIRST_AXIS] for row in rows[1:]], len(table)]
    return [part_of(row, table[row[g.FIRST_AXIS] : end]) for row, end in zip(rows, ends, strict=False)]


def part_of(row: list[int], behind: list[int]) -> Part:
    row, behind = list(row), list(behind)
    for k in range(row[g.AXES]):
        axis = k * g.AXIS_COLUMNS
        # What lies behind the last output is nothing.
        if behind[axis + g.KIND] == g.AFFINE and behind[axis + g.HI] == behind[axis + g.COUNT]:
            behind[axis + g.AFTER] = 0
    row[g.FIRST_AXIS] = row[g.PROGRAM] = row[g.LENGTH] = 0
    return row, behind


def words_of_case(case: GatherCase) -> tuple[list[int], list[int]]:
    """The words of a case, and the byte strides of its arrays."""
    pieces = [whole_output(plan.geometry, i) for i, plan in enumerate(case.plans)]
    words = to_words(case.source.shape, [plan.shape for plan in case.plans], pieces)
    return words, [*case.source.byte_strides, *[s for memory in case.outputs for s in memory.byte_strides]]


def test_tables_are_those_of_schedules(monkeypatch: Any) -> None:
    straighten_walks(monkeypatch)
    wrong = []
    for seed in range(scale(400, 100_000)):
        case = draw_gather_case(drawn(seed))
        if not case.plans:
            continue
        words, strides = words_of_case(case)
        made = table_of(words, strides, case.width, streams=case.streams)
        layouts = [memory.byte_strides for memory in case.outputs]
        known = create_schedule(
            [plan.geometry for plan in case.plans], case.source.byte_strides, case.width, layouts, streams=case.streams
        )
        assert made is not None
        if made[g.TOTAL_BYTES] != known.total_bytes or parts_of(made) != parts_in_rows(list(known.table)):
            wrong.append(seed)
    assert wrong == [], f"FASTOPS_TEST_SEED={SEED} draws them again"


def straighten_walks(monkeypatch: Any) -> None:
    """Let `_schedules` make a plain axis of a walk that does not turn, as the scheduler does from the beginning."""
    lay = _byte_axes._lay_walk

    def lay_straight(*numbers: Any) -> Any:
        axis = lay(*numbers)
        return _cuts.cut(axis, 0, axis.count) if type(axis) is _byte_axes.WalkAxis else axis

    monkeypatch.setattr(_byte_axes, "_lay_walk", lay_straight)


def test_words_are_plans() -> None:
    for seed in range(scale(400, 50_000)):
        for plan in draw_gather_case(drawn(seed)).plans:
            found = from_words(to_words(plan.source_shape, [plan.shape], [whole_output(plan.geometry)]))
            assert sum(size_of(piece.geometry) for piece in found) == plan.size, SEED
            if plan.fills < 2 and plan.size:
                ((own, output, begins, fill_index),) = found
                again = SlicePlan(own.axes, plan.shape, own.source_shape, own.order, own.windows, plan.fills)
                assert (again, output, set(begins), fill_index) == (plan, 0, {0} if plan.shape else set(), 0)


def test_what_a_piece_is_written_to_is_in_its_words() -> None:
    plan = SlicePlan.create([])
    # A piece of one element, which is element (2, 0, 5) of the second output.
    places = (Place(0, 2, 1), Place(2, 5, 1))
    one = SlicePlan((), (1, 1), ())
    words = to_words((), [(), (3, 1, 6)], [whole_output(plan.geometry), Piece(one.geometry, 1, places)])
    first, second = from_words(words)
    assert (first.output, first.begins, second.output, second.begins) == (0, (), 1, (2, 0, 5))
    table = table_of(words, [100, 10, 2], 2, streams=False)
    assert table is not None
    offsets = [(part[g.DST_INDEX], part[g.DST_OFFSET]) for part, _ in parts_of(table)]
    assert offsets == [(0, 0), (1, 210)]


def test_a_table_that_is_too_small_is_not_written_beyond() -> None:
    case = next(each for seed in range(99) if len(find_parts(each := draw_gather_case(drawn(seed)))) > 2)
    words, strides = words_of_case(case)
    whole = table_of(words, strides, case.width, streams=False)
    assert whole is not None
    for room in accumulate([1, 1, 20, *[40] * 20]):
        made = table_of(words, strides, case.width, streams=False, room=room)
        assert made is None or made == whole


def find_parts(case: GatherCase) -> list[Part]:
    if not case.plans:
        return []
    table = table_of(*words_of_case(case), case.width, streams=False)
    assert table is not None
    return parts_of(table)
