"""Lazy arrays: stages on an array that are collected as one plan, and run in one pass over memory."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Generic, overload

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._inputs import as_source
from fastops._arrays._side_values import elements_of
from fastops._errors import AttributeValueError, FastopsError
from fastops._execution._kinds import find_kind
from fastops._execution._plan_call import run_geometry
from fastops._execution._views import as_view
from fastops._geometry._composition import Apart, join, stage_name
from fastops._geometry._geometry import Geometry, is_view, whole_geometry
from fastops._geometry._numbers import Index, Indices
from fastops._geometry._sample_mode import Mode
from fastops._lowering._windows import Lowering, lowering_of
from fastops._operators._gather_runner import LowerGeometry
from fastops._settings import CACHE_SIZE
from fastops._types import Data, DataOf, Out, R
from fastops.ops._slice import lower_slice
from fastops.ops.numpy._moves import lower_flip, lower_roll
from fastops.ops.numpy._pad import PadMode, lower_pad, lower_sides
from fastops.ops.numpy._parts import lower_take_slice
from fastops.ops.numpy._repeats import lower_repeat, lower_tile
from fastops.ops.numpy._transpositions import lower_transpose
from fastops.plan._slice_plan import SlicePlan, slice_plan

_LOWERINGS = lower_flip, lower_pad, lower_repeat, lower_roll, lower_slice, lower_take_slice, lower_tile, lower_transpose
_FLIP, _PAD, _REPEAT, _ROLL, _SLICE, _TAKE_SLICE, _TILE, _TRANSPOSE = [lowering_of(lower) for lower in _LOWERINGS]


class _Chain:
    """What stages together read, and what a call of that has prepared, for the next one."""

    __slots__ = ("geometry", "kept", "stages")

    def __init__(self, geometry: Geometry, stages: tuple[str, ...] = ()) -> None:
        self.geometry = geometry
        self.stages = stages
        self.kept: list[Any] = [None]


# Chains that come again are neither lowered nor composed again.


@lru_cache(CACHE_SIZE)
def _whole(shape: tuple[int, ...]) -> _Chain:
    return _Chain(whole_geometry(shape))


@lru_cache(CACHE_SIZE)
def _joined(chain: _Chain, stage: str, lower: LowerGeometry, *values: Any) -> _Chain:
    later = lower(chain.geometry.shape, values)
    try:
        return _Chain(join(chain.geometry, later) if chain.stages else later, (*chain.stages, stage))
    except Apart as reason:
        names = ", ".join(chain.stages)
        rule = f"join the stages before it, {names}, in one plan, but it {reason}: cut there, and go on with run()"
        raise AttributeValueError(f"lazy.{stage}", "stage", rule, stage_name(later)) from None


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

    __slots__ = ("_array", "_chain", "_element_type", "_filled")

    # NumPy's operators leave expressions with it to it, which has none, so that they are errors and not surprises.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(
        self,
        array: Any,
        element_type: AnyDType,
        chain: _Chain,
        filled: tuple[AnyArray, ...],
    ) -> None:
        self._array = array
        # The array's type, or, of a tensor, that of NumPy or ml_dtypes.
        self._element_type = element_type
        self._chain = chain
        # The fill values of the slots, one stage after the other.
        self._filled = filled

    @property
    def plan(self) -> SlicePlan:
        """What all stages together read, in one pass."""
        return slice_plan(self._chain.geometry)

    @property
    def shape(self) -> tuple[int, ...]:
        """The result's."""
        return self._chain.geometry.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the result."""
        return len(self._chain.geometry.shape)

    @property
    def dtype(self) -> Any:
        """The array's."""
        return self._array.dtype

    def __repr__(self) -> str:
        stages = ", ".join(self._chain.stages) or "no stages"
        return f"Lazy({stage_name(self._chain.geometry)}, {self.dtype}: {stages})"

    def __getitem__(self, key: Any) -> Lazy[R]:
        """Take a basic index, as `fastops.numpy.take_slice` does."""
        return self._add("take_slice", _TAKE_SLICE, (key,))

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
        return self._add("slice", _SLICE, (start, size, stride, axes, mode), fill_value)

    def pad(self, pad_width: Any, mode: PadMode = "constant", constant_values: Any = 0) -> Lazy[R]:
        """Pad each axis on its two sides, as `fastops.numpy.pad` does; constant values may be one for each side."""
        word: Any = mode
        if type(word) is not str or word != "constant":
            return self._add("pad", _PAD, (pad_width, mode))
        try:
            elements = elements_of(self._element_type, self.ndim, constant_values)
        except FastopsError as error:
            error.add_context("lazy.pad", {"constant_values": constant_values})
            raise
        return self._add("pad", _PAD, (pad_width, mode), elements, lower_sides if elements.array.size > 1 else None)

    def flip(self, axis: Index | Indices | None = None) -> Lazy[R]:
        """Read axes backwards, as `fastops.numpy.flip` does."""
        return self._add("flip", _FLIP, (axis,))

    def roll(self, shift: Index | Indices, axis: Index | Indices | None = None) -> Lazy[R]:
        """Move elements along axes, around their ends, as `fastops.numpy.roll` does."""
        if axis is None:
            if self.ndim != 1:
                rule = "be given where there is not one axis: rolls of the flattened result are no stage"
                raise AttributeValueError("lazy.roll", "axis", rule, axis)
            axis = 0
        return self._add("roll", _ROLL, (shift, axis))

    def tile(self, reps: Index | Indices) -> Lazy[R]:
        """Repeat the result along its axes, as `fastops.numpy.tile` does."""
        return self._add("tile", _TILE, (reps,))

    def repeat(self, repeats: Index, axis: Index | None = None) -> Lazy[R]:
        """Repeat each element, as `fastops.numpy.repeat` does."""
        return self._add("repeat", _REPEAT, (repeats, axis))

    def transpose(self, axes: Index | Indices | None = None, *others: Index) -> Lazy[R]:
        """Put the axes in another order, as `fastops.numpy.transpose` does; they may also be arguments of their own."""
        return self._add("transpose", _TRANSPOSE, ((axes, *others) if others else axes,))

    def run(self, out: Out = None, chunks: Any = None) -> R:
        """Run all stages in one call, and return the result, which is what the plan gives, or ``out`` with it.

        Of an array of dask, ``chunks`` are those of the result, as for `fastops.dask.apply`.
        """
        # The type is named: by itself, NumPy would make it native and without gaps.
        fill = Element(np.concatenate(self._filled, dtype=self._element_type)) if self._filled else None
        try:
            result: R = run_geometry(self._chain.geometry, self._array, out, fill, self._chain.kept, chunks)
        except FastopsError as error:
            # What the caller has called is no plan.
            error.op = "lazy.run"
            raise
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Run all stages, for ``numpy.asarray``; with ``copy=False``, give a view where there can be one."""
        if copy is False:
            geometry = self._chain.geometry
            if not is_view(geometry):
                raise ValueError("there is no view of a lazy array of stages that read out of bounds or merge axes")
            if (dtype is not None and dtype != self.dtype) or not isinstance(self._array, np.ndarray):
                raise ValueError("there is no view of a lazy array of another dtype or other data")
            view: AnyArray = as_view(geometry, self._array)
            return view
        result = np.asarray(self.run())
        return result if dtype is None else result.astype(dtype, copy=False)

    def _add(
        self,
        stage: str,
        lowering: Lowering,
        written: tuple[Any, ...],
        fill_value: object = None,
        lower: LowerGeometry | None = None,
    ) -> Lazy[R]:
        """Return the same with one stage more; ``lower`` is what lowers it, if it is not the lowering itself."""
        before, filled = self._chain, self._filled
        try:
            chain = _joined(before, stage, lower or lowering.geometry, *lowering.read(written))
            if fill_value is not None or chain.geometry.fills > before.geometry.fills:
                elements = encode_fill(self._element_type, fill_value)
                filled = (*filled, elements) if chain.geometry.fills > before.geometry.fills else filled
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", dict(zip(lowering.names, written, strict=False)))
            raise
        return Lazy(self._array, self._element_type, chain, filled)


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
            return Lazy(x, element_type, _whole(shape), ())
        source, _ = as_source(x)
    except FastopsError as error:
        error.add_context("lazy", {"data": x}, {"data": "x"})
        raise
    return Lazy(x if type(x) is np.ndarray else source, source.dtype, _whole(source.shape), ())
