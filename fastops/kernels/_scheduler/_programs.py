"""Shuffle programs (`_tables._gather`): how vectors of the source become tuples of blocks in the output."""

# Words are a pointer in kernels and an array in Python, and mypy knows no type for both.
# mypy: ignore-errors

from fastops.kernels._arithmetic import divisor_of
from fastops.kernels._intrinsics._memory import let_kernels_call, words_at
from fastops.kernels._tables import _gather as g

# Bytes of the largest tuple that is shuffled. The blocks of larger ones move fast one by one.
_LARGEST_PIXEL = 128

# Bytes of the largest tuple that is always made several at a time. Larger tuples are made several at a time if 1 or 3
# vectors make a group of them.
_SMALL_PIXEL = 8

#: Blocks of this size are shuffled too. Mirrored pixels of three float32 then take 0.45 of the time of copies of each
#: block where the processor has permutes, and 0.97 with AVX2; every second pixel takes 0.5 and 0.75.
SHUFFLED_PIXEL = 12

#: Bytes of the longest group: 12 vectors.
LONGEST_GROUP = 192
_MOST_VECTORS = LONGEST_GROUP // g.VECTOR_BYTES

#: Words of the longest program.
MOST_PROGRAM_WORDS = g.PROGRAM_ENTRIES + _MOST_VECTORS * (1 + g.MOST_WINDOWS * g.WINDOW_COLUMNS)

# Greater than all offsets. As the argument `last`, it lets windows begin anywhere.
_ANYWHERE = 1 << 62

# Eight lanes that take nothing.
_NO_LANES = -(0x7F7F7F7F7F7F7F80)


#: Words of the output offsets of the vectors of a group.
START_WORDS = _MOST_VECTORS

# Words of the windows of a vector; there is room for one window too many.
_OFFSETS = g.MOST_WINDOWS + 2

#: Words of the windows of all vectors of a group, and of those that they share.
OFFSET_WORDS = (_MOST_VECTORS + 1) * _OFFSETS


def _find_windows(sources, first, n, last, offsets):
    """Write the offsets of the fewest windows that cover n sources, and return how many there are.

    No window begins behind `last`. The search ends at one window more than a program may have.
    """
    windows, low = 0, -_ANYWHERE
    while windows <= g.MOST_WINDOWS:
        least = _ANYWHERE
        for i in range(first, first + n):
            # Without a branch, LLVM vectorizes this loop.
            source = sources[i]
            least = min(least, source if source >= low else _ANYWHERE)
        if least == _ANYWHERE:
            break
        windows += 1
        offsets[windows] = min(least, last)
        low = offsets[windows] + g.VECTOR_BYTES
    offsets[0] = windows
    return windows


def _write_lanes(sources, first, n, offsets, program):
    """Write windows, with the lane of each of n sources in the first window that has the source."""
    windows = offsets[0]
    for k in range(windows):
        entry = k * g.WINDOW_COLUMNS
        program[entry] = offsets[1 + k]
        program[entry + 1] = program[entry + 2] = _NO_LANES
    for i in range(n):
        source = sources[first + i]
        for k in range(windows):
            lane = source - offsets[1 + k]
            if 0 <= lane < g.VECTOR_BYTES:
                byte, word = i & 7, k * g.WINDOW_COLUMNS + 1 + (i >> 3)
                # The highest byte of a word has its sign.
                program[word] ^= ((lane ^ g.NO_LANE) - (256 if byte == 7 else 0)) << 8 * byte
                break


def _is_shared(vectors, windows):
    """True if there is a loop for a number of vectors that share a number of windows."""
    return (vectors == 3 and (windows == 3 or windows == 4)) or (vectors == 4 and windows == 4)


# When the vectors of a program share windows, if there is a loop for that: _NEVER; _MAY: if a vector has more than two
# windows; _ALWAYS; _MUST: always, and without such a loop there is no program.
_NEVER, _MAY, _ALWAYS, _MUST = range(4)


def _write_program(scratch, program, vectors, total, pixels, last, is_apart, may_share):
    """Write the program of vectors, each of which takes up to 16 of the `total` sources; return its length.

    The length is 0 if a vector needs too many windows, or if vectors must share windows and no loop does that.
    """
    sources, starts, offsets = scratch.sources, scratch.starts, scratch.offsets
    most, is_alike = 0, True
    shared, is_shared = words_at(offsets, vectors * _OFFSETS), False
    if may_share > _MAY:
        is_shared = _is_shared(vectors, _find_windows(sources, 0, total, last, shared))
        if not is_shared and may_share == _MUST:
            return 0
    if not is_shared:
        for k in range(vectors):
            # Vectors that overlap in the output read the same sources there.
            first = k * g.VECTOR_BYTES if is_apart else starts[k]
            own = words_at(offsets, k * _OFFSETS)
            most = max(most, _find_windows(sources, first, min(g.VECTOR_BYTES, total - first), last, own))
        if may_share == _MAY and most > 2:
            is_shared = _is_shared(vectors, _find_windows(sources, 0, total, last, shared))
    if is_shared:
        most = shared[0]
    if most > g.MOST_WINDOWS:
        return 0
    at, low, high = g.PROGRAM_ENTRIES, _ANYWHERE, -_ANYWHERE
    for k in range(vectors):
        first = k * g.VECTOR_BYTES if is_apart else starts[k]
        own = shared if is_shared else words_at(offsets, k * _OFFSETS)
        windows, entry = own[0], words_at(program, at)
        entry[0] = starts[k]
        _write_lanes(sources, first, min(g.VECTOR_BYTES, total - first), own, words_at(entry, 1))
        low, high = min(low, own[1]), max(high, own[windows] + g.VECTOR_BYTES)
        for i in range(windows, most):
            padding = words_at(entry, 1 + g.WINDOW_COLUMNS * i)
            padding[0] = own[1]
            padding[1] = padding[2] = _NO_LANES
        for i in range(windows + 1):
            is_alike = is_alike and own[i] == (shared[i] if is_shared else offsets[i])
        at += 1 + g.WINDOW_COLUMNS * most
    is_looped = is_alike and _is_shared(vectors, most) if most > 2 else vectors == 3
    program[g.PROGRAM_WINDOWS], program[g.PROGRAM_LOW], program[g.PROGRAM_HIGH] = most, low, high
    program[g.PROGRAM_VECTORS], program[g.PROGRAM_TUPLES] = vectors, pixels
    program[g.PROGRAM_REACH] = g.VECTOR_BYTES if is_apart else starts[vectors - 1] + g.VECTOR_BYTES
    program[g.PROGRAM_TOGETHER] = vectors if is_looped else 1
    program[g.PROGRAM_PLANAR] = 1 if is_apart else 0
    return at


def write_tuple_program(scratch, program, block, count, inner_pitch, src_pitch):
    """Write the program of tuples of `count` blocks, which are dense in the output; return its length.

    It makes the fewest tuples that fill whole vectors, four times as many if four vectors then read the same four
    windows, or one tuple. The length is 0 if moving block by block is as fast. In the source, the blocks of a tuple lie
    inner_pitch bytes apart, and tuples src_pitch.
    """
    size, vectors, starts = block * count, 0, scratch.starts
    if size > _LARGEST_PIXEL:
        return 0
    divisor = divisor_of(g.VECTOR_BYTES, size)
    # If each vector had windows of its own, the addresses would not fit into the registers.
    sharing = _ALWAYS if block == SHUFFLED_PIXEL else _MAY
    if size <= _SMALL_PIXEL or size // divisor == 1 or size // divisor == 3:
        tuples = g.VECTOR_BYTES // divisor
        if size == g.MOST_WINDOWS * block and size == divisor and abs(inner_pitch) >= g.VECTOR_BYTES:
            # Four vectors read the same four windows.
            tuples, sharing = 4 * tuples, _ALWAYS
        for start in range(0, tuples * size, g.VECTOR_BYTES):
            starts[vectors] = start
            vectors += 1
    else:
        # The last vector of a tuple overlaps the one before it, or reaches beyond the tuple.
        tuples = 1
        for start in range(0, size, g.VECTOR_BYTES):
            starts[vectors] = min(start, max(size - g.VECTOR_BYTES, 0))
            vectors += 1
    _write_sources(scratch.sources, tuples, src_pitch, count, inner_pitch, block)
    return _write_program(scratch, program, vectors, tuples * size, tuples, _ANYWHERE, False, sharing)


def _write_sources(sources, outer, outer_pitch, inner, inner_pitch, block):
    """Write the source offset of each byte of `outer` times `inner` blocks."""
    i = 0
    for k in range(outer):
        for j in range(inner):
            for byte in range(block):
                sources[i] = k * outer_pitch + j * inner_pitch + byte
                i += 1


def write_channel_program(scratch, program, block, channels, dst_pitch, inner_pitch, src_pitch):
    """Write the program of tuples whose blocks go to planes; return its length, 0 if there is no loop for it.

    The planes are dense and lie dst_pitch bytes apart. In the source, the blocks of a tuple lie inner_pitch bytes
    apart, and tuples src_pitch.
    """
    if not 3 <= channels <= 4 or g.VECTOR_BYTES % block:
        return 0
    tuples = g.VECTOR_BYTES // block
    for channel in range(channels):
        scratch.starts[channel] = channel * dst_pitch
    _write_sources(scratch.sources, channels, inner_pitch, tuples, src_pitch, block)
    return _write_program(scratch, program, channels, channels * g.VECTOR_BYTES, tuples, _ANYWHERE, True, _MUST)


def write_group_program(scratch, program, block, n, edge, channels, inner_pitch, dst_pitch):
    """Write the program of one tuple of n blocks at any offsets, `scratch.firsts`; return its length.

    With several channels, the tuple has a vector for each: each further channel reads inner_pitch bytes after the one
    before, and is written dst_pitch bytes after it.

    The vectors read only bytes between the offsets, and bytes of the interior beside the edge. The length is 0 if the
    tuple is too long or not made of whole vectors, it may read less than a vector, its blocks lie too far apart, one of
    them is the fill value, or there is no loop for the channels.
    """
    size, sources, starts, i = n * block, scratch.sources, scratch.starts, 0
    is_apart = channels > 1
    if size % g.VECTOR_BYTES or channels * size > LONGEST_GROUP:
        return 0
    if is_apart and (channels > 4 or channels < 3 or size > g.VECTOR_BYTES):
        return 0
    reach = (channels - 1) * inner_pitch
    low = edge.low + scratch.firsts[0] + min(reach, 0)
    high = edge.high + scratch.firsts[0] + max(reach, 0)
    for channel in range(channels):
        for k in range(n):
            first = scratch.firsts[k]
            if first == g.FILL:
                return 0
            for byte in range(block):
                sources[i] = first + channel * inner_pitch + byte
                low, high = min(low, sources[i]), max(high, sources[i] + 1)
                i += 1
    if high - low < g.VECTOR_BYTES:
        return 0
    vectors = i // g.VECTOR_BYTES
    for k in range(vectors):
        starts[k] = k * (dst_pitch if is_apart else g.VECTOR_BYTES)
    sharing = _ALWAYS if is_apart else _NEVER
    return _write_program(scratch, program, vectors, i, 1, high - g.VECTOR_BYTES, is_apart, sharing)


let_kernels_call(__name__)
