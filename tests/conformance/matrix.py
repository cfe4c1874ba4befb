"""The page docs/conformance.md: for each operator, the recorded cases of each framework and its departures.

The page counts how fastops answers the recorded cases now, and lists the departures that random calls have met.
``python -m tests.conformance.matrix`` writes the page; a test checks that it is up to date.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain, groupby, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import fastops as fo
from tests.conformance import _numpy, _onnx, _openvino, _tensorflow, _torch
from tests.conformance._live import ENTRIES, TEXTS, UNDEFINED, Values, outcome_of, said, values_of
from tests.helpers.processes import names_of
from tests.helpers.vectors import CALLS, Case, outputs_of, read_groups

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
    """Return the names of a dialect's functions; each has an operator on the page."""
    return names_of(getattr(fo.plan, dialect))


def operator_of_function(framework: str, function: str) -> str:
    """Return the operator of a function, by the framework's name on the page and the function's in the dialect."""
    own_name = function.title().replace("_", "")
    return _OTHERS.get((framework, function)) or _OPERATORS.get(function, own_name)


_KNOWN = [
    *(*_openvino.DEPARTURES, *_openvino.PLUGIN_DEPARTURES, *_onnx.DEPARTURES, *_tensorflow.DEPARTURES),
    *(*_numpy.DEPARTURES, *_torch.DEPARTURES),
]
_RECORDED = {case: each for each in ENTRIES for case in each.get("cases", ())}
_COLUMNS = ("what it does", "departs from its specification", "cases", "for example", "it answers", "fastops")
_YES_NO = {True: "yes", False: "no"}


class Example(NamedTuple):
    """A recorded case: its id, the call, and both answers in words."""

    identifier: str
    call: str
    theirs: str
    ours: str


def rows_of(operator: str, framework: str, examples: Mapping[str, list[Example]]) -> list[list[str]]:
    """Return the rows of an operator's departures in a framework; ``examples`` has recorded cases by departure.

    A row shows the example that departures.toml names, or else the shortest one.
    """
    own = [each for each in _KNOWN if each.framework == framework]
    own = [each for each in own if operator_of_function(framework, each.function) == operator]
    at_random = {each.text: each for each in own[::-1]}
    rows = []
    for entry in sorted([each for each in ENTRIES if each["text"] in examples], key=lambda each: not each["leaves"]):
        found, text = examples[entry["text"]], entry["text"]
        shown = min(found, key=lambda each: (each.identifier != entry.get("example"), sum(map(len, each[1:]))))
        cases = f"{len(found)}: {compact([each.identifier for each in found])}"
        cases += "; random calls" if at_random.pop(text, None) else ""
        rows.append([text, _YES_NO[entry["leaves"]] + ", *alike*" * ("alike" in entry), cases, *shown[1:]])
    for text, each in reversed(at_random.items()):
        rows.append(
            [text, _YES_NO[each.leaves], "random calls", f"{each.function}{each.example}", each.theirs, each.ours]
        )
    return rows


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

#: Frameworks by the names of the files of recorded cases.
_FRAMEWORK_OF = {**DIALECTS, "tf": "TensorFlow", "trt": "TensorRT's formula"}


def operator_of(name: str, case: dict[str, Any]) -> str:
    """Return the operator that a case names, or else the operator of the function in the name of its group."""
    framework, _, function = name.removesuffix("_formula").rstrip("0123456789").partition("_")
    operator: str = case.get("op") or operator_of_function(_FRAMEWORK_OF[framework], function)
    return "Broadcast" if operator == "Expand" else operator


def recorded(case: dict[str, Any]) -> Values:
    """Return the framework's answer: shapes and values, or None for an error."""
    is_float = case.get("input_dtype", case.get("dtype", case.get("output_type", ""))).lstrip("b").startswith("f")
    number: Any = (lambda value: repr(float(value))) if is_float else int
    outputs = outputs_of(case)
    return outputs and [(shape, list(map(number, values))) for shape, values in outputs]


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
    """Return a case's parameters, without absent ones and masks of zeros."""
    shown = {name: case[name] for name in _SHOWN.split() if case.get(name) not in (None, {})}
    shown = {name: value for name, value in shown.items() if not (name.endswith("_mask") and not any(value))}
    return ", ".join([f"{name.removeprefix('input_')} {json.dumps(value)}" for name, value in shown.items()])


def answers_of(name: str, case: dict[str, Any]) -> tuple[bool, Example]:
    """Call fastops with a case; return whether it answers as the framework, and both answers."""
    theirs = recorded(case)
    with np.errstate(all="ignore"):
        ours = values_of(outcome_of(lambda: CALLS[name](Case(case)), fo.FastopsError))
    is_alike = ours == theirs and not case.get("unsafe") and not case.get("error", "").startswith("SIG")
    departure = _RECORDED.get(case["id"])
    if is_alike != (departure is None or "alike" in departure):
        raise ValueError(f"departures.toml does not say that {case['id']} is answered {said(ours)}")
    return is_alike, Example(case["id"], arguments_of(case), their_words(case), said(ours))


def section_of(operator: str, counts: Mapping[str, Counter[str]], rows: Mapping[str, list[list[str]]]) -> Iterator[str]:
    """Yield the lines of an operator: each framework's counts of cases, and the rows of its departures."""
    yield from (f"## {operator}", "")
    if counts:
        names = ("cases", "errors", "alike")
        counted = [[each, *[f"{counts[each][name]}" for name in names]] for each in FRAMEWORKS if each in counts]
        yield from table(("recorded cases of", "cases", "errors", "answered alike"), counted)
    else:
        yield from ("No cases are recorded.", "")
    for framework, own in rows.items():
        if own:
            yield from (f"### {operator} in {framework}", "", *table(_COLUMNS, own))


def page() -> str:
    """Return the page."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    examples: dict[tuple[str, str], dict[str, list[Example]]] = defaultdict(lambda: defaultdict(list))
    for dialect, framework in DIALECTS.items():
        for function in functions_of(dialect):
            examples[operator_of_function(framework, function), framework] = defaultdict(list)
    known = set()
    for name, case in chain.from_iterable(product([name], read_groups()[name]) for name in CALLS):
        framework, operator = _FRAMEWORK_OF[name.split("_")[0]], operator_of(name, case)
        is_alike, example = answers_of(name, case)
        counts[operator][framework].update({"cases": 1, "errors": recorded(case) is None, "alike": is_alike})
        known.add(case["id"])
        text = _RECORDED.get(case["id"], {"text": ""})["text"]
        examples[operator, framework][text].append(example)
    named = Counter(case for each in ENTRIES for case in each.get("cases", ()))
    if wrong := sorted(case for case, n in named.items() if n > 1 or case not in known):
        raise ValueError(f"departures.toml names cases twice, or unknown ones: {wrong}")
    first, lines = [], []
    for operator in sorted({each for each, _ in examples}):
        rows = {
            each: rows_of(operator, each, examples[operator, each])
            for each in FRAMEWORKS
            if (operator, each) in examples
        }
        lines += section_of(operator, counts[operator], rows)
        name = f"[{operator}](#{slug_of(operator)})"
        first.append([name, *[mark(operator, each, rows[each]) if each in rows else "" for each in FRAMEWORKS]])
    return "\n".join([TEXTS["opening"], *table(["operator", *FRAMEWORKS], first), TEXTS["explanation"], *lines])


def mark(operator: str, framework: str, rows: list[list[str]]) -> str:
    """Return the cell of the first table for a framework that has the operator: a tick, or a link."""
    n = sum("*alike*" not in row[1] for row in rows)
    return f"[{n} departure{'s' if n > 1 else ''}](#{slug_of(f'{operator} in {framework}')})" if n else "✓"


if __name__ == "__main__":
    if find_spec("torch") is None:
        sys.exit("tests.conformance.matrix: recorded cases are calls of fastops.torch too: python -m pip install torch")
    PAGE.write_text(page(), encoding="utf-8")
