"""What is known of an ONNX graph's values before it runs: their shapes, and those that are constants.

Nodes are looked at one after the other, and what is known of a value is small: a type of few bytes, a constant of few
elements. So the work for a model grows with its nodes, whatever they ask for.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._errors import AttributeValueError
from fastops._interop._layer import is_declared
from fastops._interop._model_counts import (
    MOST_AXES,
    MOST_ELEMENTS,
    NO_SHAPE,
    SHAPED,
    domain_of,
    is_large,
    most_elements,
)
from fastops._interop._value_types import common_type, fuller_type, stacked_type

#: An extent that the model gives a name, or says nothing of, is None; a shape that is not known at all is None too.
KnownShape = tuple[int | None, ...] | None

# Constants of more elements are not given to the inference of types, which needs two for each axis at most.
_MOST_INFERRED_WITH = 2 * MOST_AXES

# Types of more bytes say nothing here: those of tensors with 64 axes have fewer.
_MOST_TYPE_BYTES = 1 << 12

# Results of more elements are not computed, and no more elements of all results together.
_MOST_COMPUTED = 1 << 20
_MOST_IN_ALL = 1 << 22

# Operators whose results are computed, where all inputs are constants: those by which exporters compute shapes and
# bounds.
_FOLDED = frozenset(
    """
    Abs Add And Cast Ceil Clip Concat Constant ConstantOfShape CumSum Div Equal Expand Flatten Floor Gather GatherND
    Greater GreaterOrEqual Identity Less LessOrEqual Max Min Mod Mul Neg Not Or ReduceMax ReduceMin ReduceProd ReduceSum
    Reshape Round ScatterND Shape Sign Size Slice Split Squeeze Sub Transpose Unsqueeze Where
    """.split()  # noqa: SIM905 - A list would be a page long.
)

# Operators with an input whose length is the number of axes of their result, or of some of them, and its number.
_RANKED = {**SHAPED, "AffineGrid": 1, "Col2Im": 1, "Reshape": 1, "Unsqueeze": 1}

# Operators whose result is the first input in another shape.
_RESHAPES = ("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze")

# The first version of Scan's operator set that has no axis of batches, and no input that has their lengths.
_SCAN_WITHOUT_BATCHES = 9


class Value(NamedTuple):
    """What is known of a value: its ``onnx.TypeProto``, its elements if they are few and constant, where it is from."""

    type: Any
    constant: AnyArray | None
    origin: str

    @property
    def shape(self) -> KnownShape:
        """None for what is no tensor, or says nothing of its rank."""
        if self.type.WhichOneof("value") != "tensor_type" or not self.type.tensor_type.HasField("shape"):
            return None
        dims = self.type.tensor_type.shape.dim
        if len(dims) > MOST_AXES:
            return None
        return tuple([dim.dim_value if dim.HasField("dim_value") else None for dim in dims])


class GraphValues:
    """The values of a graph, by their names; a subgraph sees those of the graph around it.

    Parameters
    ----------
    onnx : module
    opsets : mapping of str to int
        The versions of the operators of each domain.
    folder : str, optional
        Where the files lie that the model refers to.
    """

    def __init__(self, onnx: Any, opsets: Mapping[str, int], folder: str | None, outer: GraphValues | None = None):
        self._onnx, self._opsets, self._folder = onnx, opsets, folder
        self._imports = [onnx.helper.make_opsetid(*each) for each in opsets.items()]
        # How many elements may still be computed, for all graphs of a model.
        self._left: list[int] = [_MOST_IN_ALL] if outer is None else outer._left
        self._values: ChainMap[str, Value] = ChainMap() if outer is None else outer._values.new_child()
        self._nothing = Value(onnx.TypeProto(), None, "not in the model")
        self._is_inside = outer is not None
        # True in the body of a loop.
        self._is_repeated = False

    def __getitem__(self, name: str) -> Value:
        return self._values.get(name, self._nothing)

    def inside(self, graph: Any, op_type: str) -> GraphValues:
        """Return the values of a subgraph of a node."""
        values = GraphValues(self._onnx, self._opsets, self._folder, self)
        values._is_repeated = self._is_repeated or op_type == "Loop"
        values.add_graph(graph)
        return values

    def add_graph(self, graph: Any, shapes: Mapping[str, tuple[int, ...]] | None = None) -> None:
        """Take note of what a graph declares: initializers, inputs, of these shapes where they are given."""
        # Names of the graph around it may be hidden.
        for each in (*graph.value_info, *graph.output):
            self._values[each.name] = Value(self._declared(each.type), None, self._nothing.origin)
        for each in graph.input:
            declared = self._declared(each.type)
            if shapes is not None and each.name in shapes:
                declared = self._tensor(each.type.tensor_type.elem_type, shapes[each.name])
            self._values[each.name] = Value(declared, None, "an input of the graph")
        given = {each.name for each in graph.input} if self._is_inside else set()
        for tensor in graph.initializer:
            # What nodes give to their subgraphs is in the place of initializers.
            if tensor.name not in given:
                self._values[tensor.name] = self._value_of(tensor, "an initializer")

    def add_node(self, node: Any, results: Sequence[Sequence[Any]] = ()) -> None:
        """Take note of what a node gives: its results where they are constants, or else their types.

        Results are the types that each of its subgraphs gives.
        """
        for name in filter(None, node.output):
            # What the graph itself declares of it, not what one around it calls the same.
            declared = self._values.maps[0].get(name, self._nothing)
            self._values[name] = Value(declared.type, None, f"the result of a {node.op_type}")
        if results:
            self._add_types(node, self._types_of_subgraphs(node, results))
            return
        is_standard = not domain_of(node)
        tensor = next((each.t for each in node.attribute if each.name == "value"), None)
        if is_standard and node.op_type == "Constant" and tensor is not None:
            # Its data may be in another file, which onnx's reference looks for anywhere.
            if node.output:
                self._values[node.output[0]] = self._value_of(tensor, "a Constant")
            return
        if _ends_the_process(node, self[next(iter(node.input), "")].shape):
            return
        self._infer(node)
        if not is_standard or node.op_type not in _FOLDED:
            return
        if node.op_type == "Shape":
            self._add_shape(node)
        elif all([self[name].constant is not None for name in node.input if name]):
            self._fold(node)

    def _value_of(self, tensor: Any, kind: str) -> Value:
        """Return what is known of a tensor of the model, which may be in a file beside it."""
        is_shape = len(tensor.dims) <= MOST_AXES and min(tensor.dims, default=0) >= 0
        declared = self._tensor(tensor.data_type, tuple(tensor.dims) if is_shape else None)
        if is_large(tensor):
            return Value(declared, None, f"{kind} of more than {MOST_ELEMENTS} elements or {MOST_AXES} axes")
        try:
            if self._onnx.external_data_helper.uses_external_data(tensor):
                self._check_file(tensor)
            value: AnyArray = self._onnx.numpy_helper.to_array(tensor, base_dir=self._folder or "")
        except Exception as error:
            # Whatever onnx raises for data that is in another file, or is not what it says it is.
            return Value(declared, None, f"{kind} that cannot be read ({_line_of(error)})")
        return Value(declared, value, kind)

    def _check_file(self, tensor: Any) -> None:
        """Raise for data in another file that is not in the folder of the model, or has more bytes than the tensor.

        onnx reads all of them, and some versions of it follow links.
        """
        if self._folder is None:
            raise ValueError("its data is in another file, and only a model that is read from a file has a folder")
        place = self._onnx.external_data_helper.ExternalDataInfo(tensor)
        path, folder = (os.path.realpath(each) for each in (os.path.join(self._folder, place.location), self._folder))
        if os.path.commonpath([path, folder]) != folder:
            raise ValueError("its data is outside of the folder of the model")
        length = place.length or os.path.getsize(path) - (place.offset or 0)
        most = prod(tensor.dims) * self._onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
        if length > most:
            raise ValueError(f"its data in another file has {length} bytes, and a tensor like it at most {most}")

    def _tensor(self, elem_type: int, shape: tuple[int, ...] | None) -> Any:
        return self._onnx.helper.make_tensor_type_proto(elem_type, shape)

    def _declared(self, declared: Any) -> Any:
        """Return what is taken of a type that the model declares."""
        if not self._is_repeated:
            return self._small(declared)
        # It may have another shape each time, and exporters declare that of the first.
        is_tensor = declared.WhichOneof("value") == "tensor_type"
        return self._tensor(declared.tensor_type.elem_type, None) if is_tensor else self._nothing.type

    def _small(self, declared: Any) -> Any:
        """Return a type that the model declares or onnx infers, without negative extents; of a long one, nothing."""
        if declared.ByteSize() > _MOST_TYPE_BYTES:
            return self._nothing.type
        if any([each.dim_value < 0 for each in declared.tensor_type.shape.dim]):
            small = type(declared)()
            small.CopyFrom(declared)
            for each in small.tensor_type.shape.dim:
                if each.dim_value < 0:
                    each.Clear()
            return small
        return declared

    def _infer(self, node: Any) -> None:
        """Take the types that onnx infers of a node's results."""
        domain = domain_of(node)
        opset = self._opsets.get(domain, 1)
        try:
            schema = self._onnx.defs.get_schema(node.op_type, opset, domain)
        except (self._onnx.defs.SchemaError, TypeError, ValueError):
            # Of an operator that onnx does not know, or whose name is no text.
            return
        if len(node.input) < schema.min_input:
            rule = f"whose shapes onnx infers ({node.op_type} of opset {opset} has {schema.min_input} inputs or more)"
            raise AttributeValueError("onnx.plans", "model", f"be one {rule}", node.name or node.op_type)
        ranked = _RANKED.get(node.op_type)
        lengths = None if ranked is None else self[next(iter(node.input[ranked:]), "")].shape
        if lengths and (lengths[0] is None or lengths[0] > MOST_AXES):
            return
        if len(node.output) > MOST_ELEMENTS:
            return
        values = {name: self[name] for name in node.input if name}
        data = {
            name: self._onnx.numpy_helper.from_array(value.constant, name)
            for name, value in values.items()
            if value.constant is not None
            and value.constant.size <= _MOST_INFERRED_WITH
            and value.constant.dtype.kind in "biuf"
        }
        try:
            types = self._onnx.shape_inference.infer_node_outputs(
                schema,
                node,
                {name: value.type for name, value in values.items()},
                data,
                opset_imports=self._imports,
            )
        except (
            self._onnx.shape_inference.InferenceError,
            self._onnx.checker.ValidationError,
            RuntimeError,
            ValueError,
            TypeError,
            IndexError,
        ):
            # Of a node that its operator does not take, and whose results stay unknown.
            return
        self._add_types(node, types)

    def _types_of_subgraphs(self, node: Any, results: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """Return the types that the results of a node have by those of its subgraphs."""
        has_axes = any([each.name == "scan_output_axes" for each in node.attribute])
        if node.op_type == "If":
            return {name: common_type(types) for name, *types in zip(node.output, *results, strict=False)}
        if node.op_type == "Loop":
            given, types = node.input[2:], results[0][1:]
        elif node.op_type == "Scan" and self._opsets.get("", 1) >= _SCAN_WITHOUT_BATCHES and not has_axes:
            scanned = next((each.i for each in node.attribute if each.name == "num_scan_inputs"), 0)
            given, types = node.input[: max(len(node.input) - scanned, 0)], results[0]
        else:
            return {}
        # A state may stay what it is at first.
        states = [common_type([each, self[name].type]) for name, each in zip(given, types, strict=False)]
        return dict(zip(node.output, [*states, *map(stacked_type, types[len(states) :])], strict=False))

    def _add_types(self, node: Any, types: Mapping[str, Any]) -> None:
        """Take types of a node's results; what the model declares of them stays where they say less."""
        for name in filter(None, node.output):
            found = self._small(types.get(name, self._nothing.type))
            if found.WhichOneof("value") is not None:
                self._values[name] = self[name]._replace(type=fuller_type(found, self[name].type))

    def _add_shape(self, node: Any) -> None:
        """A shape that is known is a constant, whatever it is the shape of."""
        shape = self[next(iter(node.input), "")].shape
        if shape is None or not node.output:
            return
        bounds = {each.name: each.i for each in node.attribute}
        chosen = shape[slice(bounds.get("start", 0), bounds.get("end"))]
        if None not in chosen:
            self._keep(node.output[0], np.array(chosen, np.int64))

    def _fold(self, node: Any) -> None:
        """Compute a node by onnx's own reference."""
        constants = {name: constant for name in node.input if name and (constant := self[name].constant) is not None}
        inputs = [constants.get(name, NO_SHAPE) for name in node.input]
        try:
            elements = most_elements(node, inputs)
            if elements > min(_MOST_COMPUTED, self._left[0]):
                many = f"of more than {_MOST_COMPUTED} elements"
                reason = many if elements > _MOST_COMPUTED else f"behind others of {_MOST_IN_ALL} elements in all"
                self._explain(node, f"the result of a {node.op_type} {reason}")
                return
            self._left[0] -= elements
            names = list(filter(None, node.output))
            shape = self[names[0]].shape if names else None
            if node.op_type in _RESHAPES and shape is not None and None not in shape:
                results = [inputs[0].reshape([n or 0 for n in shape])]
            else:
                results = self._evaluate(node, names, constants)
            for name, result in zip(names, results, strict=False):
                if isinstance(result, np.ndarray | np.generic):
                    self._keep(name, np.asarray(result))
        except Exception as error:
            # Whatever the reference raises for inputs that the operator does not take.
            self._explain(node, f"the result of a {node.op_type} that onnx cannot compute ({_line_of(error)})")

    def _evaluate(self, node: Any, names: Sequence[str], constants: Mapping[str, AnyArray]) -> Any:
        """Return what onnx's reference gives for the outputs of these names."""
        self._check_attributes(node)
        # In a graph, because the reference takes a node alone for one of its newest operator set.
        graph = self._onnx.GraphProto()
        graph.node.add().CopyFrom(node)
        graph.node[0].domain = ""
        for each in constants:
            graph.input.add().name = each
        for each in names:
            graph.output.add().name = each
        evaluator = self._onnx.reference.ReferenceEvaluator(graph, opsets={"": self._opsets.get("", 1)})
        with np.errstate(all="ignore"):
            return evaluator.run(None, constants)

    def _explain(self, node: Any, origin: str) -> None:
        for name in filter(None, node.output):
            self._values[name] = self[name]._replace(constant=None, origin=origin)

    def _check_attributes(self, node: Any) -> None:
        """Raise for attributes whose data is in another file, which onnx's reference would look for anywhere."""
        for each in node.attribute:
            sparse = [tensor for whole in (each.sparse_tensor, *each.sparse_tensors) for tensor in _parts_of(whole)]
            for tensor in (each.t, *each.tensors, *sparse):
                if self._onnx.external_data_helper.uses_external_data(tensor):
                    raise ValueError(f"the data of {each.name} is in another file")

    def _keep(self, name: str, value: AnyArray) -> None:
        known = self[name]
        if known.shape is not None and not is_declared(value.shape, known.shape):
            raise ValueError(f"the result has shape {value.shape}, where its type says {known.shape}")
        elem_type = known.type.tensor_type.elem_type
        if not elem_type:
            is_text = value.dtype.kind in "OSU"
            elem_type = (
                self._onnx.TensorProto.STRING if is_text else self._onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
            )
        constant = value if value.size <= MOST_ELEMENTS else None
        shape = value.shape if value.ndim <= MOST_AXES else None
        self._values[name] = Value(self._tensor(elem_type, shape), constant, known.origin)


def _parts_of(sparse: Any) -> tuple[Any, Any]:
    return sparse.values, sparse.indices


def _ends_the_process(node: Any, shape: KnownShape) -> bool:
    """True for a node of data of a shape with attributes that onnx takes unchecked, and reads or makes axes beyond."""
    rank = MOST_AXES if shape is None else len(shape)
    numbers = {each.name: each.i for each in node.attribute}
    return (
        numbers.get("num_outputs", len(node.output)) != len(node.output)
        or not -rank - 1 <= numbers.get("axis", 0) <= rank
        or not 0 <= numbers.get("batch_dims", 0) <= rank
    )


def text_of(name: str | bytes) -> str:
    """Return a name as text: those that are not UTF-8 come as bytes."""
    return name if isinstance(name, str) else name.decode(errors="replace")


def _line_of(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
