"""Range plans: what an operator writes that reads nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastops._drawings._text import explain_range
from fastops._errors import fields_shown, shown
from fastops._geometry._json import range_from_json, range_to_json
from fastops._geometry._range_geometry import RangeGeometry, create_range
from fastops.plan._called_late import called_late

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

run_range = called_late(globals(), "fastops._execution._range_call", "run_range")


@dataclass(frozen=True, slots=True)
class RangePlan:
    """The values ``start + i * step`` for ``0 <= i < count``.

    start and step are integers for an integral output type, already truncated, and floats for a float type, not yet
    rounded to it.

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
        """Write the values in a type: ``output_type`` and ``out`` as in `fastops.range`."""
        values: NDArray[Any] = run_range(self.geometry, output_type, out)
        return values

    def explain(self) -> str:
        """Return the plan in words: which values it writes, before they are rounded to a type.

        Returns
        -------
        str
            Its shape and numbers. The text is for people: it may change.

        Examples
        --------
        >>> print(RangePlan(1, 3, 4).explain())
        () -> (4,): reads nothing
        values: start 1, step 3, count 4
        """
        return explain_range(self.geometry)

    def to_json(self) -> str:
        """Return the plan as JSON, which `from_json` reads.

        Returns
        -------
        str
            An object of the fields ``format``, ``version`` (1), ``start``, ``step`` and ``count``.

        Examples
        --------
        >>> RangePlan(0, 1, 3).to_json()
        '{"format": "fastops.RangePlan", "version": 1, "start": 0, "step": 1, "count": 3}'
        """
        return range_to_json(self.geometry)

    @staticmethod
    def from_json(text: str | bytes) -> RangePlan:
        """Return the plan that `to_json` has written.

        Parameters
        ----------
        text : str or bytes
            JSON; bytes are UTF-8.

        Returns
        -------
        RangePlan
            Equal to the one that was written.

        Raises
        ------
        AttributeValueError
            The text is no JSON of this format and version: each field must be there, and no other.
        DTypeError
            It is no text.

        Examples
        --------
        >>> RangePlan.from_json(RangePlan(0, 0.5, 3).to_json())
        RangePlan(start=0, step=0.5, count=3)
        """
        return RangePlan(*range_from_json(text))

    __repr__ = fields_shown

    def __str__(self) -> str:
        values = f"start {shown(self.start)}, step {shown(self.step)}, count {shown(self.count)}"
        return f"() -> {shown(self.shape)}\n  values: {values}"
