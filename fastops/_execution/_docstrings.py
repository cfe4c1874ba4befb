"""The parts that the operators' docstrings share.

A public function documents its summary, its own arguments, its own errors, and examples. `complete_docstring` adds what
is missing: data of any shape, the arguments out, copy and chunks, the section Returns, the errors that all operators
raise, the specification, and the imports of the examples.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

# The sections, in their order.
_SECTIONS = ("Parameters", "Returns", "Raises", "Notes", "Examples")
_HEADING = re.compile(rf"\n\n({'|'.join(_SECTIONS)})\n-+\n")


class _Words(NamedTuple):
    """The texts that depend on the dialect."""

    data: str
    type_error: str
    value_error: str = "An argument does not fit data or another argument."
    kind: str = "ndarray"
    noun: str = "array"
    view: str = ", or a view of ``{data}``"
    views: str = ", or views of ``{data}``"
    imports: str = "from fastops import {dialect}"
    specification: str = ""


_TYPE_ERROR = "an argument of another type than those above."
_OTHERS = _Words("array_like\n    Any shape, any dtype but object.", f"Data of dtype object, or {_TYPE_ERROR}")
_WORDS = {
    "": _OTHERS._replace(imports="import fastops as fo"),
    # For data of dtype object, fastops calls NumPy.
    "numpy": _Words(
        data="array_like\n    Any shape, any dtype.",
        type_error=_TYPE_ERROR.capitalize(),
        imports="from fastops import numpy as fnp",
        specification="NumPy 2.4, numpy.{name}.",
    ),
    "tensorflow": _OTHERS._replace(specification="TensorFlow 2.21, tf.{name}, without the argument name."),
    "torch": _Words(
        data="""\
torch.Tensor
    Dense, on the CPU, of any shape and strides, and any type of whole bytes. It must not require a gradient.""",
        type_error=f"Data that is no tensor, or of a type of less than a byte; {_TYPE_ERROR}",
        value_error="A tensor requires a gradient or is not plain memory, or an argument does not fit.",
        kind="torch.Tensor",
        noun="tensor",
        view="",
        views="",
        imports="import torch\n>>> from fastops import torch as fot",
        specification="PyTorch 2.13, torch.{name}.",
    ),
}

_COPY = """\
copy : bool or None
    True: a copy. False: a view, or an error if the result cannot be a view. None: a view if the result can be a view
    and ``out`` is not given, and a copy otherwise."""
_CHUNKS = """\
chunks : int, tuple or str, optional
    For an array of dask only: the chunks of the result, as dask writes them."""
_OUTPUT_ERROR = "``out`` does not fit, or the result cannot be allocated."

# The argument out and the section Returns: for one result, for parts, for a range.
_OUT = """\
out : {kind}, optional
    The array to write to, of the result's shape and dtype, with any strides. It may overlap ``{data}``."""
_RETURNS = "{kind}\n    ``out``, or a fresh C-contiguous {noun} of the dtype of ``{data}``{view}."
_OUT_OF_PARTS = """\
out : sequence of {kind}, optional
    The arrays to write to: one for each part, with any strides. They may overlap ``{data}``, but not each other."""
_RETURNS_PARTS = "list of {kind}\n    The elements of ``out``, or fresh C-contiguous {noun}s{views}."
_OUT_OF_RANGE = """\
out : {kind}, optional
    The array to write to, of one dimension, of the result's length and dtype, with any stride."""
_RETURNS_RANGE = "{kind}\n    ``out``, or a fresh {noun} of shape ``[count]``."


def complete_docstring(function: Callable[..., Any]) -> None:
    """Add the parts that all operators share to the docstring of an operator's public function."""
    # Under -OO, Python keeps no docstrings.
    if function.__doc__ is None:
        return
    code, name = function.__code__, function.__name__
    dialect = ".".join(function.__module__.split(".")[2:-1])
    words, arguments = _WORDS.get(dialect, _OTHERS), code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    out, returns = _OUT, _RETURNS
    if function.__annotations__["return"].startswith(("list", "tuple")):
        out, returns = _OUT_OF_PARTS, _RETURNS_PARTS
    elif name == "range":
        out, returns = _OUT_OF_RANGE, _RETURNS_RANGE

    def fill(text: str) -> str:
        return text.format(**words._asdict() | {"data": arguments[0], "dialect": dialect, "name": name})

    head, *rest = _HEADING.split(inspect.cleandoc(function.__doc__))
    sections = dict.fromkeys(_SECTIONS, "") | dict(zip(rest[::2], rest[1::2], strict=True))
    described = _names_of(sections["Parameters"])
    if arguments[0] not in described:
        sections["Parameters"] = f"{arguments[0]} : {words.data}\n{sections['Parameters']}".rstrip()
    for argument, text in (("out", fill(out)), ("copy", _COPY), ("chunks", _CHUNKS)):
        if argument in arguments and argument not in described:
            sections["Parameters"] += f"\n{text}"
    sections["Returns"] = sections["Returns"] or fill(fill(returns))
    sections["Raises"] = _errors(sections["Raises"], words)
    if words.specification and "Specification: " not in sections["Notes"]:
        sections["Notes"] = f"Specification: {fill(words.specification)}\n\n{sections['Notes']}".rstrip()
    examples = sections["Examples"]
    if not examples.startswith((">>> import ", ">>> from ")):
        numpy = ">>> import numpy as np\n" if "np." in examples else ""
        sections["Examples"] = f"{numpy}>>> {fill(words.imports)}\n{examples}"
    texts = [f"{section}\n{'-' * len(section)}\n{text}" for section, text in sections.items() if text]
    function.__doc__ = "\n\n".join([head, *texts])


def _errors(own: str, words: _Words) -> str:
    """Return the section Raises, with the errors that all operators raise added."""
    all_raise = ("AttributeValueError", words.value_error), ("DTypeError", words.type_error)
    for name, text in (*all_raise, ("OutputError", _OUTPUT_ERROR)):
        if name not in own:
            own += f"\n{name}\n    {text}"
    return own.strip()


def describe_arguments(function: Callable[..., Any], names: Collection[str]) -> str:
    """Return the paragraphs of a completed docstring that describe the arguments of these names."""
    text = (function.__doc__ or "").partition("\nParameters\n----------\n")[2].partition("\n\nReturns\n")[0]
    return "\n".join([each for each in re.split(r"\n(?=\S)", text) if not _names_of(each).isdisjoint(names)])


def _names_of(parameters: str) -> set[str]:
    """Return the names of the arguments that a section Parameters describes."""
    headings = re.findall(r"^([^\s:]+(?:, [^\s:]+)*)(?: :|$)", parameters, re.MULTILINE)
    return {name.lstrip("*") for heading in headings for name in heading.split(", ")}
