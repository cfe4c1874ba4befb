"""Variable shuffles: vectors made of bytes of the source by lanes that the scheduler has computed.

`kernels/_planes.py` runs them for shuffle programs (`_tables._gather`): the lanes are data, so one loop serves tuples
of any kind. Every processor makes vectors of 16 bytes from windows of 16 bytes of the source, each by one shuffle and
an OR. AVX-512 VBMI permutes single bytes: one instruction makes a line from one or two
lines of the source. Masks limit the loads and stores, so no other byte is touched. Code for other processors has no
permutes.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from contextlib import contextmanager
from functools import reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types

from fastops.kernels._intrinsics._access import call_function, emit_loop, emitted
from fastops.kernels._intrinsics._outlined import BYTE, INT32, WORD, byte_pointer, features, numbers_type
from fastops.kernels._intrinsics._vectors import LINE_BYTES, pick_lanes, rows_type, splat
from fastops.kernels._tables import _gather as g

_BYTES, _LINE = ir.VectorType(BYTE, g.VECTOR_BYTES), ir.VectorType(BYTE, LINE_BYTES)


class Groups(NamedTuple):
    """Groups at equal distances. The last group ends with the row and may overlap the group before it.

    So one pass over groups moves a row of any length that has room for a group.
    """

    count: Any
    dst_pitch: Any  # from one group to the next in the output
    src_pitch: Any  # the same in the source
    last_dst: Any  # from the first group to the last one in the output
    last_src: Any  # the same in the source

    @classmethod
    def of(cls, builder, value):
        """Return the fields of an argument that is Groups, in LLVM's code."""
        return cls(*[builder.extract_value(value, i) for i in range(len(cls._fields))])

    @contextmanager
    def emit_each(self, builder):
        """Emit the body of the context as a loop over all groups; give the offsets of each in output and source.

        The body is emitted once, in a loop that runs a second time for a last group that overlaps. When the place of
        each group was chosen within the inner loop, planes of three channels took 1.4 times as long.
        """
        before = builder.sub(self.count, WORD(1))
        is_even = builder.icmp_signed("==", self.last_dst, builder.mul(before, self.dst_pitch))
        with emit_loop(builder, builder.select(is_even, WORD(1), WORD(2))) as k:
            is_last = builder.icmp_signed("!=", k, WORD(0))
            to, source = [builder.select(is_last, last, WORD(0)) for last in (self.last_dst, self.last_src)]
            evenly = builder.select(is_even, self.count, before)
            with emit_loop(builder, builder.select(is_last, WORD(1), evenly)) as i:
                yield (
                    builder.add(to, builder.mul(i, self.dst_pitch)),
                    builder.add(source, builder.mul(i, self.src_pitch)),
                )


groups_type = numbers_type(Groups)

#: The numbers of vectors that one loop makes, and of windows of each; no program has other numbers. Windows that all
#: vectors share are loaded once: with a load for each vector, the addresses would not fit the registers. With shared
#: windows, planes of 3 channels take 0.6 of the time.
SHUFFLED_GROUPS = (
    *((1, windows) for windows in range(1, g.MOST_WINDOWS + 1)),
    *((3, windows) for windows in range(1, g.FEWEST_SHARED_WINDOWS)),
    *((vectors, windows) for vectors, shared in g.SHARED_WINDOWS.items() for windows in shared),
)

# Features of processors, with LLVM's name of the instruction that shuffles 16 bytes by 16 lanes and gives 0 for a lane
# from 128 on.
_SHUFFLES = {"ssse3": "llvm.x86.ssse3.pshuf.b.128", "neon": "llvm.aarch64.neon.tbl1.v16i8"}


@emitted(types.void(*(byte_pointer,) * 2, groups_type, byte_pointer, *(types.intp,) * 2, byte_pointer, rows_type))
def shuffle_vectors(builder, dst, src, groups, entries, vectors, windows, ahead, rows):
    """Write rows of groups of vectors of 16 bytes, each shuffled from 1 to 4 windows of 16 bytes of the source.

    `entries` points at 1, 3 or 4 vectors of a group in the table (`_tables._gather.PROGRAM_ENTRIES`): for each its
    offset in the output, then for each window an offset in the source and 16 lanes, 0..15 or 128 for a byte of another
    window. Lanes are loaded once for all rows. Prefetches from `ahead` on as the source moves on.
    """
    groups = Groups.of(builder, groups)
    n_rows, dst_row_pitch, src_row_pitch = [builder.extract_value(rows, i) for i in range(3)]
    for n_vectors, n_windows in SHUFFLED_GROUPS:
        is_this = builder.and_(
            builder.icmp_signed("==", vectors, WORD(n_vectors)), builder.icmp_signed("==", windows, WORD(n_windows))
        )
        with builder.if_then(is_this):
            words = 1 + g.WINDOW_COLUMNS * n_windows
            group = [_Vector.load(dst, src, entries.at(8 * words * k), n_windows) for k in range(n_vectors)]
            if n_vectors > 1 and n_windows >= g.FEWEST_SHARED_WINDOWS:
                group = [vector._replace(sources=group[0].sources) for vector in group]
            # Groups of 3 vectors usually move on by 96 bytes or less.
            lines = [WORD(0)] if n_vectors == 1 else [WORD(0), builder.ashr(groups.src_pitch, WORD(1))]
            near = [ahead.at(line) for line in lines]
            with emit_loop(builder, n_rows) as row:
                row_dst, row_src = builder.mul(row, dst_row_pitch), builder.mul(row, src_row_pitch)
                with groups.emit_each(builder) as (to, source):
                    _move_group(builder, group, near, builder.add(row_dst, to), builder.add(row_src, source))


class _Vector(NamedTuple):
    """A vector of a group: where it goes, and for each window its source and its lanes."""

    dst: Any
    sources: list[Any]
    lanes: list[Any]

    @classmethod
    def load(cls, dst, src, entry, n_windows):
        """Return a vector of the table."""
        columns = [entry.at(8 + 8 * g.WINDOW_COLUMNS * window) for window in range(n_windows)]
        sources = [src.at(column.load(WORD, align=8)) for column in columns]
        return cls(dst.at(entry.load(WORD, align=8)), sources, [column.at(8).load(_BYTES) for column in columns])


def _move_group(builder, group, ahead, to, source):
    """Move the vectors of a group to an offset of the output, from an offset of the source, and prefetch from there."""
    for line in ahead:
        line.at(source).prefetch()
    loads: dict[int, Any] = {}
    made = []
    # All loads come before the stores: where source and output agree in the low bits of their addresses, a load
    # waits for the stores before it.
    for vector in group:
        parts = []
        for window, lanes in zip(vector.sources, vector.lanes, strict=True):
            if id(window) not in loads:
                loads[id(window)] = window.at(source).load(_BYTES)
            parts.append(_shuffle(builder, loads[id(window)], lanes))
        made.append(reduce(builder.or_, parts))
    for vector, value in zip(group, made, strict=True):
        vector.dst.at(to).store(value)


def _shuffle(builder, source, lanes):
    """Return 16 bytes shuffled by 16 lanes: by the processor's instruction if it has one."""
    names = [name for feature, name in _SHUFFLES.items() if feature in features()]
    if names:
        return call_function(builder, names[0], lanes.type, source, lanes)
    has = builder.sext(builder.icmp_signed(">=", lanes, ir.Constant(_BYTES, None)), _BYTES)
    within = builder.and_(lanes, ir.Constant(_BYTES, [BYTE(15)] * g.VECTOR_BYTES))
    picked = ir.Constant(_BYTES, ir.Undefined)
    for i in range(g.VECTOR_BYTES):
        lane = builder.zext(builder.extract_element(within, INT32(i)), INT32)
        picked = builder.insert_element(picked, builder.extract_element(source, lane), INT32(i))
    return builder.and_(picked, has)


# --- Permutes -------------------------------------------------------------------------------------------------------

#: Bytes that one permute can read: two lines.
PERMUTED_BYTES = 2 * LINE_BYTES

#: The most vectors that one permute makes if they lie apart from each other, as planes do.
MOST_APART = LINE_BYTES // g.VECTOR_BYTES


def has_permutes() -> bool:
    """Return whether the processor that code is compiled for permutes the bytes of a line."""
    return "avx512vbmi" in features()


def permute_line(builder, line, lanes):
    """Return the bytes of a line by the low 6 bits of each lane."""
    return call_function(builder, "llvm.x86.avx512.permvar.qi.512", _LINE, line, lanes)


def permute_lines(builder, low, high, lanes):
    """Return the bytes of two lines by the low 7 bits of each lane."""
    return call_function(builder, "llvm.x86.avx512.vpermi2var.qi.512", _LINE, low, lanes, high)


@emitted(types.boolean())
def can_permute(builder):
    """`has_permutes` as a constant, by which LLVM drops code that is not needed."""
    return ir.Constant(ir.IntType(1), int(has_permutes()))


@emitted(types.void(byte_pointer, byte_pointer, types.intp))
def add_lanes(builder, to, lanes, offset):
    """Write the lanes of a window, plus an offset; where the window has no lane, keep the lane in `to`."""
    lanes = lanes.load(_BYTES)
    has = builder.icmp_signed(">=", lanes, ir.Constant(_BYTES, None))
    moved = builder.add(lanes, splat(builder, builder.trunc(offset, BYTE), g.VECTOR_BYTES))
    to.store(builder.select(has, moved, to.load(_BYTES)))


@emitted(
    types.void(
        *(byte_pointer, types.intp, byte_pointer, types.intp),
        *(byte_pointer, groups_type, byte_pointer, types.intp, byte_pointer),
    )
)
def permute_groups(builder, dst, size, offsets, apart, src, groups, lanes, span, ahead):
    """Write groups of `size` bytes, up to a line, from `span` bytes of the source, up to two lines.

    `lanes` points at the offset of each byte of a group in its source. If `apart` is not 0, the bytes are `apart`
    vectors, 2 to 4, and `offsets` points at the offset of each in the output. Prefetches from `ahead` on as much as is
    read. Does nothing unless `can_permute`.
    """
    if not has_permutes():
        return
    written = _first(builder, size)
    places = [dst.at(offsets.at(8 * k).load(WORD, align=8)) for k in range(MOST_APART)]
    is_dense = builder.icmp_signed("==", apart, WORD(0))
    for to, made in _emit_permutes(builder, src, Groups.of(builder, groups), lanes, span, ahead):
        with builder.if_else(is_dense) as (dense, otherwise):
            with dense:
                dst.at(to).store_first(made, size, written)
            with otherwise:
                for k, place in enumerate(places):
                    with builder.if_then(builder.icmp_signed(">", apart, WORD(k))):
                        place.at(to).store(
                            pick_lanes(builder, range(g.VECTOR_BYTES * k, g.VECTOR_BYTES * (k + 1)), made)
                        )


def _emit_permutes(builder, src, groups, lanes, span, ahead):
    """Emit the body of a loop over this generator for each group; yield its offset in the output, and its bytes."""
    lanes = lanes.load(_LINE)
    for lines in (1, 2):
        # Bytes of the last line that is read, and those before it.
        before = LINE_BYTES * (lines - 1)
        rest = builder.sub(span, WORD(before))
        is_this = builder.icmp_signed("<=", span, WORD(LINE_BYTES))
        with builder.if_then(is_this if lines == 1 else builder.not_(is_this)):
            read = _first(builder, rest)
            with groups.emit_each(builder) as (to, offset):
                for line in range(lines):
                    ahead.at(offset).at(LINE_BYTES * line).prefetch()
                source = src.at(offset)
                last = source.at(before).load_first(_LINE, rest, read)
                if lines == 1:
                    yield to, permute_line(builder, last, lanes)
                else:
                    yield to, permute_lines(builder, source.load(_LINE), last, lanes)


def _first(builder, n):
    """Return the mask of the first n bytes of a line."""
    numbers = ir.Constant(_LINE, [BYTE(i) for i in range(LINE_BYTES)])
    return builder.icmp_unsigned("<", numbers, splat(builder, builder.trunc(n, BYTE), LINE_BYTES))
