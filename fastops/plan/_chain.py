"""Chains: stages joined in one plan, and the fill values of stages that fill each channel with a value of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._inputs import indices_of
from fastops._errors import AttributeValueError
from fastops._execution._operator import LowerGeometry
from fastops._geometry._composition import Apart, join, stage_name
from fastops._geometry._geometry import Geometry, digits_of, size_of, whole_geometry, windows_of
from fastops._settings import CACHE_SIZE


class Chain:
    """Stages joined in one plan.

    Attributes
    ----------
    geometry, last : Geometry
        The geometry of all stages, and the geometry of the last stage.
    stages : tuple of str
        The names of the stages.
    kept : list
        Values that a call stores for the next call.
    """

    __slots__ = ("geometry", "kept", "last", "stages")

    def __init__(self, geometry: Geometry, last: Geometry, stages: tuple[str, ...] = ()) -> None:
        self.geometry, self.last, self.stages = geometry, last, stages
        self.kept: list[Any] = [None, None]

    def apart(self, stage: str, reason: object, later: Geometry) -> AttributeValueError:
        """Return the error for a stage that one plan cannot join with the stages of the chain."""
        names = ", ".join(self.stages)
        rule = f"join the stages before it, {names}, in one plan, but it {reason}: go on with the result of run()"
        return AttributeValueError(f"lazy.{stage}", "stage", rule, stage_name(later))


# Chains are cached, so a chain of the same stages is lowered and composed once.


@lru_cache(CACHE_SIZE)
def whole_chain(shape: tuple[int, ...]) -> Chain:
    """Return the chain of no stages on data of a shape."""
    whole = whole_geometry(shape)
    return Chain(whole, whole)


@lru_cache(CACHE_SIZE)
def joined(chain: Chain, stage: str, lower: LowerGeometry, *values: Any) -> Chain:
    """Return a chain with one stage more, lowered from plain values; raise if one plan cannot join them."""
    last = lower(chain.geometry.shape, values)
    try:
        return Chain(join(chain.geometry, last) if chain.stages else last, last, (*chain.stages, stage))
    except Apart as reason:
        raise chain.apart(stage, reason, last) from None


class Fill(NamedTuple):
    """The fill values of a stage: a column for each slot; a row for each index along ``axis``, or one row for all."""

    values: AnyArray
    axis: int | None = None


def followed(fill: Fill, later: Geometry) -> Fill:
    """Return the fill values of a stage for the result of a later stage; raise `Apart` if it merges their axis."""
    if fill.axis is None:
        return fill
    axis, indices = _trace(later, fill.axis)
    # The later stage fills the outputs of index -1, so any value serves.
    values = fill.values if fill.values.size else np.zeros((1, 1), fill.values.dtype)
    return Fill(values[indices], axis)


@lru_cache(CACHE_SIZE)
def _trace(geometry: Geometry, axis: int) -> tuple[int | None, AnyArray]:
    """Return the axis of the result that reads ``axis``, and the index of ``axis`` that each output along it reads.

    The axis of the result is None if all outputs read one index.
    """
    readers = [k for k, window in enumerate(windows_of(geometry)) if window.axis == axis]
    if not size_of(geometry) or max([1, *[geometry.axes[k].count for k in readers]]) == 1:
        is_read = size_of(geometry) and len(readers) == 1
        return None, indices_of(geometry, readers[0]) if is_read else np.zeros(1, np.int64)
    for target, own in enumerate(digits_of(geometry)):
        if own == readers:
            return target, indices_of(geometry, own[0])
    raise Apart("merges the axis of channels, which have fill values of their own, with another axis")


def channel_axis_of_fills(geometry: Geometry, fills: Sequence[Fill]) -> int | None:
    """Return the axis of a result along which channels have fill values of their own; None if there is no such axis.

    Raises
    ------
    Apart
        There are several such axes, or one merges channels with other axes.
    """
    found = {fill.axis for fill in fills if fill.axis is not None}
    if len(found) > 1:
        raise Apart("has channels with fill values along another axis than the stages before")
    for axis in found:
        if size_of(geometry) and len(digits_of(geometry)[axis]) > 1:
            raise Apart("merges the axis of channels, which have fill values of their own, with another axis")
        return axis
    return None


def elements_of_fills(geometry: Geometry, fills: Sequence[Fill], axis: int | None, dtype: AnyDType) -> AnyArray:
    """Return the elements of a result's fill slots; with an axis of channels, those of each channel in turn."""
    # Name the dtype: NumPy would otherwise take native byte order, and remove gaps from structures.
    elements = np.zeros((1 if axis is None else geometry.shape[axis], geometry.fills), dtype)
    slot = 0
    for values, _ in fills:
        elements[:, slot : slot + values.shape[1]] = values
        slot += values.shape[1]
    return elements.reshape(-1)
