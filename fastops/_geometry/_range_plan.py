"""Range plans: what an operator writes that reads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any

from fastops._errors import AttributeValueError, fields_shown, shown, without_own_frames

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


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

    def __init_subclass__(cls, **_: Any) -> None:
        raise TypeError("RangePlan cannot be subclassed")  # The kernel relies on what it says.

    def __post_init__(self) -> None:
        for name, number in (("start", self.start), ("step", self.step)):
            is_number = type(number) is int or type(number) is float
            if not is_number or not -inf < number < inf:
                raise AttributeValueError("RangePlan", name, "be an integer or a finite float", number)
        if type(self.count) is not int or self.count < 0:
            raise AttributeValueError("RangePlan", "count", "be an integer of at least 0", self.count)

    @property
    def shape(self) -> tuple[int]:
        """The shape of the result."""
        return (self.count,)

    def __call__(self, output_type: DTypeLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Write the values in a type: ``output_type`` and ``out`` as in `fastops.range`."""
        values: NDArray[Any] = self._run(output_type, out=out)
        return values

    @without_own_frames
    def _run(self, output_type: Any, out: Any) -> Any:
        """Load what runs plans, which takes its place here."""
        import_module("fastops._execution._range_call")
        return self._run(output_type, out=out)

    def explain(self) -> str:
        """Return the plan in words and a table: which values it writes, before they are rounded to a type.

        Returns
        -------
        str
            Its shape and numbers, and a table of some of its values. The text is for people: it may change.

        Examples
        --------
        >>> print(RangePlan(1, 3, 4).explain())
        () -> (4,): reads nothing
        values: start 1, step 3, count 4
          output    0  1  2  3
          value     1  4  7 10
        """
        return str(import_module("fastops._drawings._text").explain_range(self))

    def to_svg(self) -> str:
        """Return a drawing of the plan, as an SVG document.

        Notebooks show it where the plan is the last value of a cell.
        """
        return str(import_module("fastops._drawings._svg").draw_range(self))

    _repr_svg_ = to_svg

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
        return str(import_module("fastops._geometry._json").range_plan_to_json(self))

    @staticmethod
    @without_own_frames
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
        plan: RangePlan = import_module("fastops._geometry._json").range_plan_from_json(text)
        return plan

    __repr__ = fields_shown

    def __str__(self) -> str:
        values = f"start {shown(self.start)}, step {shown(self.step)}, count {shown(self.count)}"
        return f"() -> {shown(self.shape)}\n  values: {values}"
