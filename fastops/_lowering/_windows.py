"""Windows: what every lowering comes to, and TensorRT's Slice, which says them in so many words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from fastops._errors import AttributeValueError, OutOfBoundsError, counted
from fastops._geometry._axis_map import AxisMap, canonical_axis
from fastops._geometry._geometry import Geometry, SourceWindow, geometry_of
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._axes import resolve_axes
from fastops._lowering._bounds import Bounds

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
            maps = [AxisMap.unread(extent, count) for extent, (_, _, count) in zip(extents, bounds, strict=True)]
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
    """

    shape: Sequence[int]
    windows: list[Windows]
    starts: list[tuple[int, ...]]
    split_shape: Sequence[int] | None = None

    @classmethod
    def of_one(cls, windows: Windows) -> Assembly:
        """Return an output of one piece."""
        shape = windows.counts if windows.shape is None else windows.shape
        return cls(shape, [windows], [(0,) * len(shape)])

    def geometry(self) -> list[Geometry]:
        """Return the geometry of each piece."""
        return [each.geometry() for each in self.windows]

    def output(self, source_shape: tuple[int, ...]) -> PlannedOutput:
        """Return the output for data of a shape."""
        pieces = self.geometry()
        boxes = ListedBoxes([Box(tuple(start), piece) for start, piece in zip(self.starts, pieces, strict=True)])
        split_shape = None if self.split_shape is None else tuple(self.split_shape)
        return PlannedOutput(
            tuple(self.shape), source_shape, boxes, split_shape, max([piece.fills for piece in pieces])
        )


def check_rank(shape: Sequence[int], least: int) -> None:
    """Raise for data of too few axes."""
    if len(shape) < least:
        raise AttributeValueError.about("data", f"have at least {counted(least, 'axis')}", tuple(shape))


def check_pieces(attribute: str, pieces: int, written: object, each: str = "") -> None:
    """Raise unless so many pieces, which an attribute leads to, are few enough for one output; ``each`` is one."""
    if pieces > _MOST_PIECES:
        what = f", of which {each} is one" if each else ""
        raise AttributeValueError.about(attribute, f"give at most {_MOST_PIECES} pieces{what}, not {pieces}", written)


def lower_windows(
    size_name: str,
    shape: Sequence[int],
    start: Sequence[int],
    size: Sequence[int],
    stride: Sequence[int] | None,
    axes: Sequence[int] | None,
    mode: SampleMode,
) -> Windows:
    """Return the windows of a TensorRT Slice; axes that are not named are whole."""
    named = range(len(shape)) if axes is None else resolve_axes("axes", axes, len(shape))
    n = len(named)
    stride = (1,) * n if stride is None else stride
    if not len(start) == len(size) == len(stride) == n:
        lists = {"start": start, size_name: size, "stride": stride}
        attribute = next(name for name, value in lists.items() if len(value) != n)
        which = "of axes" if axes else "axis of data, or as many as axes names"
        raise AttributeValueError.about(
            attribute, f"have {counted(n, 'value')}, one for each {which}", tuple(lists[attribute])
        )
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for axis, first, by, count in zip(named, start, stride, size, strict=True):
        if count < 0:
            raise AttributeValueError.about(size_name, "be at least 0", tuple(size), axis, shape[axis])
        bounds[axis] = (first, by, count)
    return Windows(shape, bounds, mode, size_name=size_name)
