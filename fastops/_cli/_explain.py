"""`fastops explain`: what a call means, without data and without compiling anything."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from fastops._cli._arguments import FLAGS, add_operator_flags, read_flags, read_list
from fastops._cli._dialect_calls import add_dialects, explain_call
from fastops._cli._range_notes import explain_range
from fastops._cli._slice_notes import explain_slice, explain_variadic_split
from fastops._cli._strided_slice_notes import explain_strided_slice
from fastops._cli._words import Block
from fastops._errors import AttributeValueError

_EXPLAIN: dict[str, Callable[..., list[Block]]] = {
    "strided_slice": explain_strided_slice,
    "variadic_split": explain_variadic_split,
    "slice": explain_slice,
    "range": explain_range,
}


def add_explain(commands: Any) -> None:
    """Add the command to the parser."""
    text = "print the plan of a call, axis by axis, with notes on what may surprise in it"
    operators = commands.add_parser("explain", help=text, description=text).add_subparsers(metavar="OP", required=True)
    for op in FLAGS:
        parser = operators.add_parser(op, help=f"explain a call of {op}", description=f"Explain a call of {op}.")
        parser.set_defaults(run=run_explain, op=op)
        if op != "range":
            parser.add_argument("--shape", metavar="SHAPE", help="shape of the data, as 2,3,4 (required)")
        add_operator_flags(parser, op)
    add_dialects(operators, run_explain_dialect, "explain a call of")


def run_explain(args: argparse.Namespace) -> int:
    """Print the blocks of a call."""
    op = args.op
    values = read_flags(op, args)
    if op != "range":
        if args.shape is None:
            raise AttributeValueError(op, "shape", "be given as --shape", None)
        values["shape"] = read_list(op, "shape", args.shape)
    _print_blocks(_EXPLAIN[op](**values))
    return 0


def run_explain_dialect(args: argparse.Namespace) -> int:
    """Print the lines of a call of a dialect's operator."""
    print("\n".join(explain_call(args.op, args.rest)))
    return 0


def _print_blocks(blocks: list[Block]) -> None:
    for i, block in enumerate(blocks):
        indent = "  " if i else ""
        print(indent + block.line)
        for line in block.picture:
            print(f"{indent}  {line}")
        for note in block.notes:
            print(f"{indent}  note: {note}")
