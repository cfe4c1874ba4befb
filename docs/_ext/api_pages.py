"""Pages of the API, made of the modules themselves.

Before anything is read, each public module gets a page in ``docs/api/generated`` with its docstring and a table of its
names, and each name one with its own docstring. The modules of dialects are the tables of their operators: what is
added there has its pages, and those of its plan, in the next build.

Two directives are tables with their navigation: ``api-modules`` has all modules, ``operators`` the pages of
``docs/operators`` and the functions that each is about. Those are the ones that it names by the role ``py:func``.
"""

from __future__ import annotations

import inspect
import re
from enum import Enum
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import numpy as np
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import stringify_signature

import fastops

_PAGES = "api/generated"

# What types are called in signatures: those of `fastops._types`, and links to our own.
_TYPES = {
    "AnyArray": "ndarray",
    "Copy": "bool | None",
    "Data": "ArrayLike",
    " | DataOf[Any]": "",
    " | _NoValueType": "",
    "Lazy[Any]": "Lazy",
    "Lazy[R]": "Lazy",
    "Map": "~fastops.plan.AxisMap | ~fastops.plan.RunMap",
    "Memory[Any]": "ndarray",
    "Mode": "~fastops.SampleMode | int | str",
    "NDArray[Any]": "ndarray",
    "NDArray[np.int64]": "ndarray",
    "Out": "ndarray | None",
    "Outs": "Sequence[ndarray] | None",
    "R": "Array",
    "TensorRTMode": "~fastops.SampleMode | int | str",
} | {
    name: f"~{module.__name__}.{name}"
    for module in (fastops, fastops.plan)
    for name in module.__all__
    if isinstance(getattr(module, name), type)
}

_HEADINGS = {
    "function": "Functions",
    "class": "Classes",
    "exception": "Exceptions",
    "data": "Data",
    "module": "Modules",
}


def _public_names(module: ModuleType) -> list[str]:
    """Return the names that a module says are public, or those that do not begin with an underscore."""
    names = getattr(module, "__all__", None)
    return sorted(names or [name for name in vars(module) if name[0] != "_"])


def _kind(value: Any) -> str:
    """Return what Sphinx calls a value."""
    if isinstance(value, ModuleType):
        return "module"
    if isinstance(value, type):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if inspect.isroutine(value) else "data"


def _modules(module: ModuleType) -> list[ModuleType]:
    """Return a module, and the public ones in it, however deep: those that have modules themselves at the end."""
    inside = [getattr(module, name) for name in _public_names(module)]
    nested = [_modules(value) for value in inside if isinstance(value, ModuleType)]
    return [module, *chain.from_iterable(sorted(nested, key=len))]


def _data_text(module: ModuleType, name: str) -> str:
    """Return what the page of a module says of data: of literals, the words alone."""
    value = getattr(module, name)
    if get_origin(value) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(value)))}]"
    return "SampleMode | int | str | object with a name" if name in ("Mode", "TensorRTMode") else repr(value)


def _module_page(module: ModuleType) -> str:
    """Return the page of a module: its docstring, and a table of each kind of name."""
    title = module.__name__
    lines = [title, "=" * len(title), "", f".. automodule:: {title}", "   :no-members:", ""]
    kinds: dict[str, list[str]] = {}
    for name in _public_names(module):
        kinds.setdefault(_kind(getattr(module, name)), []).append(name)
    for kind, heading in _HEADINGS.items():
        if kind not in kinds:
            continue
        if len(kinds) > 1:
            lines += [heading, "-" * len(heading), ""]
        if kind == "data":
            lines += [f".. py:data:: {title}.{name}\n   :value: {_data_text(module, name)}\n" for name in kinds[kind]]
            continue
        options = [] if kind == "function" else ["   :nosignatures:"]
        lines += [".. autosummary::", *options, "", *[f"   {name}" for name in kinds[kind]], ""]
    members = [name for kind in ("function", "class", "exception") for name in kinds.get(kind, [])]
    lines += [".. toctree::", "   :hidden:", "", *[f"   {name} <{title}.{name}>" for name in members], ""]
    return "\n".join(lines)


def _member_page(module: ModuleType, name: str, about: list[str]) -> str:
    """Return the page of a function or class, with links to its plan, or its operator, and to pages about it."""
    value = getattr(module, name)
    title = f"{module.__name__}.{name}"
    kind = _kind(value)
    lines = [title, "=" * len(title), "", f".. currentmodule:: {module.__name__}", "", f".. auto{kind}:: {name}"]
    if kind == "class" and not issubclass(value, Enum):
        lines += ["   :members:", "   :special-members: __call__"]
    others = [f":py:func:`{other}`" for other in (_counterpart(title),) if other]
    others += [f":doc:`/operators/{page}`" for page in about]
    if others:
        lines += ["", ".. seealso::", "", f"   {', '.join(others)}"]
    return "\n".join([*lines, ""])


def _counterpart(title: str) -> str | None:
    """Return the plan of an operator, or the operator of a plan, by its full name; None for other names."""
    package, *path = title.split(".")
    other = path[1:] if path[0] == "plan" else ["plan", *path]
    value: Any = fastops
    for name in other:
        value = getattr(value, name, None)
    return ".".join([package, *other]) if inspect.isfunction(value) else None


def _pages_about(source: Path) -> dict[str, list[str]]:
    """Return the pages of operators, by name, and the functions that each mentions by full name."""
    pages = sorted((source / "operators").glob("*.md"))
    names = re.compile(r"\{py:func\}`~?(fastops[\w.]+)`")
    return {page.stem: names.findall(page.read_text(encoding="utf-8")) for page in pages if page.stem != "index"}


def _write_pages(app: Sphinx) -> None:
    """Write the pages that differ from what is there, and remove those of names that are gone."""
    folder = Path(app.srcdir, _PAGES)
    folder.mkdir(parents=True, exist_ok=True)
    about = _pages_about(Path(app.srcdir))
    pages = {}
    for module in _modules(fastops):
        pages[f"{module.__name__}.rst"] = _module_page(module)
        for name in _public_names(module):
            if _kind(getattr(module, name)) not in ("data", "module"):
                title = f"{module.__name__}.{name}"
                operator = title.replace("fastops.plan.", "fastops.")
                mentions = [page for page, names in about.items() if operator in names]
                pages[f"{title}.rst"] = _member_page(module, name, mentions)
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for file, text in pages.items():
        path = folder / file
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


class _Omitted:
    """The default of what is not given, which has no name that Python reads."""

    def __repr__(self) -> str:
        return "..."


_OMITTED = _Omitted()


def _show_types(_app: Sphinx, what: str, _name: str, value: Any, *_: Any) -> tuple[str, str | None] | None:
    """Return a signature with types, and what comes out; none for enumerations, whose own looks up members."""
    if what == "class" and issubclass(value, Enum):
        return "", None
    if what not in ("function", "method", "class"):
        return None
    found = inspect.signature(value)
    parameters = [
        each.replace(
            annotation=_shown_type(each.annotation, value),
            default=_OMITTED if each.default is np._NoValue else each.default,
        )
        for each in found.parameters.values()
        if each.name != "self"
    ]
    result = None if what == "class" else _shown_type(found.return_annotation, value)
    text = stringify_signature(found.replace(parameters=parameters, return_annotation=found.empty))
    return text, result if isinstance(result, str) else None


def _shown_type(annotation: Any, value: Any) -> Any:
    """Return a type as readers know it: words that are written out, and names of this library that are links."""
    if not isinstance(annotation, str):
        return annotation
    words = getattr(inspect.unwrap(value), "__globals__", {}).get(annotation)
    if get_origin(words) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(words)))}]"
    names = r"( \| (?=_|DataOf))?\w+(\[(Any|R|np\.int64)\])?"
    return re.sub(names, lambda name: _TYPES.get(name[0], name[0]), annotation)


class _Made(SphinxDirective):
    """A directive whose content is made, as Markdown."""

    def run(self) -> list[nodes.Node]:
        """Return what the text means."""
        parent = nodes.Element()
        text = StringList(self.text().splitlines(), self.get_source_info()[0])
        self.state.nested_parse(text, self.content_offset, parent)
        return parent.children

    def text(self) -> str:
        """Return Markdown."""
        raise NotImplementedError


class ModulesDirective(_Made):
    """All modules: a table, and the navigation."""

    def text(self) -> str:
        """Return a row for each module, and a table of contents."""
        modules = _modules(fastops)
        rows = [f"| {{py:mod}}`{module.__name__}` | {_summary(module)} |" for module in modules]
        pages = [f"{module.__name__} <generated/{module.__name__}>" for module in modules]
        return "\n".join(
            ["| module | has |", "|---|---|", *rows, "", "```{toctree}", ":hidden:", "", *pages, "```", ""]
        )


def _summary(module: ModuleType) -> str:
    """Return the first sentence of a module's docstring."""
    text = " ".join((module.__doc__ or "").partition("\n\n")[0].split())
    return text.partition(". ")[0].removesuffix(".").replace("`", "")


class OperatorsDirective(_Made):
    """The pages of operators: which functions each is about, and the navigation."""

    def text(self) -> str:
        """Return a row for each page, and one for the functions that no page is about."""
        about = _pages_about(Path(self.env.srcdir))
        operators = [
            f"{module.__name__}.{name}"
            for module in _modules(fastops)
            if not module.__name__.startswith("fastops.plan")
            for name in _public_names(module)
            if _kind(getattr(module, name)) == "function"
        ]
        rows = [(f"[](/operators/{page}.md)", [each for each in operators if each in about[page]]) for page in about]
        rest = [each for each in operators if each not in chain.from_iterable(about.values())]
        if rest:
            rows.append(("others", rest))
        return "\n".join(
            [
                "| kind | functions |",
                "|---|---|",
                *[f"| {kind} | {', '.join(map(_link, names))} |" for kind, names in rows],
                *["", "```{toctree}", ":hidden:", "", *about, "```", ""],
            ]
        )


def _link(operator: str) -> str:
    """Return a link to an operator, which shows its name behind the package's."""
    return f"{{py:func}}`{operator.removeprefix('fastops.')} <{operator}>`"


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages before others are read, and add the directives."""
    app.connect("builder-inited", _write_pages)
    app.connect("autodoc-process-signature", _show_types)
    app.add_directive("api-modules", ModulesDirective)
    app.add_directive("operators", OperatorsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
