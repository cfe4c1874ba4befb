"""`fastops explain DIALECT OP` and `fastops run DIALECT OP`: calls whose flags are the arguments of the plan."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from fastops._cli._arguments import MOST_DIGITS, read_list
from fastops._cli._call_notes import call_in_words
from fastops._cli._parser import REST, LineParser
from fastops._cli._plan_outputs import add_outputs, print_plans
from fastops._errors import AttributeValueError

DIALECTS = ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")

# Longer texts are no literals that an operator takes: Python would read them for long.
_LONGEST = 10_000


def explain_call(dialect: str, arguments: list[str], args: argparse.Namespace) -> None:
    """Print what a call means: what `explain` says of its plan, or of each part of a split.

    ``args`` are the flags before the operator. Raises what the operator raises where the call is wrong.
    """
    op, function, rest = find_plan(dialect, arguments)
    parser = create_parser("explain", op, f"Explain a call of {op}.")
    add_outputs(parser)
    add_attributes(parser, function)
    given = parser.parse_args(rest, argparse.Namespace(JSON=args.JSON, SVG=args.SVG))
    values = read_attributes(op, function, given)
    made = function(**values)
    print_plans(op, made, given, partial(call_in_words, op, function, values, made))


def find_plan(dialect: str, arguments: list[str]) -> tuple[str, Callable[..., Any], list[str]]:
    """Return an operator's name, the function that gives its plans, and the arguments behind its name."""
    plans = import_module(f"fastops.plan.{dialect}")
    names = dir(plans)
    name, *rest = arguments or [""]
    if name not in names:
        raise AttributeValueError(dialect, "OP", f"be one of {', '.join(names)}", name or None)
    return f"{dialect}.{name}", getattr(plans, name), rest


def shape_name_of(function: Callable[..., Any]) -> str:
    """Return what the function of a plan calls the shape of data; nothing for that of a range, which has none."""
    name = next(iter(inspect.signature(function).parameters))
    return name if hasattr(function, "lowering") else ""


def create_parser(command: str, op: str, text: str) -> LineParser:
    """Return the parser of an operator's flags, which has none yet; its help begins with a text."""
    values_text = "VALUE is a number, a word, a list as 1,2 or pairs as ((1,2),(0,3))."
    return LineParser(op=op, prog=f"fastops {command} {op.replace('.', ' ')}", description=text, epilog=values_text)


def add_attributes(parser: LineParser, function: Callable[..., Any], *, but: str | None = None) -> None:
    """Add a flag for each argument of the function of a plan, but for one of them."""
    for name, parameter in inspect.signature(function).parameters.items():
        if name != but:
            is_required = parameter.default is parameter.empty
            text = "required" if is_required else f"default: {parameter.default}"
            parser.add_argument(_option(name), dest=name, metavar="VALUE", help=text)


def read_attributes(
    op: str, function: Callable[..., Any], args: argparse.Namespace, *, but: str | None = None
) -> dict[str, Any]:
    """Return the arguments of the function of a plan that were given, by their names, but for one of them."""
    given, shape_name = vars(args), shape_name_of(function)
    values: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == but:
            continue
        text = given[name]
        if text is not None:
            read = read_list if name == shape_name else read_literal
            value = read(op, name, text)
            # A list of one integer needs no brackets where there is no other reading.
            words = re.findall(r"\w+", str(parameter.annotation))
            is_list = "Indices" in words and "Index" not in words
            values[name] = [value] if type(value) is int and is_list else value
        elif parameter.default is parameter.empty:
            raise AttributeValueError(op, name, f"be given as {_option(name)}", None)
    return values


def _option(name: str) -> str:
    return "--" + name.rstrip("_").replace("_", "-")


def read_literal(op: str, attribute: str, text: str) -> Any:
    """Return what a text says: a number, a list, pairs in brackets, an index as 1:,::2, or else the word itself.

    Examples
    --------
    >>> [read_literal("op", "name", text) for text in ("1,-2", "[[1,2],[3,4]]", "edge")]
    [(1, -2), [[1, 2], [3, 4]], 'edge']
    >>> read_literal("op", "index", "1:,...,::-2")
    (slice(1, None, None), Ellipsis, slice(None, None, -2))
    """
    if len(text) > _LONGEST:
        raise AttributeValueError(op, attribute, f"have at most {_LONGEST} characters", text)
    if re.search(rf"\d{{{MOST_DIGITS + 1}}}", text):
        raise AttributeValueError(op, attribute, f"have integers of at most {MOST_DIGITS} digits", text)
    if attribute == "index":
        return tuple([_read_place(op, part.strip()) for part in text.split(",") if part.strip()])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _read_place(op: str, text: str) -> Any:
    """Return a part of an index."""
    if text in ("...", "None"):
        return ... if text == "..." else None
    rule = "be integers, slices, ... and None, as 1:,::2"
    try:
        numbers = [int(part) if part.strip() else None for part in text.split(":")]
    except ValueError:
        raise AttributeValueError(op, "index", rule, text) from None
    if len(numbers) > 3:
        raise AttributeValueError(op, "index", rule, text)
    return numbers[0] if len(numbers) == 1 else slice(*numbers)


def find_in_dialects(name: str) -> list[str]:
    """Return how an operator of dialects is called: their names, each with its own.

    Examples
    --------
    >>> find_in_dialects("pad")
    ['numpy pad', 'onnx pad', 'openvino pad', 'tensorflow pad', 'torch pad']
    """
    return [f"{dialect} {name}" for dialect in DIALECTS if name in dir(import_module(f"fastops.plan.{dialect}"))]


def add_dialects(operators: Any, run: Any, command: str) -> None:
    """Add a parser for each dialect; what follows is read when it is known which operator is meant."""
    for dialect in DIALECTS:
        text = f"{command} an operator of fastops.{dialect}"
        parser = operators.add_parser(dialect, help=text, description=f"{text[0].upper()}{text[1:]}.")
        parser.set_defaults(run=run, op=dialect)
        parser.add_argument(
            REST,
            metavar="OP ...",
            nargs=argparse.REMAINDER,
            help="the operator and its flags; without any, all are named",
        )
