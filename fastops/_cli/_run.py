"""`fastops run`: an operator or a stored plan, from an array in a file to others, which may be larger than memory."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._cli._files import names_zarr, new_npy, new_zarr, open_array, options_like, part_names, reason_of, staged
from fastops._cli._flags import (
    OPERATORS,
    VALUES,
    LineParser,
    add_flags,
    find_operator,
    read_flags,
    read_value,
    shape_name_of,
)
from fastops._errors import AttributeValueError, FastopsError, KernelError, shown
from fastops._geometry._blocks import Chunks, regular_lengths
from fastops._geometry._planned_output import PlannedOutput
from fastops._interop._layer import check_regular_file, import_extra
from fastops._lowering._windows import lowering_of
from fastops.plan._slice_plan import SlicePlan

HELP = "run one operator, or a stored plan, on a .npy file or a zarr array"

_IN_HELP = ".npy file, mapped into memory, or directory of a zarr array"
_OUT_HELP = "file to write; an array of zarr if it ends in .zarr or lies in a group; x-0.npy ... for parts of a split"
_CHUNKS_HELP = "lengths of the chunks of a zarr OUT, as dask writes them: 64,64, auto, or -1 for a whole axis"
_FILL_HELP = "value of outputs that read nothing of IN (default: 0); hex bytes for data of void dtype"
# A path without a suffix is a .npy file.
_SUFFIXES = (".npy", ".zarr", "")

# Readers of fill values that NumPy does not read from text, by the kind of the data's type.
_FILL_READERS: dict[str, Callable[[str], Any]] = {
    "b": lambda text: {"true": True, "false": False, "1": True, "0": False}[text.lower()],
    "S": os.fsencode,
    "U": str,
    "V": lambda text: bytes.fromhex(text.removeprefix("0x")),
}


def run(argv: Sequence[str]) -> int:
    """Run an operator or a plan, and print a line for each output."""
    if not argv or argv[0].startswith("-"):
        usage = "fastops run [-h] OP IN -o OUT ..."
        text = f"{HELP}\n\n{OPERATORS}\nRanges read no array, and have no run. Or OP is plan, for a stored one."
        LineParser("run", prog="fastops run", usage=usage, description=text).parse_args(argv)
    if argv[:1] == ["plan"]:
        return _run_operator("plan", None, argv[1:])
    op, function, flags = find_operator("run", argv)
    if shape_name_of(function) is None:
        raise AttributeValueError("run", "OP", "read an array, which ranges do not", op)
    return _run_operator(op, function, flags)


def _run_operator(op: str, function: Callable[..., Any] | None, argv: Sequence[str]) -> int:
    text = f"Write {op} of IN to OUT, which appears when it is complete; it may exist already."
    parser = LineParser(op, prog=f"fastops run {op.replace('.', ' ')}", description=text, epilog=VALUES)
    parser.add_argument("-o", "--output", dest="OUT", required=True, help=_OUT_HELP)
    parser.add_argument("IN", help=_IN_HELP)
    parser.add_argument("--fill-value", dest="FILL", metavar="VALUE", help=_FILL_HELP)
    parser.add_argument("--chunks", dest="CHUNKS", metavar="VALUE", help=_CHUNKS_HELP)
    if function is None:
        parser.add_argument("--plan", dest="PLAN", metavar="FILE", required=True, help="file with to_json of a plan")
    else:
        add_flags(parser, function, but=shape_name_of(function))
    args = parser.parse_args(argv)
    # Shells put a slash behind the names of directories.
    output = args.OUT.rstrip(os.sep) if names_zarr(args.OUT) else args.OUT
    if os.path.splitext(output)[1] not in _SUFFIXES:
        raise AttributeValueError(op, "output", "end in .npy or .zarr, or have no suffix", output)
    chunks = None if args.CHUNKS is None else read_value(args.CHUNKS)
    if chunks is not None and not names_zarr(output):
        raise AttributeValueError(op, "chunks", "be given for a zarr OUT only", args.CHUNKS)
    try:
        source = open_array(op, "IN", args.IN)
        check_movable("IN", source.dtype)
        targets = [output]
        if function is None:
            outputs = [_read_plan(args.PLAN, source.shape)]
        else:
            outputs = _lower(function, source.shape, read_flags(function, args))
            if lowering_of(function).has_parts:
                targets = part_names(output, len(outputs))
        fill = _fill(op, args.FILL, outputs, source.dtype)
        with staged(op, targets) as paths:
            for path, each in zip(paths, outputs, strict=True):
                _write(op, source, each, fill, path, chunks, is_zarr=names_zarr(output))
    except FastopsError as error:
        error.add_context(op, {})
        raise
    for target, each in zip(targets, outputs, strict=True):
        print(f"{target if target.isprintable() else shown(target)}: shape {each.shape}, {source.dtype}")
    return 0


def _lower(function: Callable[..., Any], shape: tuple[int, ...], values: dict[str, Any]) -> list[PlannedOutput]:
    """Return the outputs of an operator for data of a shape; ``function`` gives its plans."""
    # This raises errors in the caller's words.
    function(shape, **values)
    lowering, parameters = lowering_of(function), inspect.signature(function).parameters
    written = [values.get(name, parameters[name].default) for name in lowering.names]
    outputs = lowering.outputs(shape, lowering.read(written))
    if len(shape) != 1 and [output.source_shape for output in outputs] == [(prod(shape),)]:
        # A roll of flattened data would need all of it in memory.
        raise AttributeValueError.about("axis", "be given for a file of more than one axis", None)
    return outputs


def _read_plan(path: str, shape: tuple[int, ...]) -> PlannedOutput:
    check_regular_file("plan", "plan", path)
    made = SlicePlan.from_json(Path(path).read_bytes())
    if shape != made.source_shape:
        raise AttributeValueError("plan", "IN", f"have shape {made.source_shape}, the plan's source_shape", shape)
    return PlannedOutput.of_geometry(made.geometry)


def _fill(op: str, text: str | None, outputs: Sequence[PlannedOutput], dtype: AnyDType) -> Element:
    """Return the fill values of all slots in the data's type."""
    fills = max([output.fills for output in outputs], default=0)
    if text is None:
        return Element(encode_fills(dtype, fills, None))
    if fills == 0:
        rule = "be given only if an output needs it: all outputs of this call read IN"
        raise AttributeValueError(op, "fill_value", rule, text)
    try:
        read = _FILL_READERS.get(dtype.kind)
        value = np.array(text).astype(dtype)[()] if read is None else read(text)
    except (ValueError, KeyError, OverflowError) as error:
        rule = "be hex bytes, as c03f" if dtype.kind == "V" else f"be a value of dtype {dtype}"
        raise AttributeValueError(op, "fill_value", rule, text) from error
    return Element(encode_fills(dtype, fills, value))


def _write(
    op: str, source: Any, output: PlannedOutput, fill: Element, path: Path, chunks: Any, *, is_zarr: bool
) -> None:
    """Write an output of an array to a path."""
    try:
        if is_zarr:
            _write_zarr(op, source, output, fill, path, chunks)
        else:
            with new_npy(path, output.shape, source.dtype) as target:
                import_module("fastops._execution._planned_kind").gather(output, source, target, fill)
    except (FastopsError, KernelError, ImportError, MemoryError, OSError):
        raise
    except Exception as error:
        if isinstance(source, np.ndarray):
            raise
        # Each codec of zarr raises an exception of its own for damaged bytes.
        raise AttributeValueError(op, "IN", "be a zarr array that can be read", reason_of(error)) from error


def _write_zarr(op: str, source: Any, output: PlannedOutput, fill: Element, path: Path, chunks: Any) -> None:
    """Write an output by threads of dask; each writes whole chunks, or whole shards if the source has shards."""
    da = import_extra(op, "dask.array", "dask")
    dask_kind = import_module("fastops._execution._dask_kind")
    shards, own_chunks = getattr(source, "shards", None), getattr(source, "chunks", None)
    # Elements without bytes are one chunk. With name=True, dask would read the whole file to compute a name.
    read = shards or own_chunks or ("auto" if source.dtype.itemsize else -1)
    meta = np.empty((0,) * source.ndim, source.dtype)
    array = da.from_array(source, chunks=read, name=False, meta=meta, asarray=False)
    block = dask_kind.default_chunks(output, array.chunks, source.dtype)
    if chunks is not None:
        written = dask_kind.as_chunks(chunks, output.shape, source.dtype)
        lengths = _first(written)
        if written != tuple(map(regular_lengths, output.shape, lengths)):
            raise AttributeValueError(op, "chunks", "be of one length along each axis, but for the last one", chunks)
    else:
        within = tuple(map(regular_lengths, source.shape, own_chunks or ())) if shards else array.chunks
        lengths = _first(dask_kind.default_chunks(output, within, source.dtype))
    block = tuple([max(n // length, 1) * length for n, length in zip(_first(block), lengths, strict=True)])
    options = {} if isinstance(source, np.ndarray) else options_like(source, output)
    target = new_zarr(
        op, path, shape=output.shape, chunks=lengths, shards=block if shards else None, dtype=source.dtype, **options
    )
    result = dask_kind.apply_output(output, array, fill, block)
    if result.nbytes:
        # The block ends when no thread writes any more, also after an error.
        with ThreadPoolExecutor(import_module("dask.system").CPU_COUNT) as pool:
            da.store(result, target, lock=False, scheduler="threads", pool=pool)


def _first(chunks: Chunks) -> tuple[int, ...]:
    """Return the lengths of the first chunk, which are the longest."""
    return tuple([max(own[0], 1) for own in chunks])
