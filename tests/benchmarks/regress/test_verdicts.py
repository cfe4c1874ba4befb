"""What follows from what was measured."""

from __future__ import annotations

import pytest

from benchmarks.regress._counters import WORSE, changes_between, is_worse
from benchmarks.regress._statistics import Interval
from benchmarks.regress._verdicts import CounterChange, Measured, Row, Verdict, exit_reason

SAME = Interval(1.0, 0.95, 1.05)


def measured(lower: float, upper: float, control: Interval = SAME, again: float | None = None) -> Measured:
    ratio = (lower * upper) ** 0.5
    return Measured(1e-3, Interval(ratio, lower, upper), Interval(ratio, again or lower, upper), control, 0.5, 9)


def row(*passes: Measured, absent: str = "") -> Row:
    return Row("memory/crop_f32", list(passes), absent)


SLOWER, FASTER, EQUAL = measured(1.15, 1.25), measured(0.7, 0.85), measured(0.96, 1.04)
LIKELY = measured(1.09, 1.2)


@pytest.mark.parametrize(
    ("passes", "verdict"),
    [
        ([], Verdict.SKIPPED),
        ([EQUAL], Verdict.NOT_SLOWER),
        ([FASTER], Verdict.UNCONFIRMED),
        ([FASTER, FASTER], Verdict.FASTER),
        ([FASTER, EQUAL], Verdict.NOT_SLOWER),
        ([measured(1.05, 1.15)], Verdict.BORDERLINE),
        ([measured(0.9, 1.15)], Verdict.UNDECIDED),
        ([SLOWER], Verdict.UNCONFIRMED),
        ([SLOWER, SLOWER], Verdict.REGRESSION),
        ([SLOWER, EQUAL], Verdict.NOT_SLOWER),
        ([LIKELY], Verdict.BORDERLINE),
        ([LIKELY, LIKELY], Verdict.BORDERLINE),
        ([LIKELY, EQUAL], Verdict.NOT_SLOWER),
        ([SLOWER, LIKELY], Verdict.UNCONFIRMED),
        ([LIKELY, SLOWER], Verdict.UNCONFIRMED),
        ([SLOWER, LIKELY, SLOWER], Verdict.REGRESSION),
        ([LIKELY, SLOWER, SLOWER], Verdict.REGRESSION),
        ([SLOWER, LIKELY, LIKELY], Verdict.BORDERLINE),
        ([SLOWER, LIKELY, EQUAL], Verdict.NOT_SLOWER),
        ([measured(0.96, 1.04, Interval(1.2, 1.12, 1.3))], Verdict.NOISY),
        ([measured(0.96, 1.04, Interval(0.8, 0.7, 0.9))], Verdict.NOISY),
        ([SLOWER, measured(1.15, 1.25, Interval(1.2, 1.12, 1.3))], Verdict.REGRESSION),
    ],
)
def test_verdict(passes, verdict):
    assert row(*passes).verdict is verdict


@pytest.mark.parametrize(
    ("passes", "needs"),
    [
        ([SLOWER], True),
        ([LIKELY], True),
        ([FASTER], True),
        ([EQUAL], False),
        ([measured(0.9, 1.15)], False),
        ([FASTER, FASTER], False),
        ([SLOWER, SLOWER], False),
        ([SLOWER, EQUAL], False),
        ([LIKELY, LIKELY], False),
        ([SLOWER, LIKELY], True),
        ([LIKELY, SLOWER], True),
        ([SLOWER, LIKELY, SLOWER], False),
        ([SLOWER, LIKELY, LIKELY], False),
        ([], False),
    ],
)
def test_another_pass_is_for_what_one_is_sure_of_or_points_to(passes, needs):
    assert row(*passes).needs_another_pass is needs


def test_both_processes_of_head_must_be_slower():
    assert not measured(1.2, 1.3, again=1.05).is_slower
    assert measured(1.2, 1.3, again=1.11).is_slower


def test_a_bound_at_the_threshold_is_none_above_it():
    assert not measured(1.10, 1.2).is_slower
    assert measured(1.1001, 1.2).is_slower


def test_seconds_of_head_are_those_of_base_times_the_ratio():
    assert measured(1.2, 1.2).head == pytest.approx(1.2e-3)


WORSE_COUNTER = CounterChange("pad_clamp_u8: threads that write", 2, 1, True)
NOTHING_IN_COMMON = "could not measure: BASE and HEAD have no benchmark in common"
OTHER_COUNTER = CounterChange("tiny_split: launches", 2, 1, False)


@pytest.mark.parametrize(
    ("rows", "changes", "code", "reason"),
    [
        ([row(EQUAL)], [], 0, "no regression in 1 benchmark"),
        ([row(EQUAL)] * 4 + [row(measured(0.9, 1.2))], [], 0, "no regression in 4 benchmarks, 1 unclear"),
        ([row(measured(1.08, 1.12))], [OTHER_COUNTER], 0, "no regression in 1 benchmark, 1 borderline"),
        ([row(SLOWER, SLOWER), row(EQUAL)], [], 1, "regression: 1 slower"),
        ([row(EQUAL)], [WORSE_COUNTER], 1, "regression: 1 counter worse"),
        # Noise does not hide what was counted, nor what was seen twice.
        ([row(measured(0.5, 2.0))], [WORSE_COUNTER], 1, "regression: 1 counter worse, 1 unclear"),
        ([row(measured(0.5, 2.0))] * 3 + [row(SLOWER, SLOWER)], [], 1, "regression: 1 slower, 3 unclear"),
        ([row(measured(0.5, 2.0)), row(EQUAL)], [], 2, "could not measure: too noisy to say for 1 of 2 benchmarks"),
        ([row(), row(EQUAL)], [], 2, "could not measure: time was up before 1 benchmark of 2"),
        ([row(SLOWER), *[row(EQUAL)] * 9], [], 2, "could not measure: time was up before 1 benchmark of 10"),
        # What may be faster holds nothing up.
        ([row(FASTER), *[row(EQUAL)] * 9], [], 0, "no regression in 10 benchmarks"),
        ([row(SLOWER), row(SLOWER, SLOWER)], [], 1, "regression: 1 slower"),
        ([row(absent="base: no slice")], [], 2, "could not measure: BASE and HEAD have no benchmark in common"),
        (
            [row(absent="base: no slice")],
            [WORSE_COUNTER],
            2,
            "could not measure: BASE and HEAD have no benchmark in common",
        ),
        ([row(absent="base: no slice"), row(EQUAL)], [], 0, "no regression in 1 benchmark"),
    ],
)
def test_exit_code(rows, changes, code, reason):
    assert exit_reason(rows, changes) == (code, reason)


@pytest.mark.parametrize(
    ("name", "base", "head", "worse"),
    [
        ("import: threads", 1, 2, True),
        ("crop_f32: launches", 1, 2, True),
        ("crop_f32: launches", 2, 1, False),
        ("crop_f32: launches into out", 1, 2, True),
        ("crop_f32: bytes allocated", 1000, 2024, False),
        ("crop_f32: bytes allocated", 1000, 2025, True),
        ("crop_f32: bytes allocated into out", 1000, 2025, True),
        ("crop_f32: threads that write", 2, 1, True),
        ("crop_f32: threads that write", 1, 2, False),
        ("tiny_range: kernels compiled first", 3, 4, True),
        ("all: kernels compiled", 3, 40, False),
        ("import: modules", 20, 30, False),
        ("import: modules", 20, 31, True),
        ("crop_f32: bytes streamed", 1000, 999, True),
        ("crop_f32: bytes streamed", 0, 999, False),
        ("all: streaming stores", 200, 0, True),
        ("all: vector bytes", 32, 16, True),
        ("fastops.kernels._runs.move_rows: vector bytes", 32, 16, True),
        ("fastops.kernels._runs.move_rows: vector bytes", 32, 64, False),
        ("fastops.kernels._writer.flush: streaming stores", 8, 0, True),
        ("fastops.kernels._writer.flush: streaming stores", 8, 4, False),
    ],
)
def test_which_changes_of_counters_are_worse(name, base, head, worse):
    assert is_worse(name, base, head) is worse


def test_every_rule_is_tried_above():
    (parameters,) = [mark.args[1] for mark in test_which_changes_of_counters_are_worse.pytestmark]
    assert {end for end in WORSE for name, *_ in parameters if name.endswith(end)} == set(WORSE)


def test_counters_of_both_are_compared_and_the_worse_come_first():
    base = {"a: launches": 2, "b: launches": 1, "c: launches": 1, "gone: launches": 1}
    head = {"a: launches": 1, "b: launches": 2, "c: launches": 1, "new: launches": 1}
    assert changes_between(base, head) == [
        CounterChange("b: launches", 1, 2, True),
        CounterChange("a: launches", 2, 1, False),
    ]
