"""Lazy arrays: stages on an array are joined in one plan, which runs in one pass over memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, overload

import numpy as np

import fastops.ops.numpy as operators
from fastops._arrays import _conversions as conversions, _fill_values as fill_values
from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError, errors_of
from fastops._execution._kinds import find_kind
from fastops._execution._operator import LowerGeometry
from fastops._execution._plan_call import run_filled, run_geometry
from fastops._execution._views import as_view
from fastops._geometry._composition import Apart, stage_name
from fastops._geometry._geometry import is_view
from fastops._geometry._numbers import Index, Indices, as_index, is_listed
from fastops._geometry._sample_mode import Mode, checked_fill
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._windows import Lowering, check_pieces, lowering_of
from fastops._types import Data, DataOf, Out, R
from fastops.ops._slices import slice as slice_operator
from fastops.ops.numpy._pad import PadMode, check_keyword, lower_sides
from fastops.plan._chain import Chain, Fill, channel_axis_of_fills, elements_of_fills, followed, joined, whole_chain
from fastops.plan._slice_plan import SlicePlan, slice_plan

Wanted: TypeAlias = conversions.Normalization | None

_NAMES = ("flip", "pad", "repeat", "roll", "take_slice", "tile", "transpose")
# The name and the lowering of each stage.
_STAGES: dict[Callable[..., Any], tuple[str, Lowering]] = {
    operator: (operator.__name__, lowering_of(operator))
    for operator in (slice_operator, *[getattr(operators, name) for name in _NAMES])
}


class Lazy(Generic[R]):
    """An array and stages to run on it, as `fastops.lazy` returns it.

    Each method returns a new object with one stage more; nothing is moved before `run` or ``numpy.asarray``.

    Attributes
    ----------
    plan : SlicePlan
        The plan of all stages.
    shape : tuple of int
        The shape of the result.
    dtype : dtype
        The dtype of the result: the array's, or the dtype that it is cast to.
    """

    __slots__ = ("_array", "_chain", "_element_type", "_fills", "_wanted")

    # With None, arithmetic with NumPy arrays raises TypeError: this class has no operators.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(
        self, array: Any, dtype: AnyDType, chain: Chain, fills: tuple[Fill, ...] = (), wanted: Wanted = None
    ) -> None:
        # The dtype of a tensor is that of NumPy or ml_dtypes. Each stage that fills has fill values. The last stage may
        # be a conversion.
        self._array, self._element_type, self._chain, self._fills, self._wanted = array, dtype, chain, fills, wanted

    @property
    def plan(self) -> SlicePlan:
        """The plan of all stages."""
        return slice_plan(self._chain.geometry)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return self._chain.geometry.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the result."""
        return len(self._chain.geometry.shape)

    @property
    def dtype(self) -> Any:
        """The dtype of the result: the array's, or the dtype that it is cast to."""
        return self._array.dtype if self._wanted is None else self._wanted.dtype

    def __repr__(self) -> str:
        last = () if self._wanted is None else ("normalize",)
        stages = ", ".join((*self._chain.stages, *last)) or "no stages"
        return f"Lazy({stage_name(self._chain.geometry)}, {self.dtype}: {stages})"

    def __getitem__(self, key: Any) -> Lazy[R]:
        """Take a basic index, as `fastops.numpy.take_slice` does."""
        return self._add(operators.take_slice, (key,))

    def slice(
        self,
        start: Indices,
        size: Indices,
        stride: Indices | None = None,
        *,
        axes: Indices | None = None,
        mode: Mode = "strict_bounds",
        fill_value: Any = None,
        channel_axis: Index = -1,
    ) -> Lazy[R]:
        """Read a window of each axis, as `fastops.slice` does; there may be one fill value for each channel."""
        axis = channel_axis if fill_values.is_channel_list(fill_value, self._element_type) else None
        return self._add(slice_operator, (start, size, stride, axes, mode), fill_value, axis)

    def pad(
        self, pad_width: Any, mode: PadMode = "constant", constant_values: Any = 0, *, channel_axis: Index | None = None
    ) -> Lazy[R]:
        """Pad each axis on its two sides, as `fastops.numpy.pad` does.

        ``constant_values`` may be one value for each side or, with ``channel_axis``, one for each channel.
        """
        word: Any = mode
        written = pad_width, mode
        try:
            if type(word) is not str or word != "constant":
                if channel_axis is not None:
                    check_keyword("channel_axis", channel_axis, mode)
                return self._add(operators.pad, written)
            if channel_axis is not None and is_listed(constant_values):
                return self._add(operators.pad, written, constant_values, channel_axis, "constant_values")
            elements = fill_values.elements_of(self._element_type, self.ndim, constant_values)
        except FastopsError as error:
            error.add_context("lazy.pad", {"constant_values": constant_values})
            error.op = "lazy.pad"
            raise
        return self._add(operators.pad, written, elements, lower=lower_sides if elements.array.size > 1 else None)

    def flip(self, axis: Index | Indices | None = None) -> Lazy[R]:
        """Read axes backwards, as `fastops.numpy.flip` does."""
        return self._add(operators.flip, (axis,))

    def roll(self, shift: Index | Indices, axis: Index | Indices | None = None) -> Lazy[R]:
        """Move elements along axes, and from one end to the other, as `fastops.numpy.roll` does."""
        if axis is None:
            if self.ndim != 1:
                rule = "be given unless there is one axis: a roll of the flattened result is no stage"
                raise AttributeValueError("lazy.roll", "axis", rule, axis)
            axis = 0
        return self._add(operators.roll, (shift, axis))

    def tile(self, reps: Index | Indices) -> Lazy[R]:
        """Repeat the result along its axes, as `fastops.numpy.tile` does."""
        return self._add(operators.tile, (reps,))

    def repeat(self, repeats: Index, axis: Index | None = None) -> Lazy[R]:
        """Repeat each element, as `fastops.numpy.repeat` does."""
        return self._add(operators.repeat, (repeats, axis))

    def transpose(self, axes: Index | Indices | None = None, *others: Index) -> Lazy[R]:
        """Put the axes in another order, given as one argument or as several, as `fastops.numpy.transpose` does."""
        return self._add(operators.transpose, ((axes, *others) if others else axes,))

    def normalize(self, mean: Any, std: Any, dtype: Any = "float32", axis: Index | None = None) -> Lazy[R]:
        """Cast, subtract a mean and divide by a standard deviation: a last stage.

        Each element x becomes ``T(x) * a + b`` with ``a = T(1 / std)`` and ``b = T(-mean / std)``, where T is float64
        if ``dtype`` is float64, and float32 otherwise. a and b are computed in float64, and rounded to T. Then the
        product and the sum are rounded to T, and the result to ``dtype``. Results are the same on every processor and
        with every number of threads.

        Parameters
        ----------
        mean, std : float or sequence of float
            One number for all elements, or one for each channel.
        dtype : dtype
            The dtype of the result: float32, float16, bfloat16 or float64. The array's dtype must be uint8, int8,
            uint16, int16, float16, bfloat16 or float32.
        axis : int, optional
            The axis of channels in the result of the stages before. By default, the axis that reads the array's last
            axis.

        Raises
        ------
        DTypeError
            ``dtype`` or the array's dtype is not one of these.
        AttributeValueError
            There are not as many numbers as channels, a number is not finite, a standard deviation is 0, or channels
            need ``axis``, because no axis of the result reads the array's last axis alone.

        Examples
        --------
        >>> import numpy as np
        >>> import fastops as fo
        >>> image = np.array([[[0, 100], [2, 104]]], np.uint8)
        >>> fo.lazy(image).flip(1).transpose(2, 0, 1).normalize((1, 100), (2, 4)).run().tolist()
        [[[0.5, -0.5]], [[1.0, 0.0]]]
        """
        return self._converted("normalize", mean, std, dtype, axis)

    def astype(self, dtype: Any) -> Lazy[R]:
        """Cast to float32, float16, bfloat16 or float64: a last stage, for arrays that `normalize` takes."""
        return self._converted("astype", 0.0, 1.0, dtype, None)

    def _converted(self, stage: str, mean: Any, std: Any, dtype: Any, axis: Any) -> Lazy[R]:
        """Return the array with a conversion as the last stage."""
        geometry, kept = self._chain.geometry, self._chain.kept
        with errors_of(f"lazy.{stage}", {"axis": axis, "dtype": dtype}):
            self._check_open(stage)
            own_axis = None if axis is None else as_index("axis", axis)
            numbers = conversions.read_numbers("mean and std", mean, std)
            if kept[1] is None:
                kept[1] = conversions.channel_axis_of(geometry)
            own_type = conversions.as_result_type("dtype", dtype)
            wanted = conversions.with_axis(conversions.Normalization(*numbers, own_axis, own_type), kept[1])
            conversion = conversions.find_conversion(wanted, self._element_type, None, len(geometry.shape))
            conversions.check_channels(conversion, geometry.shape)
        return Lazy(self._array, self._element_type, self._chain, self._fills, wanted)

    def _check_open(self, stage: str) -> None:
        """Raise for a stage after a conversion, which is the last stage."""
        if self._wanted is not None:
            rule = "come before normalize and astype, which are the last: go on with fastops.lazy(chain.run())"
            raise AttributeValueError.about("stage", rule, stage)

    def run(self, out: Out = None, chunks: Any = None) -> R:
        """Run all stages in one call, and return the result, or ``out`` with the result in it.

        ``chunks`` are the chunks of the result for an array of dask, as dask writes them.
        """
        geometry, fills = self._chain.geometry, self._fills
        axis = channel_axis_of_fills(geometry, fills)
        fill = fill_values.Element(elements_of_fills(geometry, fills, axis, self._element_type)) if fills else None
        with errors_of("lazy.run", {}):
            if axis is not None and fill is not None:
                return run_filled((geometry, axis), fill, self._array, out, True, self._wanted, chunks)
            return run_geometry(geometry, self._array, out, fill, self._chain.kept, self._wanted, chunks)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Run all stages, for ``numpy.asarray``; with ``copy=False``, return a view if there can be one."""
        if copy is False:
            geometry = self._chain.geometry
            is_cast = self._wanted is not None or (dtype is not None and dtype != self.dtype)
            if is_cast or not is_view(geometry) or not isinstance(self._array, np.ndarray):
                raise ValueError("no view: stages cast, read out of bounds or merge axes, or the array is not NumPy's")
            return as_view(geometry, self._array)
        result = np.asarray(self.run())
        return result if dtype is None else result.astype(dtype, copy=False)

    def _add(
        self,
        operator: Callable[..., Any],
        written: tuple[Any, ...],
        fill_value: object = None,
        channel_axis: Any = None,
        attribute: str = "fill_value",
        lower: LowerGeometry | None = None,
    ) -> Lazy[R]:
        """Return the array with one stage more.

        With ``channel_axis``, there is a fill value for each channel, by the rules of the attribute. ``lower`` replaces
        the lowering of the operator.
        """
        before = self._chain
        stage, lowering = _STAGES[operator]
        try:
            self._check_open(stage)
            values = lowering.read(written)
            if operator is slice_operator and fill_value is not None:
                checked_fill(values[-1], fill_value)
            chain = joined(before, stage, lower or lowering.geometry, *values)
            shape, is_filled = chain.geometry.shape, chain.geometry.fills > before.geometry.fills
            fill = None
            if channel_axis is not None:
                axis = resolve_axis_of(shape, "channel_axis", as_index("channel_axis", channel_axis))
                check_pieces("channel_axis", shape[axis], channel_axis, "each channel")
                elements = fill_values.encode_channels(attribute, fill_value, self._element_type, shape[axis])
                fill = Fill(elements.array.reshape(-1, 1), axis)
            elif is_filled or fill_value is not None:
                fill = Fill(fill_values.encode_fill(self._element_type, fill_value).reshape(1, -1))
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", dict(zip(lowering.names, written, strict=False)), lowering.own_names)
            raise
        try:
            fills = tuple([followed(each, chain.last) for each in self._fills])
            if is_filled and fill is not None:
                fills = (*fills, fill)
            channel_axis_of_fills(chain.geometry, fills)
        except Apart as reason:
            raise before.apart(stage, reason, chain.geometry) from None
        return Lazy(self._array, self._element_type, chain, fills)


@overload
def lazy(x: DataOf[R]) -> Lazy[R]: ...
@overload
def lazy(x: Data) -> Lazy[AnyArray]: ...
def lazy(x: Data | DataOf[Any]) -> Lazy[Any]:
    """Return a lazy array, which joins stages in one plan and runs them in one pass over memory.

    Parameters
    ----------
    x : array_like
        Any shape, any dtype but object; or a tensor of PyTorch, an array of dask, or data in a file. ``run`` reads
        it.

    Returns
    -------
    Lazy
        Its methods are stages: ``x[key]``, ``slice``, ``pad``, ``flip``, ``roll``, ``tile``, ``repeat``, ``transpose``,
        and ``normalize`` or ``astype`` as the last stage. Each returns a new object. ``run(out=None)`` and
        ``numpy.asarray`` return the result; ``plan``, ``shape`` and ``dtype`` describe it beforehand.

    Raises
    ------
    DTypeError
        Data of dtype object.
    AttributeValueError
        The arguments of a stage are wrong, or one plan cannot join the stage with those before it: then run the chain,
        and go on with ``fastops.lazy(chain.run())``.

    Notes
    -----
    Each stage means the same as `fastops.slice` or the function of `fastops.numpy` with the same name.

    Examples
    --------
    >>> import numpy as np
    >>> import fastops as fo
    >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    >>> chain = fo.lazy(image).pad(((1, 1), (1, 1), (0, 0)), "edge")[:3].flip(1).transpose((2, 0, 1))
    >>> chain
    Lazy((2, 2, 3) -> (3, 3, 4), uint8: pad, take_slice, flip, transpose)
    >>> chain.run()[0].tolist()
    [[3, 3, 0, 0], [3, 3, 0, 0], [9, 9, 6, 6]]
    """
    try:
        kind = find_kind(x)
        if kind is not None:
            shape, element_type = kind.describe(x)
            check_movable("data", element_type)
            return Lazy(x, element_type, whole_chain(shape))
        source, _ = as_source(x)
    except FastopsError as error:
        error.add_context("lazy", {"data": x}, {"data": "x"})
        raise
    return Lazy(x if type(x) is np.ndarray else source, source.dtype, whole_chain(source.shape))
