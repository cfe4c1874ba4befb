"""A roll of flattened data as boxes of the data itself, so that no data in chunks has to be flattened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from fastops._geometry._axis_cuts import Range
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import geometry_of, whole_geometry
from fastops._geometry._planned_output import Box, PlannedOutput
from fastops._geometry._result_chunks import AxisLengths, ChunkLimits, Chunks, chunks_of_result


class RolledBoxes:
    """The boxes of a roll of all elements of a shape in their order.

    Element i of the result is element ``i - shift`` of the source. Their indices are numbers of which each axis is a
    digit, and the shift is another: digits are subtracted from the last one on, and where one is too small, it borrows
    from the one before. A box is what borrows at the same axes.

    Parameters
    ----------
    shape : tuple of int
        Without an axis of length 0.
    shift : int
        At least 0, and less than there are elements.
    """

    def __init__(self, shape: tuple[int, ...], shift: int) -> None:
        self._shape = shape
        self._shift = shift
        self._digits: list[int] = []
        for n in reversed(shape):
            shift, digit = divmod(shift, n)
            self._digits.insert(0, digit)

    def within(self, region: Sequence[Range]) -> Iterator[Box]:
        """Yield those that have a part in a region."""
        yield from self._boxes(region, len(self._shape), 0, (), ())

    def _boxes(
        self, region: Sequence[Range], k: int, borrowed: int, start: tuple[int, ...], maps: tuple[AxisMap, ...]
    ) -> Iterator[Box]:
        """Yield those that have a start and maps from axis k on, of which the axis before lends so much."""
        if k == 0:
            yield Box(start, geometry_of(maps))
            return
        k -= 1
        n, by, (first, stop) = self._shape[k], self._digits[k] + borrowed, region[k]
        for low, high, source, borrows in ((0, by, n - by, 1), (by, n, 0, 0)):
            if low < high and first < high and low < stop:
                own = AxisMap.create(n, source, 1, high - low)
                yield from self._boxes(region, k, borrows, (low, *start), (own, *maps))

    def describe(self) -> Iterator[str]:
        """Yield a text that says what all of them are."""
        yield f"{self._shape} rolled by {self._shift}"

    def reads(self) -> bool:
        """True: nothing is filled."""
        return True

    def chunks(self, shape: Sequence[int], chunks: Chunks, limits: ChunkLimits) -> list[AxisLengths]:
        """Return how long the chunks of the result are: as those of the source."""
        return chunks_of_result(whole_geometry(shape), chunks, limits)


def unflatten_roll(flat: PlannedOutput, shape: tuple[int, ...]) -> PlannedOutput:
    """Return what a roll of flattened data gives, of which the output is one plan of one axis, in data's shape."""
    if 0 in shape:
        return PlannedOutput.of_geometry(whole_geometry(shape))
    ((_, geometry),) = flat.boxes.within([(0, n) for n in flat.shape])
    (axis,) = geometry.axes
    assert isinstance(axis, AxisMap)
    shift = -axis.start % prod(shape)
    return PlannedOutput(shape, shape, RolledBoxes(shape, shift), None, flat.fills)
