"""The fuzz: a short run of it, and that it finds a fault, makes it small and tells how to see it again."""

from __future__ import annotations

import multiprocessing
import os
import re
from random import Random

import pytest

from fastops._schedules import _byte_axes
from tests.fuzz import _processes, _run
from tests.fuzz.__main__ import main
from tests.fuzz._choices import Choices, shrink
from tests.fuzz._gather_cases import GatherCase
from tests.helpers.processes import run_python
from tests.helpers.torture import scale
from tests.safety._forms import in_checked_form


class Counter:
    value = 0


@pytest.mark.parametrize("form", ["plain", pytest.param("checked", marks=in_checked_form)])
def test_random_cases_are_right(form: str) -> None:
    cases = scale(1200, 1_000_000)
    # One process is enough for a few: each loads all kernels.
    processes = scale(["--processes", 1], [])
    done = run_python("-m", "tests.fuzz", "--cases", cases, "--form", form, *processes, seconds=6000)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"^(\d+) cases in all: all are right$", done.stdout, re.MULTILINE)
    assert found and int(found[1]) >= cases  # noqa: PT018


def test_a_fault_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    real = _byte_axes.lay_axis

    def faulty(axis, byte_stride, dst_pitch):  # type: ignore[no-untyped-def]
        laid = real(axis, byte_stride, dst_pitch)
        if type(laid) is _byte_axes.SegmentAxis and laid.hi - laid.lo > 3:
            laid.hi -= 1
        return laid

    monkeypatch.setattr("fastops._schedules._schedule.lay_axis", faulty)
    printed = _run.find_failure(1, 0, 10_000, 60, Counter())
    assert printed is not None
    assert "are wrong" in printed
    made = [int(choice) for choice in printed.rpartition("--replay ")[2].split(",")]
    case = _run.draw_case(Choices(replayed=made))
    assert isinstance(case, GatherCase)
    assert [plan.size < 20 for plan in case.plans] == [True], "it is not small"
    assert _run.replay(made) is not None
    monkeypatch.undo()
    assert _run.replay(made) is None


def test_what_raises_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise KeyError("no table")

    monkeypatch.setattr("tests.fuzz._gather_cases.create_schedule", refuse)
    printed = _run.find_failure(1, 0, 1000, 60, Counter())
    assert printed is not None
    assert printed.startswith("KeyError: 'no table'")


def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def die(*_: object) -> None:
        os._exit(3)

    monkeypatch.setattr(_processes, "_work", die)
    monkeypatch.setattr(_processes, "CONTEXT", multiprocessing.get_context("fork"))
    assert main(["--seed", "5", "--processes", "1", "--form", "plain"]) == 1
    printed = capsys.readouterr().out
    assert "case 0 ended its process (exit code 3): --seed 5 --first 0 --cases 1 --processes 1 --form plain" in printed


def test_a_case_is_the_same_wherever_it_runs() -> None:
    one = _run.draw_case(Choices(Random((7 << 64) + 40)))
    assert one == _run.draw_case(Choices(Random((7 << 64) + 40)))
    assert one != _run.draw_case(Choices(Random((7 << 64) + 41)))


def test_shrinking_finds_the_smallest_choices_that_fail() -> None:
    assert shrink([9, 500, 3, 77, 12], lambda made: any(choice >= 30 for choice in made)) == [30]
    assert shrink([4, 8, 15], lambda made: len(made) > 1 and made[-1] > 2) == [0, 3]
