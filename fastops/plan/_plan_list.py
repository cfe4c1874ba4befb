"""Lists of plans: what operators lower to that give several outputs, or one of several pieces."""

from __future__ import annotations

from fastops._drawings._svg import draw_plans
from fastops._drawings._text import explain_plans
from fastops.plan._slice_plan import SlicePlan


class PlanList(list[SlicePlan]):
    """The plans of the parts of a split, or of the pieces of a result: a list that draws and explains itself.

    Examples
    --------
    >>> from fastops import plan
    >>> parts = plan.numpy.split((6, 4), 2)
    >>> [part.shape for part in parts]
    [(3, 4), (3, 4)]
    """

    def explain(self) -> str:
        """Return all plans in words and tables, as `SlicePlan.explain` does."""
        return explain_plans([plan.geometry for plan in self])

    def to_svg(self) -> str:
        """Return a drawing of all plans, one below the other, as an SVG document.

        Notebooks show it where the list is the last value of a cell.
        """
        return draw_plans([plan.geometry for plan in self])

    _repr_svg_ = to_svg
