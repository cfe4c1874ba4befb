"""ONNX nodes as calls of `fastops.onnx`, and as operators of onnx's reference evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, DTypeError, FastopsError
from fastops._geometry._numbers import as_index
from fastops._interop._layer import Layer, import_extra
from fastops.ops.onnx._moves import depth_to_space, expand, space_to_depth, tile, transpose
from fastops.ops.onnx._range import range
from fastops.ops.onnx._slices import center_crop_pad, pad, slice, split

_OP = "onnx.from_node"


class _Form(NamedTuple):
    """How a node says what a function takes: the arguments that are its inputs, and those that are its attributes."""

    inputs: tuple[str, ...]
    attributes: Mapping[str, str]


# The function of each operator and its forms: the newest one, and those of older versions, which have an attribute of
# another name or for what is an input now. The first form that has all attributes of a node is the node's.
_FORMS: dict[str, tuple[Callable[..., Any], list[_Form]]] = {
    "CenterCropPad": (center_crop_pad, [_Form(("input_data", "shape"), {"axes": "axes"})]),
    "DepthToSpace": (depth_to_space, [_Form(("input",), {"blocksize": "blocksize", "mode": "mode"})]),
    "Expand": (expand, [_Form(("input", "shape"), {})]),
    "Pad": (
        pad,
        [
            _Form(("data", "pads", "constant_value", "axes"), {"mode": "mode"}),
            _Form(("data",), {"pads": "pads", "value": "constant_value", "mode": "mode"}),
            _Form(("data",), {"paddings": "pads", "value": "constant_value", "mode": "mode"}),
        ],
    ),
    "Range": (range, [_Form(("start", "limit", "delta"), {})]),
    "Slice": (
        slice,
        [
            _Form(("data", "starts", "ends", "axes", "steps"), {}),
            _Form(("data",), {"starts": "starts", "ends": "ends", "axes": "axes"}),
        ],
    ),
    "SpaceToDepth": (space_to_depth, [_Form(("input",), {"blocksize": "blocksize", "mode": "mode"})]),
    "Split": (split, [_Form(("input", "split"), {"axis": "axis", "num_outputs": "num_outputs", "split": "split"})]),
    "Tile": (tile, [_Form(("input", "repeats"), {})]),
    "Transpose": (transpose, [_Form(("data",), {"perm": "perm"})]),
}

#: The operators of the slicing family.
OP_TYPES = frozenset(_FORMS)

# The versions of ONNX's operator set that first have a Split into a number of parts of which the last is shorter, and
# the mode wrap of Pad.
_UNEVEN_SPLIT = 18
_WRAPPING_PAD = 19


def from_node(node: Any, opset: int | None = None) -> Layer:
    """Return an ONNX node of the slicing family as a callable.

    Parameters
    ----------
    node : onnx.NodeProto
        A node of Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace or SpaceToDepth, of any
        version of the operator.
    opset : int, optional
        The version of ONNX's operator set that the node's model imports. The node must then be right by that version:
        its inputs, attributes and mode, and a Split before version 18 has equal parts. By default, what any version
        allows is right.

    Returns
    -------
    Layer
        Called with the node's inputs, in its order, None for those that it leaves out, it returns what the function of
        `fastops.onnx` does; ``plan`` gives the plan of such a call from data's shape, ``attributes`` what the node
        fixes.

    Raises
    ------
    AttributeValueError
        The node is of another operator or domain, or has attributes that no version of the operator has, or not that
        of ``opset``.
    DTypeError
        It is no node, or ``opset`` is no integer.
    ImportError
        onnx is not installed: the extra ``onnx`` has it.

    Notes
    -----
    Specification: ONNX opsets 1 to 28. Tile of opset 1, with a count and an axis, is left out. Of a Split without
    lengths, the number of outputs is the node's own; from opset 18 on, its attribute num_outputs has to say it.

    Examples
    --------
    >>> import numpy as np, onnx.helper
    >>> from fastops import onnx as fonnx
    >>> flip = fonnx.from_node(onnx.helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"]))
    >>> flip(np.arange(4), [-1], [-9], [0], [-1])
    array([3, 2, 1, 0])
    >>> print(flip.plan((4,), [-1], [-9], [0], [-1]))
    (4,) -> (4,)
      axis 0: extent 4, start 3, stride -1, count 4, strict_bounds
    """
    onnx = import_extra(_OP, "onnx", "onnx")
    if not isinstance(node, onnx.NodeProto):
        raise DTypeError(_OP, "node", "be an onnx.NodeProto", node)
    op_type = node.op_type
    if node.domain not in ("", "ai.onnx") or op_type not in _FORMS:
        name = f"{node.domain}.{op_type}" if node.domain else op_type
        raise AttributeValueError(_OP, "node", f"be of operator {', '.join(_FORMS)}", name)
    try:
        written = {_plain(each.name): _plain(onnx.helper.get_attribute_value(each)) for each in node.attribute}
    except (ValueError, TypeError) as error:
        raise AttributeValueError(_OP, "node", "have attributes that onnx reads", op_type) from error
    function, forms = _FORMS[op_type]
    form = next((form for form in forms if set(written) <= set(form.attributes)), None)
    if form is None:
        raise AttributeValueError(_OP, "node", f"have attributes that a {op_type} has", sorted(written))
    if op_type == "Tile" and len(node.input) > 2:
        raise AttributeValueError(_OP, "node", "be of Tile-6 or later, which has two inputs", op_type)
    has_equal_parts = False
    if opset is not None:
        try:
            _check_version(onnx, node, written, as_index("opset", opset))
        except FastopsError as error:
            error.add_context(_OP, {"opset": opset})
            raise
        has_equal_parts = op_type == "Split" and opset < _UNEVEN_SPLIT
    attributes = {form.attributes[name]: value for name, value in written.items()}
    inputs = form.inputs
    # An empty name stands for an input that is left out.
    if op_type == "Split" and not any(node.input[1:]) and not {"split", "num_outputs"} & set(attributes):
        if opset is not None and not has_equal_parts:
            raise AttributeValueError(_OP, "node", f"have split or num_outputs in opset {opset}", None)
        attributes["num_outputs"] = len(node.output)
    # Before any part is made: the number is a few bytes, however large it is.
    if attributes.get("num_outputs", len(node.output)) != len(node.output):
        raise AttributeValueError(
            _OP, "node", f"have {attributes['num_outputs']} outputs, as num_outputs says", len(node.output)
        )
    plan = getattr(import_module("fastops.plan.onnx"), function.__name__)
    return Layer(function, plan, op_type, node.name, attributes, inputs, has_equal_parts=has_equal_parts)


def _check_version(onnx: Any, node: Any, written: Mapping[str, Any], opset: int) -> None:
    """Raise unless a node has the inputs, attributes and mode that its operator has in a version of ONNX's set."""
    op_type = node.op_type
    try:
        schema = onnx.defs.get_schema(op_type, opset, "")
    except (onnx.defs.SchemaError, TypeError) as error:
        # The second is of a version that is no int of C.
        raise AttributeValueError.about("opset", f"have the operator {op_type}", opset) from error
    name = f"{op_type}-{schema.since_version}"
    if not set(written) <= set(schema.attributes):
        raise AttributeValueError.about("node", f"have attributes that {name} of opset {opset} has", sorted(written))
    if not schema.min_input <= len(node.input) <= schema.max_input:
        rule = f"have {schema.min_input} to {schema.max_input} inputs, as {name} of opset {opset}"
        raise AttributeValueError.about("node", rule, len(node.input))
    if op_type == "Pad" and written.get("mode") == "wrap" and opset < _WRAPPING_PAD:
        raise AttributeValueError.about("mode", f"be constant, reflect or edge in opset {opset}", "wrap")


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def reference_ops() -> list[type]:
    """Return classes with which onnx's reference evaluator runs the slicing family on fastops.

    Returns
    -------
    list of type
        Classes for Slice, Split, Pad, Tile, Expand, Range, CenterCropPad, Transpose, DepthToSpace and SpaceToDepth, in
        any version of theirs. They take tensors of all types but strings, which onnx holds as Python's objects.

    Raises
    ------
    ImportError
        onnx is not installed.

    Notes
    -----
    Specification: onnx 1.23, ``onnx.reference.ReferenceEvaluator(model, new_ops=fastops.onnx.reference_ops())``.

    Examples
    --------
    >>> from onnx.reference import ReferenceEvaluator
    >>> from onnx.parser import parse_model
    >>> import numpy as np
    >>> from fastops import onnx as fonnx
    >>> graph = "g (int64[2] x, int64[1] n) => (y) {y = Tile(x, n)}"
    >>> model = parse_model('<ir_version: 10, opset_import: ["" : 18]> ' + graph)
    >>> ReferenceEvaluator(model, new_ops=fonnx.reference_ops()).run(None, {"x": np.arange(2), "n": np.array([2])})
    [array([0, 1, 0, 1])]
    """
    op_run: Any = import_extra("onnx.reference_ops", "onnx.reference.op_run", "onnx").OpRun

    def _run(self: Any, *inputs: Any, **_: Any) -> tuple[Any, ...]:
        # The evaluator gives None for inputs that the node leaves out, and all attributes of the newest version.
        result = self._layer(*inputs)
        return tuple(result) if isinstance(result, list) else (result,)

    def _layer(self: Any) -> Layer:
        return from_node(self.onnx_node, self.run_params["opsets"].get(""))

    members = {"op_domain": "", "_run": _run, "__module__": __name__}
    return [type(op_type, (op_run,), {**members, "_layer": cached_property(_layer)}) for op_type in _FORMS]
