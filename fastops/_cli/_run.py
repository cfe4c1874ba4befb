"""`fastops run`: apply an operator or a stored plan to an array in a file, and write arrays that may exceed memory.

Files are .npy or zarr. Outputs are staged: written to a temporary directory, and moved when all are complete.
"""

from __future__ import annotations

import inspect
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType, check_movable
from fastops._arrays._fill_values import Element, encode_fills
from fastops._arrays._outputs import too_large
from fastops._cli import _flags as flags
from fastops._cli._flags import LineParser
from fastops._errors import AttributeValueError, FastopsError, KernelError, errors_of, shown
from fastops._geometry._blocks import regular_lengths
from fastops._geometry._planned_output import PlannedOutput, source_axes
from fastops._interop._layer import check_regular_file, import_extra
from fastops._lowering._windows import lowering_of
from fastops.plan._slice_plan import SlicePlan

_IN_HELP = ".npy file, mapped into memory, or directory of a zarr array"
_OUT_HELP = "file to write; a zarr array if it ends in .zarr; x-0.npy ... for parts of a split"
_FILL_HELP = "value of outputs that read nothing of IN (default: 0); hex bytes for data of void dtype"
# Errors that say themselves what is wrong.
_PASSED_ON = (FastopsError, KernelError, ImportError, MemoryError, OSError)

# Functions that read a fill value from text, by the kind of the dtype; NumPy reads all other kinds.
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
        text = f"{flags.operators_of('run')}\nRanges read no array, so run takes none. run plan runs a stored plan."
        LineParser("run", usage=usage, epilog=text).parse_args(argv)
    if argv[:1] == ["plan"]:
        return _run_operator("plan", None, argv[1:])
    op, function, rest = flags.find_operator("run", argv)
    if flags.shape_name_of(function) is None:
        raise AttributeValueError("run", "OP", "read an array, which ranges do not", op)
    return _run_operator(op, function, rest)


def _run_operator(op: str, function: Callable[..., Any] | None, argv: Sequence[str]) -> int:
    text = f"Write {op} of IN to OUT, which appears when it is complete; an existing OUT is replaced."
    parser = LineParser(op, prog=f"fastops run {op.replace('.', ' ')}", description=text, epilog=flags.VALUES)
    parser.add_argument("-o", "--output", dest="OUT", required=True, help=_OUT_HELP)
    parser.add_argument("IN", help=_IN_HELP)
    parser.add_argument("--fill-value", dest="FILL", metavar="VALUE", help=_FILL_HELP)
    if function is None:
        parser.add_argument("--plan", dest="PLAN", metavar="FILE", required=True, help="file with a plan in JSON")
    else:
        flags.add_flags(parser, function, but=flags.shape_name_of(function))
    args = parser.parse_args(argv)
    # Completion in shells adds a slash to the names of directories.
    output = args.OUT.rstrip(os.sep) if args.OUT.rstrip(os.sep).endswith(".zarr") else args.OUT
    if os.path.splitext(output)[1] not in ("", ".npy", ".zarr"):
        raise AttributeValueError(op, "output", "end in .npy or .zarr, or have no suffix", output)
    with errors_of(op, {}):
        source = _open_array(op, "IN", args.IN)
        check_movable("IN", source.dtype)
        targets = [output]
        if function is None:
            outputs = [_read_plan(args.PLAN, source.shape)]
        else:
            outputs = _lower(function, source.shape, flags.read_flags(function, args))
            if lowering_of(function).has_parts:
                stem, suffix = os.path.splitext(output)
                targets = [f"{stem}-{i}{suffix}" for i in range(len(outputs))]
        fill = _read_fill(args.FILL, outputs, source.dtype)
        with _staged(op, targets) as paths:
            try:
                for path, each in zip(paths, outputs, strict=True):
                    if output.endswith(".zarr"):
                        _write_zarr(op, source, each, fill, path)
                    else:
                        _write_npy(source, each, fill, path)
            except Exception as error:
                if isinstance(error, _PASSED_ON) or isinstance(source, np.ndarray):
                    raise
                # A chunk is damaged: each codec raises exceptions of its own.
                raise AttributeValueError.about("IN", "be a zarr array that can be read", _reason_of(error)) from error
    for target, each in zip(targets, outputs, strict=True):
        print(f"{target if target.isprintable() else shown(target)}: shape {each.shape}, {source.dtype}")
    return 0


# --- Plans and values -----------------------------------------------------------------------------------------------


def _lower(function: Callable[..., Any], shape: tuple[int, ...], values: dict[str, Any]) -> list[PlannedOutput]:
    """Return the outputs of an operator for data of a shape; ``function`` returns the operator's plans."""
    # This call raises errors that name the caller's arguments.
    function(shape, **values)
    lowering, parameters = lowering_of(function), inspect.signature(function).parameters
    written = [values.get(name, parameters[name].default) for name in lowering.names]
    outputs = lowering.outputs(shape, lowering.read(written))
    if len(shape) != 1 and [output.source_shape for output in outputs] == [(prod(shape),)]:
        # A roll of flattened data would need all of it in memory.
        raise AttributeValueError.about("axis", "be given for a file of more than one axis", None)
    if outputs[0].split_shape is not None:
        raise AttributeValueError.about("padding", "be 0 for a file", values["padding"])
    return outputs


def _read_plan(path: str, shape: tuple[int, ...]) -> PlannedOutput:
    check_regular_file("plan", "plan", path)
    made = SlicePlan.from_json(Path(path).read_bytes())
    if shape != made.source_shape:
        raise AttributeValueError("plan", "IN", f"have shape {made.source_shape}, the plan's source_shape", shape)
    return PlannedOutput.of_geometry(made.geometry)


def _read_fill(text: str | None, outputs: Sequence[PlannedOutput], dtype: AnyDType) -> Element:
    """Return the fill values of all slots in the data's type."""
    fills, value = max([output.fills for output in outputs], default=0), None
    if text is not None:
        if fills == 0:
            rule = "be given only if an output needs it: all outputs of this call read IN"
            raise AttributeValueError.about("fill_value", rule, text)
        try:
            read = _FILL_READERS.get(dtype.kind)
            value = np.array(text).astype(dtype)[()] if read is None else read(text)
        except (ValueError, KeyError, OverflowError) as error:
            rule = "be hex bytes, as c03f" if dtype.kind == "V" else f"be a value of dtype {dtype}"
            raise AttributeValueError.about("fill_value", rule, text) from error
    return encode_fills(dtype, fills, value)


# --- Reading and writing --------------------------------------------------------------------------------------------


def _open_array(op: str, attribute: str, path: str) -> Any:
    """Return the array in a file, mapped into memory, or the zarr array in a directory."""
    is_zarr = path.rstrip(os.sep).endswith(".zarr") or os.path.isdir(path)
    zarr: Any = import_extra(op, "zarr", "zarr") if is_zarr else None
    if not is_zarr:
        check_regular_file(op, attribute, path)
    try:
        return zarr.open_array(path, mode="r") if is_zarr else _map_npy(path)
    except Exception as error:
        # NumPy and zarr parse headers and metadata as text; damaged ones raise any exception of the parser.
        rule = "be the directory of a zarr array" if is_zarr else "be a readable .npy file, or a directory of zarr"
        raise AttributeValueError(op, attribute, f"{rule} ({_reason_of(error)})", path) from error


def _map_npy(path: str) -> AnyArray:
    headers: Any = np.lib.format
    with open(path, "rb") as file:
        # Headers of version 3 are those of version 2 in another encoding.
        read = headers.read_array_header_1_0 if headers.read_magic(file) == (1, 0) else headers.read_array_header_2_0
        shape, _, dtype = read(file)
    # If an array has no bytes, NumPy may divide by zero when it maps the file, which ends the process.
    has_bytes = prod(shape) * dtype.itemsize != 0
    return np.load(path, mmap_mode="r" if has_bytes else None, allow_pickle=False)


def _write_npy(source: Any, output: PlannedOutput, fill: Element, path: Path) -> None:
    """Write an output into a new file that is mapped into memory."""
    shape, dtype = output.shape, source.dtype
    try:
        # This raises for shapes that no array has: NumPy would compute the length of their files modulo 2^64.
        np.broadcast_to(np.empty((), dtype), shape)
        mapped = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    except ValueError as error:
        raise too_large(shape, dtype) from error
    if hasattr(os, "posix_fallocate"):
        # Without this, a full disk ends the process when a mapped page is written.
        with open(path, "r+b") as file:
            os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)
    import_module("fastops._execution._planned_kind").gather(output, source, np.asarray(mapped), fill)
    mapped.flush()


def _write_zarr(op: str, source: Any, output: PlannedOutput, fill: Element, path: Path) -> None:
    """Write an output by threads of dask; each writes whole chunks, or whole shards if the source has shards."""
    da, zarr = import_extra(op, "dask.array", "dask"), import_extra(op, "zarr", "zarr")
    dask_kind = import_module("fastops._execution._dask_kind")
    shards, own_chunks = getattr(source, "shards", None), getattr(source, "chunks", None)
    # An array whose elements have no bytes is read as one chunk. With name=True, dask would read the whole file to
    # compute a name.
    read = shards or own_chunks or ("auto" if source.dtype.itemsize else -1)
    array = da.from_array(source, chunks=read, name=False)
    within = tuple(map(regular_lengths, source.shape, source.chunks)) if shards else array.chunks
    found = [output.default_chunks(chunks, source.dtype.itemsize) for chunks in (within, array.chunks)]
    # The first chunk is the longest.
    lengths, longest = [tuple([max(own[0], 1) for own in each]) for each in found]
    block = tuple([max(n // length, 1) * length for n, length in zip(longest, lengths, strict=True)])
    options = {} if isinstance(source, np.ndarray) else _options_like(source, output)
    options |= {"shards": block if shards else None, "config": {"write_empty_chunks": True}}
    try:
        # By default, zarr leaves out chunks that equal its fill value, but -0.0 and 0.0 are equal and have different
        # bytes.
        target = zarr.create_array(str(path), shape=output.shape, chunks=lengths, dtype=source.dtype, **options)
    except (ValueError, TypeError) as error:
        raise AttributeValueError.about("the output", "have a type that zarr stores", _reason_of(error)) from error
    result = dask_kind.apply_output(output, array, fill, block)
    # The with statement waits until all threads have stopped writing, also after an error.
    with ThreadPoolExecutor(import_module("dask.system").CPU_COUNT) as pool:
        da.store(result, target, lock=False, scheduler="threads", pool=pool)


def _options_like(source: Any, output: PlannedOutput) -> dict[str, Any]:
    """Return the options of `zarr.create_array` for an output with the format, codecs and attributes of an array."""
    is_v3 = source.metadata.zarr_format == 3
    names = source.metadata.dimension_names if is_v3 else None
    axes, attributes = source_axes(output), dict(source.attrs)
    # In format 2, xarray writes the names of axes here.
    listed = attributes.pop("_ARRAY_DIMENSIONS", None)
    if isinstance(listed, list) and len(listed) == source.ndim and None not in axes:
        attributes["_ARRAY_DIMENSIONS"] = [listed[k] for k in axes if k is not None]
    return {
        "zarr_format": source.metadata.zarr_format,
        "attributes": attributes,
        "fill_value": source.fill_value,
        # Leave out codecs that transpose another number of axes.
        "filters": [each for each in source.filters if len(getattr(each, "order", axes)) == len(axes)] or None,
        "compressors": source.compressors or None,
        "serializer": source.serializer if is_v3 else "auto",
        "dimension_names": names and [None if k is None else names[k] for k in axes],
    }


# --- Staging --------------------------------------------------------------------------------------------------------


@contextmanager
def _staged(op: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Give a path to write for each target; after the block, move the files into place unless the block has raised.

    The files are written beside the first target, in a directory that only this user can read. Links are followed, and
    a new file gets the permissions of the file that it replaces.
    """
    for target in targets:
        if not os.path.basename(target):
            raise AttributeValueError(op, "output", "be the path of a file", target)
        if not os.path.isdir(os.path.dirname(os.path.realpath(target))):
            raise AttributeValueError(op, "output", "be in a directory that exists", target)
        if not target.endswith(".zarr"):
            check_regular_file(op, "output", target)
        elif os.path.exists(target):
            # This raises if the directory holds no zarr array, so only arrays are replaced.
            _open_array(op, "output", target)
    places = [Path(os.path.realpath(target)) for target in targets]
    with TemporaryDirectory(prefix=".fastops-", dir=places[0].parent) as directory:
        paths = [Path(directory, f"{i}") for i in range(len(places))]
        yield paths
        for path, place in zip(paths, places, strict=True):
            if place.exists():
                shutil.copymode(place, path)
        for path, place in zip(paths, places, strict=True):
            _put_in_place(path, place)


def _put_in_place(path: Path, place: Path) -> None:
    # No system call replaces a directory that has files. The old one is removed with the directory of staged files.
    old = path.with_suffix(".old")
    if place.is_dir():
        os.rename(place, old)
    try:
        os.replace(path, place)
    except BaseException:
        if old.exists():
            os.rename(old, place)
        raise


def _reason_of(error: Exception) -> str:
    """Return the text of an exception as a part of a line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())[:120] or type(error).__name__
