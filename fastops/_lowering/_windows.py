"""What every lowering comes to, windows, and what makes a lowering of a function that gives them.

A lowering reads its arguments, and its errors speak the caller's words.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple, NoReturn, ParamSpec, overload

from fastops._errors import AttributeValueError, FastopsError, OutOfBoundsError, counted
from fastops._geometry._axis_map import AxisMap, canonical_axis
from fastops._geometry._geometry import Geometry, SourceWindow, geometry_of
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Reader, Rule, as_shape, is_optional
from fastops._lowering._bounds import Bounds

P = ParamSpec("P")

_FILL = SampleMode.FILL

# An output has that many pieces at most.
_MOST_PIECES = 1 << 12


class Windows(NamedTuple):
    """One output of an operator: a window of each axis, in the numbers of the caller.

    `geometry` is the same in canonical form.

    Attributes
    ----------
    extents : sequence of int
        The lengths of the source's axes, or of those that they are split into, but for axes of length 1.
    bounds : sequence of (int, int, int)
        Start, stride and count of each.
    mode : SampleMode
        What coordinates outside of an axis read.
    shape, source_shape : sequence of int or None
        The shapes of the result and of data, where these are not the counts and the extents: they have other axes of
        length 1, or axes that several counts or extents make.
    size_name : str
        What the caller calls counts: `geometry` raises for coordinates that the mode does not allow.
    order : sequence of int or None
        Which axis comes first in the result, which next, and so on, where that is not their own order.
    source_windows : sequence of SourceWindow or None
        What of the source each of them reads, where several read one axis of it; the source's shape is given then.
    """

    extents: Sequence[int]
    bounds: Sequence[Bounds]
    mode: SampleMode = SampleMode.STRICT_BOUNDS
    shape: Sequence[int] | None = None
    source_shape: Sequence[int] | None = None
    size_name: str = "size"
    order: Sequence[int] | None = None
    source_windows: Sequence[SourceWindow] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """Outputs along each axis, in the order of the result."""
        counts = [count for _, _, count in self.bounds]
        return tuple(counts if self.order is None else [counts[k] for k in self.order])

    def geometry(self) -> Geometry:
        """Return the geometry of them."""
        extents, bounds, mode, shape, source_shape, _, order, windows = self
        if order is not None and shape is not None and 0 in shape:
            return geometry_of((), shape, extents if source_shape is None else source_shape)
        axes = zip(extents, bounds, strict=True)
        try:
            maps = [canonical_axis(extent, start, stride, count, mode) for extent, (start, stride, count) in axes]
        except OutOfBoundsError:
            if 0 not in [count for _, _, count in bounds]:
                self._raise_in_own_words()
            # Nothing is read, so it does not matter where.
            unread = zip(extents, bounds, strict=True)
            maps = [AxisMap(extent, 0, 1, count, SampleMode.STRICT_BOUNDS) for extent, (_, _, count) in unread]
        fills = None if mode is _FILL else 0
        source_shape = extents if source_shape is None else source_shape
        return geometry_of(maps, shape, source_shape, order, fills, None if windows is None else tuple(windows))

    def _raise_in_own_words(self) -> NoReturn:
        """Raise what `geometry` raises for a coordinate that the mode does not allow, about the caller's attributes."""
        for k, (extent, bound) in enumerate(zip(self.extents, self.bounds, strict=True)):
            try:
                AxisMap.create(extent, *bound, self.mode)
            except OutOfBoundsError as error:
                attribute = "start" if error.attribute == "start" else self.size_name
                raise OutOfBoundsError.about(attribute, error.rule, error.got, k, extent) from None
        raise AssertionError("every coordinate is allowed")


class Grid(NamedTuple):
    """Patches at equal distances, as windows of one size: what to run where there are many pieces.

    Attributes
    ----------
    shape : tuple of int
        The output's.
    windows : WindowsGeometry
        A window is a patch.
    starts : list of range
        The first coordinates of patches along each axis of windows: each of the first axis with each of the next.
    split_shape : tuple of int
        The shape of the output where it splits axes, but for patches of several axes, which are one.
    order : tuple of int
        Which axis of windows each of these is: patches are 0, and axis k of data is ``1 + k``.
    listed : callable
        Returns the same as pieces; raises where there are too many.
    """

    shape: tuple[int, ...]
    windows: WindowsGeometry
    starts: list[range]
    split_shape: tuple[int, ...]
    order: tuple[int, ...]
    listed: Callable[[], Assembly]


class Assembly(NamedTuple):
    """One output that several windows make, a piece each.

    Attributes
    ----------
    shape : sequence of int
        The output's.
    windows : list of Windows
        One for each piece; the pieces do not overlap, and leave no element out.
    starts : list of tuple of int
        Where in the output each of them begins.
    split_shape : sequence of int or None
        The shape that the pieces are boxes of, where that is one that splits axes of the output.
    grid : Grid or None
        What lists the windows, if it is known to be a grid of many: they are left out.
    """

    shape: Sequence[int]
    windows: list[Windows]
    starts: list[tuple[int, ...]]
    split_shape: Sequence[int] | None = None
    grid: Grid | None = None

    @classmethod
    def of_one(cls, windows: Windows) -> Assembly:
        """Return an output of one piece."""
        shape = windows.counts if windows.shape is None else windows.shape
        return cls(shape, [windows], [(0,) * len(shape)])

    def geometry(self) -> list[Geometry]:
        """Return the geometry of each piece."""
        if self.grid is not None:
            return self.grid.listed().geometry()
        return [each.geometry() for each in self.windows]

    def output(self, source_shape: tuple[int, ...]) -> PlannedOutput:
        """Return the output for data of a shape."""
        if self.grid is not None:
            return self.grid.listed().output(source_shape)
        pieces = self.geometry()
        boxes = ListedBoxes([Box(tuple(start), piece) for start, piece in zip(self.starts, pieces, strict=True)])
        split_shape = None if self.split_shape is None else tuple(self.split_shape)
        return PlannedOutput(
            tuple(self.shape), source_shape, boxes, split_shape, max([piece.fills for piece in pieces])
        )


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


def check_rank(shape: Sequence[int], least: int) -> None:
    """Raise for data of too few axes."""
    if len(shape) < least:
        raise AttributeValueError.about("data", f"have at least {counted(least, 'axis')}", tuple(shape))


def check_pieces(attribute: str, pieces: int, written: object, each: str = "") -> None:
    """Raise unless so many pieces, which an attribute leads to, are few enough for one output; ``each`` is one."""
    if pieces > _MOST_PIECES:
        what = f", of which {each} is one" if each else ""
        raise AttributeValueError.about(attribute, f"give at most {_MOST_PIECES} pieces{what}, not {pieces}", written)
