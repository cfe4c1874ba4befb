"""The scheduler, interpreted: the tables that it makes of words are what plans mean, and words are plans."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from fastops._geometry._geometry import size_of
from fastops._geometry._words import Piece, Place, to_words
from fastops.kernels._tables import _gather as g
from fastops.plan import SlicePlan
from tests.fuzz._case import Choices
from tests.fuzz._gather_cases import GatherCase, draw_gather_case
from tests.helpers.chains import elements_of
from tests.helpers.interpreters import from_words, parts_of, visits, visits_of
from tests.helpers.schedules import table_of
from tests.helpers.seeds import SEED, chooser
from tests.helpers.torture import scale

# Bytes of a case, at most: each is looked at in Python.
MOST_BYTES = 4000


def drawn(n: int) -> Choices:
    """What draws case n."""
    return Choices(chooser(f"scheduler {n}"))


def words_of_case(case: GatherCase) -> tuple[list[int], list[int]]:
    """The words of a case, and the byte strides of its arrays."""
    pieces = [Piece(plan.geometry, i) for i, plan in enumerate(case.plans)]
    words = to_words(case.source.shape, [plan.shape for plan in case.plans], pieces)
    return words, [*case.source.byte_strides, *[s for memory in case.outputs for s in memory.byte_strides]]


def test_tables_are_what_plans_mean() -> None:
    wrong, done = [], 0
    for seed in range(scale(400, 100_000)):
        case = draw_gather_case(drawn(seed))
        if not 0 < sum(plan.size for plan in case.plans) * case.width <= MOST_BYTES:
            continue
        done += 1
        words, strides = words_of_case(case)
        table = table_of(words, strides, case.width, streams=case.streams, smallest=case.smallest_peeled)
        assert table is not None
        for i, (plan, memory) in enumerate(zip(case.plans, case.outputs, strict=True)):
            right = visits_of(plan, case.source.byte_strides, case.width, memory.byte_strides)
            wrong += [(seed, i)] if visits(table, i) != right else []
    assert wrong == [], f"FASTOPS_TEST_SEED={SEED} draws them again"
    assert done > 100


def test_words_are_plans() -> None:
    for seed in range(scale(400, 50_000)):
        for plan in draw_gather_case(drawn(seed)).plans:
            found = from_words(to_words(plan.source_shape, [plan.shape], [Piece(plan.geometry, 0)]))
            assert sum(size_of(piece.geometry) for piece in found) == plan.size, SEED
            if plan.fills < 2 and plan.size:
                ((own, output, begins, fill_index),) = found
                again = SlicePlan(own.axes, plan.shape, own.source_shape, own.order, own.windows, plan.fills)
                assert np.array_equal(elements_of(again), elements_of(plan))
                assert (output, set(begins), fill_index) == (0, {0} if plan.shape else set(), 0)


def test_what_a_piece_is_written_to_is_in_its_words() -> None:
    plan = SlicePlan.create([])
    # A piece of one element, which is element (2, 0, 5) of the second output.
    places = (Place(0, 2, 1), Place(2, 5, 1))
    one = SlicePlan((), (1, 1), ())
    words = to_words((), [(), (3, 1, 6)], [Piece(plan.geometry, 0), Piece(one.geometry, 1, places)])
    first, second = from_words(words)
    assert (first.output, first.begins, second.output, second.begins) == (0, (), 1, (2, 0, 5))
    table = table_of(words, [100, 10, 2], 2, streams=False)
    assert table is not None
    offsets = [(part[g.DST_INDEX], part[g.DST_OFFSET]) for part in parts_of(table)]
    assert offsets == [(0, 0), (1, 210)]


def test_a_table_that_is_too_small_is_not_written_beyond() -> None:
    # Tables of some parts, in some of which there are programs and lists.
    tables = [(case, table) for seed in range(200) for case, table in whole_table(seed) if table[g.PARTS] > 2]
    assert len(tables) > 5
    for case, whole in tables:
        words, strides = words_of_case(case)
        for room in (*accumulate([1, 1, 20, *[40] * 20]), len(whole) - 1, len(whole)):
            made = table_of(words, strides, case.width, room=room, smallest=case.smallest_peeled)
            assert made is None or made == whole


def whole_table(seed: int) -> list[tuple[GatherCase, list[int]]]:
    case = draw_gather_case(drawn(seed))
    if not case.plans:
        return []
    table = table_of(*words_of_case(case), case.width, smallest=case.smallest_peeled)
    assert table is not None
    return [(case, table)]
