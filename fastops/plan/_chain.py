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
    """The joined geometry of stages, and values that a call stores for the next call."""

    __slots__ = ("geometry", "kept", "stages")

    def __init__(self, geometry: Geometry, stages: tuple[str, ...] = ()) -> None:
        self.geometry = geometry
        self.stages = stages
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
    return Chain(whole_geometry(shape))


@lru_cache(CACHE_SIZE)
def joined(chain: Chain, stage: str, lower: LowerGeometry, *values: Any) -> Chain:
    """Return a chain with one stage more, lowered from plain values; raise if one plan cannot join them."""
    later = lower(chain.geometry.shape, values)
    try:
        return Chain(join(chain.geometry, later) if chain.stages else later, (*chain.stages, stage))
    except Apart as reason:
        raise chain.apart(stage, reason, later) from None


class ChannelFill(NamedTuple):
    """The values of a fill slot, one for each channel; the axis of channels; and the stages after the fill."""

    values: AnyArray
    axis: int
    later: Chain


def followed(filled: Sequence[AnyArray | ChannelFill], *step: Any) -> tuple[AnyArray | ChannelFill, ...]:
    """Return fill values with one stage more after each fill."""
    return tuple(
        [each._replace(later=joined(each.later, *step)) if isinstance(each, ChannelFill) else each for each in filled]
    )


def channel_axis_of_fills(geometry: Geometry, filled: Sequence[AnyArray | ChannelFill]) -> int | None:
    """Return the axis of a result along which channels have fill values of their own; None if there is no such axis.

    Raises
    ------
    Apart
        There are several such axes, or one merges channels with other axes.
    """
    found = {_trace(each.later, each.axis)[0] for each in filled if isinstance(each, ChannelFill)} - {None}
    if len(found) > 1:
        raise Apart("has channels with fill values along another axis than the stages before")
    for axis in found:
        if size_of(geometry) and axis is not None and len(digits_of(geometry)[axis]) > 1:
            raise Apart("merges the axis of channels, which have fill values of their own, with another axis")
        return axis
    return None


@lru_cache(CACHE_SIZE)
def _trace(later: Chain, axis: int) -> tuple[int | None, AnyArray]:
    """Return the axis of the result that reads ``axis``, and the index of ``axis`` that each output along it reads.

    The axis of the result is None if all outputs read one index.
    """
    geometry = later.geometry
    readers = [k for k, window in enumerate(windows_of(geometry)) if window.axis == axis]
    if not size_of(geometry) or not readers or max([geometry.axes[k].count for k in readers]) == 1:
        return None, indices_of(geometry, readers[0])[:1] if len(readers) == 1 else np.zeros(1, np.int64)
    (k, *others) = readers
    for target, own in enumerate(digits_of(geometry)):
        if own == [k] and not others:
            return target, indices_of(geometry, k)
    raise Apart("merges the axis of channels, which have fill values of their own, with another axis")


def elements_of_fills(
    geometry: Geometry, filled: Sequence[AnyArray | ChannelFill], axis: int | None, dtype: AnyDType
) -> AnyArray:
    """Return the elements of a result's fill slots; with an axis of channels, those of each channel in turn."""
    # Name the dtype: NumPy would otherwise take native byte order, and remove gaps from structures.
    elements = np.zeros((1 if axis is None else geometry.shape[axis], geometry.fills), dtype)
    slot = 0
    for each in filled:
        if isinstance(each, ChannelFill):
            indices = _trace(each.later, each.axis)[1]
            # A later stage fills the outputs of index -1, so any value serves.
            elements[:, slot] = each.values[indices] if each.values.size and indices.size else elements[:, slot]
            slot += 1
        else:
            elements[:, slot : slot + each.size] = each
            slot += each.size
    return elements.reshape(-1)
