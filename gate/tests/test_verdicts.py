"""Verdicts on measurements, and the reports of the gate."""

from __future__ import annotations

import json
from pathlib import Path

from asv_gate.counting import Counter
from asv_gate.report import json_of, markdown_of, text_of
from asv_gate.statistics import Interval
from asv_gate.verdicts import CounterChange, Measured, Results, Row, Verdict, changes_between, exit_reason

SAME = Interval(1.0, 0.95, 1.05)


def measured(lower: float, upper: float, control: Interval = SAME, again: float | None = None) -> Measured:
    ratio = (lower * upper) ** 0.5
    return Measured(1e-3, Interval(ratio, lower, upper), Interval(ratio, again or lower, upper), control, 0.5, 9)


# Passes by letters: slower, likely slower, equal, faster. The intervals of b and u contain the threshold; that of u is
# wide. In n, N and S, head differs from itself.
PASSES = {"s": measured(1.15, 1.25), "l": measured(1.09, 1.2), "e": measured(0.96, 1.04), "f": measured(0.7, 0.85)}
PASSES |= {"b": measured(1.05, 1.15), "u": measured(0.9, 1.15), "n": measured(0.96, 1.04, Interval(1.2, 1.12, 1.3))}
PASSES |= {"N": measured(0.96, 1.04, Interval(0.8, 0.7, 0.9)), "S": measured(1.15, 1.25, Interval(1.2, 1.12, 1.3))}


def row(passes: str, absent: str = "") -> Row:
    return Row("memory/crop_f32", [PASSES[each] for each in passes], absent)


def test_verdicts_and_which_need_another_pass():
    verdicts = {
        Verdict.SKIPPED: [""],
        Verdict.NOT_SLOWER: ["e", "fe", "se", "le", "sle"],
        Verdict.FASTER: ["ff"],
        Verdict.REGRESSION: ["ss", "sls", "lss", "sS"],
        Verdict.BORDERLINE: ["b", "l", "ll", "sll"],
        Verdict.UNDECIDED: ["u"],
        Verdict.NOISY: ["n", "N"],
        Verdict.UNCONFIRMED: ["f", "s", "sl", "ls"],
    }
    assert [row("", f"{side}: no").verdict for side in ("base", "head")] == [Verdict.NEW, Verdict.ABSENT]
    for verdict, all_passes in verdicts.items():
        assert [row(passes).verdict for passes in all_passes] == [verdict] * len(all_passes), all_passes
    assert [p for found in verdicts.values() for p in found if row(p).needs_another_pass] == ["l", "f", "s", "sl", "ls"]
    # Both processes of head must be slower, and a bound at the threshold is not above it.
    bounds = ((1.2, 1.05), (1.2, 1.11), (1.1, None), (1.1001, None))
    assert [measured(lower, 1.3, again=again).is_slower for lower, again in bounds] == [False, True, False, True]
    assert abs(measured(1.2, 1.2).head - 1.2e-3) < 1e-9


COUNTER, OTHER = (CounterChange("tiny_split: launches", base, 3 - base, base == 1) for base in (1, 2))


def test_the_exit_code_and_its_reason():
    new, absent = row("", "base: no slice"), row("", "head: no slice")
    for rows, changes, code, reason in (
        ([row("e")], [], 0, "no regression in 1 case"),
        ([row("b")], [OTHER], 0, "no regression in 1 case, 1 borderline"),
        ([row("e")], [COUNTER], 1, "regression: 1 counter worse"),
        # Noise hides neither counters nor regressions that were seen twice.
        ([row("u")], [COUNTER], 1, "regression: 1 counter worse, 1 unclear"),
        ([row("u")] * 3 + [row("ss")], [], 1, "regression: 1 slower, 3 unclear"),
        ([row("u"), row("e")], [], 2, "could not measure: too noisy to say for 1 of 2 cases"),
        ([row(""), row("e")], [], 2, "could not measure: time was up before 1 case of 2"),
        # Cases that may be faster do not delay the verdict.
        ([row("f"), *[row("e")] * 9], [], 0, "no regression in 10 cases"),
        ([row("s"), row("ss")], [], 1, "regression: 1 slower"),
        (
            [absent],
            [COUNTER],
            2,
            "could not measure: BASE and HEAD have no case in common (memory/crop_f32: head: no slice)",
        ),
        ([absent, row("e")], [], 0, "no regression in 1 case"),
        ([new, row("u"), *[row("e")] * 9], [], 0, "no regression in 9 cases, 1 unclear, 1 new"),
    ):
        assert exit_reason(rows, changes) == (code, reason)


def test_which_changes_of_counters_are_worse():
    # A base, heads that are not worse, and heads that are worse.
    for worse, slack, base, fine, bad in (
        ("more", 0, 1, [0, 1], [2]),
        ("more", 10, 20, [10, 30], [31]),
        ("fewer", 0, 2, [2, 3], [1]),
        ("none", 0, 8, [4, 9], [0]),
        ("none", 0, 0, [0, 4], []),
        ("", 0, 3, [0, 40], []),
    ):
        found = [Counter(head, worse, slack).is_worse_than(base) for head in fine + bad]
        assert found == [False] * len(fine) + [True] * len(bad), (worse, slack)
    # Counters that both commits have are compared, and the worse ones come first.
    base = {"a: launches": 2, "tiny_split: launches": 1, "c: launches": 1, "gone: launches": 1}
    head = {"a: launches": 1, "tiny_split: launches": 2, "c: launches": 1, "new: launches": 1}
    both = [{name: Counter(value) for name, value in each.items()} for each in (base, head)]
    assert changes_between(*both) == [COUNTER, CounterChange("a: launches", 2, 1, False)]


def test_reports():
    change, again, control = Interval(1.25, 1.2, 1.3), Interval(1.26, 1.2, 1.3), Interval(1.0, 0.98, 1.03)
    rows = [
        Row("large/crop_f32", [Measured(2e-3, change, again, control, 0.5, 9)] * 2),
        Row("cache/reverse_u8", [Measured(5e-5, control, control, Interval(1.01, 0.9, 1.2), 0.5, 12)]),
        Row("latency/warm_tiny_range", absent="base: fastops has no one|two"),
        Row("cache/split_3_u8"),
    ]
    changes = [
        CounterChange("crop_f32: threads that write", 2, 1, True),
        CounterChange("crop_f32: launches", 2, 1, False),
    ]
    commits = {"base": ("a" * 40, "Before"), "head": ("b" * 40, "After")}
    notes = ["uncommitted changes below fastops/ are not measured"]
    results = Results(commits, rows, changes, 40, {"CPU": "some, 2 cores"}, {"building": 12.3}, notes)
    for file, shown in (("report.txt", text_of(results)), ("report.md", markdown_of(results))):
        assert shown == Path(__file__).with_name(file).read_text(encoding="utf-8")
    stored = json.loads(json_of(results))
    assert (stored["exit_code"], stored["reason"]) == (1, "regression: 1 slower, 1 counter worse, 1 new")
    assert [each["verdict"] for each in stored["rows"]] == ["regression", "not slower", "new", "skipped"]
    assert stored["rows"][0]["passes"][1]["change"] == {"ratio": 1.25, "lower": 1.2, "upper": 1.3}
    assert stored["rows"][1]["passes"][0]["control"]["upper"] == 1.2
    assert (stored["changes"][0]["is_worse"], stored["commits"]["base"]) == (True, ["a" * 40, "Before"])
