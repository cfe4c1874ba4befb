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
from tests.helpers.seeds import noted
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

# What users call, wrongly. Random calls of public functions and of methods of plans are checked as well.
CALLS: dict[str, Callable[[], Any]] = {
    "slice dask": lambda: fo.slice(da.arange(6), [0], [9]),
    "a call of windows": lambda: WINDOWS(A, [[9]]),
    "a call of windows with items": lambda: WINDOWS(A, [[0]], [0]),
    "a call of a range": lambda: RANGE("no"),
    "a range's out": lambda: RANGE("i32", out=np.zeros(9)),
    "an index of a plan": lambda: PLAN[9],
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


def test_at_most_one_frame_is_ours() -> None:
    for name, call in CALLS.items():
        # What is loaded by a first call stands between it and the function that was called.
        for _ in range(2):
            with noted(name):
                with pytest.raises(fo.FastopsError) as info:
                    call()
                assert_ends_in_callers_line(info.value)


def test_a_call_that_python_refuses_ends_in_the_callers_line() -> None:
    with pytest.raises(TypeError, match="unexpected keyword") as info:
        fo.plan.slice((6,), [0], [9], no=1)  # type: ignore[call-arg]
    assert_ends_in_callers_line(info.value)
    assert len(traceback.extract_tb(info.value.__traceback__)) == 1


def test_what_a_hook_raises_comes_out_untouched() -> None:
    class Hook:
        def __index__(self) -> int:
            raise error

    error: Exception = KeyError("own")
    for lower_or_run in (fo.slice, fo.plan.slice):
        with pytest.raises(KeyError) as info:
            lower_or_run((6,), [Hook()], [1])
        assert traceback.extract_tb(info.value.__traceback__)[-1].name == "__index__"
        assert len(own_frames(info.value)[0]) > 1
    error = fo.AttributeValueError("own", "index", "be better", 3)
    with pytest.raises(fo.AttributeValueError, match="own: index must be better") as raised:
        fo.slice(A, [Hook()], [1])
    assert raised.value is error
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__)][-2:] == ["slice", "__index__"]
    assert_ends_in_callers_line(error)


def test_what_was_raised_before_stays_as_it_is() -> None:
    before = KeyError("own")
    try:
        raise before
    except KeyError:
        with pytest.raises(fo.OutOfBoundsError) as info:
            fo.slice(A, [0], [9])
    context = info.value.__context__
    while isinstance(context, fo.FastopsError):
        context = context.__context__
    assert context is before
    assert len(traceback.extract_tb(before.__traceback__)) == 1


def test_maintainers_see_all_frames() -> None:
    for written in "01":
        done = run_python("-c", "import fastops as fo\nfo.slice([1], [0], [9])", FASTOPS_FULL_TRACEBACKS=written)
        assert (done.returncode, "in slice" in done.stderr) == (1, True)
        assert ("in run_gather" in done.stderr) == (written == "1")
