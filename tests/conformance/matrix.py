"""Make docs/conformance.md: operator by framework by rule, from the recorded cases, as fastops answers them now, and
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
from tests.conformance._departures import departures_of
from tests.conformance._operators import FRAMEWORKS, operators_of
from tests.conformance._outcomes import UNDEFINED, Values, outcome_of, said, values_of
from tests.conformance._rules import RULES, operator_of
from tests.conformance._sections import Example, Section, slug_of, table
from tests.conformance._verdicts import check_used, verdict_of
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

A row of a section's first table is a rule of the operator: what the parameters of its cases have in common, not their
results. Each case has one rule, the first that fits; a case of several axes may be about more than its row says.
A cell counts a framework's cases. Where it says "5 of 8", fastops answers 5 of 8 as the framework did, in its dialect:
the same shape and values, or an error where it had one. A number alone means that all are answered alike. It is
followed by how many cases the framework answered with an error. In an empty cell, no case of the framework is about
this rule. A letter in a cell refers to a line below, in the table of the framework.

A line of such a table says what a framework does in some cases, and whether it departs from its own specification,
which is quoted. A line with *alike* is about cases in which fastops follows the framework, and not its specification.
In the cases of all other lines, fastops does not do what the framework does.

Random calls are those of `tox -e conformance`: 2,000 of each function of each framework that can be installed, with
all of the framework's arguments that the function of fastops takes, and with wrong ones. Both must give the same type,
shape and bytes, or both refuse, except in the departures; each of these is met by some call. In the examples, x holds
1, 2, 3 and so on.

The floats of ranges are compared bit for bit, except that any NaN equals any other.
"""


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


_SHOWN = (
    *(
        "function",
        "input_shape",
        "begin",
        "end",
        "strides",
        "begin_mask",
        "end_mask",
        "new_axis_mask",
        "shrink_axis_mask",
    ),
    *("ellipsis_mask", "start", "stop", "step", "axes", "axis", "split_lengths", "num_splits", "pads_begin"),
    *("pads_end", "mode", "fill", "op_inputs", "attrs", "start_type", "dtype", "output_type"),
)


def arguments_of(case: dict[str, Any]) -> str:
    """Return a case's parameters, but those that are absent or say nothing."""
    shown = {name: case[name] for name in _SHOWN if case.get(name) not in (None, {})}
    shown = {name: value for name, value in shown.items() if not (name.endswith("_mask") and not any(value))}
    return ", ".join([f"{name.removeprefix('input_')} {json.dumps(value)}" for name, value in shown.items()])


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each file's name and case."""
    for name in CALLS:
        for case in json.loads((FOLDER / f"{name}.json").read_text())["cases"]:
            yield name, case


def add(section: Section, framework: str, name: str, case: dict[str, Any]) -> None:
    """Call fastops with a case and count it."""
    operator = section.operator
    with np.errstate(all="ignore"):
        ours = answer(name, Case(case, None))
    is_alike = ours == recorded(case) and not case.get("unsafe") and not case.get("error", "").startswith("SIG")
    cell = section.cells[RULES[operator](case)][framework]
    cell.total += 1
    cell.errors += recorded(case) is None
    cell.different += not is_alike
    verdict = verdict_of(framework, operator, case, alike=is_alike)
    if verdict is not None:
        cell.verdicts.add(verdict)
        example = Example(case["id"], arguments_of(case), their_words(case), said(ours))
        section.examples[verdict].append(example)


def sections() -> dict[str, Section]:
    """Return the section of each operator, in their order."""
    operators = {operator for framework in FRAMEWORKS for operator in operators_of(framework)}
    made = {each: Section(each, departures_of(each)) for each in sorted(operators | set(RULES))}
    for name, case in cases():
        add(made[operator_of(name, case)], _FRAMEWORK_OF[name.split("_")[0]], name, case)
    check_used(verdict for section in made.values() for verdict in section.examples)
    return made


def opening(made: dict[str, Section]) -> Iterator[str]:
    """Yield the table of operators and frameworks."""
    rows = []
    for operator, section in made.items():
        known = {each for each in FRAMEWORKS if operator in operators_of(each)}
        known |= {each for cells in section.cells.values() for each in cells}
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
