"""Sessions: the order of blocks and the verdicts on benchmarks, with workers whose answers are made up."""

from __future__ import annotations

import time
from functools import partial
from itertools import cycle
from unittest import mock

import pytest
from asv_gate.session import FULL, QUICK, SIDES, Effort, Session, order_of
from asv_gate.verdicts import CannotMeasureError, Verdict


def test_rounds_run_forwards_and_back_and_each_side_has_each_place_equally_often():
    orders = [order_of(number) for number in range(6)]
    for order in orders:
        assert order == order[::-1]
        assert sorted(order) == sorted(SIDES * 2)
    assert all(sorted(sides) == sorted(SIDES * 2) for sides in zip(*orders, strict=True))


def test_efforts_keep_what_the_gate_promises():
    for effort, most in ((FULL, 600), (QUICK, 420)):
        assert effort.block_seconds >= 20e-3
        # An interval of 95 % needs at least six rounds.
        assert 6 <= effort.rounds <= effort.most_rounds
        assert effort.pass_seconds < effort.seconds < most


class FakeWorker:
    """A worker that answers at once, with given seconds for each side and benchmark."""

    def __init__(self, side, seconds, answers):
        self.side, self.seconds, self.answers = side, seconds, answers
        self.name = self.asked = ""
        # The cycles have different lengths, so ratios differ from round to round.
        self.noise = cycle([0.99, 1.0, 1.01, 1.005] if side == "base" else [1.0, 0.98, 1.02, 0.99, 1.01])

    def ask(self, what, **arguments):
        self.asked = what
        assert what != "block" or arguments["batch"] == 3
        self.name = arguments.get("name", self.name)

    def answer(self):
        if self.asked == "prepare":
            return self.answers.get(self.name, {})
        if self.asked == "calibrate":
            # All sides take the number of the fastest one.
            return {"batch": 3 if self.side == "head" else 2}
        return {"seconds": self.seconds.get(self.name, 1.0) * next(self.noise), "reference": 1.0}

    def close(self):
        pass


def session_with(head, answers=None, effort=QUICK):
    started = []

    def start(side):
        started.append(side)
        return FakeWorker(side, {} if side == "base" else head, (answers or {}).get(side, {}))

    starts = {side: partial(start, side) for side in SIDES}
    return Session(starts, effort=effort, progress=mock.Mock(), start=time.monotonic()), started


def effort_of(most_rounds: int, pass_seconds: float, seconds: float) -> Effort:
    return Effort(20e-3, 2e-4, 9, 3, most_rounds, pass_seconds, seconds)


def test_cases_that_differ_are_measured_twice_in_new_processes():
    session, started = session_with({"a": 1.3, "b": 1.0, "c": 0.5, "d": 1.1})
    rows = session.run(["a", "b", "c", "d"])
    verdicts = [Verdict.REGRESSION, Verdict.NOT_SLOWER, Verdict.FASTER, Verdict.BORDERLINE]
    assert [row.verdict for row in rows] == verdicts
    assert [len(row.passes) for row in rows[:3]] == [2, 1, 2]
    assert started == [*SIDES, *SIDES]
    assert rows[0].shown.change.ratio == pytest.approx(1.3, rel=0.02)
    # Rounds go on while a pass is undecided.
    assert [rows[1].shown.rounds, rows[3].shown.rounds] == [QUICK.rounds, QUICK.most_rounds]


def test_time_that_is_left_goes_to_undecided_cases(monkeypatch):
    session, _ = session_with({"a": 1.1}, effort=effort_of(18, 150.0, 1000.0))
    elapsed = 0.0
    original = FakeWorker.answer

    def answer(worker):
        nonlocal elapsed
        elapsed += worker.asked == "block"
        return original(worker)

    monkeypatch.setattr(FakeWorker, "answer", answer)
    monkeypatch.setattr(session, "_elapsed", lambda: elapsed)
    # Half of 150 seconds is enough for 13 rounds of six blocks. b takes nine rounds, and a gets the remaining time.
    assert [row.shown.rounds for row in session.run(["a", "b"])] == [18, 9]


def test_without_time_there_are_few_rounds_and_then_none():
    session, _ = session_with({"a": 1.1}, effort=effort_of(24, -1.0, 1000.0))
    assert [row.shown.rounds for row in session.run(["a"])] == [9]
    session, _ = session_with({}, effort=effort_of(9, -1.0, -1.0))
    assert [row.verdict for row in session.run(["a", "b"])] == [Verdict.SKIPPED] * 2


def test_cases_that_base_lacks_are_absent_and_other_exceptions_end_the_run():
    answers = {"base": {"a": {"absent": "no pad"}, "b": {"raised": "ValueError: mode"}}}
    session, _ = session_with({}, answers)
    rows = session.run(["a", "b", "c"])
    assert [row.absent for row in rows] == ["base: no pad", "base: ValueError: mode", ""]
    for side, answer in (("head", {"raised": "TypeError: x"}), ("base", {"error": "x"}), ("control", {"error": "x"})):
        session, _ = session_with({}, {side: {"a": answer}})
        with pytest.raises(CannotMeasureError, match=f"a raised in {side}: "):
            session.run(["a"])
