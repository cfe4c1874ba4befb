"""From a prepared call and arrays to a running kernel, in two ways: guarded and checked.

What a caller's array says of itself can change at any time, by another thread. Compiled code, the *guard*, compares the
arrays with what a call was prepared for, and moves them: small ones before anybody else can run. All that it does not
take is checked in Python, on views that nobody else has, while their memory is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy import empty, int64

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._fill_values import Element, encode_fill
from fastops._arrays._outputs import allocate, as_output, overlap_each_other, share_memory
from fastops._arrays._pins import pin
from fastops._arrays._plain_types import is_plain_number
from fastops._errors import AttributeValueError, OutputError
from fastops._execution._prepared_call import PreparedCall, prepare_plans
from fastops._geometry._geometry import whole_geometry
from fastops._runtime._kernels import load_entry, run_kernel, workers_in_compiled_code
from fastops.kernels._intrinsics._object_layout import is_as_expected
from fastops.kernels._tables._trace import DONE, ONLY_WITH_GIL, PREPARED


def execute_guarded(
    call: PreparedCall, source: Any, outs: tuple[Any, ...] | None, fill_value: object
) -> tuple[Any, ...] | None:
    """Write the outputs of a call into ``outs``, or into fresh arrays if they are small, and return them.

    ``source`` and ``outs`` may be anything. None is returned, and nothing is written, for what needs `execute_checked`.
    """
    if type(source) is tuple:
        # Which compiled code takes for an address, as tensors have theirs.
        return None
    if outs is None:
        if not call.keeps_gil:
            # The guard would be a second call of compiled code, beside the kernel.
            return None
        shapes, dtype = call.shapes, call.dtype
        outs = (empty(shapes[0], dtype),) if len(shapes) == 1 else tuple([empty(shape, dtype) for shape in shapes])
    fill = None
    if fill_value is not None:
        if type(fill_value) is not Element and not is_plain_number(fill_value):
            # What converts it may be code of the caller's.
            return None
        fill = _encode(call, fill_value)
    guard = call.guard
    if guard is None:
        return None
    run = _look or _load_look()
    if run is None:
        call.guard = None
        return None
    workers = ONLY_WITH_GIL if call.keeps_gil else workers_in_compiled_code(call.layout.total_bytes)
    outcome = run(outs, source, (), fill, guard.order, _scratch, _scratch, 0, workers)
    if outcome == DONE:
        return outs
    if outcome != PREPARED:
        return None
    _pinned = [pin(source), *[pin(out) for out in outs]]
    # They may have changed before that.
    outcome = run(outs, source, (), fill, guard.order, _scratch, _scratch, 0, ONLY_WITH_GIL)
    if outcome != PREPARED:
        return None
    own_fill = call.fill if fill is None else fill
    run_kernel("gather", call.layout.total_bytes, outs, source, call.table, own_fill)
    return outs


# A guard has no program, so that nothing is written there.
_scratch = empty(0, int64)


# The kernel that looks at the arrays of a call, once it is loaded.
_look: Callable[..., int] | None = None


def _load_look() -> Callable[..., int] | None:
    """Return the kernel that looks at the arrays of a call; None for none.

    It reads the fields of objects where NumPy and CPython have them. They are tried once; where they are not what they
    seem, there is no guard, and every call is checked in Python.
    """
    global _look
    if is_as_expected():
        _look = load_entry("gather_traced")
    return _look


def execute_checked(
    call: PreparedCall, source: AnyArray, outs: Sequence[Any] | None = None, fill_value: object = None
) -> tuple[Any, ...]:
    """Write the outputs of a call into ``outs``, or into fresh C-contiguous arrays, and return them.

    The call is one for ``source``, which is pinned, and a view that nobody else has (`as_source`).

    Raises
    ------
    OutputError
        An output cannot be allocated, or an array of ``outs`` cannot take it.
    DTypeError, AttributeValueError
        The fill value does not fit the source's type.
    """
    dtype = source.dtype
    if dtype.itemsize != call.layout.width:
        # `dtype.__setstate__` can change it.
        raise AttributeValueError.about("data", "keep its type during a call", dtype)
    call.adopt(dtype)
    fill = call.fill if fill_value is None else _encode(call, fill_value)
    if fill is None:
        # One for each that the call reads.
        fill = encode_fill(dtype, None).repeat(call.layout.fill_count)
    shapes = call.shapes
    if outs is None:
        results = tuple([allocate(shape, dtype) for shape in shapes])
        run_call(call, results, source, fill)
        return results
    names = ["out"] if len(shapes) == 1 else [f"out[{k}]" for k in range(len(shapes))]
    pinned = [as_output(out, shape, dtype, name) for out, shape, name in zip(outs, shapes, names, strict=True)]
    targets = tuple([target for target, _ in pinned])
    if len(targets) > 1 and overlap_each_other(targets):
        raise OutputError.about("out", "hold arrays that do not overlap each other", outs)
    if any([share_memory(target, source) for target in targets]):
        _run_apart(call, source, targets, fill)
    elif all([target.flags.c_contiguous for target in targets]):
        run_call(call, targets, source, fill)
    else:
        run_call(call.with_outputs(tuple([target.strides for target in targets])), targets, source, fill)
    return tuple(outs)


def _encode(call: PreparedCall, fill_value: object) -> AnyArray:
    """Return the fill values that a call reads, which are those of the caller's one value, or encoded already."""
    if type(fill_value) is not Element:
        return encode_fill(call.dtype, fill_value)
    # They were made for what data said it was, which another thread may have changed before the call was found.
    elements = fill_value.array
    if elements.dtype != call.dtype or elements.size < call.layout.fill_count:
        rule = "keep its shape, strides and type during a call"
        raise AttributeValueError.about("data", rule, call.layout.source_shape)
    return elements


def _run_apart(call: PreparedCall, source: AnyArray, targets: tuple[AnyArray, ...], fill: AnyArray) -> None:
    """Write fresh arrays, then copy them: for targets that share memory with the source."""
    results = tuple([allocate(target.shape, target.dtype) for target in targets])
    run_call(call, results, source, fill)
    for target, result in zip(targets, results, strict=True):
        copy_whole(result, target)


def copy_whole(source: AnyArray, out: Any = None) -> Any:
    """Return a C-contiguous copy of an array, or write it into ``out``; the source is as for `execute_checked`."""
    call = prepare_plans((whole_geometry(source.shape),), source.strides, source.dtype)
    return execute_checked(call, source, None if out is None else (out,))[0]


def run_call(call: PreparedCall, targets: tuple[AnyArray, ...], source: AnyArray, fill: AnyArray) -> None:
    """Write the outputs of a call, for arrays of its shapes, byte strides and type; nobody else has the targets."""
    layout = call.layout
    if layout.total_bytes:
        run_kernel("gather", layout.total_bytes, targets, source, call.table, fill)
