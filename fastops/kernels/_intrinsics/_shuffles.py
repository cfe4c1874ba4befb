"""Variable shuffles: vectors of 16 bytes made of windows of the source, as a shuffle program says.

What `kernels/_planes.py` runs: `_shuffle_program` has made the lanes, so that one loop serves pixels of any kind.
"""

# The compiler calls these functions with the contexts and builders of Numba and llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import as_pointers
from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._target import has_shuffle
from fastops.kernels._intrinsics._types import BYTE, WORD
from fastops.kernels._tables._gather import FEWEST_SHARED_WINDOWS, MOST_WINDOWS, SHARED_WINDOWS, WINDOW_COLUMNS

_INT32 = ir.IntType(32)
_BYTES = ir.VectorType(BYTE, 16)

# Vectors of a group and windows of a vector, for which there is a loop. Windows that all vectors share are loaded once:
# a load for each vector would take more addresses than there are registers. Planes of 3 channels take 0.6 of the time.
_SHUFFLED_GROUPS = (
    *((1, windows) for windows in range(1, MOST_WINDOWS + 1)),
    *((3, windows) for windows in range(1, FEWEST_SHARED_WINDOWS)),
    *((vectors, windows) for vectors, shared in SHARED_WINDOWS.items() for windows in shared),
)

# Instructions that shuffle 16 bytes by 16 lanes and give 0 for a lane from 128 on, and LLVM's names of them.
_SHUFFLES = {"pshufb": "llvm.x86.ssse3.pshuf.b.128", "tbl": "llvm.aarch64.neon.tbl1.v16i8"}


@intrinsic
def shuffle_vectors(typingctx, dst, dst_pitch, src, src_pitch, n, entries, vectors, windows, ahead, rows):
    """Write rows of n groups of vectors of 16 bytes, each shuffled from 1 to 4 windows of 16 bytes of the source.

    Groups lie dst_pitch bytes apart; the source moves on by src_pitch from group to group. entries points at the
    vectors of a group in the table (`_tables._gather.PROGRAM_ENTRIES`), of which there are 1, 3 or 4.
    Each has its offset in the output, and for each window an offset in the source and 16 lanes, 0..15 or, for a byte
    that it has not, 128. Meanwhile as much is prefetched from `ahead` on as the source moves on. rows are how many, and
    the bytes from one to the next in the output and in the source: the lanes are loaded once for all of them.
    """

    def codegen(context, builder, signature, args):
        pointers = as_pointers(builder, signature, args)
        dst, dst_pitch, src, src_pitch, n, entries, vectors, windows, ahead, rows = pointers
        n_rows, dst_row_pitch, src_row_pitch = [builder.extract_value(rows, i) for i in range(3)]
        shuffle = _choose_shuffle(context)
        for n_vectors, n_windows in _SHUFFLED_GROUPS:
            is_this = builder.and_(
                builder.icmp_signed("==", vectors, WORD(n_vectors)), builder.icmp_signed("==", windows, WORD(n_windows))
            )
            with builder.if_then(is_this):
                words = 1 + WINDOW_COLUMNS * n_windows
                group = [entries.at(8 * words * k) for k in range(n_vectors)]
                group = [_Vector.load(builder, dst, src, entry, n_windows, shuffle) for entry in group]
                if n_vectors > 1 and n_windows >= FEWEST_SHARED_WINDOWS:
                    sources = group[0].sources
                    group = [vector._replace(sources=sources) for vector in group]
                # Groups of 3 move on by 96 bytes as a rule, or less.
                lines = [WORD(0)] if n_vectors == 1 else [WORD(0), builder.ashr(src_pitch, WORD(1))]
                lines = [ahead.at(line) for line in lines]
                with emit_loop(builder, n_rows) as row, emit_loop(builder, n) as i:
                    offset = builder.add(builder.mul(row, src_row_pitch), builder.mul(i, src_pitch))
                    for line in lines:
                        line.at(offset).prefetch()
                    # All loads come before the stores: where source and output agree in the low bits of their
                    # addresses, a load has to wait for the stores before it.
                    loads: dict[int, Any] = {}
                    made = [vector.make(builder, offset, loads) for vector in group]
                    to = builder.add(builder.mul(row, dst_row_pitch), builder.mul(i, dst_pitch))
                    for vector, value in zip(group, made, strict=True):
                        vector.dst.at(to).store(value)
        return context.get_dummy_value()

    kinds = (dst, types.intp, src, types.intp, types.intp, entries, types.intp, types.intp, ahead, rows)
    return types.void(*kinds), codegen


class _Vector(NamedTuple):
    """A vector of a group: where it goes, and for each window its source and the shuffle of what lies there."""

    dst: Any
    sources: list[Any]
    picks: list[Any]

    @classmethod
    def load(cls, builder, dst, src, entry, n_windows, shuffle):
        """Return a vector of the table."""
        columns = [entry.at(8 + 8 * WINDOW_COLUMNS * window) for window in range(n_windows)]
        sources = [src.at(column.load(WORD, align=8)) for column in columns]
        picks = [shuffle(builder, column.at(8).load(_BYTES)) for column in columns]
        return cls(dst.at(entry.load(WORD, align=8)), sources, picks)

    def make(self, builder, offset, loads):
        """The 16 bytes, from windows that have moved on by an offset; `loads` are those of other vectors before."""
        parts = []
        for source, pick in zip(self.sources, self.picks, strict=True):
            if id(source) not in loads:
                loads[id(source)] = source.at(offset).load(_BYTES)
            parts.append(pick(loads[id(source)]))
        return reduce(builder.or_, parts)


def _choose_shuffle(context):
    """What makes a shuffle of 16 lanes: the CPU's instruction if there is one."""
    for instruction, name in _SHUFFLES.items():
        if has_shuffle(context, instruction, 16):
            return partial(_shuffle_at_once, name)
    return _shuffle_by_lanes


def _shuffle_at_once(name, builder, lanes):
    """The shuffle of 16 bytes by lanes, as one instruction."""
    function = builder.module.declare_intrinsic(name, (), ir.FunctionType(_BYTES, [_BYTES, _BYTES]))
    return lambda source: builder.call(function, [source, lanes])


def _shuffle_by_lanes(builder, lanes):
    """The shuffle of 16 bytes by lanes, lane by lane."""
    zero = ir.Constant(_BYTES, [BYTE(0)] * 16)
    has = builder.sext(builder.icmp_signed(">=", lanes, zero), _BYTES)
    within = builder.and_(lanes, ir.Constant(_BYTES, [BYTE(15)] * 16))

    def shuffle(source):
        picked = ir.Constant(_BYTES, ir.Undefined)
        for i in range(16):
            lane = builder.zext(builder.extract_element(within, _INT32(i)), _INT32)
            picked = builder.insert_element(picked, builder.extract_element(source, lane), _INT32(i))
        return builder.and_(picked, has)

    return shuffle
