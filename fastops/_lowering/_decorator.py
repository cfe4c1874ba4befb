"""What makes a lowering of a function of plain values: its arguments are read, its errors speak the caller's words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, overload

from fastops._errors import FastopsError
from fastops._geometry._geometry import Geometry
from fastops._geometry._planned_output import PlannedOutput
from fastops._geometry._windows_geometry import WindowsGeometry
from fastops._lowering._arguments import Reader, as_shape, is_optional
from fastops._lowering._rule import Rule
from fastops._lowering._windows import Assembly, Windows

P = ParamSpec("P")


class Lowering:
    """How calls of one operator become geometry: ``@lowering("onnx.tile", repeats=as_indices)``.

    It decorates a pure function from a shape and plain values to the `Windows` of an output, to a list of them, one an
    output, or to the `Assembly` of an output of pieces. What it gives in place of it takes what callers write, and
    returns geometry; its signature and docstring are those of the function of `fastops.plan` that gives plans.

    Attributes
    ----------
    op : str
        How errors call the operator.
    names : tuple of str
        The function's parameters behind the shape: the operator's attributes, in order.
    readers : dict
        The reader of each attribute.
    rule : Rule or None
        What compiled code is told of the operator, if it reads the attributes.
    has_parts : bool
        True if there is a list of outputs.
    has_pieces : bool
        True if one output is made of several windows.
    """

    def __init__(self, op: str, readers: dict[str, Reader], rule: Rule | None) -> None:
        self.op = op
        self.rule = rule
        self.names: tuple[str, ...] = ()
        self.readers = readers
        self.has_parts = self.has_pieces = False
        self._keywords: tuple[str, ...] = ()
        self._function: Callable[..., Windows | list[Windows] | Assembly]

    @overload
    def __call__(self, function: Callable[P, Windows]) -> Callable[P, Geometry]: ...
    @overload
    def __call__(self, function: Callable[P, WindowsGeometry]) -> Callable[P, WindowsGeometry]: ...
    @overload
    def __call__(self, function: Callable[P, list[Windows] | Assembly]) -> Callable[P, list[Geometry]]: ...
    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that gives geometry; `lowering_of` finds this object again."""
        signature = inspect.signature(function)
        parameters = signature.parameters
        shape_name, *names = parameters
        keywords = [name for name in names if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY]
        most = len(parameters) - len(keywords)
        defaults = {name: parameters[name].default for name in names}
        read_defaults = {
            name: self.readers[name](name, default)
            for name, default in defaults.items()
            if default is not inspect.Parameter.empty
        }
        self.names, self._keywords, self._function = tuple(names), tuple(keywords), function
        self._n_positional = most - 1
        self._reads = [(name, self.readers[name]) for name in names]
        if self.rule is not None:
            self.rule.allow_none([is_optional(self.readers[name]) for name in names])

        @wraps(function)
        def lower(*args: Any, **kwargs: Any) -> Any:
            written = dict(zip(parameters, args, strict=False)) | kwargs
            if len(args) > most or len(written) < len(args) + len(kwargs) or not written.keys() <= parameters.keys():
                # Python says what is wrong with a call that the function would not take, at the caller's line.
                try:
                    signature.bind(*args, **kwargs)
                except TypeError as error:
                    error.__traceback__ = None
                    raise
            values = dict(read_defaults)
            try:
                for name, value in written.items():
                    values[name] = as_shape(name, value) if name == shape_name else self.readers[name](name, value)
                lowered = function(**values)
                if type(lowered) is WindowsGeometry:
                    return lowered
                return [each.geometry() for each in lowered] if self.has_parts else lowered.geometry()
            except FastopsError as error:
                error.add_context(self.op, written, {"data": shape_name})
                raise

        returns = str(signature.return_annotation)
        self.has_parts, self.has_pieces = "list" in returns, "Assembly" in returns
        kinds = {"Windows": "Geometry", "WindowsGeometry": "WindowsGeometry"}
        kind = kinds.get(returns, "list[Geometry]")
        lower.__signature__ = signature.replace(return_annotation=kind)  # type: ignore[attr-defined]
        lower.__annotations__ = {**function.__annotations__, "return": kind}
        lower.lowering = self  # type: ignore[attr-defined]
        return lower

    def read(self, attributes: Sequence[Any]) -> list[Any]:
        """Return what callers write, in the order of the parameters, as plain values; the last may be left out."""
        return [read(name, value) for (name, read), value in zip(self._reads, attributes, strict=False)]

    def outputs(self, shape: tuple[int, ...], values: Sequence[Any]) -> list[PlannedOutput]:
        """Return the outputs for data of a shape and plain values, as plans write them."""
        lowered = self.lower(shape, values)
        if isinstance(lowered, Assembly):
            return [lowered.output(shape)]
        windows = lowered if isinstance(lowered, list) else [lowered]
        return [PlannedOutput.of_geometry(each.geometry()) for each in windows]

    def geometry(self, shape: tuple[int, ...], values: Sequence[Any]) -> Geometry:
        """Return the geometry of an operator of one output for data of a shape and plain values."""
        geometry: Geometry = self.lower(shape, values).geometry()  # type: ignore[union-attr, assignment]
        return geometry

    def lower(self, shape: tuple[int, ...], values: Sequence[Any]) -> Windows | list[Windows] | Assembly:
        """Return what data of a shape and plain values lower to."""
        # The last values may be left out.
        n = self._n_positional
        if len(values) <= n:
            return self._function(shape, *values)
        return self._function(shape, *values[:n], **dict(zip(self._keywords, values[n:], strict=False)))


def lowering(op: str, rule: Rule | None = None, /, **readers: Reader) -> Lowering:
    """Return the decorator of an operator's lowering, with the reader of each of its attributes by name."""
    return Lowering(op, readers, rule)


def lowering_of(lower: Callable[..., Any]) -> Lowering:
    """Return the lowering that a decorated function stands for."""
    found: Lowering = lower.lowering  # type: ignore[attr-defined]
    return found
