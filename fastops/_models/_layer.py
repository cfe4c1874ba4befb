"""Layers: an operator of a model with its attributes, which is called with the model's inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from fastops._errors import AttributeValueError
from fastops._look_up import is_plain

#: Extents of a port's shape; None for one that is not fixed, and for a shape that is not known at all.
Shape = tuple[int | None, ...] | None


class Layer:
    """An operator of a model: call it with the inputs that are not constants, in the order of its ports.

    Attributes
    ----------
    op_type : str
        The operator, by its name in the model.
    name : str
        The layer's own name.
    attributes : dict
        What the model fixes: attributes and constant inputs, by the names of the function's arguments.
    inputs : tuple of str
        The names of the arguments that are left, in order.
    input_shapes, output_shapes : tuple of tuple of int or None
        What the model says of the shapes of all its inputs and outputs, as far as it does. Data must have the first
        one; the others are not checked.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        op_type: str,
        name: str,
        attributes: Mapping[str, Any],
        inputs: Sequence[str],
        input_shapes: Sequence[Shape] = (),
        output_shapes: Sequence[Shape] = (),
    ) -> None:
        self._function = function
        home = import_module(function.__module__)
        self._plan = getattr(home, f"plan_{function.__name__}")
        self.op_type = op_type
        self.name = name
        self.attributes = dict(attributes)
        self.inputs = tuple(inputs)
        self.input_shapes = tuple(input_shapes)
        self.output_shapes = tuple(output_shapes)

    @property
    def _is_range(self) -> bool:
        return self._function.__name__ == "range"

    def _bind(self, inputs: Sequence[Any]) -> dict[str, Any]:
        """Return the arguments by their names; inputs at the end may be absent, or None."""
        if len(inputs) > len(self.inputs):
            raise AttributeValueError(self.op_type, "inputs", f"be at most {len(self.inputs)}", len(inputs))
        bound = {name: value for name, value in zip(self.inputs, inputs, strict=False) if value is not None}
        return {**self.attributes, **bound}

    def _check_shape(self, shape: Sequence[int]) -> None:
        declared = self.input_shapes[0] if self.input_shapes else None
        if declared is None:
            return
        fits = len(shape) == len(declared) and all(n in (None, m) for n, m in zip(declared, shape, strict=True))
        if not fits:
            raise AttributeValueError(self.op_type, self.inputs[0], f"have shape {declared}", tuple(shape))

    def plan(self, *inputs: Any) -> Any:
        """Return the plan of a call, a list of plans for a split.

        The inputs are those of a call, but for data: its shape takes its place, or None for the shape in the model.
        """
        if self._is_range:
            return self._plan(**self._bind(inputs))
        shape, *rest = inputs or (None,)
        if shape is None:
            shape = self.input_shapes[0] if self.input_shapes else None
            if shape is None or None in shape:
                rule = "have its shape given, because it is not fixed"
                raise AttributeValueError(self.op_type, self.inputs[0], rule, shape)
        elif is_plain(shape):
            self._check_shape(shape)
        arguments = {**self.attributes, **dict(zip(self.inputs[1:], rest, strict=False))}
        known = self._plan_names()
        return self._plan(shape, **{name: value for name, value in arguments.items() if name in known})

    def _plan_names(self) -> tuple[str, ...]:
        code = self._plan.__wrapped__.__code__
        return tuple(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])

    def __call__(self, *inputs: Any, out: Any = None) -> Any:
        """Run the operator, which returns what the function of its dialect does."""
        arguments = self._bind(inputs)
        if not self._is_range and inputs and hasattr(inputs[0], "shape"):
            self._check_shape(inputs[0].shape)
        return self._function(**arguments, out=out)

    def __repr__(self) -> str:
        fixed = "".join([f", {name}={value!r}" for name, value in self.attributes.items()])
        return f"<{self.op_type} {self.name!r}({', '.join(self.inputs)}{fixed})>"
