"""Lazy arrays: stages on an array that are collected as one plan, and run in one pass over memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeAlias, overload

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._inputs import as_source
from fastops._arrays._outputs import is_array
from fastops._arrays._side_values import elements_of
from fastops._errors import AttributeValueError, FastopsError
from fastops._execution._kinds import find_kind
from fastops._execution._plan_call import run_geometry
from fastops._execution._views import as_view
from fastops._geometry._composition import Apart, join, stage_name
from fastops._geometry._geometry import Geometry, is_view, whole_geometry
from fastops._geometry._numbers import Index, Indices
from fastops._geometry._sample_mode import Mode
from fastops._lowering._decorator import lowering_of
from fastops._lowering._windows import Windows
from fastops._settings import CACHE_SIZE
from fastops._types import Data, DataOf, Out, R
from fastops.ops._slice import lower_slice
from fastops.ops.numpy._flip import lower_flip
from fastops.ops.numpy._pad import PadMode, lower_pad, lower_sides
from fastops.ops.numpy._repeat import lower_repeat
from fastops.ops.numpy._roll import lower_roll
from fastops.ops.numpy._take_slice import lower_take_slice
from fastops.ops.numpy._tile import lower_tile
from fastops.ops.numpy._transpose import lower_transpose
from fastops.plan._slice_plan import SlicePlan, slice_plan

# What stages together read, and what a call of that has prepared, for the next one.
_Chain: TypeAlias = tuple[Geometry, list[Any]]


class Lazy(Generic[R]):
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

    __slots__ = ("_array", "_element_type", "_elements", "_geometry", "_kept", "_stages")

    # NumPy's operators leave expressions with it to it, which has none, so that they are errors and not surprises.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(
        self,
        array: Any,
        element_type: AnyDType,
        chain: _Chain,
        stages: tuple[str, ...],
        elements: tuple[AnyArray, ...],
    ) -> None:
        self._array = array
        # The array's type, or, of a tensor, that of NumPy or ml_dtypes.
        self._element_type = element_type
        self._geometry, self._kept = chain
        self._stages = stages
        # The fill value of each slot.
        self._elements = elements

    @property
    def plan(self) -> SlicePlan:
        """What all stages together read, in one pass."""
        return slice_plan(self._geometry)

    @property
    def shape(self) -> tuple[int, ...]:
        """The result's."""
        return self._geometry.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the result."""
        return len(self._geometry.shape)

    @property
    def dtype(self) -> Any:
        """The array's."""
        return self._array.dtype

    def __repr__(self) -> str:
        stages = ", ".join(self._stages) or "no stages"
        return f"Lazy({stage_name(self._geometry)}, {self.dtype}: {stages})"

    def __getitem__(self, key: Any) -> Lazy[R]:
        """Take a basic index, as `fastops.numpy.take_slice` does."""
        return self._add("take_slice", lower_take_slice, (key,))

    def slice(
        self,
        start: Indices,
        size: Indices,
        stride: Indices | None = None,
        *,
        axes: Indices | None = None,
        mode: Mode = "strict_bounds",
        fill_value: Any = None,
    ) -> Lazy[R]:
        """Read a window of each axis, in any mode, as `fastops.slice` does."""
        return self._add("slice", lower_slice, (start, size, stride, axes, mode), fill_value)

    def pad(self, pad_width: Any, mode: PadMode = "constant", constant_values: Any = 0) -> Lazy[R]:
        """Pad each axis on its two sides, as `fastops.numpy.pad` does; constant values may be one for each side."""
        word: Any = mode
        if type(word) is not str or word != "constant":
            return self._add("pad", lower_pad, (pad_width, mode))
        try:
            elements = elements_of(self._element_type, self.ndim, constant_values).array
            if elements.size == 1:
                return self._add("pad", lower_pad, (pad_width, mode), Element(elements))
            lowering = lowering_of(lower_pad)
            widths = lowering.lower(self.shape, lowering.read((pad_width, mode)))
            assert isinstance(widths, Windows)
            sides = [elements[i : i + 1] for i in range(elements.size)]
            return self._join("pad", lower_sides(self.shape, widths), sides)
        except FastopsError as error:
            error.add_context("lazy.pad", {"pad_width": pad_width, "constant_values": constant_values})
            raise

    def flip(self, axis: Index | Indices | None = None) -> Lazy[R]:
        """Read axes backwards, as `fastops.numpy.flip` does."""
        return self._add("flip", lower_flip, (axis,))

    def roll(self, shift: Index | Indices, axis: Index | Indices | None = None) -> Lazy[R]:
        """Move elements along axes, around their ends, as `fastops.numpy.roll` does."""
        if axis is None:
            if self.ndim != 1:
                rule = "be given where there is not one axis: rolls of the flattened result are no stage"
                raise AttributeValueError("lazy.roll", "axis", rule, axis)
            axis = 0
        return self._add("roll", lower_roll, (shift, axis))

    def tile(self, reps: Index | Indices) -> Lazy[R]:
        """Repeat the result along its axes, as `fastops.numpy.tile` does."""
        return self._add("tile", lower_tile, (reps,))

    def repeat(self, repeats: Index, axis: Index | None = None) -> Lazy[R]:
        """Repeat each element, as `fastops.numpy.repeat` does."""
        return self._add("repeat", lower_repeat, (repeats, axis))

    def transpose(self, axes: Index | Indices | None = None, *others: Index) -> Lazy[R]:
        """Put the axes in another order, as `fastops.numpy.transpose` does; they may also be arguments of their own."""
        return self._add("transpose", lower_transpose, ((axes, *others) if others else axes,))

    def run(self, out: Out = None) -> R:
        """Run all stages in one call, and return the result, which is what the plan gives, or ``out`` with it."""
        fill: Element | None = None
        if self._elements:
            values = np.zeros(len(self._elements), self._element_type)
            for i, element in enumerate(self._elements):
                values[i : i + 1] = element
            fill = Element(values)
        try:
            result: R = run_geometry(self._geometry, self._array, out, fill, self._kept)
        except FastopsError as error:
            # What the caller has called is no plan.
            error.op = "lazy.run"
            raise
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Run all stages, for ``numpy.asarray``; with ``copy=False``, give a view where there can be one."""
        if copy is False:
            if not is_view(self._geometry) or (dtype is not None and dtype != self.dtype) or not is_array(self._array):
                reason = (
                    "another dtype or other data"
                    if is_view(self._geometry)
                    else "stages that read out of bounds or merge axes"
                )
                raise ValueError(f"there is no view of a lazy array of {reason}")
            view: AnyArray = as_view(self._geometry, self._array)
            return view
        result = np.asarray(self.run())
        return result if dtype is None else result.astype(dtype, copy=False)

    def _add(
        self, stage: str, lower: Callable[..., Any], written: tuple[Any, ...], fill_value: object = None
    ) -> Lazy[R]:
        """Return the same with one stage more."""
        lowering = lowering_of(lower)
        try:
            later = _lowered(lower, self.shape, _frozen(tuple(lowering.read(written))))
            element = None
            if later.fills or fill_value is not None:
                element = encode_fill(self._element_type, fill_value)
            return self._join(stage, later, [element] if later.fills and element is not None else [])
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", dict(zip(lowering.names, written, strict=False)))
            raise

    def _join(self, stage: str, later: Geometry, elements: Sequence[AnyArray]) -> Lazy[R]:
        """Return the same with the geometry of a stage behind it, and the fill values of its slots."""
        try:
            chain = _joined(self._geometry, later)
        except Apart as reason:
            before = ", ".join(self._stages)
            rule = f"join the stages before it, {before}, in one plan, but it {reason}: cut there, and go on with run()"
            raise AttributeValueError(f"lazy.{stage}", "stage", rule, stage_name(later)) from None
        return Lazy(self._array, self._element_type, chain, (*self._stages, stage), (*self._elements, *elements))


# Chains that come again are neither lowered nor composed again; each stage finds what it makes of the plan before it.


@lru_cache(CACHE_SIZE)
def _lowered(lower: Callable[..., Any], shape: tuple[int, ...], values: tuple[Any, ...]) -> Geometry:
    windows: Any = lowering_of(lower).lower(shape, _thawed(values))
    geometry: Geometry = windows.geometry()
    return geometry


@lru_cache(CACHE_SIZE)
def _joined(earlier: Geometry, later: Geometry) -> _Chain:
    return join(earlier, later), [None]


@lru_cache(CACHE_SIZE)
def _whole(shape: tuple[int, ...]) -> _Chain:
    return whole_geometry(shape), [None]


def _frozen(value: Any) -> Any:
    """Return plain values as a key: slices have no hash in every Python."""
    if type(value) is slice:
        return slice, value.start, value.stop, value.step
    return tuple(map(_frozen, value)) if type(value) is tuple else value


def _thawed(key: Any) -> Any:
    """Return the plain values of a key."""
    if type(key) is not tuple:
        return key
    return slice(*key[1:]) if key[:1] == (slice,) else tuple(map(_thawed, key))


@overload
def lazy(x: DataOf[R]) -> Lazy[R]: ...
@overload
def lazy(x: Data) -> Lazy[AnyArray]: ...
def lazy(x: Data | DataOf[Any]) -> Lazy[Any]:
    """Return an array whose stages are collected, and run in one pass over memory.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object; or a tensor of PyTorch, an array of dask, or data in a file. It is read when
        the stages are run.

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
        kind = None if type(x) is np.ndarray else find_kind(x)
        if kind is not None:
            shape, element_type = kind.describe(x)
            check_movable("data", element_type)
            return Lazy(x, element_type, _whole(shape), (), ())
        source, _ = as_source(x)
    except FastopsError as error:
        error.add_context("lazy", {"data": x}, {"data": "x"})
        raise
    return Lazy(x if type(x) is np.ndarray else source, source.dtype, _whole(source.shape), (), ())
