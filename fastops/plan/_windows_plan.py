"""Plans of windows: many outputs of one size from one source, whose starts are given when they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from fastops._errors import shown
from fastops._geometry._sample_mode import SampleMode
from fastops._geometry._windows_geometry import Window, WindowsGeometry, create_windows, window_of
from fastops._types import Data, DataOf, Out, R
from fastops.plan._called_late import called_late

if TYPE_CHECKING:
    from numpy.typing import NDArray

run_windows_geometry = called_late(globals(), "fastops._execution._plan_call", "run_windows_geometry")


@dataclass(frozen=True, slots=True)
class WindowsPlan:
    """What windows of one size read of a source, as geometry: all but where each of them starts.

    Make one with `fastops.plan.windows`. Call it to run it: ``plan(data, starts, items=None, out=None,
    fill_value=None, chunks=None)``.

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
    geometry: WindowsGeometry = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        geometry = create_windows(self.source_shape, self.size, self.stride, self.axes, self.items, self.mode)
        object.__setattr__(self, "geometry", geometry)
        for name, value in zip(WindowsGeometry._fields, geometry, strict=True):
            object.__setattr__(self, name, value)

    def window(self, starts: Sequence[int], strides: Sequence[int] | None = None) -> Window:
        """Return the window with these starts, and strides if they are not those of the plan."""
        return window_of(self.geometry, starts, strides)

    @overload
    def __call__(
        self,
        data: DataOf[R],
        starts: Any,
        items: Any = None,
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
    ) -> R: ...
    @overload
    def __call__(
        self,
        data: Data,
        starts: Any,
        items: Any = None,
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
    ) -> NDArray[Any]: ...
    def __call__(
        self,
        data: Data | DataOf[Any],
        starts: Any,
        items: Any = None,
        out: Out = None,
        fill_value: Any = None,
        chunks: Any = None,
        *,
        normalize: Any = None,
        dtype: Any = None,
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
        chunks : int, tuple or str, optional
            Of an array of dask only: the chunks of the result, as for `fastops.dask.apply`.
        normalize, dtype : optional
            What becomes of the elements, as for `fastops.windows`.

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
        return run_windows_geometry(self.geometry, data, starts, items, out, fill_value, normalize, dtype, chunks)

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
