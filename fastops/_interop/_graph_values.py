"""What is known of an ONNX graph's values before it runs: their shapes, and those that are constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._interop._model_counts import MOST_AXES, count_elements, may_propagate

#: An extent that the model gives a name, or says nothing of, is None; a shape that is not known at all is None too.
KnownShape = tuple[int | None, ...] | None

# Values of more elements are not looked at: what says where to slice has a few for each axis.
MOST_ELEMENTS = 1 << 12

#: What an initializer of more is, in words.
LARGE = f"an initializer of more than {MOST_ELEMENTS} elements or {MOST_AXES} axes"

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

# Operators with an input that is the shape of their result, and its number.
_SHAPED = {"ConstantOfShape": 0, "Expand": 1}


# Operators that may take every element many times.
_GATHERS = ("Gather", "GatherND")

_NO_SHAPE: AnyArray = np.zeros(0, np.int64)


class GraphValues:
    """The values of a graph, by their names; a subgraph sees those of the graph around it.

    Attributes
    ----------
    constants : dict of str to ndarray
        Those that are the same in every run, and small.
    shapes : dict of str to tuple
        Those whose rank is known.
    origins : dict of str to str
        What each value is that is no constant, in words.
    """

    def __init__(self, onnx: Any, opset: int, folder: str | None, outer: GraphValues | None = None) -> None:
        self._onnx, self._opset, self._folder = onnx, opset, folder
        # How many elements may still be computed, for all graphs of a model.
        self._left: list[int] = [_MOST_IN_ALL] if outer is None else outer._left
        self.constants: dict[str, AnyArray] = {} if outer is None else dict(outer.constants)
        self.shapes: dict[str, KnownShape] = {} if outer is None else dict(outer.shapes)
        self.origins: dict[str, str] = {} if outer is None else dict(outer.origins)

    def inside(self, graph: Any) -> GraphValues:
        """Return the values of a subgraph."""
        values = GraphValues(self._onnx, self._opset, self._folder, self)
        values.add_graph(graph)
        return values

    def add_graph(self, graph: Any) -> None:
        """Take note of what a graph declares: initializers, inputs, and what shape inference has found."""
        for each in (*graph.value_info, *graph.input, *graph.output):
            # Names of the graph around it may be hidden.
            self.constants.pop(each.name, None)
            self.shapes[each.name] = _shape_of(each.type)
        for each in graph.input:
            self.origins[each.name] = "an input of the graph"
        for tensor in graph.initializer:
            self.shapes[tensor.name] = tuple(tensor.dims) if len(tensor.dims) <= MOST_AXES else None
            self._add_initializer(tensor)

    def _add_initializer(self, tensor: Any) -> None:
        if is_large(tensor):
            self.origins[tensor.name] = LARGE
            return
        try:
            self.constants[tensor.name] = self._value_of(tensor)
        except Exception as error:
            # Whatever onnx raises for data that is in another file, or is not what it says it is.
            self.origins[tensor.name] = f"an initializer that cannot be read ({_line_of(error)})"

    def _value_of(self, tensor: Any) -> AnyArray:
        """Return the value of a tensor, which may be in a file beside that of the model."""
        if self._folder is None and self._onnx.external_data_helper.uses_external_data(tensor):
            raise ValueError("its data is in another file, and only a model that is read from a file has a folder")
        value: AnyArray = self._onnx.numpy_helper.to_array(tensor, base_dir=self._folder or "")
        return value

    def add_node(self, node: Any) -> None:
        """Take note of what a node gives: its results where they are constants, or else its operator."""
        for name in node.output:
            self.origins[name] = f"the result of a {node.op_type}"
        if node.domain not in ("", "ai.onnx") or node.op_type not in _FOLDED:
            return
        if node.op_type == "Shape":
            self._add_shape(node)
        elif node.op_type == "Constant" and any([each.name == "value" for each in node.attribute]):
            self._add_constant(node)
        elif all([name in self.constants for name in node.input if name]):
            self._fold(node)

    def _add_shape(self, node: Any) -> None:
        """A shape that is known is a constant, whatever it is the shape of."""
        shape = self.shapes.get(next(iter(node.input), ""))
        if shape is None or not node.output:
            return
        bounds = {each.name: each.i for each in node.attribute}
        chosen = shape[slice(bounds.get("start", 0), bounds.get("end"))]
        if None not in chosen:
            self._keep(node.output[0], np.array(chosen, np.int64))

    def _add_constant(self, node: Any) -> None:
        """Keep a constant with a tensor. Its data may be in another file, which onnx's reference looks for anywhere."""
        tensor = next(each.t for each in node.attribute if each.name == "value")
        try:
            if is_large(tensor):
                raise ValueError(LARGE)
            self._keep(node.output[0], self._value_of(tensor))
        except Exception as error:
            # As for initializers.
            self.origins |= dict.fromkeys(node.output, f"a Constant that cannot be read ({_line_of(error)})")

    def _fold(self, node: Any) -> None:
        """Compute a node by onnx's own reference."""
        inputs = [self.constants.get(name, _NO_SHAPE) for name in node.input]
        try:
            elements = _most_elements(node, inputs)
            if elements > min(_MOST_COMPUTED, self._left[0]):
                many = f"of more than {_MOST_COMPUTED} elements"
                reason = many if elements > _MOST_COMPUTED else f"behind others of {_MOST_IN_ALL} elements in all"
                self.origins |= dict.fromkeys(node.output, f"the result of a {node.op_type} {reason}")
                return
            self._left[0] -= elements
            self._check_attributes(node)
            evaluator = self._onnx.reference.ReferenceEvaluator(node, opsets={"": self._opset})
            with np.errstate(all="ignore"):
                results = evaluator.run(None, {name: self.constants[name] for name in node.input if name})
        except Exception as error:
            # Whatever the reference raises for inputs that the operator does not take.
            for name in node.output:
                self.origins[name] = f"the result of a {node.op_type} that onnx cannot compute ({_line_of(error)})"
            return
        for name, result in zip(node.output, results, strict=False):
            if isinstance(result, np.ndarray | np.generic):
                self._keep(name, np.asarray(result))

    def _check_attributes(self, node: Any) -> None:
        """Raise for attributes whose data is in another file, which onnx's reference would look for anywhere."""
        for each in node.attribute:
            sparse = [tensor for whole in (each.sparse_tensor, *each.sparse_tensors) for tensor in _parts_of(whole)]
            for tensor in (each.t, *each.tensors, *sparse):
                if self._onnx.external_data_helper.uses_external_data(tensor):
                    raise ValueError(f"the data of {each.name} is in another file")

    def _keep(self, name: str, value: AnyArray) -> None:
        self.shapes[name] = value.shape
        if value.size <= MOST_ELEMENTS:
            self.constants[name] = value


def is_large(tensor: Any) -> bool:
    """True for a tensor whose values are not looked at."""
    return len(tensor.dims) > MOST_AXES or count_elements(tensor.dims, MOST_ELEMENTS) > MOST_ELEMENTS


def _parts_of(sparse: Any) -> tuple[Any, Any]:
    return sparse.values, sparse.indices


def _most_elements(node: Any, inputs: Sequence[AnyArray]) -> int:
    """Return an upper bound of how many elements a node makes of these inputs."""
    op_type = node.op_type
    if any([each.name == "num_outputs" and each.i != len(node.output) for each in node.attribute]):
        raise ValueError("num_outputs is another number than that of the outputs")
    sizes = [each.size for each in inputs]
    if op_type in _SHAPED:
        shape = inputs[_SHAPED[op_type]] if len(inputs) > _SHAPED[op_type] else _NO_SHAPE
        return prod([max(int(extent), 1) for extent in shape.reshape(-1)]) * max(sizes[0], 1)
    if op_type in _GATHERS:
        return prod(sizes)
    try:
        return max(prod(np.broadcast_shapes(*[each.shape for each in inputs])), sum(sizes))
    except ValueError:
        # Of operators whose inputs are not broadcast, which make no more than they get.
        return sum(sizes)


def _shape_of(declared: Any) -> KnownShape:
    """Return the shape of a type: None for what is no tensor, or says nothing of its rank."""
    kind = declared.WhichOneof("value")
    if kind != "tensor_type" or not declared.tensor_type.HasField("shape"):
        return None
    dims = declared.tensor_type.shape.dim
    if len(dims) > MOST_AXES:
        return None
    return tuple([dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None for dim in dims])


def inferred(onnx: Any, model: Any, shapes: Mapping[str, tuple[int, ...]]) -> Any:
    """Return a model with the shapes that onnx infers, of inputs that have these shapes.

    Large initializers are inputs of it: inference copies all of a model, and knows no values of them.
    """
    light = onnx.ModelProto()
    for field, value in model.ListFields():
        if field.name != "graph":
            _add_field(light, field.name, value)
    graph = light.graph
    for field, value in model.graph.ListFields():
        if field.name == "initializer":
            continue
        _add_field(graph, field.name, value)
    known = {each.name for each in graph.input}
    for tensor in model.graph.initializer:
        if not is_large(tensor):
            graph.initializer.add().CopyFrom(tensor)
        elif tensor.name not in known:
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    for each in graph.input:
        if each.name in shapes:
            tensor_type = each.type.tensor_type
            tensor_type.ClearField("shape")
            # A scalar has a shape too, without extents.
            tensor_type.shape.SetInParent()
            for extent in shapes[each.name]:
                tensor_type.shape.dim.add().dim_value = extent
    return onnx.shape_inference.infer_shapes(light, data_prop=may_propagate(graph))


def _add_field(message: Any, name: str, value: Any) -> None:
    """Set a field that a message does not have yet; lists and messages are copied."""
    if hasattr(value, "MergeFrom"):
        getattr(message, name).MergeFrom(value)
    else:
        setattr(message, name, value)


def text_of(name: str | bytes) -> str:
    """Return a name as text: those that are not UTF-8 come as bytes."""
    return name if isinstance(name, str) else name.decode(errors="replace")


def _line_of(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
