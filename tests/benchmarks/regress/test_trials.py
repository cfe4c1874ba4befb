"""The trials of the gate: their edits apply, and what is right in them."""

from __future__ import annotations

import ast

from benchmarks.regress._changes import CHANGES, flagged
from benchmarks.regress.trials import ROOT, Outcome


def test_edits_of_trials_apply_as_often_as_their_bars_ask_for():
    assert {(CHANGES[name].runs, CHANGES[name].least_right) for name in ("nothing", "kernel")} == {(20, 19)}
    for name, change in CHANGES.items():
        assert change.least_right <= change.runs, name
        for edit in change.edits:
            text = (ROOT / edit.file).read_text(encoding="utf-8")
            assert text.count(edit.old) == 1, (name, edit.file)
            if edit.file.endswith(".py"):
                ast.parse(text.replace(edit.old, edit.new))


def report_of(flagged=(), worse=(), reason=""):
    passes = [{"change": {"ratio": ratio}} for ratio in (1.25, 1.5)]
    rows = [{"name": name, "verdict": "regression", "passes": passes} for name in flagged]
    rows.append({"name": "cache/x", "verdict": "not slower", "passes": passes})
    return {"rows": rows, "changes": [{"name": name, "is_worse": True} for name in worse], "reason": reason}


def test_what_is_right_in_a_trial():
    reverse, launches = ["cache/reverse_u8"], ["crop_f32: launches"]
    warm = [f"latency/warm_tiny_{what}" for what in ("strided_slice", "reflect_pad", "split", "range")]
    no_build = report_of(reason="could not measure: 12 does not build: why")
    nothing = report_of(reason="could not measure: BASE and HEAD have no benchmark in common")
    # The exit code and the report that is right, and those that are not.
    right = {
        "nothing": ((0, report_of()), (2, report_of()), (1, report_of(reverse))),
        "comment": ((0, report_of()), (0, report_of([], launches))),
        "kernel": (
            (1, report_of([*reverse, "cache/pad_reflect_f32"])),
            (1, report_of(["cache/pad_reflect_f32"])),
            (0, report_of(reverse)),
            (1, report_of([*reverse, "large/reverse_f32"])),
            (1, report_of(reverse, launches)),
        ),
        "call": ((1, report_of(warm)), (1, report_of(warm[:3])), (1, report_of([*warm, *reverse]))),
        "serial": ((1, report_of([], ["pad_clamp_u8: threads that write"])), (1, report_of(["cache/pad_clamp_u16"]))),
        "not streamed": ((1, report_of([], [f"{i}: bytes streamed" for i in range(15)])), (2, report_of())),
        "no build": ((2, no_build), (1, no_build), (2, nothing)),
        "raises": ((2, report_of(reason="1 raised while counting: x")), (2, no_build)),
        "nothing in common": ((2, nothing), (2, no_build)),
    }
    assert set(right) == set(CHANGES)
    for name, outcomes in right.items():
        assert [CHANGES[name].is_right(*each) for each in outcomes] == [True] + [False] * (len(outcomes) - 1), name


def test_when_the_bar_of_a_trial_is_met_and_what_is_told():
    for runs, right, seconds, is_met in ((20, 19, 100.0, True), (20, 18, 100.0, False), (20, 20, 181.0, False)):
        outcome = Outcome(CHANGES["kernel"], [1] * runs, right, seconds)
        outcome.flagged["cache/a"] += [1.304, 1.146]
        told = ["kernel", str(runs), "0", str(runs), "0", str(right), f"{seconds:.0f}", "cache/a 2 (15% to 30%)"]
        assert (outcome.is_met, outcome.cells("kernel")) == (is_met, told)
    assert flagged(report_of(["cache/a"])) == {"cache/a": 1.25}
