"""`fastops explain`: what a call, or a model's slicing nodes, mean, without data and without compiling anything."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from fastops import plan
from fastops._cli._arguments import FLAGS, add_operator_flags, read_flags, read_list
from fastops._cli._call_notes import call_in_words
from fastops._cli._dialect_calls import DIALECTS, add_dialects, explain_call, find_in_dialects
from fastops._cli._model_notes import add_model, explain_model
from fastops._cli._plan_outputs import add_json, add_outputs, add_svg, print_plans
from fastops._errors import AttributeValueError


def add_explain(commands: Any) -> None:
    """Add the command to the parser."""
    text = "print the plan of a call, axis by axis, with notes on what may surprise in it, or those of a model's nodes"
    command = commands.add_parser("explain", help=text, description=text)
    command.set_defaults(run=run_explain_model)
    command.find_meant = find_in_dialects
    add_json(command)
    add_svg(command)
    add_model(command)
    operators = command.add_subparsers(metavar="OP")
    for op in FLAGS:
        parser = operators.add_parser(op, help=f"explain a call of {op}", description=f"Explain a call of {op}.")
        parser.set_defaults(run=run_explain, op=op)
        add_outputs(parser)
        if op != "range":
            parser.add_argument("--shape", metavar="SHAPE", help="shape of the data, as 2,3,4 (required)")
        add_operator_flags(parser, op)
    add_dialects(operators, run_explain_dialect, "explain a call of")


def run_explain(args: argparse.Namespace) -> int:
    """Print the blocks of a call."""
    op = args.op
    _check_no_model(op, args)
    values = read_flags(op, args)
    if op != "range":
        if args.shape is None:
            raise AttributeValueError(op, "shape", "be given as --shape", None)
        values["shape"] = read_list(op, "shape", args.shape)
    # A fill value changes no plan.
    function = getattr(plan, op)
    made = function(**{name: value for name, value in values.items() if name != "fill_value"})
    print_plans(op, made, args, partial(call_in_words, op, function, values, made))
    return 0


def run_explain_dialect(args: argparse.Namespace) -> int:
    """Print the lines of a call of a dialect's operator."""
    _check_no_model(args.op, args)
    explain_call(args.op, args.rest, args)
    return 0


def run_explain_model(args: argparse.Namespace) -> int:
    """Print the plans of a model's nodes."""
    if args.MODEL is None and args.INPUT_SHAPES is not None:
        raise AttributeValueError("explain", "input_shape", "be given with a model", args.INPUT_SHAPES)
    if args.MODEL is None:
        raise AttributeValueError(
            "explain", "OP", f"be one of {', '.join([*FLAGS, *DIALECTS])}, or --model given", None
        )
    if args.SVG is not None:
        raise AttributeValueError("explain", "svg", "be given with an operator: a model has many plans", args.SVG)
    explain_model(args)
    return 0


def _check_no_model(op: str, args: argparse.Namespace) -> None:
    for name, value in (("model", args.MODEL), ("input_shape", args.INPUT_SHAPES)):
        if value is not None:
            raise AttributeValueError("explain", name, f"be given without an operator, not with {op}", value)
