"""`fastops run`: one operator from a .npy file to others, mapped into memory, so that they may be larger than it."""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from fastops import plan
from fastops._arrays._dtypes import AnyArray, AnyDType, as_output_type, is_ml_dtype
from fastops._cli._arguments import FLAGS, add_operator_flags, read_flags, read_path
from fastops._cli._npy import created_npy, open_npy
from fastops._cli._progress import ProgressBar
from fastops._cli._signals import signals_raised
from fastops._cli._staging import staged_files
from fastops._cli._words import maps_of
from fastops._errors import AttributeValueError, FastopsError, shown
from fastops._execution._execute import execute_checked
from fastops._execution._prepared_call import prepare_plans
from fastops._execution._range_call import execute_range, prepare_range
from fastops._plans._axis_map import AxisMap
from fastops._plans._slice_plan import SlicePlan

# What one launch writes at most: little enough to stop between two, and to show progress.
_BLOCK_BYTES = 1 << 26

_PARTS_HELP = """\
OUT is the pattern of the files' names: {} in it stands for the number of the part, from 0 on;
without {}, -0, -1 ... stand before the suffix, so that parts.npy gives parts-0.npy, parts-1.npy ...
All of the files appear, or none."""

_PLANS: dict[str, Callable[..., Any]] = {
    "strided_slice": plan.strided_slice,
    "variadic_split": plan.variadic_split,
    "slice": plan.slice,
}


def add_run(commands: Any) -> None:
    """Add the command to the parser."""
    text = "run one operator on a .npy file"
    operators = commands.add_parser("run", help=text, description=text).add_subparsers(metavar="OP", required=True)
    for op in FLAGS:
        source = "" if op == "range" else " of IN"
        parser = operators.add_parser(
            op,
            help=f"write the {op}{source}",
            description=f"Write the {op}{source} to OUT, which appears when it is whole; it may exist already.",
            epilog=_PARTS_HELP if op == "variadic_split" else None,
        )
        parser.set_defaults(run=run_operator, op=op)
        if op != "range":
            parser.add_argument("input", metavar="IN", nargs="?", help=".npy file, mapped into memory (required)")
        parser.add_argument("-o", "--output", metavar="OUT", help=".npy file to write (required)")
        add_operator_flags(parser, op)


def run_operator(args: argparse.Namespace) -> int:
    """Run an operator, and say what was written."""
    op = args.op
    if op != "range":
        read_path(op, "IN", args.input)
    output = read_path(op, "output", args.output)
    values = read_flags(op, args)
    try:
        with signals_raised():
            written = _write_range(output, values) if op == "range" else _write_slices(op, args.input, output, values)
    except FastopsError as error:
        error.add_context(op, {})
        raise
    for path, shape, dtype in written:
        stored = f", which loads as {dtype.str}: view it as that type" if is_ml_dtype(dtype) else ""
        print(f"{path if path.isprintable() else shown(path)}: shape {shape}, {dtype}{stored}")
    return 0


def _write_range(output: str, values: dict[str, Any]) -> list[tuple[str, tuple[int, ...], AnyDType]]:
    made = plan.range(**values)
    dtype = as_output_type("output_type", values["output_type"])
    with staged_files("range", [output]) as (path,), created_npy("range", path, made.shape, dtype) as out:
        execute_range(prepare_range(made, dtype), out)
    return [(output, made.shape, dtype)]


def _write_slices(
    op: str, source_path: str, output: str, values: dict[str, Any]
) -> list[tuple[str, tuple[int, ...], AnyDType]]:
    source = open_npy(op, "IN", source_path)
    dtype = source.dtype
    fill_text = values.pop("fill_value", None)
    made = _PLANS[op](source.shape, **values)
    fill_value = None if fill_text is None else read_fill_value(op, fill_text, dtype)
    parts = [made] if isinstance(made, SlicePlan) else made
    if os.path.basename(output) in ("", ".", ".."):
        raise AttributeValueError(op, "output", "be the path of a regular file", output)
    targets = [output] if isinstance(made, SlicePlan) else name_parts(output, len(parts))
    with staged_files(op, targets) as paths, ProgressBar(sum(part.size for part in parts)) as bar:
        for path, part, target in zip(paths, parts, targets, strict=True):
            bar.show(f"writing {target}")
            for done in _write_part(op, path, part, np.asarray(source), fill_value):
                bar.advance(done)
                bar.show(f"writing {target}")
        # Some systems do not replace a file that is mapped, and OUT may be IN.
        del source
    return [(target, part.shape, dtype) for target, part in zip(targets, parts, strict=True)]


def _write_part(op: str, path: Path, part: SlicePlan, source: AnyArray, fill_value: object) -> Iterator[int]:
    """Write one file, block by block, in the order of its bytes; yield the elements of each block behind it."""
    with created_npy(op, path, part.shape, source.dtype) as out:
        target = out.reshape([axis.count for axis in part.axes])
        for region, block in split_plan(part, source.itemsize, _BLOCK_BYTES):
            call = prepare_plans((block,), source.strides, source.dtype)
            # The dots keep an array of no dimensions an array.
            place: Any = (*region, ...)
            execute_checked(call, source, [target[place]], fill_value)
            yield block.size


def split_plan(made: SlicePlan, width: int, most: int) -> Iterator[tuple[tuple[slice, ...], SlicePlan]]:
    """Yield a plan in pieces that write at most ``most`` bytes: where in its counts, and the piece's plan.

    A piece is contiguous in the output: the outermost axis that has several outputs is halved.
    """
    axes = maps_of(made)
    whole = tuple(slice(0, axis.count) for axis in axes)
    yield from _halve(axes, whole, width, most)


def _halve(
    axes: tuple[AxisMap, ...], region: tuple[slice, ...], width: int, most: int
) -> Iterator[tuple[tuple[slice, ...], SlicePlan]]:
    counts = [axis.count for axis in axes]
    longest = next((k for k, count in enumerate(counts) if count > 1), None)
    if longest is None or prod(counts) * width <= most:
        yield region, SlicePlan.create(axes)
        return
    k, axis, at = longest, axes[longest], region[longest]
    half = axis.count // 2
    for first, count in ((0, half), (half, axis.count - half)):
        piece = AxisMap.create(axis.extent, axis.start + first * axis.stride, axis.stride, count, axis.mode)
        place = slice(at.start + first, at.start + first + count)
        yield from _halve((*axes[:k], piece, *axes[k + 1 :]), (*region[:k], place, *region[k + 1 :]), width, most)


def name_parts(output: str, parts: int) -> list[str]:
    """Return the names of the parts' files.

    Examples
    --------
    >>> name_parts("a/x.npy", 2), name_parts("p{}.npy", 1)
    (['a/x-0.npy', 'a/x-1.npy'], ['p0.npy'])
    """
    if "{}" not in output:
        stem, suffix = os.path.splitext(output)
        output = f"{stem}-{{}}{suffix}"
    return [output.replace("{}", str(i)) for i in range(parts)]


def read_fill_value(op: str, text: str, dtype: AnyDType) -> Any:
    """Return a fill value as an object that the library takes for a dtype."""
    readers: dict[str, Sequence[Callable[[str], Any]]] = {
        "b": ({"true": True, "false": False, "1": True, "0": False}.__getitem__,),
        "i": (int, float),
        "u": (int, float),
        "f": (int, float),
        "c": (int, float, complex),
        "M": (np.datetime64,),
        "m": (lambda text: np.array(int(text), dtype)[()],),
        "S": (os.fsencode,),
        "U": (str,),
        "V": (lambda text: bytes.fromhex(text.removeprefix("0x")),),
    }
    rule = "be hex bytes, as c03f" if dtype.kind == "V" else f"be a value of dtype {dtype}"
    # NumPy takes more digits than a time has, and makes another time of them, and floats have no end but infinity.
    is_long = dtype.kind == "M" and re.search(r"\d{19}", text)
    for read in () if is_long else readers[dtype.kind]:
        with suppress(ValueError, KeyError, OverflowError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = read(text.lower() if dtype.kind == "b" else text)
            if dtype.kind not in "iufc" or np.isfinite(complex(value)) or re.search("inf|nan", text, re.IGNORECASE):
                return value
    raise AttributeValueError(op, "fill_value", rule, text)
