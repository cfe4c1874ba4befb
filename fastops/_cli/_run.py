"""`fastops run`: an operator or a plan, from a file to others, of .npy or of zarr, which may be larger than memory."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from fastops import plan
from fastops._arrays._dtypes import as_output_type, is_ml_dtype
from fastops._cli._arguments import FLAGS, add_operator_flags, read_flags, read_path
from fastops._cli._dialect_calls import (
    add_attributes,
    add_dialects,
    create_parser,
    find_in_dialects,
    find_plan,
    read_attributes,
    shape_name_of,
)
from fastops._cli._run_calls import RunCall, Written, lower_call, lower_plan, read_plan
from fastops._cli._run_files import load_extras, write_outputs, write_range
from fastops._cli._signals import signals_raised
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._operators._range_operator import RangeOperator

_PARTS_HELP = """\
OUT is the pattern of the files' names: {} in it stands for the number of the part, from 0 on;
without {}, -0, -1 ... stand before the suffix, so that parts.npy gives parts-0.npy, parts-1.npy ...
All of the files appear, or none."""

_IN_HELP = ".npy file, mapped into memory, or directory of a zarr array (required)"
_OUT_HELP = ".npy file to write, or, if it ends in .zarr, directory of a zarr array (required)"
# Of the outputs; one without a suffix is an .npy file.
_SUFFIXES = (".npy", ".zarr", "")
_FILL_HELP = "one value for all outputs that read nothing of IN (default: 0); hex bytes for data of void dtype"

_PLANS: dict[str, Callable[..., Any]] = {
    "strided_slice": plan.strided_slice,
    "variadic_split": plan.variadic_split,
    "slice": plan.slice,
}


def add_run(commands: Any) -> None:
    """Add the command to the parser."""
    text = "run one operator, or a plan, on a .npy file or a zarr array"
    command = commands.add_parser("run", help=text, description=text)
    command.find_meant = find_in_dialects
    operators = command.add_subparsers(metavar="OP", required=True)
    for op in FLAGS:
        parser = _add_parser(operators, op, f"the {op}" if op == "range" else f"the {op} of IN")
        parser.set_defaults(run=run_operator, op=op)
        if op == "variadic_split":
            parser.epilog = _PARTS_HELP
        _add_files(parser, has_source=op != "range")
        add_operator_flags(parser, op)
    parser = _add_parser(operators, "plan", "what a plan gives of IN")
    parser.set_defaults(run=run_plan, op="plan")
    _add_files(parser)
    parser.add_argument("--plan", metavar="PLAN", help="file of what SlicePlan.to_json gives (required)")
    parser.add_argument("--fill-value", metavar="FILL_VALUE", help=_FILL_HELP)
    add_dialects(operators, run_dialect, "run")


def _add_parser(operators: Any, op: str, what: str) -> Any:
    return operators.add_parser(op, help=f"write {what}", description=_description(what))


def _description(what: str) -> str:
    return f"Write {what} to OUT, which appears when it is whole; it may exist already."


def _add_files(parser: argparse.ArgumentParser, *, has_source: bool = True) -> None:
    if has_source:
        parser.add_argument("IN", nargs="?", help=_IN_HELP)
    parser.add_argument("-o", "--output", dest="OUT", metavar="OUT", help=_OUT_HELP)


def run_operator(args: argparse.Namespace) -> int:
    """Run an operator of the top level, and say what was written."""
    op = args.op
    if op == "range":
        return _write_files(op, None, args.OUT, lambda output: _run_range(read_flags(op, args), output))
    source_path = read_path(op, "IN", args.IN)

    def write(output: str) -> list[Written]:
        values = read_flags(op, args)
        fill_text = values.pop("fill_value", None)
        # The reader of flags has seen that the mode is one that fills.
        call = RunCall(op, partial(lower_call, _PLANS[op], "shape", values), fill_text, may_have_fill=True)
        return write_outputs(call, source_path, output)

    return _write_files(op, source_path, args.OUT, write)


def _run_range(values: dict[str, Any], output: str) -> list[Written]:
    made = plan.range(**values)
    return write_range(made.geometry, as_output_type("output_type", values["output_type"]), output)


def run_dialect(args: argparse.Namespace) -> int:
    """Run an operator of a dialect, whose flags are the arguments of its plan, and say what was written."""
    op, function, rest = find_plan(args.op, args.rest)
    shape_name = shape_name_of(function)
    parser = create_parser("run", op, _description(f"what {op} makes of IN" if shape_name else f"the values of {op}"))
    if not shape_name:
        _add_files(parser, has_source=False)
        add_attributes(parser, function, but=shape_name)
        given = parser.parse_args(rest)
        return _write_files(op, None, given.OUT, lambda output: _run_dialect_range(op, function, given, output))
    _add_files(parser)
    parser.add_argument("--fill-value", dest="FILL_VALUE", metavar="FILL_VALUE", help=_FILL_HELP)
    add_attributes(parser, function, but=shape_name)
    own = parser.parse_args(rest)
    source_path = read_path(op, "IN", own.IN)

    def write(output: str) -> list[Written]:
        values = read_attributes(op, function, own, but=shape_name)
        return write_outputs(
            RunCall(op, partial(lower_call, function, shape_name, values), own.FILL_VALUE), source_path, output
        )

    return _write_files(op, source_path, own.OUT, write)


def _run_dialect_range(op: str, function: Any, given: argparse.Namespace, output: str) -> list[Written]:
    values = read_attributes(op, function, given, but="")
    parameters = inspect.signature(function).parameters.values()
    # Beside the lowering is the operator, which knows the type of the values too.
    operator: RangeOperator = inspect.unwrap(function).__globals__["_OPERATOR"]
    return write_range(*operator.lower(*[values.get(each.name, each.default) for each in parameters]), output)


def run_plan(args: argparse.Namespace) -> int:
    """Run a plan that was written as JSON, and say what was written."""
    source_path = read_path("plan", "IN", args.IN)

    def write(output: str) -> list[Written]:
        made = read_plan(read_path("plan", "plan", args.plan))
        return write_outputs(RunCall("plan", partial(lower_plan, made), args.fill_value), source_path, output)

    return _write_files("plan", source_path, args.OUT, write)


def _write_files(op: str, source_path: str | None, output: str | None, write: Callable[[str], list[Written]]) -> int:
    """Write files, and say which."""
    target = read_path(op, "output", output)
    if os.path.splitext(target.rstrip(os.sep))[1].lower() not in _SUFFIXES:
        # Whoever opens a file by its name expects another format.
        raise AttributeValueError(op, "output", "end in .npy or .zarr, which are written, or have no suffix", output)
    load_extras(op, source_path, target)
    try:
        with signals_raised():
            written = write(target)
    except FastopsError as error:
        error.add_context(op, {})
        raise
    for path, shape, dtype in written:
        stored = f", which loads as {dtype.str}: view it as that type" if is_ml_dtype(dtype) else ""
        print(f"{path if path.isprintable() else shown(path)}: shape {shape}, {dtype}{stored}")
    return 0
