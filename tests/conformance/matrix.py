"""The page docs/conformance.md: for each operator, the recorded cases of each framework and its departures.

The page counts how fastops answers the recorded cases now, and lists the departures that random calls have met.
``python -m tests.conformance.matrix`` writes the page; a test checks that it is up to date.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastops as fo
from tests.conformance import _numpy, _onnx, _openvino, _tensorflow, _torch
from tests.conformance._live import (
    ENTRIES,
    TEXTS,
    UNDEFINED,
    Departure,
    Values,
    outcome_of,
    said,
    values_of,
)
from tests.helpers.processes import names_of
from tests.helpers.vectors import CALLS, Case, read_groups

#: Dialects of fastops, and the names of their frameworks on the page.
DIALECTS = {
    "openvino": "OpenVINO",
    "onnx": "ONNX Runtime",
    "tensorflow": "TensorFlow",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "tensorrt": "TensorRT's formula",
}

#: Frameworks in the order of the page's columns.
FRAMEWORKS = tuple(DIALECTS.values())

# Functions of an operator with other names than the operator, such as pixel_shuffle for DepthToSpace.
_OTHER_NAMES = {
    "BatchToSpace": "batch_to_space_nd",
    "Broadcast": "broadcast_to expand",
    "Copy": "ascontiguousarray",
    "DepthToSpace": "pixel_shuffle",
    "Flip": "fliplr flipud",
    "MoveAxis": "moveaxis rollaxis",
    "Patches": "extract_image_patches extract_patches sliding_window_view unfold",
    "Repeat": "repeat_interleave",
    "ShuffleChannels": "channel_shuffle",
    "Slice": "narrow",
    "SpaceToBatch": "space_to_batch_nd",
    "SpaceToDepth": "pixel_unshuffle",
    "Split": "array_split dsplit hsplit unstack variadic_split vsplit",
    "SwapAxes": "matrix_transpose swapaxes",
    "Transpose": "permute permute_dims",
}
_OPERATORS = {function: operator for operator, names in _OTHER_NAMES.items() for function in names.split()}

# Functions that have the name of another operator.
_OTHERS = {("PyTorch", "transpose"): "SwapAxes", ("TensorRT's formula", "slice"): "TensorRT Slice"}


def functions_of(dialect: str) -> list[str]:
    """Return the names of a dialect's functions; each has random calls and an operator on the page."""
    return names_of(getattr(fo.plan, dialect))


def operators_of(framework: str) -> set[str]:
    """Return the operators that a framework has functions for."""
    names = [name for name, own in DIALECTS.items() if own == framework]
    return {operator_of_function(framework, function) for name in names for function in functions_of(name)}


def operator_of_function(framework: str, function: str) -> str:
    """Return the operator of a function, by the framework's name on the page and the function's in the dialect."""
    own_name = function.title().replace("_", "")
    return _OTHERS.get((framework, function)) or _OPERATORS.get(function, own_name)


_KNOWN = [
    *(*_openvino.DEPARTURES, *_openvino.PLUGIN_DEPARTURES, *_onnx.DEPARTURES, *_tensorflow.DEPARTURES),
    *(*_numpy.DEPARTURES, *_torch.DEPARTURES),
]


def departures_of(operator: str) -> list[Departure]:
    """Return the departures of an operator of the page."""
    return [each for each in _KNOWN if operator_of_function(each.framework, each.function) == operator]


_COLUMNS = ("what it does", "departs from its specification", "cases", "for example", "it answers", "fastops")


class Example(NamedTuple):
    """A recorded case: its id, the call, and both answers in words."""

    identifier: str
    call: str
    theirs: str
    ours: str


@dataclass
class Section:
    """An operator: counts of each framework's recorded cases, their departures by text, and departures of draws."""

    operator: str
    departures: Sequence[Departure]
    #: Of each framework: "cases", "errors", and those that are "alike".
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    examples: dict[str, list[Example]] = field(default_factory=lambda: defaultdict(list))

    def mark(self, framework: str) -> str:
        """Return the cell of the first table for a framework that has the operator: a tick, or a link."""
        n = sum("alike" not in each for each in self._recorded(framework)) + len(self._found_at_random(framework))
        heading = f"{self.operator} in {framework}"
        return f"[{n} departure{'s' if n > 1 else ''}](#{slug_of(heading)})" if n else "✓"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the section."""
        yield from (f"## {self.operator}", "")
        counts = [(each, self.counts[each]) for each in FRAMEWORKS if each in self.counts]
        if counts:
            rows = [[each, *[f"{n[name]}" for name in ("cases", "errors", "alike")]] for each, n in counts]
            yield from table(("recorded cases of", "cases", "errors", "answered alike"), rows)
        else:
            yield from ("No cases are recorded.", "")
        for framework in FRAMEWORKS:
            rows = [self._row(each) for each in self._recorded(framework)]
            for each in self._found_at_random(framework):
                answers = [f"{each.function}{each.example}", each.theirs, each.ours]
                rows.append([each.text, YES_NO[each.leaves], "random calls", *answers])
            if rows:
                yield from (f"### {self.operator} in {framework}", "", *table(_COLUMNS, rows))

    def _recorded(self, framework: str) -> list[dict[str, Any]]:
        found = [each for each in RECORDED if each["text"] in self.examples and each["framework"] == framework]
        return sorted(found, key=lambda each: not each["leaves"])

    def _found_at_random(self, framework: str) -> list[Departure]:
        """Return the departures without recorded cases, one for each text."""
        told = {each["text"] for each in self._recorded(framework)}
        found = [each for each in self.departures if each.framework == framework and each.text not in told]
        return list({each.text: each for each in found[::-1]}.values())[::-1]

    def _row(self, entry: dict[str, Any]) -> list[str]:
        """Return a row with the example of the table, or else with the shortest one."""
        text, examples = entry["text"], self.examples[entry["text"]]
        shown = min(examples, key=lambda each: (each.identifier != entry.get("example"), sum(map(len, each[1:]))))
        cases = f"{len(examples)}: {compact([each.identifier for each in examples])}"
        if any(each.text == text for each in self.departures):
            cases += "; random calls"
        return [text, YES_NO[entry["leaves"]] + ", *alike*" * ("alike" in entry), cases, *shown[1:]]


RECORDED = [each for each in ENTRIES if "cases" in each]
YES_NO = {True: "yes", False: "no"}


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def slug_of(heading: str) -> str:
    """Return the anchor that GitHub and the site's builder give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def compact(identifiers: list[str]) -> str:
    """Return ids with their common beginnings once: ``ov_pad_017, 043, 166``."""
    pairs = [identifier.rpartition("_")[::2] for identifier in identifiers]
    groups = groupby(sorted(pairs), key=lambda pair: pair[0])
    return ", ".join(f"`{start}_{', '.join(number for _, number in group)}`" for start, group in groups)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"

#: Frameworks by the first word of the names of files of recorded cases.
_FRAMEWORK_OF = {**DIALECTS, "tf": "TensorFlow", "trt": "TensorRT's formula"}


def operator_of(name: str, case: dict[str, Any]) -> str:
    """Return the operator of a case; files of one operator have the name of a function."""
    framework, _, function = name.removesuffix("_formula").rstrip("0123456789").partition("_")
    operator: str = case.get("op") or operator_of_function(_FRAMEWORK_OF[framework], function)
    return "Broadcast" if operator == "Expand" else operator


def recorded(case: dict[str, Any]) -> Values:
    """Return the framework's answer: shapes and values, or None for an error."""
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
    """Return the framework's answer in a few words."""
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


def add(section: Section, framework: str, name: str, case: dict[str, Any]) -> None:
    """Call fastops with a case and count it."""
    theirs = recorded(case)
    with np.errstate(all="ignore"):
        ours = values_of(outcome_of(lambda: CALLS[name](Case(case, None)), fo.FastopsError))
    is_alike = ours == theirs and not case.get("unsafe") and not case.get("error", "").startswith("SIG")
    section.counts[framework].update({"cases": 1, "errors": theirs is None, "alike": is_alike})
    departure = next((each for each in RECORDED if case["id"] in each["cases"]), None)
    if is_alike != (departure is None or "alike" in departure):
        raise ValueError(f"departures.toml does not say that {case['id']} is answered {said(ours)}")
    if departure is not None:
        example = Example(case["id"], arguments_of(case), their_words(case), said(ours))
        section.examples[departure["text"]].append(example)


def sections() -> dict[str, Section]:
    """Return the section of each operator, in their order."""
    groups = [(name, read_groups()[name]) for name in CALLS]
    listed = [(_FRAMEWORK_OF[name.split("_")[0]], name, case) for name, cases in groups for case in cases]
    named, known = [case for each in RECORDED for case in each["cases"]], {case["id"] for *_, case in listed}
    if len(set(named) & known) < len(named):
        raise ValueError(f"departures.toml names cases twice, or unknown ones: {sorted(set(named) - known)}")
    operators = {each for framework in FRAMEWORKS for each in operators_of(framework)}
    operators |= {operator_of(name, case) for _, name, case in listed}
    made = {each: Section(each, departures_of(each)) for each in sorted(operators)}
    for framework, name, case in listed:
        add(made[operator_of(name, case)], framework, name, case)
    return made


def page() -> str:
    """Return the page."""
    made = sections()
    rows = []
    for operator, section in made.items():
        known = {each for each in FRAMEWORKS if operator in operators_of(each)}.union(section.counts)
        name = f"[{operator}](#{slug_of(operator)})"
        rows.append([name, *[section.mark(each) if each in known else "" for each in FRAMEWORKS]])
    lines = [TEXTS["opening"], *table(["operator", *FRAMEWORKS], rows), TEXTS["explanation"]]
    for section in made.values():
        lines += section.lines()
    return "\n".join(lines)


if __name__ == "__main__":
    if find_spec("torch") is None:
        sys.exit("tests.conformance.matrix: recorded cases are calls of fastops.torch too: python -m pip install torch")
    PAGE.write_text(page(), encoding="utf-8")
