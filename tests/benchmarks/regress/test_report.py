"""What the gate says."""

from __future__ import annotations

import json

from benchmarks.regress._report import failure_as_json, failure_as_markdown, json_of, markdown_of, text_of
from benchmarks.regress._statistics import Interval
from benchmarks.regress._verdicts import CounterChange, Measured, Results, Row

SAME = Interval(1.0, 0.98, 1.03)
PASS = Measured(2e-3, Interval(1.25, 1.2, 1.3), Interval(1.26, 1.2, 1.3), SAME, 0.5, 9)
RESULTS = Results(
    {"base": ("a" * 40, "Before"), "head": ("b" * 40, "After")},
    [
        Row("large/crop_f32", [PASS, PASS]),
        Row("cache/reverse_u8", [Measured(5e-5, SAME, SAME, Interval(1.01, 0.9, 1.2), 0.5, 12)]),
        Row("latency/warm_tiny_range", absent="base: fastops has no range"),
        Row("cache/split_3_u8"),
    ],
    [CounterChange("crop_f32: threads that write", 2, 1, True), CounterChange("crop_f32: launches", 2, 1, False)],
    40,
    {"CPU": "some, 2 cores"},
    {"building": 12.3},
    ["uncommitted changes below fastops/ are not measured"],
)

TEXT = """\
base: aaaaaaaaaaaa Before
head: bbbbbbbbbbbb After
CPU some, 2 cores; building 12 s
uncommitted changes below fastops/ are not measured

benchmark                      base    head  head/base  95 % interval     head/head  verdict
----------------------------  -----  ------  ---------  -------------  ------------  ----------------------------------
large/crop_f32                 2 ms  2.5 ms       1.25   1.20 to 1.30  0.98 to 1.03  regression
cache/reverse_u8              50 us   50 us       1.00   0.98 to 1.03  0.90 to 1.20  not slower
latency/warm_tiny_range           -       -          -              -             -  absent: base: fastops has no range
cache/split_3_u8                  -       -          -              -             -  skipped
crop_f32: threads that write      2       1          -          exact             -  regression
crop_f32: launches                2       1          -          exact             -  changed

HEAD against itself: ratios 1.00 to 1.01, intervals 19% wide (median), 33% at most; 38 of 40 counters equal
regression: 1 slower, 1 counter worse
"""


def test_text():
    assert text_of(RESULTS) == TEXT


def test_markdown_has_what_is_not_slower_last():
    lines = markdown_of(RESULTS).splitlines()
    assert lines[0] == "**regression: 1 slower, 1 counter worse**"
    assert "- base: aaaaaaaaaaaa `Before`" in lines
    table, _, folded = markdown_of(RESULTS).partition("<details>")
    assert "| large/crop_f32 | 2 ms | 2.5 ms | 1.25 | 1.20 to 1.30 | 0.98 to 1.03 | regression |" in table
    assert "cache/reverse_u8" not in table
    assert "cache/reverse_u8" in folded
    assert "<summary>1 not slower</summary>" in folded


def test_json_has_everything():
    stored = json.loads(json_of(RESULTS))
    assert stored["exit_code"] == 1
    assert stored["reason"] == "regression: 1 slower, 1 counter worse"
    assert [row["verdict"] for row in stored["rows"]] == ["regression", "not slower", "absent", "skipped"]
    assert stored["rows"][0]["passes"][1]["change"] == {"ratio": 1.25, "lower": 1.2, "upper": 1.3}
    assert stored["rows"][1]["passes"][0]["control"]["upper"] == 1.2
    assert stored["changes"][0]["is_worse"] is True
    assert stored["commits"]["base"] == ["a" * 40, "Before"]


def test_a_bar_in_a_reason_ends_no_column():
    row = Row("cache/reverse_u8", absent="base: one|two")
    (line,) = [line for line in markdown_of(Results({}, [row], [], 0, {}, {})).splitlines() if "reverse" in line]
    assert line.endswith(r"| absent: base: one\|two |")


def test_a_run_that_could_not_measure_has_a_report_too():
    assert json.loads(failure_as_json("could not measure: why")) == {"exit_code": 2, "reason": "could not measure: why"}
    assert failure_as_markdown("could not measure: why") == "**could not measure: why**\n"
