"""The parts of the operators' docstrings that are alike, written once.

A public function documents its summary, its own arguments, its own errors, and examples. `complete_docstring` adds what
is missing: the arguments out, copy and chunks, the section Returns, the errors that all operators raise, and the
specification.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from typing import Any

#: The sections, in the order in which docstrings have them.
_SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "Examples")
_HEADING = re.compile(rf"\n\n({'|'.join(_SECTIONS)})\n-+\n")

_COPY = """\
copy : bool or None
    True: a copy. False: a view, or an error if the result cannot be a view. None: a view if the result can be a view
    and ``out`` is not given, and a copy otherwise."""
_CHUNKS = """\
chunks : int, tuple or str, optional
    The chunks of the result for an array of dask, as `fastops.dask.apply` takes them. For other data: None."""

# The argument out and the section Returns: of one result, of parts, of a range.
_OUT = """\
out : {kind}, optional
    Where to write: of the result's shape and dtype, with any strides. It may overlap ``{data}``."""
_RETURNS = "{kind}\n    ``out``, or a fresh C-contiguous {noun} of the dtype of ``{data}``{or_a_view}."
_OUT_OF_PARTS = """\
out : sequence of {kind}, optional
    Where to write: one for each part, with any strides. They may overlap ``{data}``, but not each other."""
_RETURNS_PARTS = "list of {kind}\n    The elements of ``out``, or fresh C-contiguous {noun}s{or_views}."
_OUT_OF_RANGE = """\
out : {kind}, optional
    Where to write: of one dimension, of the result's length and dtype, with any stride."""
_RETURNS_RANGE = "{kind}\n    ``out``, or a fresh {noun} of shape ``[count]``."

# By dialect; NumPy takes data of dtype object in place of `fastops.numpy`.
_TYPE_ERRORS = {
    "numpy": "An argument of another type than those above.",
    "torch": "Data that is no tensor, or of a type of less than a byte; an argument of another type than those above.",
}
_TYPE_ERROR = "Data of dtype object, or an argument of another type than those above."
_OUTPUT_ERROR = "``out`` does not fit, or the result cannot be allocated."

#: The specification of a function whose docstring names none, by dialect.
_SPECIFICATIONS = {
    "numpy": "NumPy 2.4, numpy.{}.",
    "tensorflow": "TensorFlow 2.21, tf.{}, without name.",
    "torch": "PyTorch 2.13, torch.{}.",
}


def complete_docstring(function: Callable[..., Any]) -> None:
    """Add to the docstring of an operator's public function the parts that it shares with others."""
    # Python has none under -OO.
    if function.__doc__ is None:
        return
    code, dialect = function.__code__, function.__module__.split(".")[2]
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    out, returns = _OUT, _RETURNS
    if function.__annotations__["return"].startswith(("list", "tuple")):
        out, returns = _OUT_OF_PARTS, _RETURNS_PARTS
    elif function.__name__ == "range":
        out, returns = _OUT_OF_RANGE, _RETURNS_RANGE
    data = arguments[0]
    words = {"data": data, "kind": "ndarray", "noun": "array", "or_a_view": f", or a view of ``{data}``"}
    words["or_views"] = f", or views of ``{data}``"
    if dialect == "torch":
        words = {"data": data, "kind": "torch.Tensor", "noun": "tensor", "or_a_view": "", "or_views": ""}
    head, *rest = _HEADING.split(inspect.cleandoc(function.__doc__))
    sections = {
        "Raises": "",
        "Notes": "",
        "Returns": returns.format(**words),
        **dict(zip(rest[::2], rest[1::2], strict=True)),
    }
    described = _names_of(sections["Parameters"])
    for name, text in (("out", out.format(**words)), ("copy", _COPY), ("chunks", _CHUNKS)):
        if name in arguments and name not in described:
            sections["Parameters"] += f"\n{text}"
    for name, text in (("DTypeError", _TYPE_ERRORS.get(dialect, _TYPE_ERROR)), ("OutputError", _OUTPUT_ERROR)):
        if name not in sections["Raises"]:
            sections["Raises"] += f"\n{name}\n    {text}"
    if dialect in _SPECIFICATIONS and "Specification: " not in sections["Notes"]:
        specification = _SPECIFICATIONS[dialect].format(function.__name__)
        sections["Notes"] = f"Specification: {specification}\n\n{sections['Notes']}"
    texts = [(name, sections[name].strip("\n")) for name in _SECTIONS if sections.get(name)]
    function.__doc__ = "\n\n".join([head, *[f"{name}\n{'-' * len(name)}\n{text}" for name, text in texts]])


def describe_arguments(function: Callable[..., Any], names: Collection[str]) -> str:
    """Return the paragraphs of a completed docstring that describe the arguments of these names."""
    text = (function.__doc__ or "").partition("\nParameters\n----------\n")[2].partition("\n\nReturns\n")[0]
    paragraphs = re.split(r"\n(?=\S)", text)
    return "\n".join([each for each in paragraphs if not _names_of(each).isdisjoint(names)])


def _names_of(parameters: str) -> set[str]:
    """Return the names of the arguments that a section Parameters describes."""
    headings = re.findall(r"^([^\s:]+(?:, [^\s:]+)*)(?: :|$)", parameters, re.MULTILINE)
    return {name.lstrip("*") for heading in headings for name in heading.split(", ")}
