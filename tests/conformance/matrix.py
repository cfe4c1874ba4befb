"""Make docs/conformance.md: operator by framework by rule, from the recorded cases, as fastops answers them now.

``python -m tests.conformance.matrix`` writes the page; a test sees to it that it is up to date.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from tests._vector_calls import CALLS
from tests._vectors import FOLDER, Case

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"

FRAMEWORKS = {
    "openvino": "OpenVINO",
    "onnx": "ONNX Runtime",
    "tf": "TensorFlow",
    "numpy": "NumPy",
    "trt": "TensorRT's formula",
}

# The operators of files that have several, or are called otherwise than their files.
_OPERATORS = {
    "openvino_strided_slice": "StridedSlice",
    "openvino_variadic_split": "Split",
    "openvino_slice8": "Slice",
    "openvino_split": "Split",
    "openvino_pad12": "Pad",
    "openvino_range": "Range",
    "onnx_slice": "Slice",
    "onnx_pad": "Pad",
    "onnx_range": "Range",
    "tf_strided_slice": "StridedSlice",
    "tf_range": "Range",
    "numpy_pad": "Pad",
    "trt_slice_formula": "TensorRT Slice",
}

HEAD = """# Conformance

This page is made from the recorded cases in `tests/vectors/` by `python -m tests.conformance.matrix`, which calls
fastops with each of them. The frameworks were OpenVINO 2026.4.1, ONNX Runtime 1.31.1, TensorFlow 2.21 and NumPy 2.4.6;
TensorRT's cases come from its formula.

A row is a rule, by what the recorded cases are about. A cell says in how many of a framework's cases fastops, in its
dialect, answers as the framework did: the same shape and values, or an error where it had one. Where they differ, the
framework left its own specification, or its answer is not reproduced; each of these cases is below its table.

Floats of ranges are compared as they are. ONNX Runtime adds the step again and again, and TensorFlow rounds types of 16
bits after each operation; neither is reproduced.
"""


@dataclass
class Cell:
    """The cases of a framework on a rule: how many, and those that fastops answers otherwise."""

    total: int = 0
    different: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.total - len(self.different)} of {self.total}" if self.different else f"{self.total}"


def answer(name: str, case: Case) -> list[tuple[tuple[int, ...], list[Any]]] | None:
    """Return what fastops answers: shapes and values, or None for an error."""
    try:
        result = CALLS[name](case)
    except fo.FastopsError:
        return None
    results = result if isinstance(result, list) else [result]
    return [(each.shape, _numbers(each)) for each in results]


def _numbers(array: Any) -> list[Any]:
    return [_number(value) for value in array.ravel().tolist()]


def _number(value: Any) -> Any:
    return repr(float(value)) if isinstance(value, float) or type(value).__module__ == "ml_dtypes" else int(value)


def recorded(case: dict[str, Any]) -> list[tuple[tuple[int, ...], list[Any]]] | None:
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


def said(outcome: list[tuple[tuple[int, ...], list[Any]]] | None) -> str:
    """Return an outcome in a few words."""
    if outcome is None:
        return "an error"
    texts = []
    for shape, values in outcome:
        shown = ", ".join(map(str, values[:8])) + (", …" if len(values) > 8 else "")
        texts.append(f"{'x'.join(map(str, shape)) or 'scalar'} [{shown}]")
    return "; ".join(texts)


_SHOWN = (
    *("input_shape", "begin", "end", "strides", "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask"),
    *(
        "ellipsis_mask",
        "start",
        "stop",
        "step",
        "axes",
        "axis",
        "split_lengths",
        "num_splits",
        "pads_begin",
        "pads_end",
    ),
    *("mode", "fill", "op_inputs", "attrs", "dtype", "output_type"),
)


def arguments_of(case: dict[str, Any]) -> str:
    """Return a case's parameters, but those that are absent or say nothing."""
    shown = {name: case[name] for name in _SHOWN if case.get(name) not in (None, [], {}) and name in case}
    shown = {name: value for name, value in shown.items() if not (name.endswith("_mask") and not any(value))}
    return ", ".join([f"{name.removeprefix('input_')} {json.dumps(value)}" for name, value in shown.items()])


def cases() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each file's name, operator and case."""
    for name in CALLS:
        for case in json.loads((FOLDER / f"{name}.json").read_text())["cases"]:
            yield name, case.get("op") or _OPERATORS[name], case


_DIFFERENCES = "| case | framework | rule and call | it answers | fastops answers |"


def rule_of(case: dict[str, Any]) -> str:
    mode = case.get("mode")
    return f"{case['tag']}, {str(mode).lower()}" if isinstance(mode, str) and "pads_begin" in case else case["tag"]


def page() -> str:
    """Return the page."""
    tables: dict[str, dict[str, dict[str, Cell]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(Cell)))
    departures: dict[str, list[str]] = defaultdict(list)
    for name, operator, case in cases():
        framework = FRAMEWORKS[name.split("_")[0]]
        cell = tables[operator][rule_of(case)][framework]
        cell.total += 1
        with np.errstate(all="ignore"):
            ours = answer(name, Case(case, None))
        theirs = recorded(case)
        if ours != theirs or case.get("unsafe"):
            cell.different.append(case["id"])
            their_words = "memory out of bounds" if case.get("unsafe") else case.get("error") or said(theirs)
            call = f"{rule_of(case)}: {arguments_of(case)}"
            departures[operator].append(f"| `{case['id']}` | {framework} | {call} | {their_words} | {said(ours)} |")
    lines = [HEAD]
    for operator in sorted(tables):
        rules = tables[operator]
        frameworks = [each for each in FRAMEWORKS.values() if any(each in cells for cells in rules.values())]
        lines += [f"## {operator}", "", f"| rule | {' | '.join(frameworks)} |", f"|---{'|---' * len(frameworks)}|"]
        for rule in rules:
            row = [str(rules[rule][each]) if each in rules[rule] else "" for each in frameworks]
            lines.append(f"| {rule} | {' | '.join(row)} |")
        if departures[operator]:
            lines += ["", "Where they differ:", "", _DIFFERENCES, "|---|---|---|---|---|"]
            lines += departures[operator]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
