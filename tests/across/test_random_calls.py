"""Random calls with hostile arguments in all positions: an error of fastops or of a hook, or a result; no crash."""

from __future__ import annotations

import inspect
import random
import re
import time
import warnings
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

import fastops as fo
from tests.helpers.contract import ALL_DIALECTS, DIALECTS
from tests.helpers.hostile_calls import good_calls, hostile_calls
from tests.helpers.hostile_values import HookError, LyingNumber, hostile_values
from tests.helpers.torture import scale

# NumPy deprecates in 2.5 what callers may do all the same.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")

SECONDS = scale(2, 300)
# Other seeds each time, where there is time for them. A failure tells its own.
FIRST_SEED = scale(0, time.time_ns() % 2**32)

# Errors that are about none of the parameters.
OTHER_ATTRIBUTES = {
    "plan.variadic_split": {"data"},
    "AxisMap": {"fields"},
    "AxisMap.whole": {"count"},
    "AxisMap.unread": {"fields"},
    "SlicePlan.from_json": {"format", "version"},
    "RangePlan.from_json": {"format", "version"},
}

# Methods whose errors name them.
METHODS = {"AxisMap.source", "RunMap.source"}
METHODS |= {f"SlicePlan.{name}" for name in ("then", "transpose", "indices", "runs", "reads_as")}


def op_of(name: str) -> str:
    """The operator that the errors of a function name."""
    if name.endswith("plan()"):
        return "plan"
    name = name.removeprefix("plan.")
    return name if name in METHODS or name.split(".")[0] in DIALECTS else name.split(".")[0]


def check_error(name: str, arguments: dict[str, Any], error: fo.FastopsError) -> None:
    text = str(error)
    assert text.startswith(f"{error.op}: {error.attribute} must "), (name, text)
    assert error.op == op_of(name), (name, text)
    known = {*arguments, "the output"} | OTHER_ATTRIBUTES.get(name, set())
    dialect, _, operator = name.removeprefix("plan.").partition(".")
    if dialect in DIALECTS:
        # Plans have a shape for data, and one error may be about two attributes.
        known |= {next(iter(inspect.signature(getattr(getattr(fo, dialect), operator)).parameters))}
    # Of many windows an error is about one, by its number.
    attributes = [re.sub(r"\[\d+\]$", "", attribute) for attribute in error.attribute.split(", ")]
    assert known.issuperset(attributes), (name, text)
    assert ", got " in text
    assert len(text) < 1000
    assert len(text.splitlines()) == 1


def is_refused(name: str, function: Callable[..., Any], arguments: dict[str, Any]) -> bool:
    """Make a call, and check its error; return if there was one."""
    started = time.thread_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(**arguments)
    except fo.FastopsError as error:
        assert time.thread_time() - started < 2
        check_error(name, arguments, error)
        return True
    except HookError:
        return True
    except ValueError as error:
        # NumPy's word on a hook that gives something else than it should.
        if str(error) != "object __array__ method not producing an array":
            raise
        return True
    return False


def test_nothing_but_errors_of_fastops_comes_out_of_random_calls() -> None:
    end = time.monotonic() + SECONDS
    raised = made = 0
    for seed in count(FIRST_SEED):
        for i, (name, function, arguments) in enumerate(hostile_calls(random.Random(seed))):
            try:
                refused = is_refused(name, function, arguments)
            except Exception as error:
                raise AssertionError(f"seed {seed}, call {i}: {name} raised {type(error)}") from error
            raised += refused
            made += not refused
            if i >= 500:
                break
        if time.monotonic() > end:
            break
    assert min(raised, made) > 100


def test_the_calls_are_of_all_that_is_public() -> None:
    calls = good_calls()
    names = {name for name in fo.__all__ if inspect.isfunction(getattr(fo, name))}
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        own = [name for name in dir(getattr(fo.plan, dialect)) if getattr(module, name) is not getattr(fo, name, None)]
        names |= {f"{prefix}{dialect}.{name}" for name in own for prefix in ("", "plan.")}
    names |= {f"plan.{name}" if inspect.isfunction(getattr(fo.plan, name)) else name for name in fo.plan.__all__}
    # Four names are of plain records: two are checked by what takes them, and the others are only given.
    names -= {*ALL_DIALECTS, "Run", "SourceWindow", "NodePlan", "PlanList"}
    for cls in (fo.plan.AxisMap, fo.plan.RunMap, fo.plan.SlicePlan, fo.plan.RangePlan):
        methods = [name for name in vars(cls) if not name.startswith("_") and callable(getattr(cls, name))]
        names |= {f"{cls.__name__}.{name}" for name in methods}
    assert names | {"plan()", "range plan()"} == set(calls)
    for name, (function, positions) in calls.items():
        assert list(inspect.signature(function).parameters) == list(positions), name
        # What is called good is: some call with nothing else is no error.
        rng = random.Random(1)
        choices = [{position: rng.choice(good) for position, good in positions.items()} for _ in range(300)]
        assert not all(is_refused(name, function, chosen) for chosen in choices), name


def test_a_seed_tells_what_lying_values_say() -> None:
    said = []
    for _ in range(2):
        pool = hostile_values(random.Random(5))
        said.append([value.__index__() for value in pool if type(value) is LyingNumber for _ in range(20)])
    assert said[0] == said[1]
    assert len(set(said[0])) > 1
