"""The table of the gate, the suites of asv, and the timings of the recipes.

The names of the gate and of the suites do not change, and some of their benchmarks run. All implementations of a recipe
give the same results, and each page shows its part of the timings.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from asv_gate.counting import Counter

import fastops as fo
from benchmarks import cases, counters, gate, suites
from benchmarks.recipes.__main__ import CASES, PAGE, page_of

SUITES = [each for each in vars(suites).values() if isinstance(each, type) and each.__module__ == suites.__name__]


def kept_names(kind: str) -> list[str]:
    """The names in `names.txt`, under which results are kept. Removing a name ends its history."""
    lines = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{kind} ") for line in lines if line.startswith(f"{kind} ")]


def benchmarks_of(every: int) -> list[tuple[Any, str, list[Any]]]:
    """Every method that asv runs as a benchmark, with each ``every``-th combination of its parameters."""
    found = []
    for cls in SUITES:
        for method in (name for name in dir(cls) if name.startswith(("time_", "track_"))):
            params = getattr(cls, "params", ())
            # Parameters are one list or a list of lists; each list has a name.
            axes = params if params and isinstance(params[0], list) else [params] if params else []
            assert len(getattr(cls, "param_names", ())) == len(axes), cls
            found += [(cls, method, list(parameters)) for parameters in list(product(*axes))[::every]]
    return found


def test_names_and_versions_are_stable_and_no_other_name_is_a_set_up():
    names = [f"{name} quick" if name in gate.QUICK else name for name in gate.CASES]
    assert names == kept_names("gate")
    assert {*gate.QUICK} <= {*gate.CASES}
    assert sorted({f"{cls.__name__}.{method}" for cls, method, _ in benchmarks_of(1)}) == kept_names("asv")
    assert {cls.version for cls in SUITES} == {"1"}
    # asv runs every attribute of a module that has one of these names, in upper or lower case, as a set-up or
    # tear-down.
    assert not [name for name in dir(suites) if name.lower() in ("setup", "teardown", "setup_cache")]


@pytest.fixture(autouse=True)
def run_quickly(monkeypatch):
    monkeypatch.setattr(suites.Suite, "is_small", True)
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


def test_cases_of_the_gate_run_in_the_sizes_and_threads_of_their_groups():
    for name in [name for name in gate.CASES if not name.startswith(("large/", "fresh/"))] + ["fresh/window_f32"]:
        call = gate.CASES[name]()
        assert numba.get_num_threads() == (
            1 if name.startswith(("cache/", "windows/", "normalize/")) else numba.config.NUMBA_NUM_THREADS
        )
        results = [call(), call()]
        if name in ("cache/reverse_u8", "cache/range_i64", "fresh/window_f32"):
            size = gate.CACHE_BYTES if name.startswith("cache") else gate.LARGE_BYTES
            assert results[0].nbytes == pytest.approx(size, rel=0.05), name
            assert (results[0] is results[1]) is name.startswith("cache"), name


# The largest values that a figure may have on any machine. Modules of NumPy and Numba do not count.
MOST = {"track_bytes_allocated": 2**20, "track_modules": 60}
MOST |= dict.fromkeys(("track_launches", "track_threads", "track_threads_that_write"), 1)


def test_suites_run():
    """Run every seventh benchmark, without those that start cold processes: `tox -e bench-smoke` runs these."""
    for cls, method, parameters in benchmarks_of(7):
        if parameters == ["start/first_threads_warm"] or "cold" in str(parameters):
            continue
        benchmark = cls()
        if cls is suites.Threads and parameters[-1] > numba.config.NUMBA_NUM_THREADS:
            with pytest.raises(NotImplementedError, match="threads"):
                benchmark.setup(*parameters)
            continue
        if hasattr(benchmark, "setup"):
            benchmark.setup(*parameters)
        value = getattr(benchmark, method)(*parameters)
        is_right = value is None if method.startswith("time_") else 0 <= value <= MOST.get(method, inf)
        assert is_right, (cls, method, parameters, value)


def test_a_missing_operator_is_left_out(monkeypatch):
    """asv and the gate leave out a benchmark whose set-up raises NotImplementedError."""
    monkeypatch.delattr(fo, "slice")
    monkeypatch.setattr(fo, "__all__", [name for name in fo.__all__ if name != "slice"])
    for cls, *parameters in (
        (suites.Time, "large/pad_reflect_u8"),
        (suites.Time, "latency/miss_slice"),
        (suites.Threads, "pad_reflect_f32", "4MiB", 1),
        (suites.Figures, "pad_reflect_u8"),
        (suites.Counts, "tiny_reflect_pad"),
    ):
        with pytest.raises(NotImplementedError, match="slice"):
            cls().setup(*parameters)
    monkeypatch.setattr(fo, "windows", fo.strided_slice)
    with pytest.raises(NotImplementedError, match="normalize"):
        gate.CASES["normalize/chw_f16_448"]()


def test_the_gate_counts_all_cases(monkeypatch):
    monkeypatch.setattr(counters, "_SECONDS_FOR_WRITERS", 0.01)
    found = gate.count()
    assert {name for name in cases.CASES if f"{name}: launches" in found} == {*cases.CASES}
    assert {count for name, count in found.items() if "launches" in name} == {Counter(1)}
    assert found["all: vector bytes"].value == max(
        n.value for name, n in found.items() if name.endswith("vector bytes")
    )
    # A commit that lacks the operator of a case has no counters for the case.
    monkeypatch.delattr(fo, "range")
    monkeypatch.setattr(fo, "__all__", [name for name in fo.__all__ if name != "range"])
    assert {name.partition(":")[0] for name in found.keys() - gate.count().keys()} == {
        *cases.names_of("ranges"),
        "tiny_range",
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recipe}-{case.what}")
def test_all_ways_give_the_same(case):
    for module in case.needs:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    with case.open() as ways:
        # In some cases, the second call differs from the first.
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
    # Two recipes also include the figures of the front page.
    shown = {name: set(re.findall(r':start-after: "<!-- (\w+) -->"', text)) - {"front"} for name, text in texts.items()}
    parts = re.findall(r"<!-- (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert {name for name, names in shown.items() if names} == set(parts) - {"end"} == set(recipes)
    assert all(names in (set(), {name}) for name, names in shown.items())
