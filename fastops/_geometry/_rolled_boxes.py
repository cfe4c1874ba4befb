"""A roll of flattened data as boxes of the data itself, so that no data in chunks has to be flattened."""

from __future__ import annotations

from math import prod

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import geometry_of, whole_geometry
from fastops._geometry._planned_output import Box, ListedBoxes, PlannedOutput


def unflatten_roll(flat: PlannedOutput, shape: tuple[int, ...]) -> PlannedOutput:
    """Return what a roll of flattened data gives, of which the output is one plan of one axis, in data's shape.

    Element i of the result is element ``i - shift`` of the source. Their indices are numbers of which each axis is a
    digit, and the shift is another: digits are subtracted from the last one on, and where one is too small, it borrows
    from the one before. A box is what borrows at the same axes.
    """
    if 0 in shape:
        return PlannedOutput.of_geometry(whole_geometry(shape))
    ((_, geometry),) = flat.boxes.within([(0, n) for n in flat.shape])
    (axis,) = geometry.axes
    assert isinstance(axis, AxisMap)
    shift = -axis.start % prod(shape)
    boxes: list[tuple[int, tuple[int, ...], tuple[AxisMap, ...]]] = [(0, (), ())]
    for n in reversed(shape):
        shift, digit = divmod(shift, n)
        boxes = [
            (borrows, (low, *start), (AxisMap.create(n, source, 1, high - low), *maps))
            for borrowed, start, maps in boxes
            for low, high, source, borrows in (
                (0, digit + borrowed, n - digit - borrowed, 1),
                (digit + borrowed, n, 0, 0),
            )
            if low < high
        ]
    made = ListedBoxes([Box(start, geometry_of(maps)) for _, start, maps in boxes], whole_geometry(shape))
    return PlannedOutput(shape, shape, made, None, flat.fills)
