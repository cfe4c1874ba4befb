"""Make docs/conformance.md: operator by framework by rule, from the recorded cases, as fastops answers them now.

``python -m tests.conformance.matrix`` writes the page; a test sees to it that it is up to date.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np

import fastops as fo
from tests.conformance._rules import RULES, operator_of
from tests.conformance._verdicts import VERDICTS, Verdict, check_used, verdict_of
from tests.helpers.vector_calls import CALLS
from tests.helpers.vectors import FOLDER, Case

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"

FRAMEWORKS = {
    "openvino": "OpenVINO",
    "onnx": "ONNX Runtime",
    "tf": "TensorFlow",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "trt": "TensorRT's formula",
}

HEAD = """# Conformance

This page is made from the recorded cases in `tests/vectors/` by `python -m tests.conformance.matrix`, which calls
fastops with each of them. The frameworks were OpenVINO 2026.4.1 (its `Node.evaluate`, and its CPU plugin for operators
that have none), ONNX Runtime 1.31.1, TensorFlow 2.21 (under XLA for images with channels first, which no other kernel
of a CPU takes), NumPy 2.4.6 and PyTorch 2.13. TensorRT was not run: its cases come from its formula.

A row is a rule of the operator: what the parameters of its cases have in common, not what comes of them. Each case has
one rule, the first that fits; a case of several axes may be about more than its row says. A cell counts a framework's
cases. Where it says "5 of 8", fastops answers 5 of 8 as the framework did, in its dialect: the same shape and values,
or an error where it had one. A number alone says that all are answered alike. Behind it stands how many cases the
framework answered with an error. In an empty cell, no case of the framework is about this rule.

A letter in a cell leads to a line below the matrix. One table has what leaves the framework's own specification, whose
words are in quotes. A line with *alike* is about cases in which fastops follows the framework, and not its
specification. The other table has where a framework keeps to its specification, or that leaves it open, and fastops
does otherwise.

Of ranges, floats are compared bit for bit, but that any NaN equals any other.
"""

Outcome = list[tuple[tuple[int, ...], list[Any]]] | None


def answer(name: str, case: Case) -> Outcome:
    """Return what fastops answers: shapes and values, or None for an error."""
    try:
        result = CALLS[name](case)
    except fo.FastopsError:
        return None
    results = result if isinstance(result, list) else [result]
    return [(each.shape, [_number(value) for value in each.ravel().tolist()]) for each in results]


def _number(value: Any) -> Any:
    return repr(float(value)) if isinstance(value, float) or type(value).__module__ == "ml_dtypes" else int(value)


def recorded(case: dict[str, Any]) -> Outcome:
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


def said(outcome: Outcome) -> str:
    """Return an outcome in a few words."""
    if outcome is None:
        return "an error"
    texts = []
    for shape, values in outcome:
        shown = ", ".join(map(str, values[:8])) + (", …" if len(values) > 8 else "")
        texts.append(f"{'x'.join(map(str, shape)) or 'scalar'} [{shown}]")
    return "; ".join(texts)


def their_words(case: dict[str, Any]) -> str:
    """Return what the framework answered in a few words."""
    error = str(case.get("error", ""))
    if case.get("unsafe"):
        return "no defined result"
    if error.startswith("SIG"):
        return f"its process dies ({error})"
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


@dataclass
class Cell:
    """The cases of a framework on a rule: how many, with how many errors, and what is otherwise here and why."""

    total: int = 0
    errors: int = 0
    different: int = 0
    verdicts: set[Verdict] = field(default_factory=set)

    def text(self, letters: dict[Verdict, str]) -> str:
        """Return the cell as it stands in the matrix."""
        count = f"{self.total - self.different} of {self.total}" if self.different else f"{self.total}"
        if self.errors:
            some = "1 error" if self.errors == 1 else f"{self.errors} errors"
            count += f", {some if self.errors < self.total else 'all errors'}"
        named = ", ".join(sorted(letters[each] for each in self.verdicts))
        return f"{count} ({named})" if named else count


@dataclass(frozen=True)
class Example:
    """A case that a verdict is about."""

    identifier: str
    call: str
    theirs: str
    ours: str

    @property
    def length(self) -> int:
        """How much there is to read; the shortest example is shown."""
        return len(self.call) + len(self.theirs) + len(self.ours)


@dataclass
class Section:
    """An operator: its matrix, by rule and framework, and the cases of each verdict."""

    cells: dict[str, dict[str, Cell]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Cell)))
    examples: dict[Verdict, list[Example]] = field(default_factory=lambda: defaultdict(list))

    def add(self, framework: str, operator: str, name: str, case: dict[str, Any]) -> None:
        """Call fastops with a case and count it."""
        with np.errstate(all="ignore"):
            ours = answer(name, Case(case, None))
        is_alike = ours == recorded(case) and not case.get("unsafe") and not case.get("error", "").startswith("SIG")
        cell = self.cells[RULES[operator](case)][framework]
        cell.total += 1
        cell.errors += recorded(case) is None
        cell.different += not is_alike
        verdict = verdict_of(framework, operator, case, alike=is_alike)
        if verdict is not None:
            cell.verdicts.add(verdict)
            example = Example(case["id"], arguments_of(case), their_words(case), said(ours))
            self.examples[verdict].append(example)

    def lines(self) -> list[str]:
        """Return the matrix and the tables of verdicts."""
        found = [each for each in VERDICTS if each in self.examples]
        letters = dict(zip(sorted(found, key=lambda each: not each.leaves), ascii_lowercase, strict=False))
        frameworks = [each for each in FRAMEWORKS.values() if any(each in cells for cells in self.cells.values())]
        lines = [f"| rule | {' | '.join(frameworks)} |", f"|---{'|---' * len(frameworks)}|"]
        for rule, cells in sorted(self.cells.items()):
            row = [cells[each].text(letters) if each in cells else "" for each in frameworks]
            lines.append(f"| {rule} | {' | '.join(row)} |")
        for leaves, title in (
            (True, "Where a framework leaves its specification"),
            (False, "Where fastops does otherwise"),
        ):
            chosen = [each for each in letters if each.leaves == leaves]
            if chosen:
                lines += [
                    "",
                    f"{title}:",
                    "",
                    "| | framework | what it does | cases | for example | it answers | fastops |",
                ]
                lines += ["|---|---|---|---|---|---|---|"]
                lines += [self._line(each, letters[each]) for each in chosen]
        return lines

    def _line(self, verdict: Verdict, letter: str) -> str:
        examples = self.examples[verdict]
        shown = min(examples, key=lambda each: (each.identifier != verdict.example, each.length))
        ids = compact([each.identifier for each in examples])
        count = f"{len(examples)}{', *alike*' if verdict.alike else ''}: {ids}"
        columns = (letter, verdict.framework, verdict.text, count, shown.call, shown.theirs, shown.ours)
        return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in columns)} |"


def compact(identifiers: list[str]) -> str:
    """Return ids with their common beginnings once: ``ov_pad_017, 043, 166``."""
    pairs = [identifier.rpartition("_")[::2] for identifier in identifiers]
    groups = groupby(sorted(pairs), key=lambda pair: pair[0])
    return ", ".join(f"`{start}_{', '.join(number for _, number in group)}`" for start, group in groups)


def page() -> str:
    """Return the page."""
    sections: dict[str, Section] = defaultdict(Section)
    for name, case in cases():
        operator = operator_of(name, case)
        sections[operator].add(FRAMEWORKS[name.split("_")[0]], operator, name, case)
    check_used(verdict for section in sections.values() for verdict in section.examples)
    lines = [HEAD]
    for operator, section in sorted(sections.items()):
        lines += [f"## {operator}", "", *section.lines(), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
