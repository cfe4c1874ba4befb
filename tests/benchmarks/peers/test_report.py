"""The command that compares fastops with other libraries: its rows, what they ask of fastops, and what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.measure.timing import QUICK
from benchmarks.peers.__main__ import main
from benchmarks.peers._bars import is_met
from benchmarks.peers._groups import GROUPS
from benchmarks.peers._report import markdown_of, summary, text_of
from benchmarks.peers._rows import Results, Row
from benchmarks.peers._setup import Setup
from benchmarks.peers._store import load, save
from tests.helpers.processes import run_python


def row_with(asked: dict[str, float], **values: float) -> Row:
    limits = {"slow": 2.0, "fast": 1.0}
    return Row("large", "row", "what", "bytes" if "bytes" in asked else "s", values, limits, asked=asked)


def test_bars():
    # Values that are enough, and such that are not.
    for kind, bar, enough, too_little in (
        ("share", 0.9, {"fastops": 1.1}, {"fastops": 1.12}),
        ("best_peer", 1.3, {"fastops": 1.0, "numpy": 1.4, "torch": 1.5}, {"fastops": 1.0, "numpy": 9.0, "torch": 1.2}),
        # 1.3 times the peer would be 1.04 of the limit.
        ("best_peer_with_room", 1.3, {"fastops": 1.1, "torch": 1.25}, {"fastops": 1.1, "torch": 1.35}),
        ("numpy_and_torch", 1, {"fastops": 1.0, "openvino": 0.1, "numpy": 1.0}, {"fastops": 1.0, "torch": 0.9}),
        ("speedup", 1.7, {"fastops": 1.0, "reference": 1.7}, {"fastops": 1.0, "reference": 1.6}),
        ("writing", 1.6, {"fastops": 1.6}, {"fastops": 1.7}),
        ("recipe", 1.4, {"fastops": 1.0, "reference": 1.4}, {"fastops": 1.0, "reference": 1.3}),
        ("opencv", 6, {"fastops": 1.0, "opencv": 6.0, "torch": 1.0}, {"fastops": 1.0, "opencv": 5.9}),
        ("times_reference", 3.5, {"fastops": 3.5, "reference": 1.0}, {"fastops": 3.6, "reference": 1.0}),
        ("over_reference", 0.015, {"fastops": 0.1149, "reference": 0.1}, {"fastops": 0.116, "reference": 0.1}),
        ("seconds", 20e-6, {"fastops": 20e-6}, {"fastops": 21e-6}),
        ("bytes", 2**20, {"fastops": 2**20}, {"fastops": 2**20 + 1}),
    ):
        assert is_met(row_with({kind: bar}, **enough)), kind
        assert not is_met(row_with({kind: bar}, **too_little)), kind
        # All bars must be met, by a right result.
        assert not is_met(row_with({kind: bar, "share": 1e9}, **enough)), kind
        assert not is_met(replace(row_with({kind: bar}, **enough), wrong="differs")), kind
        assert not is_met(row_with({kind: bar}, numpy=1.0)), kind
    assert is_met(row_with({"best_peer": 1.3}, fastops=1.0))


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
    values = {"fastops": 5e-5, "reference": 6e-5, "opencv": 3.2e-4}
    crop = Row("normalize", "chw_float32_224", "a crop", values=values, limits={"out.fill": 2.5e-5})
    crop.asked = {"writing": 1.6, "recipe": 1.1, "opencv": 6.0, "torch": 15.0}
    crop.absent = {"torch": "not installed"}
    return Results(environment, [large, warm, start, memory, crop])


def expected(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def test_text_and_markdown_which_has_no_verdicts():
    assert text_of(canned()) == expected("report.txt")
    assert markdown_of(canned()) == expected("report.md")
    assert summary(Results({}, canned().rows[:1])) == "1 of 1 rows at their bars, 0 below"
    wrong = Results({}, [replace(canned().rows[0], wrong="differs from NumPy", values={})])
    assert "crop_f32: differs from NumPy" in text_of(wrong)
    assert not is_met(wrong.rows[0])


def test_stored_results_come_back_and_are_shown_without_measuring(tmp_path, capsys):
    path, table = tmp_path / "results.json", tmp_path / "table.md"
    save(canned(), path)
    assert load(path) == canned()
    assert main(["--from-json", str(path), "--markdown", str(table)]) == 1
    assert capsys.readouterr().out == expected("report.txt")
    assert table.read_text() == markdown_of(canned())
    assert main(["--from-json", str(path), "--group", "large"]) == 0
    assert main(["--from-json", str(path), "--only", "nothing"]) == 2
    capsys.readouterr()
    for content in (b"", b"[]", b'{"rows": [1], "environment": {}}', b'{"rows": [{"x": 1}]}', b"\xff"):
        path.write_bytes(content)
        assert main(["--from-json", str(path)]) == 2, content
        printed = capsys.readouterr()
        assert (printed.out, printed.err.startswith(f"{path} "), printed.err.count("\n")) == ("", True, 1), content


def test_rows_have_names_of_their_own_and_the_command_lists_them(capsys):
    jobs = [job for group in GROUPS.values() for job in group(Setup(("numpy",), 2, QUICK, is_small=False))]
    assert len({(job.group, job.name) for job in jobs}) == len(jobs)
    assert {job.group for job in jobs} == set(GROUPS)
    with pytest.raises(SystemExit):
        main(["--list", "--group", "ranges"])
    assert capsys.readouterr().out.splitlines()[0] == "ranges/range_f32"


def test_the_command_runs(tmp_path):
    options = ["--small", "--quick", "--peer", "numpy", "--only", "crop_f32", "--only", "chw_float16_448_1"]
    options += ["--group", "large", "--group", "fresh", "--group", "normalize"]
    result = run_python("-m", "benchmarks.peers", *options, "--json", tmp_path / "results.json")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.search(r"^crop_f32 +[\d.]+ us", result.stdout, re.MULTILINE)
    assert "[2/3] fresh/crop_f32" in result.stderr
    rows = load(tmp_path / "results.json").rows
    assert [set(row.values) for row in rows[:2]] == [{"fastops", "numpy"}] * 2
    # Each is right, or it would have no value; OpenCV takes part where it is installed.
    assert {*rows[2].values} - {"opencv"} == {"fastops", "reference"}


NO_FRAMEWORK = """
import pkgutil, sys
from importlib import import_module
import benchmarks.cases
assert not {"fastops", "numba"} & set(sys.modules), "the table of cases loads them"
import benchmarks.peers
for each in pkgutil.walk_packages(benchmarks.peers.__path__, "benchmarks.peers."):
    import_module(each.name)
assert not {"torch", "onnxruntime", "openvino", "tensorflow", "jax", "matplotlib"} & set(sys.modules)
"""


def test_the_command_needs_no_framework():
    done = run_python("-c", NO_FRAMEWORK)
    assert done.returncode == 0, done.stderr
