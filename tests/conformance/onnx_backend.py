"""Run onnx's own backend node tests of the slicing family through `fastops.onnx.reference_ops`, and list each by name.

``python -m tests.conformance.onnx_backend`` prints a line a test, and ends with code 1 if one fails.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator

import fastops as fo

OPERATORS = (
    *("CenterCropPad", "DepthToSpace", "Expand", "Pad", "Range", "Slice", "SpaceToDepth", "Split", "Tile"),
    "Transpose",
)

# How the names of their tests begin; those of Pad begin with a mode.
_MODES = ("constant_pad", "edge_pad", "reflect_pad", "wrap_pad")
_NAMES = (*_MODES, "center_crop_pad", *[name.lower() for name in OPERATORS if name != "Pad"])


def backend_tests() -> list[Any]:
    """Return the node tests of the operators."""
    return [test for test in tests_of(*OPERATORS) if test.name.removeprefix("test_").startswith(_NAMES)]


def tests_of(*operators: str) -> list[Any]:
    """Return the node tests whose model, or the body of a function in it, has a node of one of these operators."""
    with warnings.catch_warnings():
        # Other operators' tests overflow on purpose while they are made.
        warnings.simplefilter("ignore")
        tests = load_model_tests(kind="node")
    return [test for test in tests if any(node.op_type in operators for node in test.model.graph.node)]


def as_array(value: Any) -> Any:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def run_test(test: Any) -> None:
    """Run a test; raise unless all outputs are as they must be."""
    session = ReferenceEvaluator(test.model, new_ops=fo.onnx.reference_ops())
    for inputs, outputs in test.data_sets:
        named = dict(zip(session.input_names, map(as_array, inputs), strict=False))
        results = session.run(None, named)
        for result, expected in zip(results, map(as_array, outputs), strict=True):
            np.testing.assert_array_equal(result, expected, strict=True)


def main() -> int:
    """Run all tests and print how each ends."""
    failed = 0
    tests = backend_tests()
    for test in tests:
        try:
            run_test(test)
            outcome = "passed"
        except Exception as error:
            failed += 1
            outcome = f"FAILED: {type(error).__name__}: {' '.join(str(error).split())[:120]}"
        print(f"{test.name:<60} {outcome}")
    print(f"{len(tests) - failed} of {len(tests)} passed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
