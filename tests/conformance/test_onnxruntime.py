"""fastops.onnx beside ONNX Runtime, and onnx's own evaluator where that has no kernel, on random calls.

Each call is made twice: of the function, and of a node of a model, by `fastops.onnx.from_node`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance._live import Function, check_live
from tests.conformance._onnx_departures import DEPARTURES
from tests.conformance._onnx_draws import DRAWS
from tests.conformance._operators import functions_of
from tests.conformance._outcomes import Array

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnx.reference")
onnxruntime = pytest.importorskip("onnxruntime")


@dataclass(frozen=True)
class Form:
    """An operator, its version's opset, and which arguments of the function are inputs behind the data.

    The others are attributes.
    """

    op: str
    opset: int
    inputs: tuple[str, ...] = ()


FORMS = {
    "center_crop_pad": Form("CenterCropPad", 18, ("shape",)),
    "depth_to_space": Form("DepthToSpace", 13),
    "expand": Form("Expand", 13, ("shape",)),
    "pad": Form("Pad", 19, ("pads", "constant_value", "axes")),
    "range": Form("Range", 11),
    "slice": Form("Slice", 13, ("starts", "ends", "axes", "steps")),
    # The first version with modes.
    "space_to_depth": Form("SpaceToDepth", 28),
    "split": Form("Split", 18, ("split",)),
    "tile": Form("Tile", 13, ("repeats",)),
    "transpose": Form("Transpose", 21),
}

# ONNX Runtime has no kernels of these versions.
_EVALUATED = ("SpaceToDepth",)


@dataclass(frozen=True)
class Node:
    """A node with its inputs, None for those that it leaves out."""

    form: Form
    inputs: list[Array | None]
    outputs: int
    attributes: dict[str, Any]

    @classmethod
    def of(cls, name: str, data: Array, arguments: dict[str, Any]) -> Node:
        """Return the node that a call of a function is."""
        form = FORMS[name]
        inputs: list[Array | None] = [data]
        given = [arguments[each] for each in form.inputs if isinstance(arguments.get(each), np.ndarray)]
        # The lists of Slice have one type.
        indices = given[0].dtype if name == "slice" and given else np.dtype("int64")
        for argument in form.inputs:
            value = arguments.get(argument)
            if value is not None and not isinstance(value, np.ndarray):
                value = np.array(value, data.dtype if argument == "constant_value" else indices)
            inputs.append(value)
        while inputs[-1] is None:
            inputs.pop()
        attributes = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in arguments.items()
            if key not in form.inputs
        }
        outputs = 1
        if name == "split":
            outputs = len(arguments["split"]) if "split" in arguments else max(arguments.get("num_outputs", 1), 0)
        return cls(form, inputs, outputs, attributes)

    def proto(self) -> Any:
        """The node as onnx has it."""
        return _proto(self.form.op, tuple([each is not None for each in self.inputs]), self.outputs, self._key())

    def _key(self) -> tuple[Any, ...]:
        return tuple(
            [(key, tuple(value) if isinstance(value, list) else value) for key, value in self.attributes.items()]
        )

    def run(self) -> list[Array]:
        """Return what the framework gives."""
        dtypes = tuple([None if each is None else each.dtype.name for each in self.inputs])
        session = _session(self.form.op, self.form.opset, dtypes, self.outputs, self._key())
        feeds = {f"input_{i}": np.ascontiguousarray(each) for i, each in enumerate(self.inputs) if each is not None}
        feeds = {key: each.reshape(self.inputs[int(key[6:])].shape) for key, each in feeds.items()}
        return list(session.run(None, feeds))


@cache
def _proto(op: str, given: tuple[bool, ...], outputs: int, attributes: tuple[Any, ...]) -> Any:
    inputs = [f"input_{i}" if is_given else "" for i, is_given in enumerate(given)]
    node = onnx.helper.make_node(op, inputs, [f"output_{i}" for i in range(outputs)])
    for key, value in attributes:
        # Of an empty list it cannot tell the type.
        kind = onnx.AttributeProto.INTS if value == () else None
        node.attribute.append(onnx.helper.make_attribute(key, value, attr_type=kind))
    return node


@cache
def _session(op: str, opset: int, dtypes: tuple[str | None, ...], outputs: int, attributes: tuple[Any, ...]) -> Any:
    """A session of a model of one node, with inputs of any shape."""

    def describe(name: str, dtype: str) -> Any:
        return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None)

    inputs = [describe(f"input_{i}", dtype) for i, dtype in enumerate(dtypes) if dtype is not None]
    results = [describe(f"output_{i}", dtypes[0]) for i in range(outputs)]
    node = _proto(op, tuple([dtype is not None for dtype in dtypes]), outputs, attributes)
    graph = onnx.helper.make_graph([node], "graph", inputs, results)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10)
    if op in _EVALUATED:
        return onnx.reference.ReferenceEvaluator(model)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def named(name: str) -> Callable[..., Node]:
    """Return a function that makes a node of a call, with the function's own arguments."""
    parameters = tuple(signature(getattr(fo.onnx, name)).parameters)[0 if name == "range" else 1 :]

    def make(*values: Any, **keywords: Any) -> Node:
        data, values = (None, values) if name == "range" else (values[0], values[1:])
        arguments = dict(zip(parameters, values, strict=False)) | keywords
        if name != "range":
            return Node.of(name, data, arguments)
        return Node(FORMS[name], [np.asarray(arguments[each]) for each in ("start", "limit", "delta")], 1, {})

    return make


def result_of(name: str, results: list[Array]) -> Array | list[Array]:
    return results if name == "split" else results[0]


@pytest.mark.parametrize("way", ["function", "node"])
@pytest.mark.parametrize("name", DRAWS)
def test_functions(name: str, way: str) -> None:
    make = named(name)

    def theirs(*values: Any, **keywords: Any) -> Any:
        return result_of(name, make(*values, **keywords).run())

    def of_node(*values: Any, **keywords: Any) -> Any:
        node = make(*values, **keywords)
        return fo.onnx.from_node(node.proto())(*node.inputs)

    ours = getattr(fo.onnx, name) if way == "function" else of_node
    check_live(Function(name, DRAWS[name], theirs, ours), DEPARTURES)


def test_every_operator_has_random_calls() -> None:
    assert set(DRAWS) == functions_of("onnx")
