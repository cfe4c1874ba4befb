"""The trials of the gate: their edits apply, and what is right in them."""

from __future__ import annotations

import ast
import json

import pytest

from benchmarks.regress._changes import CHANGES, Edit, flagged
from benchmarks.regress.trials import ROOT, Outcome


def test_trials_are_as_many_as_their_bars_ask_for():
    assert (CHANGES["nothing"].runs, CHANGES["nothing"].least_right) == (20, 19)
    assert (CHANGES["kernel"].runs, CHANGES["kernel"].least_right) == (20, 19)
    assert all(change.least_right <= change.runs for change in CHANGES.values())


@pytest.mark.parametrize("edit", [edit for change in CHANGES.values() for edit in change.edits], ids=lambda e: e.file)
def test_edits_of_trials_apply(edit: Edit):
    text = (ROOT / edit.file).read_text()
    assert text.count(edit.old) == 1
    if edit.file.endswith(".py"):
        ast.parse(text.replace(edit.old, edit.new))


def report_of(flagged=(), worse=()):
    passes = [{"change": {"ratio": ratio}} for ratio in (1.25, 1.5)]
    rows = [{"name": name, "verdict": "regression", "passes": passes} for name in flagged]
    rows.append({"name": "cache/x", "verdict": "not slower", "passes": passes})
    return json.loads(json.dumps({"rows": rows, "changes": [{"name": name, "is_worse": True} for name in worse]}))


WARM = [f"latency/warm_tiny_{what}" for what in ("strided_slice", "reflect_pad", "split", "range")]


@pytest.mark.parametrize(
    ("name", "code", "report", "is_right"),
    [
        ("nothing", 0, report_of(), True),
        ("nothing", 2, {}, False),
        ("nothing", 1, report_of(["cache/reverse_u8"]), False),
        ("kernel", 1, report_of(["cache/reverse_u8", "cache/pad_reflect_f32"]), True),
        ("kernel", 1, report_of(["cache/pad_reflect_f32"]), False),
        ("kernel", 1, report_of(["cache/reverse_u8", "latency/miss_slice"]), False),
        ("kernel", 0, report_of(), False),
        ("kernel", 1, report_of(["cache/reverse_u8", "large/reverse_f32"]), False),
        ("kernel", 1, report_of(["cache/reverse_u8"], ["crop_f32: launches"]), False),
        ("comment", 0, report_of(), True),
        ("comment", 0, report_of([], ["crop_f32: launches"]), False),
        ("call", 1, report_of(WARM), True),
        ("call", 1, report_of(WARM[:3]), False),
        ("call", 1, report_of([*WARM, "cache/reverse_u8"]), False),
        ("serial", 1, report_of([], ["pad_clamp_u8: threads that write"]), True),
        ("serial", 1, report_of(["cache/pad_clamp_u16"]), False),
        ("not streamed", 1, report_of([], [f"{i}: bytes streamed" for i in range(15)]), True),
        ("not streamed", 2, report_of(), False),
        ("no build", 2, {"reason": "could not measure: 12 does not build: why"}, True),
        ("raises", 1, report_of(), False),
        ("raises", 2, {"reason": "could not measure: 12 does not build: why"}, False),
        ("nothing in common", 2, {"reason": "could not measure: BASE and HEAD have no benchmark in common"}, True),
    ],
)
def test_what_is_right_in_a_trial(name, code, report, is_right):
    assert CHANGES[name].is_right(code, report) is is_right


@pytest.mark.parametrize(
    ("runs", "right", "seconds", "is_met"),
    [(20, 19, 100.0, True), (20, 18, 100.0, False), (20, 20, 181.0, False), (3, 2, 9.0, True)],
)
def test_when_the_bar_of_a_trial_is_met(runs, right, seconds, is_met):
    outcome = Outcome(CHANGES["kernel"], [1] * runs, right, seconds)
    assert outcome.is_met is is_met
    assert outcome.cells("kernel")[:7] == ["kernel", str(runs), "0", str(runs), "0", str(right), f"{seconds:.0f}"]


def test_what_is_told_of_a_trial():
    outcome = Outcome(CHANGES["kernel"], [1, 2], 1, 9.0)
    assert outcome.cells("kernel")[-1] == "nothing"
    assert flagged(report_of(["cache/a"])) == {"cache/a": 1.25}
    outcome.flagged["cache/b"] += [1.111]
    outcome.flagged["cache/a"] += [1.304, 1.146]
    outcome.worse["crop_f32: launches"] += 1
    outcome.reasons["raised"] += 1
    told = "cache/a 2 (15% to 30%), cache/b 1 (11% to 11%), crop_f32: launches 1, raised 1"
    assert outcome.cells("kernel")[-1] == told
