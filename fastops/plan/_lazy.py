"""Lazy arrays: stages on an array that are collected as one plan, and run in one pass over memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._inputs import as_source
from fastops._arrays._side_values import elements_of
from fastops._errors import AttributeValueError, FastopsError
from fastops._lowering._decorator import lowering_of
from fastops._plans._axis_map import AxisMap
from fastops._plans._composition import Apart, join_plans, stage_name
from fastops._plans._numbers import Index, Indices
from fastops._plans._slice_plan import SlicePlan
from fastops._settings import CACHE_SIZE
from fastops.ops._slice import lower_slice
from fastops.ops.numpy._flip import lower_flip
from fastops.ops.numpy._pad import lower_pad
from fastops.ops.numpy._repeat import lower_repeat
from fastops.ops.numpy._roll import lower_roll
from fastops.ops.numpy._take_slice import lower_take_slice
from fastops.ops.numpy._tile import lower_tile
from fastops.ops.numpy._transpose import lower_transpose


class Lazy:
    """An array and the stages that are to be done with it, as `fastops.lazy` gives it.

    Each method adds a stage, and gives a new object; nothing is moved before `run`, or ``numpy.asarray``.

    Attributes
    ----------
    plan : SlicePlan
        What all stages together read, in one pass.
    shape : tuple of int
        The result's.
    dtype : dtype
        The array's, which the result has too.
    """

    __slots__ = ("_array", "_elements", "_stages", "plan")

    # NumPy's operators leave expressions with it to it, which has none, so that they are errors and not surprises.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(
        self, array: AnyArray, plan: SlicePlan, stages: tuple[str, ...], elements: tuple[AnyArray, ...]
    ) -> None:
        self._array = array
        self.plan = plan
        self._stages = stages
        # The fill value of each slot.
        self._elements = elements

    @property
    def shape(self) -> tuple[int, ...]:
        """The result's."""
        return self.plan.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the result."""
        return len(self.plan.shape)

    @property
    def dtype(self) -> AnyDType:
        """The array's."""
        return self._array.dtype

    def __repr__(self) -> str:
        stages = ", ".join(self._stages) or "no stages"
        return f"Lazy({stage_name(self.plan)}, {self.dtype}: {stages})"

    def __getitem__(self, key: Any) -> Lazy:
        """Take a basic index, as `fastops.numpy.take_slice` does."""
        return self._add("take_slice", lower_take_slice, (key,))

    def slice(
        self,
        start: Indices,
        size: Indices,
        stride: Indices | None = None,
        *,
        axes: Indices | None = None,
        mode: Any = "strict_bounds",
        fill_value: Any = None,
    ) -> Lazy:
        """Read a window of each axis, in any mode, as `fastops.slice` does."""
        return self._add("slice", lower_slice, (start, size, stride, axes, mode), fill_value)

    def pad(self, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Lazy:
        """Pad each axis on its two sides, as `fastops.numpy.pad` does; constant values may be one for each side."""
        if type(mode) is not str or mode != "constant":
            return self._add("pad", lower_pad, (pad_width, mode))
        try:
            elements = elements_of(self.dtype, self.ndim, constant_values).array
        except FastopsError as error:
            error.add_context("lazy.pad", {"constant_values": constant_values})
            raise
        if elements.size == 1:
            return self._add("pad", lower_pad, (pad_width, mode), Element(elements))
        # A stage a side: those of later axes lie over those before, and have the corners.
        try:
            widths = self._read(lower_pad, (pad_width, mode), self.shape)
        except FastopsError as error:
            error.add_context("lazy.pad", {"pad_width": pad_width})
            raise
        padded = self
        axes = [axis for axis in widths.axes if type(axis) is AxisMap]
        for k, (axis, extent) in enumerate(zip(axes, self.shape, strict=True)):
            for i, width in enumerate((-axis.start, axis.start + axis.count - extent)):
                own = [(0, 0)] * self.ndim
                own[k] = (0, width) if i else (width, 0)
                at = 2 * k + i
                padded = padded._add("pad", lower_pad, (tuple(own), mode), Element(elements[at : at + 1]))
        return padded

    def flip(self, axis: Index | Indices | None = None) -> Lazy:
        """Read axes backwards, as `fastops.numpy.flip` does."""
        return self._add("flip", lower_flip, (axis,))

    def roll(self, shift: Index | Indices, axis: Index | Indices | None = None) -> Lazy:
        """Move elements along axes, around their ends, as `fastops.numpy.roll` does."""
        if axis is None:
            if self.ndim != 1:
                rule = "be given where there is not one axis: rolls of the flattened result are no stage"
                raise AttributeValueError("lazy.roll", "axis", rule, axis)
            axis = 0
        return self._add("roll", lower_roll, (shift, axis))

    def tile(self, reps: Index | Indices) -> Lazy:
        """Repeat the result along its axes, as `fastops.numpy.tile` does."""
        return self._add("tile", lower_tile, (reps,))

    def repeat(self, repeats: Index, axis: Index | None = None) -> Lazy:
        """Repeat each element, as `fastops.numpy.repeat` does."""
        return self._add("repeat", lower_repeat, (repeats, axis))

    def transpose(self, axes: Indices | None = None) -> Lazy:
        """Put the axes in another order, as `fastops.numpy.transpose` does."""
        return self._add("transpose", lower_transpose, (axes,))

    def run(self, out: AnyArray | None = None) -> AnyArray:
        """Run all stages in one call, and return the result, or ``out`` with the result in it."""
        fill: Element | None = None
        if self._elements:
            values = np.zeros(len(self._elements), self.dtype)
            for i, element in enumerate(self._elements):
                values[i : i + 1] = element
            fill = Element(values)
        result: AnyArray = self.plan(self._array, out, fill)
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Run all stages, for ``numpy.asarray``; with ``copy=False``, give a view where there can be one."""
        if copy is False:
            if not self.plan.is_view or (dtype is not None and dtype != self.dtype):
                reason = "another dtype" if self.plan.is_view else "stages that read out of bounds or merge axes"
                raise ValueError(f"there is no view of a lazy array of {reason}")
            view: AnyArray = import_module("fastops._execution._views").as_view(self.plan, self._array)
            return view
        result = self.run()
        return result if dtype is None else result.astype(dtype, copy=False)

    def _read(self, lower: Callable[..., Any], written: tuple[Any, ...], shape: tuple[int, ...]) -> SlicePlan:
        """Return the plan of a stage's arguments, on what has a shape."""
        lowering = lowering_of(lower)
        return _lowered(lower, shape, _frozen(tuple(lowering.read(written))))

    def _add(self, stage: str, lower: Callable[..., Any], written: tuple[Any, ...], fill_value: object = None) -> Lazy:
        """Return the same with one stage more."""
        try:
            later = self._read(lower, written, self.shape)
            elements = self._elements
            if later.fills or fill_value is not None:
                element = encode_fill(self.dtype, fill_value)
                elements = (*elements, element) if later.fills else elements
            plan = _joined(self.plan, later)
        except Apart as reason:
            before = ", ".join(self._stages)
            rule = f"join the stages before it, {before}, in one plan, but it {reason}: cut there, and go on with run()"
            raise AttributeValueError(f"lazy.{stage}", "stage", rule, stage_name(later)) from None
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", dict(zip(lowering_of(lower).names, written, strict=False)))
            raise
        return Lazy(self._array, plan, (*self._stages, stage), elements)


# Chains that come again are neither lowered nor composed again; each stage finds what it makes of the plan before it.


@lru_cache(CACHE_SIZE)
def _lowered(lower: Callable[..., Any], shape: tuple[int, ...], values: tuple[Any, ...]) -> SlicePlan:
    windows: Any = lowering_of(lower).lower(shape, _thawed(values))
    plan: SlicePlan = windows.plan()
    return plan


_joined = lru_cache(CACHE_SIZE)(join_plans)


@lru_cache(CACHE_SIZE)
def _whole(shape: tuple[int, ...]) -> SlicePlan:
    return SlicePlan.create([AxisMap.whole(extent) for extent in shape])


def _frozen(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return plain values as a key: slices have no hash in every Python."""
    return tuple(
        [
            (slice, each.start, each.stop, each.step)
            if type(each) is slice
            else _frozen(each)
            if type(each) is tuple
            else each
            for each in values
        ]
    )


def _thawed(key: tuple[Any, ...]) -> Sequence[Any]:
    """Return the plain values of a key."""
    values: list[Any] = []
    for each in key:
        if type(each) is tuple and each[:1] == (slice,):
            values.append(slice(*each[1:]))
        else:
            values.append(tuple(_thawed(each)) if type(each) is tuple else each)
    return values


def lazy(x: ArrayLike) -> Lazy:
    """Return an array whose stages are collected, and run in one pass over memory.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object. It is read when the stages are run.

    Returns
    -------
    Lazy
        Its methods are stages: ``x[key]``, ``slice``, ``pad``, ``flip``, ``roll``, ``tile``, ``repeat``, ``transpose``.
        Each gives a new object. ``run(out=None)`` and ``numpy.asarray`` give the result; ``plan``, ``shape`` and
        ``dtype`` tell of it before.

    Raises
    ------
    DTypeError
        Data of dtype object.
    AttributeValueError
        Of a stage: its arguments are wrong, or one plan cannot have it besides those before it. The error says where to
        cut the chain: ``fastops.lazy(chain.run())`` goes on from there.

    Notes
    -----
    What stages mean is what `fastops.slice` and the functions of `fastops.numpy` of these names mean. Each stage that
    fills has a fill value of its own.

    Examples
    --------
    >>> import numpy as np
    >>> import fastops as fo
    >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    >>> chain = fo.lazy(image).pad(((1, 1), (1, 1), (0, 0)), "edge")[:3].flip(1).transpose((2, 0, 1))
    >>> chain
    Lazy((2, 2, 3) -> (3, 3, 4), uint8: pad, take_slice, flip, transpose)
    >>> chain.run()[0]
    array([[3, 3, 0, 0],
           [3, 3, 0, 0],
           [9, 9, 6, 6]], dtype=uint8)
    """
    try:
        source, _ = as_source(x)
    except FastopsError as error:
        error.add_context("lazy", {"data": x}, {"data": "x"})
        raise
    array = x if type(x) is np.ndarray else source
    return Lazy(array, _whole(source.shape), (), ())
