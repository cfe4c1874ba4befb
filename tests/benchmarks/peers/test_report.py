"""What the comparison asks of fastops, and how it says what it has found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.peers.__main__ import main
from benchmarks.peers._bars import bars_of, is_met
from benchmarks.peers._chart import draw
from benchmarks.peers._report import markdown_of, shown_value, summary, text_of
from benchmarks.peers._rows import Results, Row
from benchmarks.peers._store import load, save


def row_with(asked: dict[str, float], unit: str = "s", **values: float) -> Row:
    return Row("large", "row", "what", unit, values=values, limits={"slow": 2.0, "fast": 1.0}, asked=asked)


@pytest.mark.parametrize(
    ("row", "is_enough"),
    [
        (row_with({"share": 0.9}, fastops=1.1), True),
        (row_with({"share": 0.9}, fastops=1.12), False),
        (row_with({"best_peer": 1.3}, fastops=1.0, numpy=1.4, torch=1.5), True),
        (row_with({"best_peer": 1.3}, fastops=1.0, numpy=9.0, torch=1.2), False),
        (row_with({"best_peer": 1.3}, fastops=1.0), True),
        # 1.3 times the peer would be 1.04 of the limit.
        (row_with({"best_peer_with_room": 1.3}, fastops=1.1, torch=1.25), True),
        (row_with({"best_peer_with_room": 1.3}, fastops=1.1, torch=1.35), False),
        (row_with({"best_peer_with_room": 1.3}, fastops=1.0, torch=1.35), True),
        (row_with({"numpy_and_torch": 1.0}, fastops=1.0, openvino=0.1, numpy=1.0), True),
        (row_with({"numpy_and_torch": 1.0}, fastops=1.0, torch=0.9, numpy=1.0), False),
        (row_with({"speedup": 1.7}, fastops=1.0, reference=1.7), True),
        (row_with({"speedup": 1.7}, fastops=1.0, reference=1.6), False),
        (row_with({"times_reference": 3.5}, fastops=3.5, reference=1.0), True),
        (row_with({"times_reference": 3.5}, fastops=3.6, reference=1.0), False),
        (row_with({"over_reference": 0.015}, fastops=0.1149, reference=0.1), True),
        (row_with({"over_reference": 0.015}, fastops=0.116, reference=0.1), False),
        (row_with({"seconds": 20e-6}, fastops=20e-6), True),
        (row_with({"seconds": 6}, fastops=6.1), False),
        (row_with({"bytes": 2**20}, "bytes", fastops=2**20), True),
        (row_with({"bytes": 2**20}, "bytes", fastops=2**20 + 1), False),
        (row_with({"share": 0.9}, numpy=1.0), False),
        (replace(row_with({"share": 0.9}, fastops=1.0), wrong="differs"), False),
        (row_with({"share": 0.9, "best_peer": 1.3}, fastops=1.0, numpy=1.2), False),
    ],
)
def test_bars(row, is_enough):
    assert is_met(row) is is_enough


def test_a_bar_says_what_it_asks_for():
    row = row_with({"share": 0.9, "best_peer_with_room": 1.3}, fastops=1.0, numpy=2.0)
    assert [bar.text for bar in bars_of(row)] == ["0.9 of the limit", "1.3x the best peer"]


def canned() -> Results:
    environment = {"date": "2026-01-02", "cpu": "A Processor", "cores": 2, "threads": 2, "threading_layer": "omp"}
    environment |= {"python": "3.11.0", "versions": {"fastops": "1.0", "numpy": "2.1.0"}, "missing": ["torch"]}
    values = {"fastops": 0.005, "numpy": 0.02, "onnxruntime": 0.01}
    large = Row("large", "crop_f32", "strided_slice float32", values=values, limits={"np.copyto": 0.0048})
    large.asked = {"share": 0.9, "best_peer_with_room": 1.3}
    large.absent = {"openvino": "takes C-contiguous input only"}
    warm = Row("latency", "warm_tiny_split", "fastops.variadic_split", values={"fastops": 2e-6, "numpy": 1e-6})
    warm.asked = {"best_peer": 1.0}
    start = Row("start", "import", "import fastops", values={"fastops": 0.11, "reference": 0.1})
    start.asked = {"over_reference": 0.015}
    memory = Row("memory", "crop_f32_x1", "memory", "bytes", values={"fastops": 4096.0}, asked={"bytes": 2**20})
    return Results(environment, [large, warm, start, memory])


TEXT = """\
2026-01-02, 2 cores of A Processor, 2 threads (omp), Python 3.11.0: fastops 1.0, numpy 2.1.0.
Not taking part: torch.

large: Large moves into the caller's output: share of the limit

row       time  fastops  numpy  onnxruntime  openvino  x best  bar                                   met
--------  ----  -------  -----  -----------  --------  ------  ------------------------------------  ---
crop_f32  5 ms     0.96   0.24         0.48         -    2.00  0.9 of the limit, 1.3x the best peer  ok

latency: Calls on an 8x8 float32: the reference is NumPy's x[1:7, ::2].copy()

row              fastops  numpy  x best  bar                   met
---------------  -------  -----  ------  --------------------  -----
warm_tiny_split     2 us   1 us    0.50  1x the best peer (!)  below

start: New processes: the reference is the import of NumPy, and that of Numba for first calls

row     fastops  reference  bar                    met
------  -------  ---------  ---------------------  ---
import   110 ms     100 ms  the reference + 15 ms  ok

memory: Memory beyond input and output

row           fastops  bar            met
-----------  --------  -------------  ---
crop_f32_x1  0.00 MiB  at most 1 MiB  ok

3 of 4 rows at their bars, 1 below: latency/warm_tiny_split
"""


def test_text():
    assert text_of(canned()) == TEXT


MARKDOWN = """\
2026-01-02, 2 cores of A Processor, 2 threads (omp), Python 3.11.0: fastops 1.0, numpy 2.1.0.
Not taking part: torch.

## Large moves into the caller's output

Share of the limit.

|  | time | fastops | NumPy | ONNX Runtime | OpenVINO | times the best other |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| crop f32 | 5 ms | 0.96 | 0.24 | 0.48 | - | 2.00 |

## Calls on an 8x8 float32

The reference is NumPy's x[1:7, ::2].copy().

|  | fastops | NumPy | times the best other |
| --- | ---: | ---: | ---: |
| warm tiny split | 2 us | 1 us | 0.50 |

## New processes

The reference is the import of NumPy, and that of Numba for first calls.

|  | fastops | reference |
| --- | ---: | ---: |
| import | 110 ms | 100 ms |

## Memory beyond input and output

|  | fastops |
| --- | ---: |
| crop f32 x1 | 0.00 MiB |
"""


def test_markdown_has_no_verdicts():
    assert markdown_of(canned()) == MARKDOWN


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.5, "1.5 s"), (0.9996, "1 s"), (0.0123, "12.3 ms"), (1e-3, "1 ms"), (4.56e-7, "0.456 us")],
)
def test_values_are_shown_in_the_unit_that_suits(value, shown):
    assert shown_value(value, "s") == shown


def test_results_come_back_from_the_file(tmp_path):
    save(canned(), tmp_path / "results.json")
    assert load(tmp_path / "results.json") == canned()


def test_stored_results_are_shown_without_measuring(tmp_path, capsys):
    path, table = tmp_path / "results.json", tmp_path / "table.md"
    save(canned(), path)
    assert main(["--from-json", str(path), "--markdown", str(table)]) == 1
    assert capsys.readouterr().out == TEXT
    assert table.read_text() == markdown_of(canned())
    assert main(["--from-json", str(path), "--group", "large"]) == 0
    assert main(["--from-json", str(path), "--only", "nothing"]) == 2


def test_summary_of_rows_that_are_all_met():
    results = Results({}, canned().rows[:1])
    assert summary(results) == "1 of 1 rows at their bars, 0 below"


@pytest.mark.parametrize(
    "content", [None, b"", b"{", b"[]", b"{}", b'{"rows": [1], "environment": {}}', b'{"rows": [{"x": 1}]}', b"\xff"]
)
def test_a_file_that_holds_no_results_is_one_line_and_exit_2(content, tmp_path, capsys):
    path = tmp_path / "results.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["--from-json", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{path} ")
    assert printed.err.count("\n") == 1


def test_a_wrong_row_is_named_under_its_table():
    results = canned()
    results.rows[0] = replace(results.rows[0], wrong="differs from NumPy", values={})
    assert "crop_f32: differs from NumPy" in text_of(results)
    assert not is_met(results.rows[0])


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_chart(tmp_path, suffix):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"chart.{suffix}"
    assert draw(canned(), path)
    assert path.stat().st_size > 5_000
    assert not draw(Results({}, canned().rows[1:]), path)
