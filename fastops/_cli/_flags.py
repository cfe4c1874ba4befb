"""Operators on the command line: their names, their flags, the values that users write, and text for terminals."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from fastops import plan
from fastops._errors import AttributeValueError
from fastops._process import DIALECTS

#: What each command does.
COMMANDS = {
    "demo": "run four operators on full-HD frames, check the results and print a table; exit code 0 if all are correct",
    "run": "run one operator, or a stored plan, on a .npy file or a zarr array",
    "explain": "print the plan of a call, axis by axis, or those of a model's slicing nodes",
    "info": "print versions, CPU, threads and which kernels are used",
    "warmup": "compile missing kernels into the cache, so that no later process has to",
}

_TOP_LEVEL = ("strided_slice", "variadic_split", "slice", "range")

# The operators of the top level that each command takes; `run` takes no ranges, because they read no array.
_TAKEN = {"explain": _TOP_LEVEL, "run": _TOP_LEVEL[:-1]}
VALUES = "VALUE is a number, a word, a list such as -1,0, pairs such as ((1,2),(0,3)), or an index such as 1:,::2."


class LineParser(argparse.ArgumentParser):
    """A parser of a command, or of one of its operators. It raises an error where argparse would print and exit."""

    def __init__(self, op: str, **options: Any) -> None:
        options = {"prog": f"fastops {op}", "description": COMMANDS.get(op)} | options
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self._op = op
        # Lists such as -1,0 are values, as negative numbers are, and not options.
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        """Raise the error that argparse has found."""
        raise AttributeValueError(self._op, "arguments", "be as --help says", message)


def operators_of(command: str) -> str:
    """Return the operators of a command as text for its help."""
    return f"OP is {', '.join(_TAKEN[command])}; or\nan operator of {', '.join(DIALECTS)}, as in numpy pad."


def find_operator(command: str, argv: Sequence[str]) -> tuple[str, Callable[..., Any], Sequence[str]]:
    """Return an operator's name, such as "numpy.pad", the function that returns its plans, and the other arguments."""
    found: dict[str, Callable[..., Any]] = {name: getattr(plan, name) for name in _TOP_LEVEL}
    for dialect in DIALECTS:
        plans = import_module(f"fastops.plan.{dialect}")
        found |= {f"{dialect} {name}": getattr(plans, name) for name in dir(plans) if name[0] != "_"}
    for words in (1, 2):
        name = " ".join(argv[:words])
        if name in found:
            return name.replace(" ", "."), found[name], argv[words:]
    first = argv[0] if argv else None
    # Suggest all operators of a dialect, or the full names of an operator.
    meant = [name for name in found if first in name.split()] or [*_TAKEN[command], *DIALECTS]
    written = argv[: 2 if first in DIALECTS else 1]
    raise AttributeValueError(command, "OP", f"be one of {', '.join(meant)}", " ".join(written) or None)


def shape_name_of(function: Callable[..., Any]) -> str | None:
    """Return the name of the argument for the shape of data, which is the first one; None for a range."""
    return next(iter(inspect.signature(function).parameters)) if hasattr(function, "lowering") else None


def add_flags(parser: argparse.ArgumentParser, function: Callable[..., Any], but: str | None = None) -> None:
    """Add a flag for each argument of a plan's function, except the argument ``but``."""
    for name, parameter in inspect.signature(function).parameters.items():
        if name != but:
            is_required = parameter.default is parameter.empty
            text = "required" if is_required else f"default: {parameter.default}"
            option = "--" + name.rstrip("_").replace("_", "-")
            parser.add_argument(option, dest=name, metavar="VALUE", required=is_required, help=text)


def read_flags(function: Callable[..., Any], args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of a plan's function that the command line gives, by their names."""
    values: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        text = getattr(args, name, None)
        if text is not None:
            value = read_value(text)
            # If only lists are allowed, read one integer as a list of one.
            words = re.findall(r"\w+", str(parameter.annotation))
            is_list = name == shape_name_of(function) or ("Indices" in words and "Index" not in words)
            values[name] = [value] if type(value) is int and is_list else value
    return values


def read_value(text: str) -> Any:
    """Return the Python value of a text: a number, a list or an index. Any other text is returned unchanged.

    Examples
    --------
    >>> [read_value(text) for text in ("1,-2", "[[1,2],[3,4]]", "edge", "")]
    [(1, -2), [[1, 2], [3, 4]], 'edge', ()]
    >>> read_value("1:,...,None,::-2")
    (slice(1, None, None), Ellipsis, None, slice(None, None, -2))
    """
    value = _literal(text) if text.strip() else ()
    if value is not text or ":" not in text:
        return value
    places = [place.split(":") for place in text.split(",")]
    if max(map(len, places)) > 3:
        return text
    numbers = [[_literal(number) if number.strip() else None for number in place] for place in places]
    return tuple([each[0] if len(each) == 1 else slice(*each) for each in numbers])


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def printable(text: str) -> str:
    r"""Return a text with escapes in place of control characters, which names in files may contain.

    Examples
    --------
    >>> printable("naïve\x1b[2J\u202e")
    'naïve\\x1b[2J\\u202e'
    """
    return "".join([each if each.isprintable() else each.encode("unicode_escape").decode() for each in text])
