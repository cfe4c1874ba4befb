"""From a launch and arrays to a running kernel: everything is checked here, before the kernel is called.

What a caller's array says of itself can change at any time, by another thread or by a hook of an argument. So a launch
is made for what an array said once, and from there on only the launch counts. Most calls are prepared ones: compiled
code compares the arrays with the launch, and moves small ones before anybody else can run. All others hold the arrays,
which keeps NumPy from resizing them until the call is over, and compare them then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastops._arrays._dtypes import AnyArray, check_movable
from fastops._arrays._fill_values import Element, encode_fill, is_plain_fill
from fastops._arrays._outputs import MOST_AXES, allocate, check_out, overlap_each_other, share_memory
from fastops._arrays._pins import hold, hold_all
from fastops._errors import AttributeValueError, DTypeError, OutputError
from fastops._execution._prepared_call import ZEROS, Launch, check_span, guarded_kernels, prepare_launch
from fastops._execution._tables import NO_TABLE
from fastops._operators._call_cache import list_type
from fastops._plans._axis_map import AxisMap
from fastops._plans._slice_plan import SlicePlan
from fastops._process._signals import raise_of_handler
from fastops._runtime._kernels import compile_kernel, run_kernel


def as_source(
    op: str, data: ArrayLike, outs: tuple[Any, ...] = (), *, may_copy: bool = True
) -> tuple[AnyArray, list[Any]]:
    """Return data as a plain ndarray that can be moved, without subclass and mask, and what holds it and ``outs``."""
    holds = hold_all(op, data, outs)
    if type(data) is not np.ndarray:
        _check_lists(op, data)
        try:
            data = np.asarray(data) if may_copy else np.asarray(data, copy=False)
        except MemoryError as error:
            raise_of_handler(error)
            raise AttributeValueError(op, "data", "fit in memory as an array", data) from error
        except Exception as error:
            # __array__ and the like are the caller's code, and may raise anything.
            raise_of_handler(error)
            if not may_copy:
                rule = "be True or None for data that is no array in memory"
                raise AttributeValueError(op, "copy", rule, False) from error
            raise DTypeError(op, "data", "be an array, or nested lists of one shape", data) from error
        holds += hold(data)
    if data.dtype.hasobject or data.dtype.names is not None:
        check_movable(op, "data", data.dtype)
    check_span(op, data.shape, data.strides, data.itemsize)
    return data, holds


def _check_lists(op: str, data: Any) -> None:
    """Raise for lists that hold themselves or each other so often that NumPy would never have read them all."""
    n, depth, each = 1, 0, data
    while (kind := list_type(each)) is not None:
        try:
            n, depth, each = n * kind.__len__(each), depth + 1, kind.__getitem__(each, 0)
        except IndexError as error:
            raise_of_handler(error)
            # It is empty, or is by now.
            return
        if n > _MOST_LISTED or depth > MOST_AXES:
            rule = f"be nested lists of at most 2^31 elements and {MOST_AXES} axes"
            raise AttributeValueError(op, "data", rule, data)


# Lists of more elements than that would take minutes to be read, and 16 GiB for their own references.
_MOST_LISTED = 1 << 31


def run_fresh(op: str, launch: Launch, source: AnyArray, fill_value: object = None) -> Any:
    """Write the one output of a launch into a fresh C-contiguous array, and return it."""
    fill = launch.fill if fill_value is None else _encode_held(op, launch, fill_value, source)
    out = move_fresh(launch, source, fill)
    return _run_checked(op, launch, source, None, fill)[0] if out is None else out


def _encode_held(op: str, launch: Launch, fill_value: object, *arrays: Any) -> AnyArray:
    """Return a fill value's element, while arrays are held: what converts it may be code of the caller's."""
    if is_plain_fill(fill_value):
        return _encode(op, launch, fill_value)
    _held = [hold(array) for array in arrays]
    return _encode(op, launch, fill_value)


def _encode(op: str, launch: Launch, fill_value: object) -> AnyArray:
    """Return the fill values that a launch reads, which are those of the caller's one value, or encoded already."""
    if type(fill_value) is not Element:
        return encode_fill(op, launch.dtype, fill_value)
    # They were made for what data said it was, which another thread may have changed before the launch was found.
    elements = fill_value.array
    if elements.itemsize != launch.width or elements.size < launch.fills:
        raise AttributeValueError(op, "data", "keep its shape, strides and type during a call", launch.source_shape)
    return elements


def run_fresh_parts(op: str, launch: Launch, source: AnyArray) -> list[Any]:
    """Write every output of a launch into fresh C-contiguous arrays, and return them."""
    if launch.is_held:
        run = launch.run_guarded or load_guarded(launch)
        try:
            outs = tuple([np.empty(shape, launch.dtype) for shape in launch.shapes])
        except Exception as error:
            # Of any kind: as in `move_fresh`.
            raise_of_handler(error)
            return run_launch(op, launch, source)
        if run(outs, source, launch.table, launch.fill, launch.guard, 1):
            return list(outs)
    return run_launch(op, launch, source)


def run_into(op: str, launch: Launch, source: AnyArray, outs: tuple[Any, ...], fill_value: object = None) -> None:
    """Write every output of a launch into the caller's arrays."""
    fill = launch.fill if fill_value is None else _encode_held(op, launch, fill_value, source, *outs)
    if not move_into(launch, source, outs, fill):
        _run_checked(op, launch, source, outs, fill)
        if launch.run_guarded is None and launch.guard is not NO_TABLE:
            load_guarded(launch)


def move_fresh(launch: Launch, source: Any, fill: AnyArray | None) -> AnyArray | None:
    """Write the one output of a launch into a fresh array; None for what needs the checks of `run_launch`.

    ``source`` may be anything.
    """
    if launch.is_held:
        run = launch.run_guarded or load_guarded(launch)
        try:
            out = np.empty(launch.shape, launch.dtype)
        except Exception as error:
            # Of any kind: the checked path fails as well, and says so in our words, or gets the memory that was kept.
            raise_of_handler(error)
            return None
        return out if run((out,), source, launch.table, fill, launch.guard, 1) else None
    if launch.guard is NO_TABLE or fill is None or type(source) is not np.ndarray:
        return None
    _held = hold(source)
    if not launch.takes(source):
        return None
    try:
        out = allocate("launch", launch.shape, launch.dtype)
    except OutputError:
        return None
    run_kernel("gather", launch.needs, launch.total_bytes, (out,), source, launch.table, fill)
    return out


def move_into(launch: Launch, source: Any, outs: tuple[Any, ...], fill: AnyArray | None) -> bool:
    """Write the outputs of a launch; False, and nothing is written, for what needs the checks of `run_launch`.

    ``source`` and ``outs`` may be anything.
    """
    run = launch.run_guarded
    if launch.is_held:
        run = run or load_guarded(launch)
        return run(outs, source, launch.table, fill, launch.guard, 1)
    if run is None:
        # Large launches load it behind their first call.
        return False
    _held = [hold(array) for array in (source, *outs)]
    if not run(outs, source, launch.table, fill, launch.guard, 0):
        return False
    run_kernel("gather", launch.needs, launch.total_bytes, outs, source, launch.table, fill)
    return True


def load_guarded(launch: Launch) -> Callable[..., bool]:
    """Return the guarded kernel for a launch with a guard, and let it keep it."""
    run: Callable[..., bool] = compile_kernel("gather_guarded", launch.needs).run
    launch.run_guarded = guarded_kernels[launch.needs] = run
    return run


def run_launch(
    op: str, launch: Launch, source: AnyArray, outs: Sequence[Any] | None = None, fill_value: object = None
) -> list[Any]:
    """Write every output of a launch into ``outs``, or into fresh C-contiguous arrays, and return them.

    Raises
    ------
    OutputError
        An output cannot be allocated, or an array of ``outs`` cannot take it.
    DTypeError, AttributeValueError
        The fill value does not fit the source's type.
    """
    fill = launch.fill if fill_value is None else _encode(op, launch, fill_value)
    return _run_checked(op, launch, source, outs, fill)


def _run_checked(
    op: str, launch: Launch, source: AnyArray, outs: Sequence[Any] | None, fill: AnyArray | None
) -> list[Any]:
    """Hold and check all arrays, then do what `run_launch` does; None as the fill stands for no fill value."""
    if fill is None:
        fill = encode_fill(op, launch.dtype, None)
    _held = hold(source)
    dtype = launch.check_source(op, source)
    if dtype is not launch.dtype:
        launch.adopt(dtype)
    if outs is None:
        results = [allocate(op, shape, dtype) for shape in launch.shapes]
        _run(launch, tuple(results), source, fill)
        return results
    _held_outs = [hold(out) for out in outs]
    targets = tuple([check_out(op, out, shape, dtype) for out, shape in zip(outs, launch.shapes, strict=True)])
    if len(targets) > 1 and overlap_each_other(targets):
        raise OutputError(op, "out", "hold arrays that do not overlap each other", outs)
    is_contiguous = True
    for target in targets:
        if share_memory(target, source):
            _run_apart(op, launch, source, targets, fill)
            return list(outs)
        is_contiguous = is_contiguous and target.flags.c_contiguous
    if not is_contiguous:
        launch = launch.with_outputs(tuple([target.strides for target in targets]))
    _run(launch, targets, source, fill)
    return list(outs)


def _run_apart(op: str, launch: Launch, source: AnyArray, targets: tuple[AnyArray, ...], fill: AnyArray) -> None:
    """Write fresh arrays, then copy them: for targets that share memory with the source."""
    results = tuple([allocate(op, target.shape, target.dtype) for target in targets])
    _run(launch, results, source, fill)
    for target, result in zip(targets, results, strict=True):
        whole = SlicePlan.create([AxisMap.whole(extent) for extent in result.shape])
        _run(prepare_launch((whole,), result.strides, result.dtype, (target.strides,)), (target,), result, ZEROS)


def _run(launch: Launch, targets: tuple[AnyArray, ...], source: AnyArray, fill: AnyArray) -> None:
    if launch.total_bytes:
        run_kernel("gather", launch.needs, launch.total_bytes, targets, source, launch.table, fill)
