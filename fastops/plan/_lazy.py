"""Lazy arrays: stages on an array that are collected as one plan, and run in one pass over memory."""

from __future__ import annotations

from functools import partial
from typing import Any, Generic, overload

import numpy as np

import fastops.ops.numpy as operators
from fastops._arrays._conversions import (
    Normalization,
    as_result_type,
    channel_axis_of,
    check_channels,
    find_conversion,
    read_normalization,
    read_numbers,
    with_axis,
)
from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import (
    Element,
    elements_of,
    elements_of_channels,
    encode_channels,
    encode_fill,
    is_channel_list,
)
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, FastopsError
from fastops._execution._gather_runner import LowerGeometry
from fastops._execution._kinds import find_kind
from fastops._execution._operator import Encode, run_fills
from fastops._execution._plan_call import run_geometry
from fastops._execution._views import as_view
from fastops._geometry._composition import Apart, stage_name
from fastops._geometry._geometry import is_view
from fastops._geometry._numbers import Index, Indices, as_index, is_listed
from fastops._geometry._sample_mode import Mode
from fastops._lowering._bounds import resolve_axis_of
from fastops._lowering._windows import Lowering, check_pieces, lowering_of
from fastops._types import Data, DataOf, Out, R
from fastops.ops._slices import slice as slice_operator
from fastops.ops.numpy._pad import PadMode, check_keyword, lower_sides
from fastops.plan._chain import (
    Chain,
    ChannelFill,
    channel_axis_of_fills,
    elements_of_fills,
    followed,
    joined,
    whole_chain,
)
from fastops.plan._slice_plan import SlicePlan, slice_plan

_NAMES = ("flip", "pad", "repeat", "roll", "take_slice", "tile", "transpose")
_FLIP, _PAD, _REPEAT, _ROLL, _TAKE_SLICE, _TILE, _TRANSPOSE = [lowering_of(getattr(operators, name)) for name in _NAMES]
_SLICE = lowering_of(slice_operator)


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
        The result's: the array's, or what it is cast to.
    """

    __slots__ = ("_array", "_chain", "_element_type", "_filled", "_wanted")

    # NumPy's operators leave expressions with it to it, which has none, so that they are errors and not surprises.
    __array_ufunc__ = None
    __iter__ = None

    def __init__(
        self,
        array: Any,
        element_type: AnyDType,
        chain: Chain,
        filled: tuple[AnyArray | ChannelFill, ...],
        wanted: Normalization | None = None,
    ) -> None:
        self._array = array
        # The array's type, or, of a tensor, that of NumPy or ml_dtypes.
        self._element_type = element_type
        self._chain = chain
        # The fill values of the slots, one stage after the other; of channels, one for each.
        self._filled = filled
        # What becomes of the elements, once that is said.
        self._wanted = wanted

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
        """The array's; or what elements are cast to."""
        return self._array.dtype if self._wanted is None else self._wanted.dtype

    def __repr__(self) -> str:
        last = () if self._wanted is None else ("normalize",)
        stages = ", ".join((*self._chain.stages, *last)) or "no stages"
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
        channel_axis: Index = -1,
    ) -> Lazy[R]:
        """Read a window of each axis, in any mode, as `fastops.slice` does; fill values may be one for each channel."""
        channels = None
        if is_channel_list(fill_value, self._array):
            channels, fill_value = (partial(encode_channels, fill_value), channel_axis), None
        return self._add("slice", _SLICE, (start, size, stride, axes, mode), fill_value, None, channels)

    def pad(
        self,
        pad_width: Any,
        mode: PadMode = "constant",
        constant_values: Any = 0,
        *,
        channel_axis: Index | None = None,
    ) -> Lazy[R]:
        """Pad each axis on its two sides, as `fastops.numpy.pad` does.

        Constant values may be one for each side, or with ``channel_axis`` for each channel.
        """
        word: Any = mode
        try:
            if type(word) is not str or word != "constant":
                if channel_axis is not None:
                    check_keyword("channel_axis", channel_axis, mode)
                return self._add("pad", _PAD, (pad_width, mode))
            if channel_axis is not None and is_listed(constant_values):
                channels = partial(elements_of_channels, constant_values), channel_axis
                return self._add("pad", _PAD, (pad_width, mode), None, None, channels)
            elements = elements_of(self._element_type, self.ndim, constant_values)
        except FastopsError as error:
            error.add_context("lazy.pad", {"constant_values": constant_values})
            error.op = "lazy.pad"
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

    def normalize(self, mean: Any, std: Any, dtype: Any = "float32", axis: Index | None = None) -> Lazy[R]:
        """Cast, subtract a mean and divide by a standard deviation: the last stage, of arithmetic.

        The result is ``T(x) * a + b`` of each element x that the stages before it give, with ``a = T(1 / std)`` and
        ``b = T(-mean / std)``, where T is float64 for a result of float64 and float32 for others. Both numbers are
        computed in float64, and rounded once. Then the product is rounded, the sum, and to ``dtype`` the result. That
        is the same on every processor, and with every number of threads. Fill values are elements x.

        Parameters
        ----------
        mean, std : float or sequence of float
            For all elements, or one for each channel.
        dtype : dtype
            float32, float16, bfloat16 or float64, of arrays whose elements are uint8, int8, uint16, int16, float16,
            bfloat16 or float32.
        axis : int, optional
            The axis, of what the stages before give, along which channels lie. By default, the one that the array's
            last axis has become.

        Raises
        ------
        DTypeError
            Other types.
        AttributeValueError
            There are not as many numbers as channels, one is not finite, a standard deviation is 0, or no axis is the
            array's last one.

        Examples
        --------
        >>> import numpy as np
        >>> import fastops as fo
        >>> image = np.array([[[0, 100], [2, 104]]], np.uint8)
        >>> fo.lazy(image).flip(1).transpose(2, 0, 1).normalize((1, 100), (2, 4)).run()
        array([[[ 0.5, -0.5]],
        <BLANKLINE>
               [[ 1. ,  0. ]]], dtype=float32)
        """
        try:
            means, stds = read_numbers("mean and std", mean, std)
            own_axis = None if axis is None else as_index("axis", axis)
            wanted = Normalization(means, stds, own_axis, as_result_type("dtype", dtype))
        except FastopsError as error:
            error.add_context("lazy.normalize", {"axis": axis, "dtype": dtype})
            raise
        return self._converted("normalize", wanted)

    def astype(self, dtype: Any) -> Lazy[R]:
        """Cast to float32, float16, bfloat16 or float64: a last stage, of the types of data that `normalize` takes."""
        try:
            wanted = read_normalization(None, as_result_type("dtype", dtype))
        except FastopsError as error:
            error.add_context("lazy.astype", {"dtype": dtype})
            raise
        assert wanted is not None
        return self._converted("astype", wanted)

    def _converted(self, stage: str, wanted: Normalization) -> Lazy[R]:
        """Return the same, cast and normalized."""
        geometry, kept = self._chain.geometry, self._chain.kept
        try:
            self._check_open(stage)
            if kept[1] is None:
                kept[1] = channel_axis_of(geometry)
            wanted = with_axis(wanted, kept[1])
            check_channels(find_conversion(wanted, self._element_type, None, len(geometry.shape)), geometry.shape)
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", {})
            raise
        return Lazy(self._array, self._element_type, self._chain, self._filled, wanted)

    def _check_open(self, stage: str) -> None:
        """Raise for a stage behind the last one."""
        if self._wanted is not None:
            rule = "come before normalize and astype, which are the last: go on with fastops.lazy(chain.run())"
            raise AttributeValueError.about("stage", rule, stage)

    def run(self, out: Out = None, chunks: Any = None) -> R:
        """Run all stages in one call, and return the result, which is what the plan gives, or ``out`` with it.

        Of an array of dask, ``chunks`` are those of the result, as for `fastops.dask.apply`.
        """
        geometry, filled = self._chain.geometry, self._filled
        axis = channel_axis_of_fills(geometry, filled)
        fill = Element(elements_of_fills(geometry, filled, axis, self._element_type)) if filled else None
        try:
            if axis is not None:
                assert fill is not None
                return run_fills(geometry, axis, fill, self._array, out, self._wanted, chunks)  # type: ignore[no-any-return]
            result: R = run_geometry(geometry, self._array, out, fill, self._chain.kept, self._wanted, chunks)
        except FastopsError as error:
            # What the caller has called is no plan.
            error.op = "lazy.run"
            raise
        return result

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        """Run all stages, for ``numpy.asarray``; with ``copy=False``, give a view where there can be one."""
        if copy is False:
            geometry = self._chain.geometry
            if not is_view(geometry) or self._wanted is not None:
                raise ValueError("no lazy array is a view whose stages read out of bounds, merge axes or cast")
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
        channels: tuple[Encode, Any] | None = None,
    ) -> Lazy[R]:
        """Return the same with one stage more; ``lower`` is what lowers it, if it is not the lowering itself.

        Of ``channels``, what encodes the fill value of each, and the axis that they are about.
        """
        before, filled = self._chain, self._filled
        try:
            self._check_open(stage)
            step = stage, lower or lowering.geometry, *lowering.read(written)
            chain = joined(before, *step)
            filled = followed(filled, *step)
            if channels is not None:
                encode, shape = channels[0], chain.geometry.shape
                axis = resolve_axis_of(shape, "channel_axis", as_index("channel_axis", channels[1]))
                check_pieces("channel_axis", shape[axis], channels[1], "each channel")
                values = ChannelFill(encode(self._element_type, shape[axis]), axis, whole_chain(shape))
                filled = (*filled, values) if chain.geometry.fills > before.geometry.fills else filled
            elif fill_value is not None or chain.geometry.fills > before.geometry.fills:
                elements = encode_fill(self._element_type, fill_value)
                filled = (*filled, elements) if chain.geometry.fills > before.geometry.fills else filled
        except FastopsError as error:
            error.add_context(f"lazy.{stage}", dict(zip(lowering.names, written, strict=False)))
            raise
        try:
            channel_axis_of_fills(chain.geometry, filled)
        except Apart as reason:
            raise before.apart(stage, reason, chain.geometry) from None
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
        Its methods are stages: ``x[key]``, ``slice``, ``pad``, ``flip``, ``roll``, ``tile``, ``repeat``, ``transpose``,
        and as the last one ``normalize`` or ``astype``. Each gives a new object. ``run(out=None)`` and
        ``numpy.asarray`` give the result; ``plan``, ``shape`` and ``dtype`` tell of it before.

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
            return Lazy(x, element_type, whole_chain(shape), ())
        source, _ = as_source(x)
    except FastopsError as error:
        error.add_context("lazy", {"data": x}, {"data": "x"})
        raise
    return Lazy(x if type(x) is np.ndarray else source, source.dtype, whole_chain(source.shape), ())
