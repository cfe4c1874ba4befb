"""Every recorded case of the family, `recommended` outcomes first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance import matrix
from tests.conformance._operators import FRAMEWORKS, operators_of
from tests.conformance._sections import slug_of
from tests.helpers.vector_calls import CALLS, typed_numbers
from tests.helpers.vectors import FOLDER, Case, load_cases

# Those whose outcome is not all that there is to say.
SPECIAL = ("onnx_range", "tf_range", "openvino_range", "numpy_pad", "torch_layout", "torch_patches")


def check(case: Case, results: Any) -> None:
    """Assert that the arrays are those that the case expects, shapes and values."""
    assert case.expected is not None, f"expected an error, got {results}"
    assert len(results) == len(case.expected)
    for result, (shape, flat) in zip(results, case.expected, strict=True):
        assert result.shape == shape
        assert result.dtype == case.data.dtype
        np.testing.assert_array_equal(result.ravel(), np.array(flat).astype(result.dtype))


def check_call(case: Case, call: Callable[[Case], Any]) -> None:
    """Assert that a call gives what the case expects: arrays, or an error of fastops."""
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            call(case)
        return
    result = call(case)
    check(case, result if isinstance(result, list) else [result])


def test_every_file_is_called() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CALLS)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, *param.values, id=param.id)
        for name in CALLS
        if name not in SPECIAL
        for param in load_cases(name)
    ],
)
def test_recorded_cases(name: str, case: Case) -> None:
    check_call(case, CALLS[name])


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, *param.values, id=param.id)
        for name in ("torch_layout", "torch_patches")
        for param in load_cases(name)
    ],
)
def test_cases_of_tensors(name: str, case: Case) -> None:
    pytest.importorskip("torch")
    check_call(case, CALLS[name])


@pytest.mark.parametrize("case", load_cases("trt_slice_formula"))
def test_slice(case: Case) -> None:
    p = case.parameters
    options = {"axes": p["axes"], "mode": p["mode"], "fill_value": p["fill"]}
    check_call(case, lambda case: fo.slice(case.data, p["start"], p["size"], p["stride"], **options))


@pytest.mark.parametrize("case", load_cases("numpy_pad"))
def test_numpy_pad(case: Case) -> None:
    p = case.parameters
    if p["status"] == "ok":
        check_call(case, CALLS["numpy_pad"])
        return
    # NumPy refuses negative pads, and so does its drop-in. What they mean is the plan of other frameworks.
    with pytest.raises(fo.FastopsError):
        CALLS["numpy_pad"](case)
    size = [low + n + high for low, n, high in zip(p["pads_begin"], p["input_shape"], p["pads_end"], strict=True)]
    mode = {"constant": "fill", "edge": "clamp"}.get(p["mode"], p["mode"])
    check_call(case, lambda case: fo.slice(case.data, [-low for low in p["pads_begin"]], size, mode=mode))


@pytest.mark.parametrize("case", load_cases("openvino_range"))
def test_range(case: Case) -> None:
    p = case.parameters
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            CALLS["openvino_range"](case)
        return
    result = CALLS["openvino_range"](case)
    ((shape, flat),) = case.expected
    assert result.shape == shape
    # Every recorded value is exact in the output type, so that converting it back must give it again.
    integral = p["output_type"][0] in "iu"
    assert [int(v) if integral else float(v) for v in result] == [v if integral else float(v) for v in flat]


@pytest.mark.parametrize("case", load_cases("tf_range"))
def test_tensorflow_range(case: Case) -> None:
    dtype = typed_numbers(case)[0].dtype
    if case.expected is None or dtype.itemsize < 4:
        # Types of 16 bits are rounded after each operation there, which is not reproduced.
        with pytest.raises(fo.FastopsError):
            CALLS["tf_range"](case)
        return
    result = CALLS["tf_range"](case)
    ((shape, flat),) = case.expected
    assert (result.shape, result.dtype) == (shape, dtype)
    assert result.tolist() == flat


@pytest.mark.parametrize("case", load_cases("onnx_range"))
def test_onnx_range(case: Case) -> None:
    p = case.parameters
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            CALLS["onnx_range"](case)
        return
    result = CALLS["onnx_range"](case)
    ((shape, flat),) = case.expected
    if p["id"] in ("onnx_range_140", "onnx_range_141"):
        # ONNX Runtime counts in float64, in which these two ends are the same.
        assert (shape, result.tolist()) == ((0,), list(range(p["start"], p["stop"])))
        return
    assert (result.shape, result.dtype) == (shape, typed_numbers(case)[0].dtype)
    if result.dtype.kind == "i":
        assert result.tolist() == flat
    else:
        # ONNX Runtime accumulates, which the specification does not say: its values drift.
        most = max(map(abs, flat), default=0)
        np.testing.assert_allclose(result, flat, rtol=0, atol=most * (1e-5 if result.dtype.itemsize == 4 else 1e-13))


def test_the_conformance_page_is_up_to_date() -> None:
    pytest.importorskip("torch", reason="the page has a column of PyTorch's")
    assert matrix.PAGE.read_text(encoding="utf-8") == matrix.page(), "python -m tests.conformance.matrix writes it"


def test_links_of_the_conformance_page_lead_to_headings() -> None:
    text = matrix.PAGE.read_text(encoding="utf-8")
    headings = {slug_of(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    links = set(re.findall(r"\]\(#(.*?)\)", text))
    assert links
    assert links <= headings


def test_every_function_of_a_dialect_is_an_operator_of_the_conformance_page() -> None:
    page = matrix.PAGE.read_text(encoding="utf-8")
    for framework in FRAMEWORKS:
        for operator in operators_of(framework):
            assert f"\n## {operator}\n" in page
