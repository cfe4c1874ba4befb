"""Every recorded case of the family, `recommended` outcomes first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops as fo
from tests._vectors import Case, load_cases

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")

NUMPY_TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    **{f"{kind[0]}{bits}": np.dtype(f"{kind}{bits}").type for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
}


def check(case: Case, results: Any) -> None:
    """Assert that the arrays are those that the case expects, shapes and values."""
    assert case.expected is not None, f"expected an error, got {results}"
    assert len(results) == len(case.expected)
    for result, (shape, flat) in zip(results, case.expected, strict=True):
        assert result.shape == shape
        assert result.dtype == case.data.dtype
        np.testing.assert_array_equal(result.ravel(), np.array(flat).astype(result.dtype))


def check_call(case: Case, call: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """Assert that a call gives what the case expects: arrays, or an error of fastops."""
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            call(case.data, *arguments, **options)
        return
    result = call(case.data, *arguments, **options)
    check(case, result if isinstance(result, list) else [result])


def indices(case: Case, *names: str) -> list[Any]:
    """Return parameters as arrays of the case's index type; None for those that are absent."""
    p = case.parameters
    return [None if p[name] is None else np.array(p[name], dtype=p["index_dtype"]) for name in names]


@pytest.mark.parametrize("case", load_cases("openvino_strided_slice"))
def test_strided_slice(case: Case) -> None:
    masks = {name: case.parameters[name] for name in MASKS}
    check_call(case, fo.strided_slice, *indices(case, "begin", "end", "strides"), **masks)


@pytest.mark.parametrize("case", load_cases("openvino_variadic_split"))
def test_variadic_split(case: Case) -> None:
    p = case.parameters
    axis = np.array(p["axis"], dtype=p["axis_dtype"])
    check_call(case, fo.variadic_split, axis, *indices(case, "split_lengths"))


@pytest.mark.parametrize("case", load_cases("openvino_slice8"))
def test_openvino_slice(case: Case) -> None:
    p = case.parameters
    axes = None if p["axes"] is None else np.array(p["axes"], dtype=p["axes_dtype"])
    check_call(case, fo.openvino.slice, *indices(case, "start", "stop", "step"), axes)


@pytest.mark.parametrize("case", load_cases("openvino_split"))
def test_openvino_split(case: Case) -> None:
    p = case.parameters
    check_call(case, fo.openvino.split, np.array(p["axis"], dtype=p["axis_dtype"]), p["num_splits"])


@pytest.mark.parametrize("case", load_cases("openvino_pad12"))
def test_openvino_pad(case: Case) -> None:
    p = case.parameters
    check_call(case, fo.openvino.pad, p["pads_begin"], p["pads_end"], p["mode"], p["fill"])


@pytest.mark.parametrize("case", load_cases("openvino_roll_reverse_tile_broadcast"))
def test_openvino_roll_reverse_tile_broadcast(case: Case) -> None:
    p = case.parameters
    inputs = [np.array(v, dtype=t) for v, t in zip(p["op_inputs"], p["op_input_dtypes"], strict=True)]
    check_call(case, getattr(fo.openvino, p["op"].lower()), *inputs, **p["attrs"])


@pytest.mark.parametrize("case", load_cases("onnx_slice"))
def test_onnx_slice(case: Case) -> None:
    p = case.parameters
    axes = None if p["axes"] is None else np.array(p["axes"], dtype=p["axes_dtype"])
    starts, ends, steps = indices(case, "start", "stop", "step")
    check_call(case, fo.onnx.slice, starts, ends, axes, steps)


@pytest.mark.parametrize("case", load_cases("onnx_pad"))
def test_onnx_pad(case: Case) -> None:
    p = case.parameters
    check_call(case, fo.onnx.pad, [*p["pads_begin"], *p["pads_end"]], p["fill"], p["axes"], mode=p["mode"])


@pytest.mark.parametrize("case", load_cases("onnx_split_tile_expand"))
def test_onnx_split_tile_expand(case: Case) -> None:
    p = case.parameters
    check_call(case, getattr(fo.onnx, p["op"].lower()), *p["op_inputs"], **p["attrs"])


@pytest.mark.parametrize("case", load_cases("tf_strided_slice"))
def test_tensorflow_strided_slice(case: Case) -> None:
    masks = {name: sum(bit << i for i, bit in enumerate(case.parameters[name])) for name in MASKS}
    check_call(case, fo.tensorflow.strided_slice, *indices(case, "begin", "end", "strides"), **masks)


@pytest.mark.parametrize("case", load_cases("numpy_pad"))
def test_numpy_pad(case: Case) -> None:
    p = case.parameters
    # NumPy takes no empty list for an array without axes.
    widths = np.array([p["pads_begin"], p["pads_end"]], int).T if p["pads_begin"] else 0
    values = None if p["fill"] is None else float(p["fill"]) if isinstance(p["fill"], str) else p["fill"]
    if p["status"] == "error":
        # NumPy refuses negative pads, and so does its drop-in. What they mean is the plan of other frameworks.
        with pytest.raises(fo.FastopsError):
            fo.numpy.pad(case.data, widths, p["mode"], constant_values=values)
        pads = [*p["pads_begin"], *p["pads_end"]]
        check_call(case, _pad_symmetric if p["mode"] == "symmetric" else fo.onnx.pad, pads, mode=p["mode"])
        return
    check_call(case, fo.numpy.pad, widths, p["mode"], constant_values=values)


def _pad_symmetric(data: Any, pads: list[int], mode: str) -> Any:
    n = data.ndim
    size = [extent + low + high for extent, low, high in zip(data.shape, pads[:n], pads[n:], strict=True)]
    return fo.slice(data, [-low for low in pads[:n]], size, mode=mode)


@pytest.mark.parametrize("case", load_cases("trt_slice_formula"))
@pytest.mark.parametrize("dialect", ["fastops", "tensorrt"])
def test_slice(case: Case, dialect: str) -> None:
    p = case.parameters
    arguments = (p["start"], p["size"], p["stride"])
    if dialect == "fastops":
        check_call(case, fo.slice, *arguments, axes=p["axes"], mode=p["mode"], fill_value=p["fill"])
    else:
        check_call(case, fo.tensorrt.slice, *arguments, axes=p["axes"], mode=p["mode"], fill=p["fill"])


@pytest.mark.parametrize("case", load_cases("openvino_range"))
def test_range(case: Case) -> None:
    p = case.parameters
    # "nan" and "inf" stand as strings in the files.
    inputs = [
        NUMPY_TYPES[p[f"{n}_type"]](float(p[n]) if isinstance(p[n], str) else p[n]) for n in ("start", "stop", "step")
    ]
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.range(*inputs, p["output_type"])
        return
    result = fo.range(*inputs, p["output_type"])
    ((shape, flat),) = case.expected
    assert result.shape == shape
    # Every recorded value is exact in the output type, so that converting it back must give it again.
    integral = p["output_type"][0] in "iu"
    assert [int(v) if integral else float(v) for v in result] == [v if integral else float(v) for v in flat]


def typed(p: dict[str, Any]) -> list[Any]:
    """Return the inputs of a range in the type of the case."""
    dtype = ml_dtypes.bfloat16 if p["dtype"] == "bfloat16" else np.dtype(p["dtype"]).type
    with np.errstate(over="ignore"):
        return [dtype(float(p[n]) if isinstance(p[n], str) else p[n]) for n in ("start", "stop", "step")]


@pytest.mark.parametrize("case", load_cases("tf_range"))
def test_tensorflow_range(case: Case) -> None:
    p = case.parameters
    inputs = typed(p)
    if case.expected is None or inputs[0].dtype.itemsize < 4:
        # Types of 16 bits are rounded after each operation there, which is not reproduced.
        with pytest.raises(fo.FastopsError):
            fo.tensorflow.range(*inputs, dtype=p["dtype"])
        return
    result = fo.tensorflow.range(*inputs)
    ((shape, flat),) = case.expected
    assert (result.shape, result.dtype) == (shape, inputs[0].dtype)
    assert result.tolist() == flat


@pytest.mark.parametrize("case", load_cases("onnx_range"))
def test_onnx_range(case: Case) -> None:
    p = case.parameters
    inputs = typed(p)
    if case.expected is None:
        with pytest.raises(fo.FastopsError):
            fo.onnx.range(*inputs)
        return
    result = fo.onnx.range(*inputs)
    ((shape, flat),) = case.expected
    if p["id"] in ("onnx_range_140", "onnx_range_141"):
        # ONNX Runtime counts in float64, in which these two ends are the same.
        assert (shape, result.tolist()) == ((0,), list(range(p["start"], p["stop"])))
        return
    assert (result.shape, result.dtype) == (shape, inputs[0].dtype)
    if result.dtype.kind == "i":
        assert result.tolist() == flat
    else:
        # ONNX Runtime accumulates, which the specification does not say: its values drift.
        most = max(map(abs, flat), default=0)
        np.testing.assert_allclose(result, flat, rtol=0, atol=most * (1e-5 if result.dtype.itemsize == 4 else 1e-13))
