"""Random calls of public functions, of plans and of maps, with good and hostile values in all positions at once."""

from __future__ import annotations

import inspect
import random
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

import fastops as fo
from tests.helpers.chains import draw_stages
from tests.helpers.contract import DIALECTS, Subject, all_operators, data_of, outputs_of, tables_of, theirs_of
from tests.helpers.draws import Choices, draw_memory
from tests.helpers.hostile_values import HookError, hostile_values
from tests.helpers.processes import names_of

Positions = dict[str, list[Any]]

#: Attributes of errors that are not parameters.
_OTHER_ATTRIBUTES = {
    "plan.variadic_split": {"data"},
    "AxisMap": {"fields"},
    "AxisMap.whole": {"count"},
    "SlicePlan.from_json": {"format", "version"},
    "RangePlan.from_json": {"format", "version"},
}

#: Methods whose errors begin with the name of the method.
_METHODS = {"AxisMap.source", "RunMap.source"}
_METHODS |= {f"SlicePlan.{name}" for name in ("then", "transpose", "indices", "runs")}

#: NumPy's message for a hook that returns no array.
_KNOWN_ERROR = "object __array__ method not producing an array"

PLAN = fo.plan.slice((4, 5), [0, 0], [2, 2])
RUNS = [fo.plan.Run(2, None, 0), fo.plan.Run(3, 3, -1)]
FILLED = fo.plan.AxisMap.create(5, -1, 1, 7, fo.SampleMode.FILL)

_NUMPYS_ERRORS = (ValueError, TypeError, LookupError, AttributeError, OverflowError)

_FIRST_PARAMETERS = {
    f"{dialect}.{name}": next(iter(inspect.signature(getattr(getattr(fo, dialect), name)).parameters))
    for dialect in DIALECTS
    for name in names_of(getattr(fo.plan, dialect))
}


def functions() -> dict[str, Callable[..., Any]]:
    """Return public functions without tables of calls, and the classes of plans and maps with their methods."""
    homes = {"": fo, "plan.": fo.plan}
    found = {f"{home}{name}": getattr(module, name) for home, module in homes.items() for name in module.__all__}
    tabled = {each.__name__ for each in all_operators() if hasattr(fo, each.__name__)}
    found = {name: each for name, each in found.items() if inspect.isfunction(each) and each.__name__ not in tabled}
    for home in (fo.onnx, fo.tensorflow, fo.plan.onnx, fo.plan.tensorflow):
        found[f"{home.__name__.removeprefix('fastops.')}.range"] = home.range
    for each in (FILLED, fo.plan.RunMap(4, RUNS), PLAN, fo.plan.RangePlan(0, 1, 3)):
        cls = type(each)
        names = [name for name in vars(cls) if not name.startswith("_") and callable(getattr(cls, name))]
        found |= {cls.__name__: cls, **{f"{cls.__name__}.{name}": getattr(each, name) for name in names}}
    found["SlicePlan.transpose"] = lambda axes: PLAN.transpose(axes)
    return found | {"WindowsPlan": fo.plan.WindowsPlan, "plan()": PLAN, "range plan()": fo.plan.range(0, 4, 1, "f32")}


def _values_by_name() -> tuple[Positions, dict[str, Positions]]:
    """Return good values for each name of a parameter, and other values for functions that need others."""
    data = [np.arange(20.0).reshape(4, 5), np.arange(20.0).reshape(5, 4).T, [[1.0] * 5] * 4, np.zeros((4, 5), "V3")]
    numbers = [0, 1, 4.5, -2, np.int8(3), -0.0]
    maps = [fo.plan.AxisMap.create(4, 0, 1, 4), FILLED]
    good: Positions = {
        **dict.fromkeys(("data", "x"), data),
        **dict.fromkeys(("start", "stop", "step", "limit", "delta"), numbers),
        "shape": [(4, 5), [4, 5], (4,), ()],
        "stride": [1, -1, 0],
        "axes": [None, [0, 1], [1]],
        "axis": [0, 1, -1, [0]],
        "starts": [[[0, 0], [1, 2]], np.zeros((2, 2), np.int8), [], [[0], [-1]], np.array([[2**63 - 1, 0]])],
        "items": [False, True],
        "mode": [*fo.SampleMode, "wrap", "FILL", 4, SimpleNamespace(name="CLAMP")],
        "fill_value": [None, 0, 1.5, True, [1, 2]],
        "channel_axis": [-1, 0, np.int8(1)],
        "flip": [None, 0, [0, 1], True, [True, False], np.ones((2, 2), np.bool_)],
        "output_type": ["f32", "i8", "bf16", np.dtype("f8"), np.float32, "f8e4m3"],
        "dtype": [None, "f32", "i64", np.float16],
        "normalize": [None, None, (1.5, 2.0), ([1, 2], (3.0, 4.0)), ([0, 1], 2, -1), (np.arange(5), np.ones(5))],
        "out": [None, None, np.zeros((2, 2)), np.zeros((4, 5)), np.zeros((1, 2)), np.zeros(4, "f4")],
        "chunks": [None, None, 2],
        "extent": [4, 0],
        "count": [4, 1, 0],
        "runs": [[*RUNS], tuple(RUNS), []],
        "y": [0, 6, 4],
        "source_shape": [None, (4, 5), (4, 1, 5)],
        "order": [None, (0, 1), [1, 0]],
        "windows": [None, None, [(0, 0, 1), (1, 0, 1)]],
        "fills": [None, 1, 3],
        "plan": [fo.plan.numpy.pad((2, 2), 1), PLAN],
        "text": [PLAN.to_json(), fo.plan.RangePlan(0, 1, 3).to_json(), "{}", "[]", PLAN.to_json().encode()],
    }
    sizes: Positions = {"size": [[1, 2], (2, 2), np.array([1, 2]), [], 2], "stride": [1, [1, 1], -2]}
    of_maps: Positions = {"axes": [tuple(maps), maps, maps[:1]], "shape": [None, (4, 7), [4, 1, 7]]}
    special: dict[str, Positions] = {
        "windows": {
            **sizes,
            "data": [*data, [np.zeros((4, 5)), np.ones((3, 5))]],
            "stride": [1, [1, 1], [[1, 1], [0, -2]], np.full((2, 2), -1)],
            "items": [None, None, [0, 1], np.array([3, 0], np.uint8)],
            "out": [None, None, np.zeros((2, 2, 2))],
        },
        "plan.windows": sizes,
        "WindowsPlan": {
            "source_shape": good["shape"],
            "size": [[2, 2], (1,)],
            "stride": [[1, 1], (0,)],
            "axes": [[0, 1], (1,)],
        },
        "SlicePlan": of_maps,
        "SlicePlan.transpose": {"axes": [None, (1, 0), [-1, 0], [0]]},
    }
    return good, special


@cache
def values_of_tables(function: Callable[..., Any]) -> dict[str, list[Any]]:
    """Return values for each argument of an operator; some combinations of them are right calls."""
    subject = Subject(function)
    calls, _ = tables_of(function)
    data = [data_of(call, subject.dtypes(call)[0]) for call in calls]
    outs = [call.expected(each) for call, each in zip(calls, data, strict=True)]
    values: dict[str, list[Any]] = {subject.data_name: [subject.own(each) for each in data]}
    named = [each for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD]
    for name, parameter in [(each.name, each) for each in named[1:]]:
        defaults = [] if parameter.default is inspect.Parameter.empty else [parameter.default]
        values[name] = defaults + [call.arguments[name] for call in calls if name in call.arguments]
    values["out"] += [subject.own(outputs_of(out) if isinstance(out, list) else np.array(out)) for out in outs]
    if subject.has_copy:
        values["copy"] = [True, None, False]
    return values


def good_calls() -> dict[str, tuple[Callable[..., Any], Positions]]:
    """Return public functions and methods with good values of each of their arguments."""
    good, special = _values_by_name()
    calls = {}
    for name, function in functions().items():
        values = {**good, **special.get(name, {})}
        calls[name] = function, {each: list(values[each]) for each in inspect.signature(function).parameters}
    for function in all_operators():
        subject = Subject(function)
        values = values_of_tables(function)
        calls[subject.op] = function, values
        first, *others = inspect.signature(subject.plan_function).parameters
        shapes = [tuple(np.shape(each)) for each in values[subject.data_name]]
        calls[f"plan.{subject.op}"] = subject.plan_function, {first: shapes, **{name: values[name] for name in others}}
    return calls


def hostile_calls(rng: random.Random) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield random calls without end: the name of a function, the function, and arguments, some of them hostile."""
    while True:
        calls = good_calls()
        plan = draw_stages(rng, 1)[0].plan
        calls["SlicePlan"][1]["axes"] += [plan.axes, plan.axes[:1]]
        calls["SlicePlan"][1]["shape"] += [[axis.count for axis in plan.axes], plan.shape]
        calls["RunMap"][1]["runs"] += [[fo.plan.Run(*rng.choices(range(-2, 6), k=3))] for _ in range(5)]
        memory = draw_memory(Choices(rng), plan.source_shape, 8, may_repeat=True)
        data = memory.array_in(memory.new_buffer(0), np.dtype("f8"))
        outs = [None, np.zeros(plan.shape) if max(plan.shape, default=0) < 8 else None]
        calls["raw plan()"] = plan, {**calls["plan()"][1], "data": [data], "out": outs}
        for i in range(500):
            if i % 50 == 0:
                # Make the values anew, because some of them change.
                pool = hostile_values(rng)
            name = rng.choice(list(calls))
            function, positions = calls[name]
            share = rng.choice([0.0, 0.1, 0.3, 1.0])
            arguments = {each: rng.choice(pool if rng.random() < share else good) for each, good in positions.items()}
            yield name, function, arguments


def op_of(name: str) -> str:
    """Return the name of the operator in the errors of a function."""
    if name.endswith("plan()"):
        return "plan"
    name = name.removeprefix("plan.")
    return name if name in _METHODS or name.split(".")[0] in DIALECTS else name.split(".")[0]


def check_error(name: str, arguments: dict[str, Any], error: fo.FastopsError) -> None:
    """Check the operator, the attribute and the text of an error."""
    text = str(error)
    assert text.startswith(f"{error.op}: {error.attribute} must "), (name, text)
    assert error.op == op_of(name), (name, text)
    known = {*arguments, "the output"} | _OTHER_ATTRIBUTES.get(name, set())
    # Functions of plans take a shape, but their errors name data.
    known.add(_FIRST_PARAMETERS.get(name.removeprefix("plan."), ""))
    # An error may name two attributes, or an attribute with the number of one of many windows.
    attributes = [re.sub(r"\[\d+\]$", "", attribute) for attribute in error.attribute.split(", ")]
    assert known.issuperset(attributes), (name, text)
    assert ", got " in text
    assert len(text) < 1000
    assert len(text.splitlines()) == 1


def _is_numpys(name: str, function: Callable[..., Any], arguments: dict[str, Any], error: Exception) -> bool:
    """Return whether NumPy's function refuses a call too."""
    if not name.startswith("numpy.") or name == "numpy.take_slice":
        return False
    own = inspect.signature(theirs_of(function)).parameters
    try:
        theirs_of(function)(**{each: value for each, value in arguments.items() if each in own})
    except (type(error), HookError, MemoryError, *_NUMPYS_ERRORS):
        return True
    return False


def is_refused(name: str, function: Callable[..., Any], arguments: dict[str, Any]) -> bool:
    """Make a call and check its error; return whether there was one. Check also that `str` works for every result."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function(**arguments)
    except fo.FastopsError as error:
        check_error(name, arguments, error)
        return True
    except HookError:
        return True
    except _NUMPYS_ERRORS as error:
        if not str(error).startswith(_KNOWN_ERROR) and not _is_numpys(name, function, arguments, error):
            raise
        return True
    for each in result if isinstance(result, list | tuple) else [result]:
        if type(each) is int or getattr(getattr(each, "dtype", None), "hasobject", False):
            # NumPy has moved objects, and some of them are integers that are too long to print.
            return False
    str(result)
    return False
