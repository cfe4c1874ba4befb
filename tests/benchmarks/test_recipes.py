"""The timings of the recipes: all ways give the same results, and each page shows its part."""

from __future__ import annotations

import re
from importlib.util import find_spec

import numpy as np
import pytest

from benchmarks.recipes.__main__ import CASES, PAGE, page_of


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recipe}-{case.what}")
def test_all_ways_give_the_same(case):
    for module in case.needs:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    with case.open() as ways:
        # Calls of some cases differ from each other.
        for _ in range(2):
            first, *others = [result if isinstance(result := way(), list) else [result] for way in ways.values()]
            for other in others:
                for array, expected in zip(first, other, strict=True):
                    assert array.dtype == expected.dtype
                    assert np.array_equal(array, expected) or np.allclose(array, expected, rtol=1e-5, atol=1e-6)


def test_the_pages_of_recipes_show_their_parts():
    page = page_of([(case, {"fastops": 2e-5, "np.pad": 5e-5}) for case in CASES])
    recipes = [case.recipe for case in CASES]
    for recipe in recipes:
        part = page.partition(f"<!-- {recipe} -->")[2].partition("<!-- end -->")[0]
        assert part.count("\n| fastops | 20 us | 1 |\n| np.pad | 50 us | 2.5 |\n") == recipes.count(recipe)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in PAGE.parent.glob("*.md")}
    # The figures of the front page are those of a loader's transform: two recipes show them.
    shown = {name: set(re.findall(r':start-after: "<!-- (\w+) -->"', text)) - {"front"} for name, text in texts.items()}
    parts = re.findall(r"<!-- (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert {name for name, names in shown.items() if names} == set(parts) - {"end"} == set(recipes)
    assert all(names in (set(), {name}) for name, names in shown.items())
