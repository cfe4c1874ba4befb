"""Make docs/conformance.md: operator by framework, from the recorded cases, as fastops answers them now, and
from the departures that random calls have met.

``python -m tests.conformance.matrix`` writes the page; a test sees to it that it is up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._departure_table import check_known, departure_of
from tests.conformance._departures import departures_of
from tests.conformance._operators import FRAMEWORKS, operator_of_function, operators_of
from tests.conformance._outcomes import UNDEFINED, Values, outcome_of, said, values_of
from tests.conformance._sections import Example, Section, slug_of, table
from tests.helpers.vector_calls import CALLS
from tests.helpers.vectors import FOLDER, Case

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"

#: What the names of files of recorded cases begin with, and the framework's name.
_FRAMEWORK_OF = {
    "openvino": "OpenVINO",
    "onnx": "ONNX Runtime",
    "tf": "TensorFlow",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "trt": "TensorRT's formula",
}

OPENING = """# Conformance

A tick means that, for the arguments that fastops takes, it answers all recorded cases and random calls as the framework
does. What a function does not take is on its [operator's page](operators/index.md). A link leads to the calls that
fastops answers otherwise. In an empty cell, fastops has no such function.
"""

EXPLANATION = """## How to read the rest

This page is made by `python -m tests.conformance.matrix` from the recorded cases in `tests/vectors/`, with each of
which it calls fastops, and from the departures that random calls have met.

The frameworks of recorded cases were OpenVINO 2026.4.1 (its `Node.evaluate`, and its CPU plugin for operators that have
none), ONNX Runtime 1.31.1, TensorFlow 2.21 (under XLA for images with channels first, which no other kernel of a CPU
takes), NumPy 2.4.6 and PyTorch 2.13. TensorRT was not run: its cases come from its formula.

A section's first table counts each framework's cases, those among them that it answered with an error, and those that
fastops answers as the framework did, in its dialect: the same shape and values, or an error where it had one.

A line of a table of departures says what a framework does in some cases, and whether it departs from its own
specification, which is quoted. A line with *alike* is about cases in which fastops follows the framework, and not its
specification. In the cases of all other lines, fastops does not do what the framework does.

Random calls are those of `tox -e conformance`: 2,000 of each function of each framework that can be installed, with
all of the framework's arguments that the function of fastops takes, and with wrong ones. Both must give the same type,
shape and bytes, or both refuse, except in the departures; each of these is met by some call. In the examples, x holds
1, 2, 3 and so on.

The floats of ranges are compared bit for bit, except that any NaN equals any other.
"""


def operator_of(name: str, case: dict[str, Any]) -> str:
    """Return the operator of a case, by which it has a section; files of one operator have the function's name."""
    framework, _, function = name.removesuffix("_formula").rstrip("0123456789").partition("_")
    operator: str = case.get("op") or operator_of_function(_FRAMEWORK_OF[framework], function)
    return "Broadcast" if operator == "Expand" else operator


def answer(name: str, case: Case) -> Values:
    """Return what fastops answers: shapes and values, or None for an error."""
    return values_of(outcome_of(lambda: CALLS[name](case), fo.FastopsError))


def recorded(case: dict[str, Any]) -> Values:
    """Return what the framework answered, likewise."""
    if case["status"] == "error" or "output_data" not in case:
        return None
    if "output_shapes" in case:
        outputs = zip(case["output_shapes"], case["output_data"], strict=True)
    else:
        outputs = iter([(case["output_shape"], case["output_data"])])
    is_float = case.get("input_dtype", case.get("dtype", case.get("output_type", ""))).lstrip("b").startswith("f")
    return [
        (tuple(shape), [repr(float(value)) if is_float else int(value) for value in data]) for shape, data in outputs
    ]


def their_words(case: dict[str, Any]) -> str:
    """Return what the framework answered in a few words."""
    error = str(case.get("error", ""))
    if case.get("unsafe"):
        return UNDEFINED
    if error.startswith("SIG"):
        return f"crashes ({error})"
    return f"an error ({error})" if error else said(recorded(case))


_SHOWN = """
    function input_shape begin end strides begin_mask end_mask new_axis_mask shrink_axis_mask ellipsis_mask start stop
    step axes axis split_lengths num_splits pads_begin pads_end mode fill op_inputs attrs start_type dtype output_type
"""


def arguments_of(case: dict[str, Any]) -> str:
    """Return a case's parameters, but those that are absent or say nothing."""
    shown = {name: case[name] for name in _SHOWN.split() if case.get(name) not in (None, {})}
    shown = {name: value for name, value in shown.items() if not (name.endswith("_mask") and not any(value))}
    return ", ".join([f"{name.removeprefix('input_')} {json.dumps(value)}" for name, value in shown.items()])


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each file's name and case."""
    for name in CALLS:
        for case in json.loads((FOLDER / f"{name}.json").read_text())["cases"]:
            yield name, case


def add(section: Section, framework: str, name: str, case: dict[str, Any]) -> None:
    """Call fastops with a case and count it."""
    theirs = recorded(case)
    with np.errstate(all="ignore"):
        ours = answer(name, Case(case, None))
    is_alike = ours == theirs and not case.get("unsafe") and not case.get("error", "").startswith("SIG")
    count = section.counts[framework]
    count.cases += 1
    count.errors += theirs is None
    count.different += not is_alike
    departure = departure_of(case["id"], alike=is_alike)
    if departure is not None:
        example = Example(case["id"], arguments_of(case), their_words(case), said(ours))
        section.examples[departure].append(example)


def sections() -> dict[str, Section]:
    """Return the section of each operator, in their order."""
    listed = [(_FRAMEWORK_OF[name.split("_")[0]], name, case) for name, case in cases()]
    check_known([case["id"] for *_, case in listed])
    operators = {each for framework in FRAMEWORKS for each in operators_of(framework)}
    operators |= {operator_of(name, case) for _, name, case in listed}
    made = {each: Section(each, departures_of(each)) for each in sorted(operators)}
    for framework, name, case in listed:
        add(made[operator_of(name, case)], framework, name, case)
    return made


def opening(made: dict[str, Section]) -> Iterator[str]:
    """Yield the table of operators and frameworks."""
    rows = []
    for operator, section in made.items():
        known = {each for each in FRAMEWORKS if operator in operators_of(each)}.union(section.counts)
        name = f"[{operator}](#{slug_of(operator)})"
        rows.append([name, *[section.mark(each) if each in known else "" for each in FRAMEWORKS]])
    return table(["operator", *FRAMEWORKS], rows)


def page() -> str:
    """Return the page."""
    made = sections()
    lines = [OPENING, *opening(made), EXPLANATION]
    for section in made.values():
        lines += section.lines()
    return "\n".join(lines)


if __name__ == "__main__":
    if find_spec("torch") is None:
        sys.exit("tests.conformance.matrix: recorded cases are calls of fastops.torch too: python -m pip install torch")
    PAGE.write_text(page(), encoding="utf-8")
