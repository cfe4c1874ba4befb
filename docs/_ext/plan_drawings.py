"""A directive that draws plans.

::

    ```{plan} fo.plan.numpy.pad((5,), 3, "reflect")
    :caption: What each output reads.
    ```

The argument is an expression that gives a plan, or a list of plans; `fo` is fastops and `np` NumPy. The page shows the
expression, and what it gives: the plan's own drawing (``to_svg``) if it has one, else its text.
"""

from __future__ import annotations

import base64
from html import escape
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import fastops as fo


class PlanDirective(SphinxDirective):
    """Show an expression and the plans that it gives."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"caption": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the expression, a drawing of each plan, and the caption."""
        expression = self.arguments[0]
        try:
            plans = eval(expression, {"fo": fo, "np": np})  # noqa: S307 - the pages are this repository's.
        except Exception as error:
            raise self.error(f"{expression}: {error!r}") from error
        code = nodes.literal_block(expression, expression, language="python")
        drawings = [_drawing_of(plan) for plan in (plans if isinstance(plans, list) else [plans])]
        figure = nodes.container("", code, *drawings, classes=["plan"])
        if "caption" in self.options:
            figure += nodes.paragraph("", "", *self.parse_inline(self.options["caption"])[0], classes=["plan-caption"])
        return [figure]


def _drawing_of(plan: Any) -> nodes.Node:
    """Return a plan's drawing, as an image of its own, so that nothing of the page changes it; else its text."""
    text = str(plan)
    draw = getattr(plan, "to_svg", None)
    svg = None if draw is None else draw()
    if not svg:
        return nodes.literal_block(text, text, language="text")
    address = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
    return nodes.raw("", f'<img class="plan-drawing" alt="{escape(text)}" src="{address}">', format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive ``plan``."""
    app.add_directive("plan", PlanDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
