"""Groups: what one vector, or a few, write of a row, and where each group of the row begins.

Variable shuffles: vectors of 16 bytes made of windows of the source, as a shuffle program says.

What `kernels/_planes.py` runs: `_shuffle_program` has made the lanes, so that one loop serves pixels of any kind.
"""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from contextlib import contextmanager
from functools import partial, reduce
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fastops.kernels._intrinsics._access import Variable, as_pointers, emit_loop
from fastops.kernels._intrinsics._types import BYTE, WORD, has_shuffle, has_shuffle_of_halves
from fastops.kernels._tables._gather import FEWEST_SHARED_WINDOWS, MOST_WINDOWS, SHARED_WINDOWS, WINDOW_COLUMNS


class Groups(NamedTuple):
    """Groups that lie evenly apart, but for the last one, which ends with the row and may overlap the one before.

    So a row of any length that has room for a group is groups and nothing else, in one pass.
    """

    count: Any
    dst_pitch: Any  # from one group to the next in the output
    src_pitch: Any  # the same in the source
    last_dst: Any  # from the first group to the last one in the output
    last_src: Any  # the same in the source

    def joined(self, builder):
        """Return pairs of these groups; there are none if the last_dst of the pairs is below 0. In LLVM's code.

        The last pair may overlap the one before, so that an odd group is one of a pair too.
        """
        count = builder.ashr(builder.add(self.count, WORD(1)), WORD(1))
        pitches = builder.shl(self.dst_pitch, WORD(1)), builder.shl(self.src_pitch, WORD(1))
        last = builder.sub(self.last_dst, self.dst_pitch), builder.sub(self.last_src, self.src_pitch)
        return Groups(count, *pitches, *last)

    @contextmanager
    def emit_each(self, builder):
        """Emit what the context emits as the body of a loop over all groups; give the offsets of each.

        The body stands in one loop, which runs once more for a last group that lies elsewhere: to choose its place
        inside of the loop took planes of three channels 1.4 times as long.
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


#: Its type, for the signatures of out-of-line kernels.
groups_type = types.NamedUniTuple(types.intp, len(Groups._fields), Groups)


def emitted_groups(builder, groups):
    """Return the fields of an argument that is Groups. In LLVM's code."""
    return Groups(*(builder.extract_value(groups, i) for i in range(len(Groups._fields))))


_INT32 = ir.IntType(32)
_BYTES = ir.VectorType(BYTE, 16)

#: Vectors of a group and windows of a vector, for which there is a loop; nothing writes any others. Windows that all
#: vectors share are loaded once: a load for each vector would take more addresses than there are registers. Planes of 3
#: channels take 0.6 of the time.
SHUFFLED_GROUPS = (
    *((1, windows) for windows in range(1, MOST_WINDOWS + 1)),
    *((3, windows) for windows in range(1, FEWEST_SHARED_WINDOWS)),
    *((vectors, windows) for vectors, shared in SHARED_WINDOWS.items() for windows in shared),
)

# Instructions that shuffle 16 bytes by 16 lanes and give 0 for a lane from 128 on, and LLVM's names of them; and that
# of one that does so in both halves of 32 bytes.
_SHUFFLES = {"pshufb": "llvm.x86.ssse3.pshuf.b.128", "tbl": "llvm.aarch64.neon.tbl1.v16i8"}
_SHUFFLE_OF_HALVES = "llvm.x86.avx2.pshuf.b"


@intrinsic
def shuffle_vectors(typingctx, dst, src, groups, entries, vectors, windows, ahead, rows):
    """Write rows of groups of vectors of 16 bytes, each shuffled from 1 to 4 windows of 16 bytes of the source.

    entries points at the vectors of a group in the table (`_tables._gather.PROGRAM_ENTRIES`), of which there are 1, 3
    or 4.
    Each has its offset in the output, and for each window an offset in the source and 16 lanes, 0..15 or, for a byte
    that it has not, 128. Meanwhile as much is prefetched from `ahead` on as the source moves on. rows are how many, and
    the bytes from one to the next in the output and in the source: the lanes are loaded once for all of them.
    """

    def codegen(context, builder, signature, args):
        pointers = as_pointers(builder, signature, args)
        dst, src, groups, entries, vectors, windows, ahead, rows = pointers
        groups = emitted_groups(builder, groups)
        n_rows, dst_row_pitch, src_row_pitch = [builder.extract_value(rows, i) for i in range(3)]
        for n_vectors, n_windows in SHUFFLED_GROUPS:
            is_this = builder.and_(
                builder.icmp_signed("==", vectors, WORD(n_vectors)), builder.icmp_signed("==", windows, WORD(n_windows))
            )
            with builder.if_then(is_this):
                words = 1 + WINDOW_COLUMNS * n_windows
                group = [_Vector.load(dst, src, entries.at(8 * words * k), n_windows) for k in range(n_vectors)]
                is_shared = n_vectors > 1 and n_windows >= FEWEST_SHARED_WINDOWS
                if is_shared:
                    group = [vector._replace(sources=group[0].sources) for vector in group]
                # Groups of 3 move on by 96 bytes as a rule, or less.
                lines = [WORD(0)] if n_vectors == 1 else [WORD(0), builder.ashr(groups.src_pitch, WORD(1))]
                shuffles = _Shuffles(context, builder, group, groups, [ahead.at(line) for line in lines])
                with emit_loop(builder, n_rows) as row:
                    to, source = builder.mul(row, dst_row_pitch), builder.mul(row, src_row_pitch)
                    if is_shared:
                        with builder.if_then(builder.not_(shuffles.move_pairs(to, source))):
                            shuffles.move(to, source)
                    else:
                        shuffles.move(to, source)
        return context.get_dummy_value()

    kinds = (dst, src, groups, entries, types.intp, types.intp, ahead, rows)
    return types.void(*kinds), codegen


class _Vector(NamedTuple):
    """A vector of a group: where it goes, and for each window its source and the lanes of what lies there."""

    dst: Any
    sources: list[Any]
    lanes: list[Any]

    @classmethod
    def load(cls, dst, src, entry, n_windows):
        """Return a vector of the table."""
        columns = [entry.at(8 + 8 * WINDOW_COLUMNS * window) for window in range(n_windows)]
        sources = [src.at(column.load(WORD, align=8)) for column in columns]
        return cls(dst.at(entry.load(WORD, align=8)), sources, [column.at(8).load(_BYTES) for column in columns])


class _Shuffles(NamedTuple):
    """The vectors of each of the groups of a row; `ahead` are prefetched."""

    context: Any
    builder: Any
    vectors: list[_Vector]
    groups: Groups
    ahead: list[Any]

    def move_pairs(self, to, source):
        """Move groups in pairs, where two of them have one place, and return true; or return false.

        Two neighbours are the halves of vectors of 32 bytes, which one instruction shuffles. What they read, or what
        they write, must lie side by side: putting together both takes longer than it wins. Planes of 1080p become
        pixels in 0.75 to 0.9 of the time, and three planes are made of pixels in 0.9 of it; four are not.
        """
        builder = self.builder
        if not has_shuffle_of_halves(self.context):
            return ir.Constant(ir.IntType(1), 0)
        moved = Variable(builder, ir.Constant(ir.IntType(1), 0))
        groups = self.groups
        pairs = groups.joined(builder)
        has_room = builder.icmp_signed(">=", pairs.last_dst, WORD(0))
        reads_near, writes_near = [_is_near(builder, pitch) for pitch in (groups.src_pitch, groups.dst_pitch)]
        ways = [(reads_near, True, False)]
        if len(self.vectors) == 3:
            ways.append((builder.and_(writes_near, builder.not_(reads_near)), False, True))
        for is_this, joins_sources, joins_outputs in ways:
            with builder.if_then(builder.and_(is_this, has_room)):
                with pairs.emit_each(builder) as place:
                    self._move_one(to, source, place, 2, joins_sources, joins_outputs)
                moved.set(ir.Constant(ir.IntType(1), 1))
        return moved.get()

    def move(self, to, source):
        """Move all groups to an offset of the output, from an offset of the source."""
        with self.groups.emit_each(self.builder) as place:
            self._move_one(to, source, place, 1, True, True)

    def _move_one(self, to, source, place, at_once, joins_sources, joins_outputs):
        """Move the group at a place, or that and the next one."""
        builder = self.builder
        to, source = builder.add(to, place[0]), builder.add(source, place[1])
        for line in self.ahead:
            line.at(source).prefetch()
        shuffle = _choose_shuffle(self.context, at_once)
        loads: dict[int, Any] = {}
        made = []
        # All loads come before the stores: where source and output agree in the low bits of their addresses, a load has
        # to wait for the stores before it.
        for vector in self.vectors:
            parts = []
            for window, lanes in zip(vector.sources, vector.lanes, strict=True):
                if id(window) not in loads:
                    pitch = None if joins_sources else self.groups.src_pitch
                    loads[id(window)] = _load(builder, window.at(source), at_once, pitch)
                parts.append(shuffle(builder, _repeated(builder, lanes, at_once))(loads[id(window)]))
            made.append(reduce(builder.or_, parts))
        for vector, value in zip(self.vectors, made, strict=True):
            _store(builder, vector.dst.at(to), value, at_once, None if joins_outputs else self.groups.dst_pitch)


def _is_near(builder, pitch):
    """True where neighbours lie side by side."""
    return builder.icmp_signed("==", pitch, WORD(_BYTES.count))


def _load(builder, source, at_once, pitch):
    """The 16 bytes of one or two groups, which lie a pitch apart; side by side for None."""
    if at_once == 1 or pitch is None:
        return source.load(ir.VectorType(BYTE, at_once * _BYTES.count))
    halves = [source.load(_BYTES), source.at(pitch).load(_BYTES)]
    return builder.shuffle_vector(*halves, _numbers(range(2 * _BYTES.count)))


def _store(builder, to, value, at_once, pitch):
    """Write 16 bytes to one or two groups, which lie a pitch apart; side by side for None."""
    if at_once == 1 or pitch is None:
        to.store(value)
        return
    for k, place in enumerate((to, to.at(pitch))):
        place.store(builder.shuffle_vector(value, value, _numbers(range(k * _BYTES.count, (k + 1) * _BYTES.count))))


def _repeated(builder, lanes, at_once):
    """The lanes of one or two groups."""
    return lanes if at_once == 1 else builder.shuffle_vector(lanes, lanes, _numbers([*range(_BYTES.count)] * at_once))


def _numbers(numbers):
    numbers = list(numbers)
    return ir.Constant(ir.VectorType(_INT32, len(numbers)), numbers)


def _choose_shuffle(context, at_once):
    """What makes a shuffle of 16 lanes, or of twice 16: the CPU's instruction if there is one."""
    if at_once == 2:
        return partial(_shuffle_at_once, _SHUFFLE_OF_HALVES)
    for instruction, name in _SHUFFLES.items():
        if has_shuffle(context, instruction, 16):
            return partial(_shuffle_at_once, name)
    return _shuffle_by_lanes


def _shuffle_at_once(name, builder, lanes):
    """The shuffle of bytes by lanes, as one instruction."""
    function = builder.module.declare_intrinsic(name, (), ir.FunctionType(lanes.type, [lanes.type, lanes.type]))
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
