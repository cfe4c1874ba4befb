"""Why a framework and fastops answer differently, and where a framework departs from its own specification.

Each case that the two answer differently has one verdict, and each verdict has cases: `verdict_of` and `check_used` see
to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.conformance._family_rules import padded_axes
from tests.conformance._layout_verdicts import LAYOUTS
from tests.conformance._openvino_verdicts import OPENVINO
from tests.conformance._range_rules import is_beyond_float64, output_type
from tests.conformance._rules import RULES, Parameters, Verdict


def _left(case: Parameters) -> int:
    """The elements of the shortest axis that are left once an axis is cropped, before it is padded."""
    return min(extent + min(before, 0) + min(after, 0) for extent, before, after in padded_axes(case))


def _has_nothing_left(case: Parameters) -> bool:
    return bool(case["input_shape"]) and case["axes"] is None and _left(case) <= 0


def _is_half(case: Parameters) -> bool:
    return output_type(case) in ("float16", "bfloat16")


def _is_float(case: Parameters) -> bool:
    return output_type(case).startswith("float")


#: What is said both of recorded cases and of random calls.
ONNX_PAD = {
    "rank 0": "Fails on data of rank 0. ONNX Pad sets no minimum rank.",
    "reflects": (
        'Refuses to reflect an axis more than once. ONNX Pad: "similar to corresponding modes supported by numpy.pad", '
        "which reflect any number of times."
    ),
    "nothing left": (
        "Fails where an axis is empty in mode wrap, or where cropping leaves nothing of it, in modes other than "
        "constant, though the result has no elements. ONNX Pad does not ask that an element be left."
    ),
    "one axis twice": (
        'Takes the last pads of an axis that is named twice. ONNX Pad: "Behavior is undefined if an axis is repeated." '
        "fastops refuses it."
    ),
}
ONNX_RANGE = (
    "Adds the step again and again, so that floats drift, and keeps a start of -0.0. ONNX Range: "
    '"output[i] = start + (i * delta)".'
)
TENSORFLOW_HALVES = (
    "Rounds float16 and bfloat16 after each operation, so that errors add up. tf.range does not say how it rounds. "
    "fastops refuses these types in this dialect rather than give other values."
)

_ONNX, _TENSORFLOW = "ONNX Runtime", "TensorFlow"

VERDICTS = (
    *OPENVINO,
    *LAYOUTS,
    Verdict(
        *(_ONNX, "Pad"),
        ONNX_PAD["rank 0"],
        leaves=True,
        rule="data of rank 0",
    ),
    Verdict(
        *(_ONNX, "Pad"),
        ONNX_PAD["reflects"],
        leaves=True,
        when=lambda case: case["mode"] == "reflect" and bool(case["input_shape"]) and _left(case) > 0,
    ),
    Verdict(
        *(_ONNX, "Pad"),
        ONNX_PAD["nothing left"],
        leaves=True,
        when=_has_nothing_left,
    ),
    Verdict(
        *(_ONNX, "Pad"),
        ONNX_PAD["one axis twice"],
        leaves=False,
        rule="axes: one named twice",
    ),
    Verdict(
        *(_ONNX, "Range"),
        ONNX_RANGE,
        leaves=True,
        when=_is_float,
    ),
    Verdict(
        *(_ONNX, "Range"),
        "Counts integers in float64, where start and limit are the same number. ONNX Range: "
        '"max( ceil( (limit - start) / delta ) , 0 )".',
        leaves=True,
        when=is_beyond_float64,
    ),
    Verdict(
        *(_TENSORFLOW, "Range"),
        TENSORFLOW_HALVES,
        leaves=False,
        when=_is_half,
    ),
    Verdict(
        *(_ONNX, "Split"),
        "Refuses a number of parts that leaves the last one empty, up to version 1.31. ONNX Split: "
        '"the last chunk will be smaller". onnx\'s reference evaluator and later versions of ONNX '
        "Runtime give an empty part, as fastops does.",
        leaves=True,
        rule="number of parts: does not divide the axis, the last is empty",
    ),
)


def verdict_of(framework: str, operator: str, case: Parameters, *, alike: bool) -> Verdict | None:
    """Return the one verdict about a case; None for a case that is answered alike and needs none."""
    found = [each for each in VERDICTS if each.is_about(framework, operator, case, alike=alike)]
    if len(found) > 1 or not (found or alike):
        raise ValueError(
            f"{case['id']} has {len(found)} verdicts, for rule {RULES[operator](case)!r}; see _verdicts.py"
        )
    return found[0] if found else None


def check_used(used: Iterable[Verdict]) -> None:
    """Raise if a verdict is about no case."""
    unused = set(VERDICTS).difference(used)
    if unused:
        raise ValueError(f"verdicts about no case: {[(each.framework, each.operator, each.text) for each in unused]}")
