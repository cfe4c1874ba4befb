"""fastops.onnx beside ONNX Runtime, and onnx's own evaluator where that has no kernel, on random calls.

Each call is made twice: of the function, and of a node of a model, by `fastops.onnx.from_node`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.conformance import _onnx
from tests.conformance._live import Array, Function, check_live
from tests.conformance._onnx import DEPARTURES
from tests.conformance._operators import functions_of

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnx.reference")
onnxruntime = pytest.importorskip("onnxruntime")


# The operator and the version's opset of each function. SpaceToDepth has modes from version 28 on.
FORMS = {
    "center_crop_pad": ("CenterCropPad", 18),
    "depth_to_space": ("DepthToSpace", 13),
    "expand": ("Expand", 13),
    "pad": ("Pad", 19),
    "range": ("Range", 11),
    "slice": ("Slice", 13),
    "space_to_depth": ("SpaceToDepth", 28),
    "split": ("Split", 18),
    "tile": ("Tile", 13),
    "transpose": ("Transpose", 21),
}

# ONNX Runtime has no kernels of these versions.
_EVALUATED = ("SpaceToDepth",)


@dataclass(frozen=True)
class Node:
    """A node with its inputs, None for those that it leaves out."""

    op: str
    opset: int
    inputs: list[Array | None]
    outputs: int
    attributes: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, name: str, *values: Any, **keywords: Any) -> Node:
        """Return the node that a call of a function is. Its arguments are inputs by their places, and attributes."""
        arguments = signature(getattr(fo.onnx, name)).bind(*values, **keywords).arguments
        op, opset = FORMS[name]
        first, *others = [each.name for each in onnx.defs.get_schema(op, opset).inputs]
        inputs = [np.asarray(arguments.pop(first))]
        outputs = len(arguments["split"]) if "split" in arguments else max(arguments.get("num_outputs", 1), 0)
        given = [arguments[each] for each in others if isinstance(arguments.get(each), np.ndarray)]
        # The lists of Slice have one type.
        indices = given[0].dtype if name == "slice" and given else np.dtype("int64")
        for each in others:
            value = arguments.pop(each, None)
            if value is not None and not isinstance(value, np.ndarray | np.generic):
                value = np.array(value, inputs[0].dtype if each == "constant_value" else indices)
            inputs.append(value if value is None else np.asarray(value))
        while inputs[-1] is None:
            inputs.pop()
        attributes = [(key, tuple(value) if isinstance(value, list) else value) for key, value in arguments.items()]
        return cls(op, opset, inputs, outputs, tuple(attributes))

    def proto(self) -> Any:
        """The node as onnx has it."""
        return _proto(self.op, tuple([each is not None for each in self.inputs]), self.outputs, self.attributes)

    def run(self) -> Array | list[Array]:
        """Return what the framework gives."""
        dtypes = tuple([None if each is None else each.dtype.name for each in self.inputs])
        session = _session(self.op, self.opset, dtypes, self.outputs, self.attributes)
        results = session.run(None, {f"input_{i}": each for i, each in enumerate(self.inputs) if each is not None})
        return list(results) if self.op == "Split" else results[0]


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


@pytest.mark.parametrize("way", ["function", "node"])
@pytest.mark.parametrize("name", functions_of("onnx"))
def test_functions(name: str, way: str) -> None:
    def theirs(*values: Any, **keywords: Any) -> Any:
        return Node.of(name, *values, **keywords).run()

    def of_node(*values: Any, **keywords: Any) -> Any:
        node = Node.of(name, *values, **keywords)
        return fo.onnx.from_node(node.proto())(*node.inputs)

    ours = getattr(fo.onnx, name) if way == "function" else of_node
    check_live(Function(name, getattr(_onnx, f"draw_{name}"), theirs, ours), DEPARTURES)
