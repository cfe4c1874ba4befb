"""The timings of the recipes: all ways give the same, and each page has its part."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks.measure.timing import QUICK
from benchmarks.recipes.__main__ import CASES, PAGE, main, timing_of, titles
from benchmarks.recipes._case import Case
from benchmarks.recipes._report import page_of

RECIPES = PAGE.parent


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recipe}-{case.what}")
def test_all_ways_give_the_same(case: Case) -> None:
    for module in case.needs:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    with case.open() as ways:
        # Not the same call each time, where calls differ from each other.
        for _ in range(3):
            first, *others = [result if isinstance(result := way(), list) else [result] for way in ways.values()]
            for other in others:
                for array, expected in zip(first, other, strict=True):
                    assert array.dtype == expected.dtype
                    np.testing.assert_allclose(array, expected, rtol=1e-5)


def test_a_case_is_timed() -> None:
    (case,) = [case for case in CASES if case.recipe == "patches"]
    timing = timing_of(case, QUICK)
    assert len(timing) == 2
    assert all(seconds > 0 for seconds in timing.values())


def test_the_page_has_a_part_for_each_recipe() -> None:
    page = page_of([(case, {"fastops": 2e-5, "np.pad": 5e-5}) for case in CASES], titles())
    for recipe in {case.recipe for case in CASES}:
        part = page.partition(f"<!-- {recipe} -->")[2].partition("<!-- end -->")[0]
        assert part.count("\n| fastops | 20 us | 1 |\n| np.pad | 50 us | 2.5 |\n") == sum(
            case.recipe == recipe for case in CASES
        )


def test_pages_show_the_parts_that_there_are() -> None:
    shown = {
        path.stem: re.findall(r':start-after: "<!-- (\w+) -->"', path.read_text(encoding="utf-8"))
        for path in RECIPES.glob("*.md")
    }
    parts = re.findall(r"<!-- (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert {name for name, names in shown.items() if names} == set(parts) - {"end"} == {case.recipe for case in CASES}
    assert all(names in ([], [name]) for name, names in shown.items())


def test_what_is_missing_is_named(monkeypatch, capsys, tmp_path: Path) -> None:
    monkeypatch.setattr("benchmarks.recipes.__main__.find_spec", lambda _name: None)
    assert main(["--output", str(tmp_path / "page.md")]) == 2
    assert capsys.readouterr().err == "not installed: cv2, dask, defusedxml, onnx, torch\n"
    assert not (tmp_path / "page.md").exists()
