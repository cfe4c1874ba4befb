"""Random calls with hostile arguments in all positions: an error of fastops or of a hook, or a result; no crash."""

from __future__ import annotations

import inspect

import pytest

import fastops as fo
from tests.helpers.contract import ALL_DIALECTS, DIALECTS
from tests.helpers.hostile_calls import good_calls, hostile_calls, is_refused
from tests.helpers.names import names_of
from tests.helpers.seeds import chooser, noted
from tests.helpers.torture import scale

# NumPy deprecates in 2.5 what callers may do all the same.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")


def test_nothing_but_errors_of_fastops_comes_out_of_random_calls() -> None:
    refused = 0
    calls = scale(4000, 1_000_000)
    for i, (name, function, arguments) in zip(range(calls), hostile_calls(chooser("hostile calls")), strict=False):
        with noted(f"call {i}: {name}"):
            refused += is_refused(name, function, arguments)
    assert 100 < refused < calls - 100


def test_the_calls_are_of_all_that_is_public() -> None:
    calls = good_calls()
    names = {name for name in fo.__all__ if inspect.isfunction(getattr(fo, name))}
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        own = [
            name for name in names_of(getattr(fo.plan, dialect)) if getattr(module, name) is not getattr(fo, name, None)
        ]
        names |= {f"{prefix}{dialect}.{name}" for name in own for prefix in ("", "plan.")}
    names |= {f"plan.{name}" if inspect.isfunction(getattr(fo.plan, name)) else name for name in fo.plan.__all__}
    # Four names are of plain records: two are checked by what takes them, and the others are only given.
    names -= {*ALL_DIALECTS, "Run", "SourceWindow", "NodePlan", "OpenPlan", "PlanList"}
    assert names <= set(calls)
    for name, (function, positions) in calls.items():
        parameters = inspect.signature(function).parameters.values()
        assert {each.name for each in parameters if each.kind is not each.VAR_KEYWORD} == positions.keys(), name
