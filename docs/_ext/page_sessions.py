"""The examples of a page run when the page is read, and what they made can be shown.

The lines of a page with prompts (``>>>``) are one session of Python, from top to bottom, as pytest runs it. What they
print must be what the page says; else the build fails. A directive shows arrays that the session has made so far::

    ```{pictures}
    :box: 24 24 192 128
    the image: image
    padded: padded
    ```

Each line is a title and an expression. `box` outlines a part of each picture: left, top, width and height. `windows` is
an expression for rows of these four numbers: they are outlined on the first picture, whose view is widened to show all
of them, and the pictures after it have frames of the same colours.

Another directive shows nothing, and writes a small picture that an overview can show: of an array, or of a plan::

    ```{thumbnail} padded
    ```

A third one shows an expression, and the drawings of the plan, or of the list of plans, that it gives::

    ```{plan} fo.plan.numpy.pad((5,), 3, "reflect")
    :caption: What each output reads.
    ```
"""

from __future__ import annotations

import base64
import doctest
from html import escape
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.patches import Rectangle
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

_logger = logging.getLogger(__name__)

_FIGURES = "_figures"

# The side of a panel in inches; pixels per inch on the page, and in the file.
_PANEL = 2.3
_PAGE_PIXELS, _FILE_PIXELS = 100, 200

# The width of a thumbnail, at least: enlarged by the browser, its pixels would be blurred.
_THUMBNAIL_PIXELS = 480


class Session:
    """The examples of a page, and the variables that its examples have set so far."""

    def __init__(self, env: BuildEnvironment) -> None:
        self.docname = env.docname
        self.path = Path(env.doc2path(env.docname))
        # Only Markdown pages have examples of their own; pytest runs those of docstrings in their modules.
        text = self.path.read_text(encoding="utf-8") if self.path.suffix == ".md" else ""
        self.left = doctest.DocTestParser().get_examples(text)
        self.names: dict[str, Any] = {}
        self.pictures = 0

    @classmethod
    def of(cls, env: BuildEnvironment) -> Session:
        """Return the session of the page that is being read."""
        if "session" not in env.current_document:
            env.current_document["session"] = cls(env)
        session: Session = env.current_document["session"]
        return session

    def value_of(self, expression: str, before_line: int) -> Any:
        """Return the value of an expression once the examples up to a line have run."""
        self.run(before_line)
        return eval(expression, self.names)  # noqa: S307 - the pages are this repository's.

    def run(self, before_line: float = float("inf")) -> None:
        """Run the examples up to a line that have not run yet."""
        due = [example for example in self.left if example.lineno < before_line]
        self.left = self.left[len(due) :]
        if not due:
            return
        test = doctest.DocTest(due, self.names, self.docname, str(self.path), 0, None)
        complaints: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=complaints.append, clear_globs=False)
        self.names = test.globs
        if complaints:
            _logger.warning("an example failed:\n%s", "".join(complaints), location=self.docname)


class _SessionDirective(SphinxDirective):
    """A directive about values of the page's session."""

    def value_of(self, expression: str) -> Any:
        """Return the value of an expression in the page's session, as far as it has come."""
        try:
            return Session.of(self.env).value_of(expression, self.lineno)
        except Exception as error:
            raise self.error(f"{expression}: {error!r}") from error

    def path_of(self, name: str) -> Path:
        """Return the path of a picture."""
        folder = Path(self.env.srcdir, _FIGURES)
        folder.mkdir(exist_ok=True)
        return folder / name


class PicturesDirective(_SessionDirective):
    """Show arrays of the page's session side by side."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "box": directives.unchanged,
        "windows": directives.unchanged,
        "columns": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        """Return the image of a figure with a panel for each line."""
        session = Session.of(self.env)
        panels = [line.partition(": ")[::2] for line in self.content if line.strip()]
        columns = min(self.options.get("columns", 4), len(panels))
        rows = ceil(len(panels) / columns)
        figure = Figure(figsize=(columns * _PANEL, rows * _PANEL), layout="constrained", facecolor="white")
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis in axes[len(panels) :]:
            axis.remove()
        for axis, (title, expression) in zip(axes, panels, strict=False):
            _draw(axis, title, self.value_of(expression), self.options.get("box"))
        if "windows" in self.options:
            _draw_windows(axes, self.value_of(self.options["windows"]))
        session.pictures += 1
        name = f"{session.docname.replace('/', '-')}-{session.pictures}.png"
        figure.savefig(self.path_of(name), dpi=_FILE_PIXELS)
        width = f"{round(columns * _PANEL * _PAGE_PIXELS)}px"
        alt = "; ".join(title for title, _ in panels)
        image = nodes.image(uri=f"/{_FIGURES}/{name}", alt=alt, width=width)
        return [nodes.container("", image, classes=["pictures", "wide"] if columns > 2 else ["pictures"])]


class ThumbnailDirective(_SessionDirective):
    """Write a picture for overviews, and show nothing: `<page>-thumbnail.png` of an array, `.svg` of a plan."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the picture."""
        value = self.value_of(self.arguments[0])
        path = self.path_of(f"{self.env.docname.replace('/', '-')}-thumbnail")
        if hasattr(value, "to_svg"):
            path.with_suffix(".svg").write_text(value.to_svg(), encoding="utf-8")
            return []
        array = np.asarray(value, np.uint8)
        scale = ceil(_THUMBNAIL_PIXELS / array.shape[1])
        imsave(path.with_suffix(".png"), array.repeat(scale, 0).repeat(scale, 1), cmap="gray", vmin=0, vmax=255)
        return []


class PlanDirective(_SessionDirective):
    """Show an expression, and drawings of the plans that it gives."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"caption": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the expression, a drawing of each plan, and the caption."""
        expression = self.arguments[0]
        value = self.value_of(expression)
        code = nodes.literal_block(expression, expression, language="python")
        drawings = [_drawing_of(plan) for plan in (value if isinstance(value, list) else [value])]
        figure = nodes.container("", code, *drawings, classes=["plan"])
        if "caption" in self.options:
            figure += nodes.paragraph("", "", *self.parse_inline(self.options["caption"])[0], classes=["plan-caption"])
        return [figure]


def _drawing_of(plan: Any) -> nodes.Node:
    """Return a plan's drawing, as an image of its own, so that nothing of the page changes it."""
    address = f"data:image/svg+xml;base64,{base64.b64encode(plan.to_svg().encode()).decode()}"
    return nodes.raw("", f'<img class="plan-drawing" alt="{escape(str(plan))}" src="{address}">', format="html")


def _draw_windows(axes: Any, windows: Any) -> None:
    """Outline windows on the first picture, and frame the others in their colours."""
    rows = np.asarray(windows, float)
    first, *others = axes
    bounds = np.vstack([rows[:, :2], rows[:, :2] + rows[:, 2:], [[0, 0], [first.get_xlim()[1], first.get_ylim()[0]]]])
    first.set_xlim(bounds[:, 0].min() - 4, bounds[:, 0].max() + 4)
    first.set_ylim(bounds[:, 1].max() + 4, bounds[:, 1].min() - 4)
    first.set_facecolor("whitesmoke")
    for n, (left, top, width, height) in enumerate(rows):
        outline = Rectangle((left - 0.5, top - 0.5), width, height, fill=False, edgecolor=f"C{n}", linewidth=1.5)
        first.add_patch(outline)
    for n, axis in enumerate(others[: len(rows)]):
        for spine in axis.spines.values():
            spine.set(edgecolor=f"C{n}", linewidth=2.5)


def _draw(axis: Any, title: str, array: Any, box: str | None) -> None:
    """Draw an image, and its shape below."""
    axis.imshow(np.asarray(array), cmap="gray", vmin=0, vmax=255, interpolation="nearest")
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(" x ".join(map(str, np.shape(array))), fontsize=8, color="dimgray")
    axis.set_xticks([])
    axis.set_yticks([])
    if box is not None:
        left, top, width, height = map(float, box.split())
        outline = Rectangle((left - 0.5, top - 0.5), width, height, fill=False, edgecolor="red", linestyle="--")
        axis.add_patch(outline)


def _read_overviews_last(_app: Sphinx, _env: BuildEnvironment, docnames: list[str]) -> None:
    """Read overviews after the pages whose thumbnails they show."""
    docnames.sort(key=lambda name: name.rpartition("/")[2] == "index")


def _finish(app: Sphinx, page: nodes.document) -> None:
    """Run what is left of a page's examples, and cut the empty lines that end them, which only pytest needs."""
    Session.of(app.env).run()
    for block in page.findall(nodes.literal_block):
        text = block.astext().rstrip()
        block.rawsource, block.children = text, []
        block += nodes.Text(text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives, and run the examples of each page."""
    app.add_directive("pictures", PicturesDirective)
    app.add_directive("thumbnail", ThumbnailDirective)
    app.add_directive("plan", PlanDirective)
    app.connect("env-before-read-docs", _read_overviews_last)
    app.connect("doctree-read", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
