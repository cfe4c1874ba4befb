"""The values of an ONNX graph before the model runs: their shapes, and the elements of constants.

onnx infers shapes node after node. A value of more than 64 axes has no shape here, and one of more than 4096 elements
is no constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._geometry._numbers import MOST_INDICES
from fastops._interop._layer import Shape, is_fixed

# The longest name of a dimension.
_LONGEST_NAME = 64

# The most axes of an array of NumPy.
_MOST_AXES = 64

# The most elements of a constant that shape inference gets. Shape inference needs at most two for each axis.
_MOST_INFERRED_WITH = 2 * _MOST_AXES

# For each operator with an input whose length decides the rank of the result: the number of this input.
_RANKED = {"AffineGrid": 1, "Col2Im": 1, "ConstantOfShape": 0, "Expand": 1, "Reshape": 1, "Unsqueeze": 1}

# Operators whose results are computed if all inputs are constants: exported models compute shapes and bounds by them.
_FOLDED = frozenset(
    """
    Abs Add And Cast Ceil Clip Concat Constant ConstantOfShape CumSum Div Equal Expand Flatten Floor Gather GatherND
    Greater GreaterOrEqual Identity Less LessOrEqual Max Min Mod Mul Neg Not Or ReduceMax ReduceMin ReduceProd ReduceSum
    Reshape Round ScatterND Shape Sign Size Slice Split Squeeze Sub Transpose Unsqueeze Where
    """.split()  # noqa: SIM905 - A list would be a page long.
)

# Operators that give the first input another shape.
_RESHAPES = ("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze")


class Value(NamedTuple):
    """A value of a graph.

    Attributes
    ----------
    elem_type : int
        onnx's number of the element type; 0 if it is unknown.
    shape : Shape
        The shape, as far as it is known.
    constant : ndarray or None
        The elements of a constant.
    origin : str
        Words for messages that say where the value comes from.
    """

    elem_type: int = 0
    shape: Shape = None
    constant: AnyArray | None = None
    origin: str = "not in the model"


class GraphValues:
    """The values of a model's graph, by their names.

    Parameters
    ----------
    onnx : module
    model : onnx.ModelProto
    shapes : mapping of str to tuple of int
        Shapes of inputs, where they are given.
    """

    def __init__(self, onnx: Any, model: Any, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._onnx = onnx
        self._opsets: dict[str, int] = {}
        for each in model.opset_import:
            self._opsets[domain_of(each)] = max(each.version, self._opsets.get(domain_of(each), 1))
        #: The version of ONNX's operator set, if the model names one.
        self.opset = self._opsets.get("")
        self._imports = [onnx.helper.make_opsetid(*each) for each in self._opsets.items()]
        graph = model.graph
        inputs = {each.name: read_type(each.type) for each in graph.input}
        # Dimensions of one name have one length. If a caller gives a name several lengths, dimensions of this name stay
        # open.
        given = {pair for name, shape in shapes.items() for pair in zip(inputs[name][1] or (), shape, strict=False)}
        names = [n for n, _ in given]
        self._lengths: dict[Any, int] = {n: length for n, length in given if isinstance(n, str) and names.count(n) == 1}
        self._declared = {each.name: self._type_of(each) for each in (*graph.value_info, *graph.output)}
        self._values: dict[str, Value] = {}
        for each in graph.input:
            elem_type, shape = self._type_of(each)
            self._values[each.name] = Value(elem_type, shapes.get(each.name, shape), None, "an input of the graph")
        for tensor in graph.initializer:
            self._values[tensor.name] = self._value_of(tensor, "an initializer")

    def __getitem__(self, name: str) -> Value:
        return self._values.get(name, Value())

    def add_node(self, node: Any) -> None:
        """Add the results of a node: their types, and their elements if they are constants."""
        names = [name for name in node.output if name]
        is_standard = not domain_of(node)
        tensor = next((each.t for each in node.attribute if each.name == "value"), None)
        is_constant = is_standard and node.op_type == "Constant" and tensor is not None
        is_refused = is_constant or _ends_the_process(node, self[next(iter(node.input), "")].shape)
        found = {} if is_refused else self._infer(node)
        for name in names:
            (elem_type, shape), (own_type, own_shape) = read_type(found.get(name)), self._declared.get(name, (0, None))
            origin = f"the result of a {node.op_type}"
            self._values[name] = Value(elem_type or own_type, _fuller(shape, own_shape), None, origin)
        if is_constant and names:
            self._values[names[0]] = self._value_of(tensor, "a Constant")
        elif not is_refused and is_standard and node.op_type in _FOLDED and names:
            self._fold(node, names)

    def fill_shapes(self, names: Sequence[str], shapes: Sequence[Shape]) -> None:
        """Add the shapes of a node's results where onnx has inferred none."""
        for name, shape in zip(names, shapes, strict=False):
            if name:
                self._values[name] = self[name]._replace(shape=_fuller(self[name].shape, shape))

    def _type_of(self, each: Any) -> tuple[int, Shape]:
        """Return the type and the shape that the model declares for a value."""
        elem_type, shape = read_type(each.type)
        return elem_type, shape and tuple([self._lengths.get(n, n) for n in shape])

    def _value_of(self, tensor: Any, kind: str) -> Value:
        """Return the value of a tensor that is in the model."""
        shape = tuple(tensor.dims)
        known = len(shape) <= _MOST_AXES and min(shape, default=0) >= 0
        value = Value(tensor.data_type, shape if known else None, None, kind)
        if not known or prod(shape) > MOST_INDICES:
            return value._replace(origin=f"{kind} of more than {MOST_INDICES} elements or {_MOST_AXES} axes")
        if self._onnx.external_data_helper.uses_external_data(tensor):
            return value._replace(origin=f"{kind} whose data is in another file")
        if tensor.data_type == self._onnx.TensorProto.STRING:
            return value
        try:
            return value._replace(constant=self._onnx.numpy_helper.to_array(tensor))
        except Exception:
            # For malformed data, onnx raises many kinds of exceptions.
            return value._replace(origin=f"{kind} that cannot be read")

    def _infer(self, node: Any) -> Mapping[str, Any]:
        """Return the types that onnx infers for a node's results."""
        domain = domain_of(node)
        try:
            schema = self._onnx.defs.get_schema(node.op_type, self._opsets.get(domain, 1), domain)
        except (self._onnx.defs.SchemaError, TypeError, ValueError):
            # onnx does not know the operator, or the operator's name is no text.
            return {}
        ranked = _RANKED.get(node.op_type)
        lengths = None if ranked is None else self[next(iter(node.input[ranked:]), "")].shape
        is_of_few_axes = not lengths or (isinstance(lengths[0], int) and lengths[0] <= _MOST_AXES)
        if len(node.input) < schema.min_input or not is_of_few_axes:
            return {}
        types, data = {}, {}
        for name in filter(None, node.input):
            elem_type, shape, constant, _ = self[name]
            types[name] = self._onnx.helper.make_tensor_type_proto(elem_type, shape)
            if constant is not None and constant.size <= _MOST_INFERRED_WITH and constant.dtype.kind in "biuf":
                data[name] = self._onnx.numpy_helper.from_array(constant, name)
        try:
            infer = self._onnx.shape_inference.infer_node_outputs
            return dict(infer(schema, node, types, data, opset_imports=self._imports))
        except Exception:
            # For malformed nodes, onnx raises many kinds of exceptions; the results stay unknown.
            return {}

    def _fold(self, node: Any, names: list[str]) -> None:
        """Compute the results of a node if its inputs are constants, and its results have few elements."""
        if node.op_type == "Shape":
            shape, bounds = self[node.input[0]].shape, {each.name: each.i for each in node.attribute}
            chosen = (None,) if shape is None else shape[slice(bounds.get("start", 0), bounds.get("end"))]
            if is_fixed(chosen):
                self._values[names[0]] = self[names[0]]._replace(constant=np.array(chosen, np.int64))
            return
        for elem_type, shape, *_ in [self[name] for name in names]:
            if not is_fixed(shape) or prod(shape) > MOST_INDICES or elem_type == self._onnx.TensorProto.STRING:
                return
        inputs = {name: self[name].constant for name in node.input if name}
        known = {name: constant for name, constant in inputs.items() if constant is not None}
        if len(known) < len(inputs) or any(map(self._is_outside, node.attribute)):
            return
        try:
            if node.op_type in _RESHAPES:
                # onnx's reference evaluator lacks these nodes in some older operator sets.
                results = [known[node.input[0]].reshape(self[names[0]].shape)]  # type: ignore[arg-type]
            else:
                results = self._evaluate(node, names, known)
            for name, result in zip(names, map(np.asarray, results), strict=True):
                if result.shape == self[name].shape:
                    self._values[name] = self[name]._replace(constant=result)
        except Exception:
            # For inputs that do not fit, the evaluator raises many kinds of exceptions.
            origin = f"the result of a {node.op_type} that cannot be computed"
            for name in names:
                self._values[name] = self[name]._replace(origin=origin)

    def _evaluate(self, node: Any, names: list[str], constants: Mapping[str, AnyArray]) -> Any:
        """Return the outputs of these names, which onnx's reference evaluator computes."""
        # Without a graph, the evaluator would read the node by the newest operator set.
        inputs, outputs = [[self._onnx.ValueInfoProto(name=name) for name in own] for own in (constants, names)]
        graph = self._onnx.GraphProto(node=[node], input=inputs, output=outputs)
        graph.node[0].domain = ""
        evaluator = self._onnx.reference.ReferenceEvaluator(graph, opsets={"": self._opsets.get("", 1)})
        with np.errstate(all="ignore"):
            return evaluator.run(None, constants)

    def _is_outside(self, attribute: Any) -> bool:
        """True for an attribute with data that may be in another file, because the evaluator opens any path."""
        is_sparse = attribute.HasField("sparse_tensor") or bool(attribute.sparse_tensors)
        tensors = [attribute.t, *attribute.tensors]
        return is_sparse or any(map(self._onnx.external_data_helper.uses_external_data, tensors))


def domain_of(each: Any) -> str:
    """Return the domain of a node, function or import. ONNX's own domain has two names: return "" for both."""
    return "" if each.domain == "ai.onnx" else str(each.domain)


def text_of(name: str | bytes) -> str:
    """Return a name as text; protobuf gives bytes for a name that is not UTF-8."""
    return name if isinstance(name, str) else name.decode(errors="replace")


def read_type(declared: Any) -> tuple[int, Shape]:
    """Return the element type of a tensor's type, 0 if it is unknown, and its shape, None if it is unknown."""
    if declared is None or declared.WhichOneof("value") != "tensor_type":
        return 0, None
    tensor = declared.tensor_type
    if not tensor.HasField("shape") or len(tensor.shape.dim) > _MOST_AXES:
        return tensor.elem_type, None
    return tensor.elem_type, tuple(map(_length_of, tensor.shape.dim))


def _length_of(dim: Any) -> int | str | None:
    """Return the length of a dimension, or its name if it is short and printable."""
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return int(dim.dim_value)
    name = text_of(dim.dim_param)
    return name if 0 < len(name) <= _LONGEST_NAME and name.isprintable() else None


def _fuller(found: Shape, declared: Shape) -> Shape:
    """Return an inferred shape, completed by the extents and names of the declared shape."""
    if found is None:
        return declared
    if declared is None or len(found) != len(declared):
        return found
    pairs = zip(found, declared, strict=True)
    return tuple([n if other is None or isinstance(n, int) else other for n, other in pairs])


def _ends_the_process(node: Any, shape: Shape) -> bool:
    """Return True for a node whose attributes make onnx's shape inference access memory that it does not own."""
    rank, n = _MOST_AXES if shape is None else len(shape), len(node.output)
    limits = {"num_outputs": (n, n), "axis": (-rank - 1, rank), "batch_dims": (0, rank)}
    numbers = {each.name: each.i for each in node.attribute}
    return any([not low <= numbers.get(name, low) <= high for name, (low, high) in limits.items()])
