"""Plans that fill each output along one axis, as each channel of an image, with a value of its own: a plan for each."""

from __future__ import annotations

from fastops._geometry._axis_map import AxisMap
from fastops._geometry._geometry import Geometry, digits_of, geometry_of, is_ordered
from fastops._geometry._map_composition import read_from, shift_slots


def plans_of_channels(geometry: Geometry, axis: int) -> list[Geometry]:
    """Return the plan of each output along an axis of a result with elements, which no other axis is merged with.

    Slot ``s`` of the plan is slot ``y * fills + s`` of that of output ``y``.
    """
    shape, n, fills = list(geometry.shape), geometry.shape[axis], geometry.fills
    if n == 1:
        return [geometry]
    shape[axis] = 1
    (k,) = digits_of(geometry)[axis]
    plans = []
    for y in range(n):
        axes = [read_from(own, y, 1, 1) if j == k else own for j, own in enumerate(geometry.axes)]
        shifted = [shift_slots(own, y * fills) for own in axes]
        plans.append(geometry_of(shifted, shape, geometry.source_shape, geometry.order, n * fills, geometry.windows))
    return plans


def plan_of_pixels(geometry: Geometry) -> Geometry | None:
    """Return the plan on data whose last axis is one element; None if the plan does not take that axis as it is."""
    axes, shape, source_shape = geometry.axes, geometry.shape, geometry.source_shape
    is_plain = geometry.windows is None and is_ordered(geometry) and len(axes) == len(shape) == len(source_shape)
    if not is_plain or axes[-1] != AxisMap.whole(source_shape[-1]):
        return None
    return geometry_of((*axes[:-1], AxisMap.whole(1)), fills=geometry.fills)
