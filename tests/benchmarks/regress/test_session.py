"""Which block runs when, and what becomes of benchmarks, with workers whose answers are made up."""

from __future__ import annotations

import time
from itertools import cycle
from pathlib import Path

import pytest

from benchmarks.regress._environments import Environment
from benchmarks.regress._session import FULL, QUICK, SIDES, Effort, Session, order_of
from benchmarks.regress._verdicts import CannotMeasureError, Verdict


@pytest.mark.parametrize("number", range(6))
def test_a_round_runs_there_and_back(number):
    order = order_of(number)
    assert order == order[::-1]
    assert sorted(order) == sorted(SIDES * 2)


def test_each_side_has_each_place_as_often():
    places = list(zip(*[order_of(number) for number in range(3)], strict=True))
    assert all(sorted(sides) == sorted(SIDES) for sides in places)


@pytest.mark.parametrize("effort", [FULL, QUICK])
def test_efforts_keep_what_the_gate_promises(effort):
    assert effort.block_seconds >= 20e-3
    # Six rounds are the fewest that have an interval of 95 %.
    assert effort.rounds >= 6
    assert effort.pass_seconds < effort.seconds
    assert effort.seconds < (180 if effort is QUICK else 600)


class FakeWorker:
    """Answers at once: seconds for each side and benchmark."""

    def __init__(self, side: str, seconds: dict[str, float], answers: dict[str, dict[str, str]]) -> None:
        self.side, self.seconds, self.answers = side, seconds, answers
        self.name, self.asked = "", ""
        # Out of step, so that ratios differ from round to round.
        self.noise = cycle([0.99, 1.0, 1.01, 1.005] if side == "base" else [1.0, 0.98, 1.02, 0.99, 1.01])

    def ask(self, what, **arguments):
        self.asked = what
        assert what != "block" or arguments["batch"] == 3
        self.name = arguments.get("name", self.name)

    def answer(self):
        if self.asked == "prepare":
            return self.answers.get(self.name, {})
        if self.asked == "calibrate":
            return {"batch": 3}
        return {"seconds": self.seconds.get(self.name, 1.0) * next(self.noise), "reference": 1.0}

    def close(self):
        pass


class Silent:
    def expect(self, count):
        pass

    def begin(self, name):
        pass

    def finish(self):
        pass


def session_with(monkeypatch, head, answers=None, effort=None):
    started = []

    def start(side, *_rest):
        started.append(side)
        return FakeWorker(side, {} if side == "base" else head, (answers or {}).get(side, {}))

    monkeypatch.setattr("benchmarks.regress._session.WorkerProcess", start)
    environment = Environment("c" * 40, Path("nowhere"))
    session = Session(
        environment,
        environment,
        staged=Path("staged"),
        effort=effort or QUICK,
        progress=Silent(),  # type: ignore[arg-type]
        start=time.monotonic(),
    )
    return session, started


def test_what_differs_is_measured_twice_in_new_processes(monkeypatch):
    session, started = session_with(monkeypatch, {"a": 1.3, "b": 1.0, "c": 0.5})
    rows = session.run(["a", "b", "c"])
    assert [row.verdict for row in rows] == [Verdict.REGRESSION, Verdict.NOT_SLOWER, Verdict.FASTER]
    assert [len(row.passes) for row in rows] == [2, 1, 2]
    assert started == [*SIDES, *SIDES]
    assert rows[0].shown.change.ratio == pytest.approx(1.3, rel=0.02)


def test_rounds_go_on_while_a_pass_is_undecided(monkeypatch):
    session, _ = session_with(monkeypatch, {"a": 1.1})
    (row,) = session.run(["a"])
    assert row.shown.rounds == QUICK.most_rounds
    session, _ = session_with(monkeypatch, {"a": 1.0})
    (row,) = session.run(["a"])
    assert row.shown.rounds == QUICK.rounds


def test_time_that_others_did_not_need_goes_to_what_is_undecided(monkeypatch):
    session, _ = session_with(monkeypatch, {"a": 1.1}, effort=Effort(20e-3, 2e-4, 9, 3, 18, 150.0, seconds=1000.0))
    elapsed = 0.0
    original = FakeWorker.answer

    def answer(worker):
        nonlocal elapsed
        elapsed += worker.asked == "block"
        return original(worker)

    monkeypatch.setattr(FakeWorker, "answer", answer)
    monkeypatch.setattr(session, "_elapsed", lambda: elapsed)
    rows = session.run(["a", "b"])
    # Half of 150 seconds are 13 rounds of six blocks, and b takes nine: the rest is spent on a, after b.
    assert [row.shown.rounds for row in rows] == [18, 9]


def test_without_time_there_are_no_more_rounds_than_the_first(monkeypatch):
    session, _ = session_with(monkeypatch, {"a": 1.1}, effort=Effort(20e-3, 2e-4, 9, 3, 24, -1.0, seconds=1000.0))
    (row,) = session.run(["a"])
    assert row.shown.rounds == 9


def test_when_time_is_up_the_rest_is_skipped(monkeypatch):
    session, _ = session_with(monkeypatch, {}, effort=Effort(20e-3, 2e-4, 9, 3, 9, -1.0, seconds=-1.0))
    assert [row.verdict for row in session.run(["a", "b"])] == [Verdict.SKIPPED] * 2


def test_what_base_has_not_got_is_absent(monkeypatch):
    answers = {"base": {"a": {"absent": "no pad"}, "b": {"refused": "AttributeValueError: mode"}}}
    session, _ = session_with(monkeypatch, {}, answers)
    rows = session.run(["a", "b", "c"])
    assert [row.absent for row in rows] == ["base: no pad", "base: AttributeValueError: mode", ""]


@pytest.mark.parametrize(
    ("side", "answer"),
    [("head", {"refused": "TypeError: x"}), ("base", {"error": "ValueError: x"}), ("control", {"error": "ValueError"})],
)
def test_what_raises_ends_the_run(side, answer, monkeypatch):
    session, _ = session_with(monkeypatch, {}, {side: {"a": answer}})
    with pytest.raises(CannotMeasureError, match=f"a raised in {side}: "):
        session.run(["a"])
