"""fastops gives the result that each recorded call of a framework should have by its specification."""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo
from tests.conformance import matrix
from tests.helpers.vectors import CALLS, Case, load_cases, numbers_of, read_groups


def check(name: str, case: Case) -> None:
    """Assert that a call gives what the case expects: arrays, or an error of fastops."""
    dtype = numbers_of(case)[0].dtype if name in ("onnx_range", "tf_range") else None
    # fastops has no ranges of 16 bits in TensorFlow's dialect, because TensorFlow rounds these after each operation.
    is_refused = case.expected is None or (name == "tf_range" and dtype.itemsize < 4)
    # np.pad refuses negative pads, for which the files recommend a result.
    is_refused |= name == "numpy_pad" and case.parameters["status"] == "error"
    try:
        results = CALLS[name](case)
    except fo.FastopsError:
        if not is_refused:
            raise
        return
    results = results if isinstance(results, list) else [results]
    assert not is_refused, results
    assert len(results) == len(case.expected)
    for result, (shape, flat) in zip(results, case.expected, strict=True):
        if case.parameters["id"] in ("onnx_range_140", "onnx_range_141"):
            # ONNX Runtime counts in float64, in which these starts and stops are equal.
            assert (shape, result.tolist()) == ((0,), list(range(case.parameters["start"], case.parameters["stop"])))
            continue
        assert result.shape == shape
        if name == "openvino_range":
            # Each recorded value is exact in the output type.
            number = int if result.dtype.kind in "iu" else float
            assert list(map(number, result)) == list(map(number, flat))
            continue
        assert result.dtype == (case.data.dtype if dtype is None else dtype)
        wanted = np.array(flat).astype(result.dtype)
        if name == "onnx_range" and result.dtype.kind == "f":
            # ONNX Runtime adds up steps, against the specification, so its values drift.
            drift = max(map(abs, flat), default=0) * (1e-5 if result.dtype.itemsize == 4 else 1e-13)
            np.testing.assert_allclose(result, wanted, rtol=0, atol=drift)
        else:
            np.testing.assert_array_equal(result.ravel(), wanted)


@pytest.mark.parametrize("name", CALLS)
def test_recorded_cases(name: str) -> None:
    if name.startswith("torch"):
        pytest.importorskip("torch")
    failures = {}
    for case in load_cases(name):
        try:
            check(name, case)
        except (AssertionError, fo.FastopsError) as error:
            failures[case.parameters["id"]] = str(error)
    assert not failures


def test_every_group_is_called() -> None:
    assert read_groups().keys() == CALLS.keys()


def test_the_conformance_page_is_up_to_date() -> None:
    pytest.importorskip("torch", reason="the page has a column for PyTorch")
    assert matrix.PAGE.read_text(encoding="utf-8") == matrix.page(), "python -m tests.conformance.matrix writes it"
