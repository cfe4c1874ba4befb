"""The results of lowering, `Windows` and `Assembly`, and `Lowering`, which turns an operator's attributes into them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple

from fastops._errors import AttributeValueError, FastopsError, OutOfBoundsError, counted, shown
from fastops._geometry._axis_map import canonical_axis
from fastops._geometry._geometry import Geometry, SourceWindow, geometry_of
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput
from fastops._geometry._range_and_windows import WindowsGeometry
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Bounds, Ints, Reader, Rule, as_shape, is_optional, reader_of

_FILL = SampleMode.FILL
_REQUIRED = inspect.Parameter.empty

# The largest number of pieces of an output.
MOST_PIECES = 1 << 12


class Windows(NamedTuple):
    """One output of an operator: a window of each axis, in the caller's numbers.

    `geometry` returns the canonical form.

    Attributes
    ----------
    extents : sequence of int
        The lengths of the axes of data, or of the factors that axes are split into. Axes of length 1 may be left out.
    bounds : sequence of (int, int, int)
        Start, stride and count of each of these axes.
    mode : SampleMode
        What coordinates outside of an axis read.
    shape, source_shape : sequence of int or None
        The shapes of the result and of data, where these differ from the counts and the extents: by axes of length 1,
        or by axes that are products of several counts or extents.
    order : sequence of int or None
        The order of these axes in the result, if it differs from their order here.
    source_windows : sequence of SourceWindow or None
        The part of the source that each of these axes reads, if several of them read one axis of the source. Then
        ``source_shape`` is given.
    """

    extents: Ints
    bounds: Sequence[Bounds]
    mode: SampleMode = SampleMode.STRICT_BOUNDS
    shape: Ints | None = None
    source_shape: Ints | None = None
    order: Ints | None = None
    source_windows: Sequence[SourceWindow] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """Outputs along each axis, in the order of the result."""
        counts = [count for _, _, count in self.bounds]
        return tuple(counts if self.order is None else [counts[k] for k in self.order])

    def geometry(self) -> Geometry:
        """Return the geometry; raise for coordinates that the mode does not allow."""
        extents, bounds, mode, shape, source_shape, order, windows = self
        if order is not None and shape is not None and 0 in shape:
            return geometry_of((), shape, extents if source_shape is None else source_shape)
        if 0 in [count for _, _, count in bounds]:
            # An empty result reads nothing, so any coordinate is allowed.
            mode = _FILL
        maps = []
        for k, (extent, (start, stride, count)) in enumerate(zip(extents, bounds, strict=True)):
            try:
                maps.append(canonical_axis(extent, start, stride, count, mode))
            except OutOfBoundsError as error:
                # The caller's name of the count is size.
                attribute = "start" if error.attribute == "start" else "size"
                raise OutOfBoundsError.about(attribute, error.rule, error.got, k, extent) from None
        fills = None if mode is _FILL else 0
        source_shape = extents if source_shape is None else source_shape
        return geometry_of(maps, shape, source_shape, order, fills, None if windows is None else tuple(windows))


class Assembly(NamedTuple):
    """One output that consists of pieces.

    Attributes
    ----------
    shape : sequence of int
        The shape of the output.
    windows : list of Windows
        The pieces. They do not overlap, and together they write each element.
    starts : list of tuple of int
        The first index of each piece in the output.
    split_shape : sequence of int or None
        The shape of the output with some axes split into factors, if the pieces are boxes of this shape but not of
        ``shape``.
    padding : Windows or None
        Pads of the data: the pieces then read the padded data.
    listed : callable or None
        Returns the assembly of the same output whose pieces read data itself, if there is a padding; raises if these
        pieces are too many.
    """

    shape: Ints
    windows: list[Windows]
    starts: list[tuple[int, ...]]
    split_shape: Ints | None = None
    padding: Windows | None = None
    listed: Callable[[], Assembly] | None = None

    @classmethod
    def of_one(cls, windows: Windows) -> Assembly:
        """Return an output of one piece."""
        shape = windows.counts if windows.shape is None else windows.shape
        return cls(shape, [windows], [(0,) * len(shape)])

    @classmethod
    def empty(cls, shape: Ints, result: Ints) -> Assembly:
        """Return an output of shape ``result``, which has no elements, for data of ``shape``: nothing is read."""
        return cls.of_one(Windows(shape, [(0, 1, 0)] * len(shape), shape=result, order=range(len(shape))))

    def output(self) -> PlannedOutput:
        """Return the output, whose pieces read data, or padded data if there is a padding."""
        pieces = [each.geometry() for each in self.windows]
        boxes = ListedBoxes([Box(tuple(start), piece) for start, piece in zip(self.starts, pieces, strict=True)])
        split_shape = None if self.split_shape is None else tuple(self.split_shape)
        fills = max([piece.fills for piece in pieces])
        return PlannedOutput(tuple(self.shape), pieces[0].source_shape, boxes, split_shape, fills)


class Lowering:
    """Turns the arguments of one operator into geometry.

    The attributes of an operator are the arguments that geometry depends on. Each positional parameter of ``lower``
    after the shape is the argument of the same name of the public function or, if there is none, the argument at the
    same position. So operators of several frameworks, whose arguments have different names, share a function ``lower``.
    An error of ``lower`` names its own parameter; the operator replaces this name by that of the public function.

    Parameters
    ----------
    function : callable
        The operator's public function. Its module says the dialect, its name is the operator's name, and its signature
        has the names and the defaults of the attributes.
    lower : callable
        A pure function of a shape and of a plain value for each attribute. It returns the `Windows` of one
        output, a list of them, one for each part, or the `Assembly` of an output that is made of pieces; its annotation
        says which. It may be a `functools.partial` with keywords.
    rule : Rule or None
        How compiled code reads the attributes; None if it does not read them.
    readers : dict
        The readers of attributes by name, where `reader_of` does not find the reader by the argument's annotation.

    Attributes
    ----------
    op : str
        The operator's name in errors, such as ``numpy.pad``.
    names : tuple of str
        The attributes by the names of the public function, in its order.
    own_names : dict
        From each parameter of ``lower`` to the name of the attribute in the public function.
    rule, readers
        As given; ``readers`` has a reader for each attribute.
    has_parts : bool
        True if the operator returns a list of outputs.
    """

    def __init__(
        self, function: Callable[..., Any], lower: Callable[..., Any], rule: Rule | None, readers: dict[str, Reader]
    ) -> None:
        self.op = op_of(function)
        code, own = function.__code__, getattr(lower, "func", lower)
        _data, *arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        parameters = own.__code__.co_varnames[1 : own.__code__.co_argcount]
        named = [(name, name if name in arguments else arguments[i]) for i, name in enumerate(parameters)]
        self.own_names = dict(sorted(named, key=lambda pair: arguments.index(pair[1])))
        self.names = tuple(self.own_names.values())
        annotations, types = function.__annotations__, function.__globals__
        self.rule = rule
        self.readers = {name: readers.get(name) or reader_of(annotations[name], types) for name in self.names}
        self._reads = tuple(self.readers.items())
        self.returns = own.__annotations__["return"]
        self.has_parts = "list" in self.returns
        self._function, self._lower = function, lower
        if rule is not None:
            rule.allow_none(list(map(is_optional, self.readers.values())))

    @cached_property
    def signature(self) -> inspect.Signature:
        """The arguments of a plan: a shape, and the attributes as in the signature of the public function."""
        data, *_ = parameters = inspect.signature(self._function).parameters
        shape = f"{data}_shape" if "shape" in self.names else "shape"
        first = inspect.Parameter(shape, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="Indices")
        return inspect.Signature([first, *[parameters[name] for name in self.names]])

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The plain values of the attributes that a call may leave out."""
        parameters = self.signature.parameters
        given = {name: parameters[name].default for name in self.names}
        return {name: self.readers[name](name, value) for name, value in given.items() if value is not _REQUIRED}

    @cached_property
    def _arguments(self) -> tuple[list[str], frozenset[str], int, frozenset[str]]:
        """The names of a plan's arguments as a list and a set; the number of positional ones; the required names."""
        parameters = self.signature.parameters.values()
        n_positional = sum(each.kind is not inspect.Parameter.KEYWORD_ONLY for each in parameters)
        names = [each.name for each in parameters]
        required = frozenset(each.name for each in parameters if each.default is _REQUIRED)
        return names, frozenset(names), n_positional, required

    def lower_call(self, *args: Any, **kwargs: Any) -> Any:
        """Return the geometry for the arguments of a plan, or a list of the geometries of parts or pieces."""
        names, known, n_positional, required = self._arguments
        written = dict(zip(names, args, strict=False)) | kwargs
        is_unique = len(args) <= n_positional and len(written) == len(args) + len(kwargs)
        if not (is_unique and required <= written.keys() <= known):
            # This raises Python's error for a wrong call.
            self.signature.bind(*args, **kwargs)
        try:
            shape = as_shape(names[0], written[names[0]])
            values = [
                read(name, written[name]) if name in written else self._defaults[name] for name, read in self._reads
            ]
            lowered = self.lower(shape, values)
            if isinstance(lowered, WindowsGeometry):
                return lowered
            if isinstance(lowered, Windows):
                return lowered.geometry()
            return [box.geometry for output in outputs_of(lowered) for box in output.boxes]
        except FastopsError as error:
            error.add_context(self.op, written, {"data": names[0], **self.own_names})
            raise

    def read(self, attributes: Sequence[Any]) -> list[Any]:
        """Return a plain value for each attribute, in order; attributes left out at the end have their defaults."""
        values = [read(name, value) for (name, read), value in zip(self._reads, attributes, strict=False)]
        if len(values) < len(self.names):
            values += [self._defaults[name] for name in self.names[len(values) :]]
        return values

    def outputs(self, shape: tuple[int, ...], values: Sequence[Any]) -> list[PlannedOutput]:
        """Return the outputs for data of a shape and plain values."""
        return outputs_of(self.lower(shape, values))

    def geometry(self, shape: tuple[int, ...], values: Sequence[Any]) -> Geometry:
        """Return the geometry of an operator of one output for data of a shape and plain values."""
        return self.lower(shape, values).geometry()

    def lower(self, shape: tuple[int, ...], values: Sequence[Any]) -> Any:
        """Return what ``lower`` returns for data of a shape and plain values."""
        return self._lower(shape, **dict(zip(self.own_names, values, strict=True)))


def outputs_of(lowered: Any, *, is_padded: bool = False) -> list[PlannedOutput]:
    """Return the outputs of what a lowering returns: of data, or with ``is_padded`` of the padded data."""
    if isinstance(lowered, Assembly):
        own = lowered if is_padded or lowered.listed is None else lowered.listed()
        return [own.output()]
    windows = lowered if isinstance(lowered, list) else [lowered]
    return [PlannedOutput.of_geometry(each if isinstance(each, Geometry) else each.geometry()) for each in windows]


def define(declared: Callable[..., Any], operator: object, body: str, fill: str) -> Callable[..., Any]:
    """Return the public function that a declaration describes: it passes its arguments to an operator.

    The function is made from text, as `dataclasses` makes methods, so its calls take as long as those of other
    functions.

    Parameters
    ----------
    declared : callable
        A function whose body is a docstring alone. The type of its last argument, ``**rest``, is the `TypedDict` of
        the arguments that operators share; the public function has these arguments in place of it.
    operator : object
        The operator.
    body : str
        The call of the operator's method, where ``{data}`` stands for the first argument, ``{attributes}`` for the
        attributes, and ``{fill}`` for the fill value, which is None if the caller gives none.
    fill : str
        The name of the fill value, if the function has one.
    """
    code = declared.__code__
    *annotations, (_, of_options), returns = declared.__annotations__.items()
    options = declared.__globals__[of_options.removeprefix("Unpack[").removesuffix("]")].__annotations__
    names, n, name = inspect.getargs(code).args, code.co_argcount, declared.__name__
    arguments = ", ".join([*names[:n], "*", *names[n:], *options])
    attributes = "".join([f"{each}, " for each in names[1:] if each != fill])
    read_fill, unused = "None", None
    if fill in names:
        # The default, even if it is a number, stands for the zero of every dtype.
        unused = inspect.signature(declared).parameters[fill].default
        mode = next(each for each in names if each.endswith("mode"))
        read_fill = f"None if {fill} is unused else operator.read_fill({fill}, {mode})"
    call = body.format(data=names[0], attributes=attributes, fill=read_fill)
    made: dict[str, Any] = {}
    text = f"def make(operator, unused):\n    def {name}({arguments}): return operator.{call}\n    return {name}"
    exec(text, declared.__globals__, made)  # noqa: S102
    function: FunctionType = made["make"](operator, unused)
    function.__doc__, function.__qualname__, function.__defaults__ = declared.__doc__, name, declared.__defaults__
    defaults = {each: True if each == "copy" else None for each in options}
    function.__kwdefaults__ = (declared.__kwdefaults__ or {}) | defaults
    types = {each: kind.__forward_arg__ for each, kind in options.items()}
    function.__annotations__ = dict([*annotations, *types.items(), returns])
    # Tracebacks and `inspect.getsource` show the declaration.
    function.__code__ = function.__code__.replace(co_filename=code.co_filename, co_firstlineno=code.co_firstlineno)
    return function


def lowering_of(function: Callable[..., Any]) -> Lowering:
    """Return the lowering of an operator's public function, or of the function that makes its plans."""
    return function.lowering  # type: ignore[attr-defined]


def op_of(function: Callable[..., Any]) -> str:
    """Return the name of an operator in errors: its dialect, by the module of its public function, and its name."""
    return ".".join([*function.__module__.split(".")[2:-1], function.__name__])


def check_rank(shape: Ints, least: int) -> None:
    """Raise for data of fewer than ``least`` axes."""
    if len(shape) < least:
        raise AttributeValueError.about("data", f"have at least {counted(least, 'axis')}", tuple(shape))


def check_pieces(attribute: str, pieces: int, written: object, each: str = "") -> None:
    """Raise if an attribute leads to more pieces than an output may have; ``each`` says what makes a piece."""
    if pieces > MOST_PIECES:
        what = f" ({each} is one)" if each else ""
        raise AttributeValueError.about(
            attribute, f"give at most {MOST_PIECES} pieces{what}, not {shown(pieces)}", written
        )
