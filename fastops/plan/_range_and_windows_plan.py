"""Plans of ranges, which read no data; plans of windows, which take their starts in a call; and lists of plans."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack, overload

from fastops._errors import FastopsError, fields_shown, shown
from fastops._geometry._json import range_from_json, range_to_json
from fastops._geometry._range_and_windows import RangeGeometry, WindowsGeometry, create_range
from fastops._geometry._sample_mode import SampleMode
from fastops._types import Data, DataOf, Out, R, WindowsOptions
from fastops.plan._slice_plan import SlicePlan, called_late
from fastops.plan._text import draw_plans

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


run_range = called_late(globals(), "fastops._execution._range_call", "run_range")


@dataclass(frozen=True, slots=True)
class RangePlan:
    """The values ``start + i * step`` for ``0 <= i < count``.

    For an integral output type, start and step are integers, already truncated. For a float type, they may be integers
    too, and may not be rounded to the type yet.

    Call a plan to run it: ``plan(output_type, out=None)``.
    """

    start: int | float
    step: int | float
    count: int
    geometry: RangeGeometry = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "geometry", create_range(self.start, self.step, self.count))

    @property
    def shape(self) -> tuple[int]:
        """The shape of the result."""
        return (self.count,)

    def __call__(self, output_type: DTypeLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the values as elements of a type: ``output_type`` and ``out`` are those of `fastops.range`."""
        return run_range(self.geometry, output_type, out)

    def explain(self) -> str:
        """Return the plan in words: the values before they are rounded to a type. Later versions may change the text.

        Examples
        --------
        >>> print(RangePlan(1, 3, 4).explain())
        () -> (4,): reads nothing
          values: start 1, step 3, count 4
        """
        values = f"start {shown(self.start)}, step {shown(self.step)}, count {shown(self.count)}"
        return f"() -> {shown(self.shape)}: reads nothing\n  values: {values}"

    __str__ = explain

    def to_json(self) -> str:
        """Return the plan as JSON, which `from_json` reads.

        The JSON is an object with the fields ``format``, ``version`` (1), ``start``, ``step`` and ``count``.

        Examples
        --------
        >>> RangePlan(0, 1, 3).to_json()
        '{"format": "fastops.RangePlan", "version": 1, "start": 0, "step": 1, "count": 3}'
        """
        return range_to_json(self.geometry)

    @staticmethod
    def from_json(text: str | bytes) -> RangePlan:
        """Return the plan that `to_json` has written, from text or bytes in UTF-8.

        Raises
        ------
        AttributeValueError, DTypeError
            The text is no JSON of this format and version, has other fields, or has a value that no plan has.

        Examples
        --------
        >>> RangePlan.from_json(RangePlan(0, 0.5, 3).to_json())
        RangePlan(start=0, step=0.5, count=3)
        """
        return RangePlan(*range_from_json(text))

    __repr__ = fields_shown


run_windows_geometry = called_late(globals(), "fastops._execution._windows_call", "run_windows_geometry")


@dataclass(frozen=True, slots=True)
class WindowsPlan:
    """The geometry of windows of one size on a source, without the start of each window.

    Make one with `fastops.plan.windows`. Call it to run it: ``plan(data, starts, items=None, out=None,
    fill_value=None, chunks=None)``.

    Attributes
    ----------
    source_shape : tuple of int
        The shape that data must have.
    size : tuple of int
        The number of outputs of a window along each of ``axes``.
    stride : tuple of int
        The distance from the coordinate of one output to that of the next, along each of ``axes``.
    axes : tuple of int
        The axes of the source along which each window has a start, counted from the front.
    items : bool
        True if each window reads one index of the source's first axis, and so has no such axis itself.
    mode : SampleMode
        The mode of coordinates outside the source.
    shape : tuple of int
        The shape of one window. The shape of a result is ``(N, *shape)`` for N windows.
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
        """Read and check the fields as `fastops.plan.windows` does."""
        lower_call = import_module("fastops.ops._windows").windows.lowering.lower_call
        try:
            geometry = lower_call(
                self.source_shape, self.size, self.stride, axes=self.axes, items=self.items, mode=self.mode
            )
        except FastopsError as error:
            error.op, error.attribute = "WindowsPlan", error.attribute.replace("shape", "source_shape")
            raise
        for name, value in (*zip(geometry._fields, geometry, strict=True), ("geometry", geometry)):
            object.__setattr__(self, name, value)

    @overload
    def __call__(
        self, data: DataOf[R], starts: Any, items: Any = None, out: Out = None, **how: Unpack[WindowsOptions]
    ) -> R: ...
    @overload
    def __call__(
        self, data: Data, starts: Any, items: Any = None, out: Out = None, **how: Unpack[WindowsOptions]
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
            Of shape (N, len(axes)): the first coordinate of each window along each of ``axes``.
        items : array_like of int, optional
            Of shape (N,): the index of the first axis that each window reads. Required if the plan's ``items`` is True,
            and an error otherwise.
        out : ndarray, optional
            The array to write the result to: of shape (N, \*shape) and the result's dtype, with any strides.
        fill_value : scalar, optional
            The value of outputs whose coordinates are out of range in mode FILL; zero by default.
        chunks : int, tuple or str, optional
            For an array of dask only: the chunks of the result, as dask writes them.
        normalize, dtype : optional
            Conversions of the elements, as for `fastops.windows`.

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
        arguments = {"starts": starts, "items": items, "fill_value": fill_value, "chunks": chunks}
        return run_windows_geometry(self.geometry, data, out, normalize, dtype, **arguments)

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


class PlanList(list[SlicePlan]):
    """A list of the plans of the parts of a split, or of the pieces of a result.

    Examples
    --------
    >>> from fastops import plan
    >>> parts = plan.numpy.split((6, 4), 2)
    >>> [part.shape for part in parts]
    [(3, 4), (3, 4)]
    """

    def explain(self) -> str:
        """Return all plans in words and tables, like `SlicePlan.explain`."""
        return "\n\n".join([f"part {i}: {plan.explain()}" for i, plan in enumerate(self)])

    def to_svg(self) -> str:
        """Return a drawing of all plans, one below the other, as an SVG document.

        Notebooks show the drawing of a list that is the last value of a cell.
        """
        return draw_plans([plan.geometry for plan in self])

    _repr_svg_ = to_svg
