"""The speed of the memory: the fastest ways known to copy, and to fill, so many bytes with so many threads.

The limit of a case is the copy of as many bytes as it must touch, read plus written: half of them are copied to the
other half. The limit of a range is the fill of its bytes. Several ways are timed, and the fastest is the limit: memcpy,
or a loop of stores, by all threads; stores past the caches by all threads, which are faster for data larger than the
caches; NumPy.
"""

# The compiler calls intrinsics with contexts and builders of Numba and llvmlite, which carry no types, and kernels call
# intrinsics without the first parameter of their definitions.
# mypy: disable-error-code="no-untyped-call, call-arg"
# ruff: noqa: ARG001

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, prange, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

LINE_BYTES = 64

_BYTE, _LANE = ir.IntType(8), ir.IntType(32)
_VECTOR = ir.VectorType(_LANE, LINE_BYTES // 4)
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")

Bytes = NDArray[np.uint8]


def copies(total_bytes: int, threads: int) -> dict[str, Callable[[], object]]:
    """Return copies that touch ``total_bytes``, by name; each moves half of them from one buffer to another."""
    # Not np.zeros: its pages would be one page of zeros until they are written.
    source, target = np.full(total_bytes // 2, 1, np.uint8), np.full(total_bytes // 2, 2, np.uint8)
    return {
        "parallel memcpy": lambda: parallel_copy(target, source, threads),
        "parallel streaming copy": lambda: streaming_copy(target, source, threads),
        "np.copyto": lambda: np.copyto(target, source),
    }


def fills(total_bytes: int, threads: int) -> dict[str, Callable[[], object]]:
    """Return fills that write ``total_bytes``, by name."""
    target = np.full(total_bytes, 2, np.uint8)
    return {"parallel memset": lambda: parallel_fill(target, 7, threads), "ndarray.fill": lambda: target.fill(7)}


def _address(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    """Emit the address of byte ``offset`` of an array of bytes."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, value=array).data
    return builder.gep(builder.bitcast(data, _BYTE.as_pointer()), [offset])


@intrinsic
def _copy_part(typingctx: Any, target: Any, source: Any, first: Any, count: Any) -> Any:
    """Copy bytes ``first : first + count`` by the C library's memcpy."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to = _address(context, builder, target, args[0], args[2])
        cgutils.raw_memcpy(builder, to, _address(context, builder, source, args[1], args[2]), args[3], itemsize=1)
        return context.get_dummy_value()

    return types.void(target, source, types.intp, types.intp), codegen


@intrinsic
def _stream_line(typingctx: Any, target: Any, source: Any, offset: Any) -> Any:
    """Copy the 64 bytes at ``offset``, where the target is aligned."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = _address(context, builder, source, args[1], args[2])
        vector = builder.load(builder.bitcast(at, _VECTOR.as_pointer()), align=1)
        address = builder.bitcast(_address(context, builder, target, args[0], args[2]), _VECTOR.as_pointer())
        # The line goes to memory without being read into the cache first.
        store = builder.store(vector, address, align=LINE_BYTES)
        store.set_metadata("nontemporal", builder.module.add_metadata([_LANE(1)]))
        return context.get_dummy_value()

    return types.void(target, source, types.intp), codegen


@intrinsic
def _finish_streaming(typingctx: Any) -> Any:
    """Wait until other threads can see streaming stores, which are not ordered with other stores."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _IS_X86:
            fence = builder.module.declare_intrinsic("llvm.x86.sse.sfence", (), ir.FunctionType(ir.VoidType(), ()))
            builder.call(fence, ())
        else:
            builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


def _compiled(**options: bool) -> Callable[[Any], Any]:
    """Return the decorator of functions that Numba compiles, and keeps on disk where it can."""

    def decorate(function: Any) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:
            # There is no directory that it may write to.
            return njit(**options)(function)

    return decorate


@_compiled(nogil=True)
def _lead(target: Bytes) -> int:
    """Return the bytes before the first aligned line, all of them if there is none."""
    return min(-target.ctypes.data % LINE_BYTES, target.size)


@_compiled(parallel=True, nogil=True)
def parallel_copy(target: Bytes, source: Bytes, workers: int) -> None:
    """Copy all bytes, an equal part for each worker."""
    n = target.size
    for w in prange(workers):
        first, last = n * w // workers, n * (w + 1) // workers
        _copy_part(target, source, first, last - first)


@_compiled(parallel=True, nogil=True)
def streaming_copy(target: Bytes, source: Bytes, workers: int) -> None:
    """Copy all bytes, whole lines of the target by streaming stores."""
    lead = _lead(target)
    lines = (target.size - lead) // LINE_BYTES
    tail = lead + lines * LINE_BYTES
    for w in prange(workers):
        for i in range(lines * w // workers, lines * (w + 1) // workers):
            _stream_line(target, source, lead + LINE_BYTES * i)
        _finish_streaming()
    _copy_part(target, source, 0, lead)
    _copy_part(target, source, tail, target.size - tail)


@_compiled(parallel=True, nogil=True)
def parallel_fill(target: Bytes, value: int, workers: int) -> None:
    """Fill all bytes, an equal part for each worker."""
    n = target.size
    for w in prange(workers):
        first, last = n * w // workers, n * (w + 1) // workers
        target[first:last] = value
