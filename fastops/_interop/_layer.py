"""Layers: operators of a model with their attributes, which callers run on arrays, and plans of layers.

Also here: imports of the packages that read models, and checks of the files that callers name.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any, TypeGuard

import numpy as np

from fastops._errors import AttributeValueError, DTypeError, errors_of
from fastops._lowering._arguments import as_shape
from fastops._lowering._windows import op_of
from fastops.plan._open_plan import NodePlan, OpenPlan, open_plan, shape_text
from fastops.plan._slice_plan import SlicePlan


def import_extra(op: str, module: str, extra: str) -> Any:
    """Return a module that an extra of fastops installs; raise an ImportError that names the extra."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        message = f"{op}: {package} is not installed: python -m pip install {package}, or the extra {extra} of fastops"
        raise ImportError(message) from error


def check_regular_file(op: str, attribute: str, path: str | bytes | os.PathLike[str]) -> None:
    """Raise for a pipe or a device, which may never end. If there is no file, the function that opens it raises."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise AttributeValueError(op, attribute, "be a regular file", os.fsdecode(path))


#: The extents of a shape, with a name or None for each extent that is not fixed; None for an unknown shape.
Shape = tuple[int | str | None, ...] | None


class Layer:
    """An operator of a model. Call it with the inputs that are not constants, in the order of its ports.

    Attributes
    ----------
    op_type : str
        The operator, by its name in the model.
    name : str
        The layer's own name.
    attributes : dict
        The attributes and constant inputs of the model, by the names of the function's arguments.
    inputs : tuple of str
        The names of the other arguments, in order.
    data_name : str or None
        The name of the argument that is data; None for a range, which reads no data.
    plan_arguments : frozenset of str
        The names of the arguments, besides data, on which the plan depends.
    required : list of str
        The names of the arguments without default.
    fill_name : str or None
        The name of the argument for the fill value, if the operator has one.
    input_shapes, output_shapes : tuple of tuple of int or None
        The shapes of inputs and outputs in the model. Data must have the shape of the first input; the layer does not
        check the other shapes.
    """

    def __init__(
        self, dialect: str, op_type: str, name: str, attributes: dict[str, Any], inputs: list[str], *ports: list[Shape]
    ) -> None:
        self._function = function = function_of(dialect, op_type)
        self._plan = getattr(import_module(f"fastops.plan.{dialect}"), function.__name__)
        self._op = op_of(function)
        parameters = parameters_of(function).values()
        self.required = [each.name for each in parameters if each.default is each.empty]
        self.data_name = None if function.__name__ == "range" else self.required[0]
        self.plan_arguments = frozenset(self.required if self.data_name is None else parameters_of(self._plan))
        # The only other argument is the fill value, which changes no plan.
        rest = {each.name for each in parameters} - {self.data_name, "out", "copy", "chunks"} - self.plan_arguments
        self.fill_name = next(iter(rest), None)
        self.op_type = op_type
        self.name = name
        self.attributes = attributes
        self.inputs = tuple(inputs)
        # Nodes of ONNX give no shapes.
        self.input_shapes, self.output_shapes = map(tuple, ports or ((), ()))
        self._declared = self.input_shapes[0] if self.input_shapes else None
        self._rule = f"have shape {self._declared}"

    def fix(self, constants: Mapping[str, Any]) -> None:
        """Turn some inputs, whose values are constants of the model, into attributes."""
        self.attributes.update(constants)
        self.inputs = tuple([name for name in self.inputs if name not in constants])

    def _bind(self, inputs: Sequence[Any]) -> dict[str, Any]:
        """Return the arguments by their names; inputs at the end may be absent, or None."""
        if len(inputs) > len(self.inputs):
            raise AttributeValueError(self._op, "inputs", f"be at most {len(self.inputs)}", len(inputs))
        bound = {name: value for name, value in zip(self.inputs, inputs, strict=False) if value is not None}
        return {**self.attributes, **bound}

    def _check_given(self, arguments: Mapping[str, Any]) -> None:
        missing = [name for name in self.required if name not in arguments]
        if missing:
            raise AttributeValueError(self._op, missing[0], "be given", None)

    def plan(self, *inputs: Any) -> Any:
        """Return the plan of a call, or a list of plans for parts and pieces.

        The inputs are those of a call, with a shape in place of data. None in place of data stands for the shape in the
        model.
        """
        arguments, name = self._bind(inputs), self.data_name
        if name in self.attributes:
            arguments[name] = self.attributes[name].shape
        elif name in arguments:
            arguments[name] = given_shape(self._op, name, arguments[name])
            check_shape(self._op, name, self._rule, arguments[name], self._declared)
        elif name is not None:
            if not is_fixed(self._declared):
                rule = "have its shape given, because it is not fixed"
                raise AttributeValueError(self._op, name, rule, self._declared)
            arguments[name] = self._declared
        self._check_given(arguments)
        shapes = [] if name is None else [arguments.pop(name)]
        return self._plan(*shapes, **{key: arguments[key] for key in arguments if key in self.plan_arguments})

    def __call__(self, *inputs: Any, out: Any = None) -> Any:
        """Run the function of the operator's dialect, and return its result."""
        arguments = self._bind(inputs)
        self._check_given(arguments)
        if self.data_name is not None and self.input_shapes:
            data = arguments[self.data_name]
            try:
                shape = np.shape(data)
            except ValueError as error:
                # The lists have several lengths.
                rule = "be an array, or nested lists of one shape"
                raise DTypeError(self._op, self.data_name, rule, data) from error
            check_shape(self._op, self.data_name, self._rule, shape, self._declared)
        return self._function(**arguments, out=out)

    def __repr__(self) -> str:
        fixed = "".join([f", {name}={value!r}" for name, value in self.attributes.items()])
        return f"<{self.op_type} {self.name!r}({', '.join(self.inputs)}{fixed})>"


@cache
def function_of(dialect: str, op_type: str) -> Callable[..., Any]:
    """Return the function of a dialect for an operator of models: `space_to_depth` for SpaceToDepth."""
    return getattr(import_module(f"fastops.ops.{dialect}"), re.sub(r"(?<=[a-z])(?=[A-Z])", "_", op_type).lower())


@cache
def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function; reading them anew would double the time of making a layer."""
    return inspect.signature(function).parameters


def is_fixed(shape: Shape) -> TypeGuard[tuple[int, ...]]:
    """True for a shape without unknown extents."""
    return shape is not None and all([isinstance(n, int) for n in shape])


def given_shape(op: str, name: str, shape: Any) -> tuple[int, ...]:
    """Return a shape from a caller as integers."""
    with errors_of(op, {name: shape}):
        return as_shape(name, shape)


def read_shapes(op: str, shapes: Any, declared: Mapping[str, Shape], kind: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes from a caller for inputs or layers of a model, by their names."""
    if not isinstance(shapes, Mapping | None):
        raise DTypeError(op, "shapes", f"be a mapping from names of {kind} to shapes", shapes)
    given = {}
    for name, shape in (shapes or {}).items():
        if name not in declared:
            raise AttributeValueError(op, "shapes", f"name {kind} of the model: {', '.join(declared) or 'none'}", name)
        given[name] = given_shape(op, "shapes", shape)
        check_shape(op, "shapes", rule_of(name, declared[name]), given[name], declared[name])
    return given


def rule_of(name: str, declared: Shape) -> str:
    """Return the rule in errors for a shape from a caller."""
    return f"fit what the model says of {name}, {shape_text(declared or ())}"


def check_shape(op: str, attribute: str, rule: str, shape: Sequence[int], declared: Shape) -> None:
    """Raise for a shape that has another rank, or another length of an axis, than a model declares."""
    pairs = zip(declared or (), shape, strict=False)
    if (declared is not None and len(shape) != len(declared)) or any([isinstance(n, int) and n != m for n, m in pairs]):
        raise AttributeValueError(op, attribute, rule, tuple(shape))


def plan_of_layer(layer: Layer, name: str, shape: Shape, unknown: Mapping[str, str], data: str = "") -> NodePlan:
    """Return the plan of a layer, or the reason why there is none.

    Parameters
    ----------
    layer : Layer
        The layer, with all constants of the model as attributes.
    name, data : str
        The names of the layer and of its data in the model.
    shape : Shape
        The shape of data; None for the shape in the model.
    unknown : mapping of str to str
        A reason for each argument whose value is not known before a run.
    """
    entry = partial(NodePlan, name, layer.op_type)
    reasons = [reason for each, reason in unknown.items() if each in (layer.data_name, *layer.plan_arguments)]
    if reasons:
        return entry(None, reasons[0])

    def plan(lengths: Shape) -> Any:
        return layer.plan(*[lengths if each == layer.data_name else None for each in layer.inputs])

    found = plan(shape) if shape is None or is_fixed(shape) else open_plan(plan, shape)
    if found is None:
        return entry(None, f"{layer.data_name} must have a known shape, got {data} of shape {shape_text(shape or ())}")
    argument = layer.fill_name or ""
    if not isinstance(found, SlicePlan | OpenPlan) or not found.fills or argument not in layer.attributes:
        return entry(found, unknown.get(argument, "") if getattr(found, "fills", 0) else "")
    value = layer.attributes[argument]
    elements = np.asarray(value, np.float32 if type(value) is float else None).reshape(-1)
    if not elements.size:
        return entry(found, f"{argument} must have an element, got none")
    return entry(found, "", elements[0])
