"""What users see of an error of theirs: their line, and the function that they called. Operators: see the contract."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import onnx
import pytest

import fastops as fo
from tests.helpers.processes import run_python
from tests.helpers.tracebacks import assert_ends_in_callers_line, own_frames

A = np.arange(6.0)
PLAN = fo.plan.slice((6,), [1], [3])
WINDOWS = fo.plan.windows((6,), [2])
RANGE = fo.plan.range(0, 5, 1, "i32")
LAZY = fo.lazy(A)
LAZY_PLANE = fo.lazy(np.zeros((2, 3))).pad(1, "wrap")
IR = """<layer id="0" name="s" type="Tile" version="opset1">
<input><port id="0"><dim>6</dim></port><port id="1"/></input><output><port id="2"/></output></layer>"""
LAYER = fo.openvino.from_ir(IR)

# What users call, wrongly.
CALLS: dict[str, Callable[[], Any]] = {
    "slice": lambda: fo.slice(A, [0], [9]),
    "slice mode": lambda: fo.slice(A, [0], [9], mode="refelct"),
    "slice fill": lambda: fo.slice(A, [0], [9], mode="clamp", fill_value=0),
    "slice fill value": lambda: fo.slice(A, [0], [9], mode="fill", fill_value="x"),
    "slice out": lambda: fo.slice(A, [0], [2], out=np.zeros(3)),
    "slice copy": lambda: fo.slice(A, [0], [9], mode="wrap", copy=False),
    "slice data": lambda: fo.slice([[1], [2, 3]], [0], [2]),
    "slice objects": lambda: fo.slice([None], [0], [1]),
    "slice dask": lambda: fo.slice(da.arange(6), [0], [9]),
    "strided_slice": lambda: fo.strided_slice(A, [0], [9], [0]),
    "variadic_split": lambda: fo.variadic_split(A, 0, [1, 2]),
    "windows": lambda: fo.windows(A, [[9]], [3]),
    "windows axes": lambda: fo.windows(A, [[0]], [3], axes=[4]),
    "windows starts": lambda: fo.windows(A, [[0.5]], [3]),
    "windows list": lambda: fo.windows([A, A[None]], [[0], [0]], [3]),
    "frame": lambda: fo.frame(A, 9, 1),
    "range": lambda: fo.range(0, 5, 0, "i32"),
    "range type": lambda: fo.range(0, 5, 1, "no"),
    "range array": lambda: fo.range(np.array([1, 2]), 5, 1, "i32"),
    "range out": lambda: fo.range(0, 5, 1, "i32", out=np.zeros(5)),
    "onnx.range": lambda: fo.onnx.range(np.int32(0), np.int64(5), np.int32(1)),
    "tensorflow.range": lambda: fo.tensorflow.range(0, 5, 0),
    "numpy.roll": lambda: fo.numpy.roll(A[None], 1, 3),
    "numpy.roll flat": lambda: fo.numpy.roll(A[None], "1"),
    "numpy.pad widths": lambda: fo.numpy.pad(A, [[1], [2, 3]]),
    "numpy.pad values": lambda: fo.numpy.pad(A, 1, constant_values=[[1], [2, 3]]),
    "plan.slice": lambda: fo.plan.slice((6,), [0], [9]),
    "plan.windows": lambda: fo.plan.windows((6,), [-1]),
    "plan.frame": lambda: fo.plan.frame((6,), 9, 1),
    "plan.range": lambda: fo.plan.range(0, 5, 0, "i32"),
    "plan.onnx.pad": lambda: fo.plan.onnx.pad((6,), [1]),
    "plan.numpy.pad": lambda: fo.plan.numpy.pad((6,), [[1], [2, 3]]),
    "plan.onnx.range": lambda: fo.plan.onnx.range(0, 5, 0),
    "a call of a plan": lambda: PLAN(A[:3]),
    "a plan's out": lambda: PLAN(A, np.zeros(9)),
    "a call of windows": lambda: WINDOWS(A, [[9]]),
    "a call of windows with items": lambda: WINDOWS(A, [[0]], [0]),
    "a call of a range": lambda: RANGE("no"),
    "a range's out": lambda: RANGE("i32", out=np.zeros(9)),
    "then": lambda: PLAN.then(fo.plan.slice((9,), [0], [1])),
    "then nothing": lambda: PLAN.then(None),  # type: ignore[arg-type]
    "transpose": lambda: PLAN.transpose([3]),
    "an index of a plan": lambda: PLAN[9],
    "runs": lambda: PLAN.runs(4),
    "indices": lambda: PLAN.indices(4),
    "indices of nothing": lambda: PLAN.indices("0"),  # type: ignore[arg-type]
    "runs of nothing": lambda: PLAN.runs("0"),  # type: ignore[arg-type]
    "SlicePlan": lambda: fo.plan.SlicePlan([1], (1,), (1,)),  # type: ignore[arg-type]
    "SlicePlan.create": lambda: fo.plan.SlicePlan.create([1]),  # type: ignore[arg-type]
    "SlicePlan.create fills": lambda: fo.plan.SlicePlan.create([], fills="x"),  # type: ignore[arg-type]
    "AxisMap.create": lambda: fo.plan.AxisMap.create(5, 0, 1, 9, fo.SampleMode.STRICT_BOUNDS),
    "AxisMap.create mode": lambda: fo.plan.AxisMap.create(5, 0, 1, 9, "no"),
    "AxisMap.whole": lambda: fo.plan.AxisMap.whole("x"),  # type: ignore[arg-type]
    "AxisMap.source": lambda: fo.plan.AxisMap.whole(3).source(7),
    "RunMap": lambda: fo.plan.RunMap(5, [1]),  # type: ignore[list-item]
    "RangePlan": lambda: fo.plan.RangePlan(0, 0, 5.5),  # type: ignore[arg-type]
    "WindowsPlan": lambda: fo.plan.WindowsPlan((6,), (1, 2), (1,), (0,), False, fo.SampleMode.WRAP),
    "SlicePlan.from_json": lambda: fo.plan.SlicePlan.from_json("{"),
    "SlicePlan.from_json fields": lambda: fo.plan.SlicePlan.from_json("{}"),
    "SlicePlan.from_json type": lambda: fo.plan.SlicePlan.from_json(3),  # type: ignore[arg-type]
    "RangePlan.from_json": lambda: fo.plan.RangePlan.from_json('{"plan": 3}'),
    "lazy": lambda: fo.lazy([None]),
    "lazy.slice": lambda: LAZY.slice([0], [9]),
    "lazy.pad": lambda: LAZY.pad(-1),
    "lazy.pad values": lambda: LAZY.pad(1, constant_values=[1, 2, 3]),
    "lazy.roll": lambda: fo.lazy(A[None]).roll(1),
    "lazy.transpose": lambda: LAZY.transpose([1]),
    "lazy index": lambda: LAZY[9],
    "lazy.run": lambda: LAZY.flip().run(np.zeros(9)),
    "lazy, apart": lambda: LAZY_PLANE.transpose().repeat(2).pad(3, "reflect"),
    "dask.apply": lambda: fo.dask.apply(PLAN, A),
    "dask.apply no plan": lambda: fo.dask.apply(None, da.arange(6)),  # type: ignore[arg-type]
    "dask.apply chunks": lambda: fo.dask.apply(PLAN, da.arange(6), chunks="x"),
    "openvino.from_ir": lambda: fo.openvino.from_ir("<data "),
    "openvino.from_ir layer": lambda: fo.openvino.from_ir("<net><layers/></net>"),
    "openvino.from_ir type": lambda: fo.openvino.from_ir(IR.replace("Tile", "Relu")),
    "onnx.from_node": lambda: fo.onnx.from_node(onnx.helper.make_node("Relu", ["x"], ["y"])),
    "onnx.from_node attribute": lambda: fo.onnx.from_node(onnx.helper.make_node("Tile", ["x"], ["y"], no=3)),
    "onnx.from_node nothing": lambda: fo.onnx.from_node(None),
    "onnx.plans": lambda: fo.onnx.plans(None),
    "a call of a layer": lambda: LAYER(A[:3], [1]),
    "a layer's inputs": lambda: LAYER(A, [1], 3),
    "a layer without an input": lambda: LAYER(A),
    "a layer's list": lambda: LAYER([[1], [2, 3]], [1]),
    "a layer's plan": lambda: LAYER.plan((3,), [1]),
    "a layer's plan's shape": lambda: LAYER.plan("x", [1]),
}


@pytest.mark.parametrize("name", CALLS)
def test_at_most_one_frame_is_ours(name: str) -> None:
    # What is loaded by a first call stands between it and the function that was called.
    for _ in range(2):
        with pytest.raises(fo.FastopsError) as info:
            CALLS[name]()
        assert_ends_in_callers_line(info.value)


def test_a_call_that_python_refuses_ends_in_the_callers_line() -> None:
    with pytest.raises(TypeError, match="unexpected keyword") as info:
        fo.plan.slice((6,), [0], [9], no=1)  # type: ignore[call-arg]
    assert_ends_in_callers_line(info.value)
    assert len(traceback.extract_tb(info.value.__traceback__)) == 1


class Hook:
    """An index whose own code raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error


@pytest.mark.parametrize("lower_or_run", [fo.slice, fo.plan.slice])
def test_what_a_hook_raises_comes_out_untouched(lower_or_run: Callable[..., Any]) -> None:
    with pytest.raises(KeyError) as info:
        lower_or_run((6,), [Hook(KeyError("own"))], [1])
    assert traceback.extract_tb(info.value.__traceback__)[-1].name == "__index__"
    assert len(own_frames(info.value)[0]) > 1


def test_an_error_of_fastops_in_a_hook_shows_the_hook() -> None:
    error = fo.AttributeValueError("own", "index", "be better", 3)
    with pytest.raises(fo.AttributeValueError, match="own: index must be better") as info:
        fo.slice(A, [Hook(error)], [1])
    assert info.value is error
    names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert names[-2:] == ["slice", "__index__"]
    assert_ends_in_callers_line(error)


def test_what_was_raised_before_stays_as_it_is() -> None:
    try:
        try:
            raise KeyError("own")
        except KeyError:
            fo.slice(A, [0], [9])
    except fo.OutOfBoundsError as error:
        context = error.__context__
        while isinstance(context, fo.FastopsError):
            context = context.__context__
        assert isinstance(context, KeyError)
        assert len(traceback.extract_tb(context.__traceback__)) == 1


@pytest.mark.parametrize(("written", "is_full"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_maintainers_see_all_frames(written: str, is_full: bool) -> None:
    code = "import fastops as fo\nfo.slice([1], [0], [9])"
    done = run_python("-c", code, FASTOPS_FULL_TRACEBACKS=written)
    assert done.returncode == 1
    assert ("in run_gather" in done.stderr) == is_full
    assert "in slice" in done.stderr
