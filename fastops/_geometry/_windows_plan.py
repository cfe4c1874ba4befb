"""Plans of windows: many outputs of one size from one source, whose starts are given when they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from fastops._errors import AttributeValueError, DTypeError, FastopsError, counted, shown, without_own_frames
from fastops._geometry._axis_map import AxisMap
from fastops._geometry._made_once import made_once
from fastops._geometry._numbers import as_indices, is_of
from fastops._geometry._sample_mode import SampleMode, as_mode
from fastops._types import Data, DataOf, Out, R

if TYPE_CHECKING:
    from numpy.typing import NDArray

_set = object.__setattr__  # How to fill a frozen object.


class Window(NamedTuple):
    """One window: start, stride and count of each axis of its source, as a plan has them."""

    starts: tuple[int, ...]
    strides: tuple[int, ...]
    counts: tuple[int, ...]

    def axes(self, shape: Sequence[int], mode: SampleMode) -> tuple[AxisMap, ...]:
        """Return the maps that it is on a source of a shape; raises for what the mode does not allow."""
        return tuple(
            [AxisMap.create(*axis, mode) for axis in zip(shape, self.starts, self.strides, self.counts, strict=True)]
        )


@made_once
@dataclass(frozen=True, slots=True, init=False)
class WindowsPlan:
    """What windows of one size read of a source, as geometry: all but where each of them starts.

    Make one with `fastops.plan.windows`. Call it to run it: ``plan(data, starts, items=None, out=None,
    fill_value=None)``.

    Attributes
    ----------
    source_shape : tuple of int
        The shape that data must have.
    size : tuple of int
        Outputs of a window along each of ``axes``.
    stride : tuple of int
        Coordinates from one output to the next along each of them.
    axes : tuple of int
        The axes of the source of which each window has a start, counted from the front.
    items : bool
        True if each window has an index of the source's first axis besides, and not that axis.
    mode : SampleMode
        What coordinates outside of the source read.
    shape : tuple of int
        The shape of one window; that of a result has the number of windows in front.
    """

    source_shape: tuple[int, ...]
    size: tuple[int, ...]
    stride: tuple[int, ...]
    axes: tuple[int, ...]
    items: bool
    mode: SampleMode
    shape: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __init_subclass__(cls, **_: Any) -> None:
        raise TypeError("WindowsPlan cannot be subclassed")  # Kernels rely on what it says.

    def __init__(
        self,
        source_shape: Sequence[int],
        size: Sequence[int],
        stride: Sequence[int],
        axes: Sequence[int],
        items: bool,
        mode: SampleMode,
    ) -> None:
        if hasattr(self, "mode"):
            raise FrozenInstanceError("a WindowsPlan is made once")
        lists = {"source_shape": source_shape, "size": size, "stride": stride, "axes": axes}
        try:
            for name, value in lists.items():
                _set(self, name, as_indices(name, value))
            if not is_of(items, bool):
                raise DTypeError.about("items", "be True or False", items)
            _set(self, "items", bool(items))
            _set(self, "mode", as_mode("mode", mode))
            self._check()
            counts = list(self.source_shape)
            for axis, count in zip(self.axes, self.size, strict=True):
                counts[axis] = count
            _set(self, "shape", tuple(counts[int(self.items) :]))
        except FastopsError as error:
            error.add_context("WindowsPlan", lists)
            raise

    def _check(self) -> None:
        rank, first = len(self.source_shape), int(self.items)
        for name in ("source_shape", "size"):
            if min(getattr(self, name), default=0) < 0:
                raise AttributeValueError.about(name, "be at least 0", getattr(self, name))
        if rank < first:
            raise AttributeValueError.about("source_shape", "have a first axis for items", self.source_shape)
        if len(set(self.axes)) < len(self.axes) or any(not first <= axis < rank for axis in self.axes):
            raise AttributeValueError.about("axes", f"name axes {first}..{rank - 1} once each", self.axes)
        for name in ("size", "stride"):
            if len(getattr(self, name)) != len(self.axes):
                rule = f"have {counted(len(self.axes), 'value')}, one for each axis that has starts"
                raise AttributeValueError.about(name, rule, getattr(self, name))

    @without_own_frames
    def window(self, starts: Sequence[int], strides: Sequence[int] | None = None) -> Window:
        """Return the window with these starts, and strides if they are not those of the plan."""
        shape = self.source_shape[int(self.items) :]
        own_starts, own_strides = [0] * len(shape), [1] * len(shape)
        try:
            own, given = (
                as_indices("starts", starts),
                self.stride if strides is None else as_indices("strides", strides),
            )
        except FastopsError as error:
            error.add_context("WindowsPlan.window", {"starts": starts, "strides": strides})
            raise
        for name, values in (("starts", own), ("strides", given)):
            if len(values) != len(self.axes):
                rule = f"have {counted(len(self.axes), 'value')}, one for each axis that has starts"
                raise AttributeValueError("WindowsPlan.window", name, rule, values)
        for axis, start, stride in zip(self.axes, own, given, strict=True):
            own_starts[axis - self.items], own_strides[axis - self.items] = start, stride
        return Window(tuple(own_starts), tuple(own_strides), self.shape)

    @overload
    def __call__(
        self, data: DataOf[R], starts: Any, items: Any = None, out: Out = None, fill_value: Any = None
    ) -> R: ...
    @overload
    def __call__(
        self, data: Data, starts: Any, items: Any = None, out: Out = None, fill_value: Any = None
    ) -> NDArray[Any]: ...
    def __call__(
        self, data: Data | DataOf[Any], starts: Any, items: Any = None, out: Out = None, fill_value: Any = None
    ) -> Any:
        r"""Run the plan: arguments and errors are those of `fastops.windows`.

        Parameters
        ----------
        data : array_like
            The source, of shape ``source_shape`` and any dtype but object.
        starts : array_like of int
            Of shape (N, len(axes)): the first coordinates of each window.
        items : array_like of int, optional
            Of shape (N,): which index of the first axis each window reads; given if and only if ``items`` is True.
        out : ndarray, optional
            Where to write: of shape (N, \*shape) and data's dtype, any strides.
        fill_value : scalar, optional
            What out-of-range coordinates in mode FILL read; zero by default.

        Returns
        -------
        ndarray
            ``out``, or a fresh C-contiguous array.

        Examples
        --------
        >>> import numpy as np
        >>> from fastops import plan
        >>> plan.windows((5,), [3], mode="reflect")(np.arange(5), [[-1], [3]])
        array([[1, 0, 1],
               [3, 4, 3]])
        """
        return self._run(data, starts, items, out, fill_value)

    @without_own_frames
    def _run(self, *arguments: Any) -> Any:
        """Load what runs plans, which takes its place here."""
        import_module("fastops._execution._window_calls")
        return self._run(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        return WindowsPlan, (self.source_shape, self.size, self.stride, self.axes, self.items, self.mode)

    def __str__(self) -> str:
        shape = ", ".join(["N", *map(shown, self.shape)])
        lines = [f"{shown(self.source_shape)} -> ({shape}{',' if not self.shape else ''})"]
        if self.items:
            lines.append(f"  axis 0: extent {shown(self.source_shape[0])}, one item per window")
        for axis, count, stride in zip(self.axes, self.size, self.stride, strict=True):
            extent = shown(self.source_shape[axis])
            lines.append(
                f"  axis {axis}: extent {extent}, one start per window, stride {shown(stride)}, count {shown(count)}, "
                f"{self.mode.name.lower()}"
            )
        return "\n".join(lines)
