"""Groups: what one vector, or a few, write of a row, and where each group of the row begins."""

# The compiler calls these functions with the builders of llvmlite, which carry no types.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, NamedTuple

from numba import types

from fastops.kernels._intrinsics._emit_loop import emit_loop
from fastops.kernels._intrinsics._types import WORD


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
