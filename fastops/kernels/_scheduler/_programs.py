"""Shuffle programs: how vectors of the source become tuples of the output, as `_tables._gather` lays them out."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastops.kernels._arithmetic import divisor_of
from fastops.kernels._intrinsics._arrays_of_words import interpreted
from fastops.kernels._tables._gather import (
    FILL,
    MOST_WINDOWS,
    NO_LANE,
    PROGRAM_APART,
    PROGRAM_ENTRIES,
    PROGRAM_HIGH,
    PROGRAM_LOW,
    PROGRAM_PIXELS,
    PROGRAM_REACH,
    PROGRAM_TOGETHER,
    PROGRAM_VECTORS,
    PROGRAM_WINDOWS,
    VECTOR_BYTES,
    WINDOW_COLUMNS,
)

# The blocks of larger pixels move at a good speed one by one.
_LARGEST_PIXEL = 128

# Pixels of up to these bytes are made several at a time, and so are those of which a few vectors make a group.
_SMALL_PIXEL = 8

#: Blocks of so many bytes are shuffled like smaller ones: mirrored pixels of three float32 take 0.45 of the time of
#: copying each where the processor has permutes and 0.97 by AVX2, every second one 0.5 and 0.75.
SHUFFLED_PIXEL = 12

#: Bytes of the longest group: 12 vectors.
LONGEST_GROUP = 192
_MOST_VECTORS = LONGEST_GROUP // VECTOR_BYTES

#: Words of the longest program.
MOST_PROGRAM_WORDS = PROGRAM_ENTRIES + _MOST_VECTORS * (1 + MOST_WINDOWS * WINDOW_COLUMNS)

# Behind all offsets: no window is kept from reaching up to anywhere.
_ANYWHERE = 1 << 62

# A word of lanes of which none is taken.
_NO_LANES = -(0x7F7F7F7F7F7F7F80)


class Shuffle(NamedTuple):
    """Scratch memory for one program."""

    program: Any  # the words of the program
    sources: Any  # of each byte of a group, where in the source it is
    starts: Any  # of each vector, where in the output it begins
    offsets: Any  # of the windows of a vector


#: Words of each of these.
SHUFFLE_WORDS = (MOST_PROGRAM_WORDS, LONGEST_GROUP, _MOST_VECTORS, MOST_WINDOWS + 1)


@interpreted
def _find_windows(sources, first, n, last, offsets):
    """Write where the fewest windows that have n sources begin, none behind `last`; return how many, or one more."""
    windows, low = 0, -_ANYWHERE
    while windows <= MOST_WINDOWS:
        least = _ANYWHERE
        for i in range(first, first + n):
            source = sources[i]
            if low <= source < least:
                least = source
        if least == _ANYWHERE:
            break
        offsets[windows] = min(least, last)
        low = offsets[windows] + VECTOR_BYTES
        windows += 1
    return windows


@interpreted
def _write_lanes(sources, first, n, offsets, windows, program, at):
    """Write windows with the lanes that n sources have in the first one that has them; return what is behind them."""
    for k in range(windows):
        program[at] = offsets[k]
        for half in range(2):
            word = 0
            for byte in range(8):
                i, lane = 8 * half + byte, NO_LANE
                if i < n:
                    source = sources[first + i]
                    is_here = 0 <= source - offsets[k] < VECTOR_BYTES
                    for earlier in range(k):
                        is_here = is_here and not 0 <= source - offsets[earlier] < VECTOR_BYTES
                    if is_here:
                        lane = source - offsets[k]
                # The highest byte has the sign.
                word += (lane - 256 if byte == 7 and lane == NO_LANE else lane) << 8 * byte
            program[at + 1 + half] = word
        at += WINDOW_COLUMNS
    return at


@interpreted
def _is_shared(vectors, windows):
    """True if there is a loop for so many vectors that have the same windows."""
    return (vectors == 3 and (windows == 3 or windows == 4)) or (vectors == 4 and windows == 4)


@interpreted
def _write_program(shuffle, vectors, total, pixels, last, is_apart, may_share):
    """Write the program of vectors of 16 of so many sources each, the last of which may have fewer; return its length.

    The length is 0 if a vector has more windows than there may be.
    """
    program, sources, starts, offsets = shuffle
    # Vectors that overlap in the output share sources, too.
    most, is_alike = 0, True
    first_windows = 0
    for k in range(vectors):
        first = k * VECTOR_BYTES if is_apart else starts[k]
        windows = _find_windows(sources, first, min(VECTOR_BYTES, total - first), last, offsets)
        most = max(most, windows)
    shared = 0
    if may_share and (most > 2 or may_share > 1):
        windows = _find_windows(sources, 0, total, last, offsets)
        if _is_shared(vectors, windows):
            shared = most = windows
    if most > MOST_WINDOWS:
        return 0
    at, low, high = PROGRAM_ENTRIES, _ANYWHERE, -_ANYWHERE
    for k in range(vectors):
        first = k * VECTOR_BYTES if is_apart else starts[k]
        n, windows = min(VECTOR_BYTES, total - first), shared
        if not shared:
            windows = _find_windows(sources, first, n, last, offsets)
        program[at] = starts[k]
        end = _write_lanes(sources, first, n, offsets, windows, program, at + 1)
        low, high = min(low, offsets[0]), max(high, offsets[windows - 1] + VECTOR_BYTES)
        for _ in range(windows, most):
            program[end] = offsets[0]
            program[end + 1] = program[end + 2] = _NO_LANES
            end += WINDOW_COLUMNS
        if k == 0:
            first_windows = windows
        is_alike = is_alike and windows == first_windows
        for i in range(windows):
            own = program[at + 1 + WINDOW_COLUMNS * i]
            is_alike = is_alike and own == program[PROGRAM_ENTRIES + 1 + WINDOW_COLUMNS * i]
        at = end
    is_looped = is_alike if most > 2 else vectors == 3
    program[PROGRAM_WINDOWS] = most
    program[PROGRAM_LOW] = low
    program[PROGRAM_HIGH] = high
    program[PROGRAM_VECTORS] = vectors
    program[PROGRAM_PIXELS] = pixels
    program[PROGRAM_REACH] = VECTOR_BYTES if is_apart else starts[vectors - 1] + VECTOR_BYTES
    program[PROGRAM_TOGETHER] = vectors if is_looped and 3 <= vectors <= 4 else 1
    program[PROGRAM_APART] = 1 if is_apart else 0
    return at


@interpreted
def write_tuple_program(shuffle, block, count, inner_pitch, src_pitch):
    """Write the program of tuples of `count` blocks, dense in the output, and return its length.

    The length is 0 if it would be no faster than moving block by block. In the source, the next block of a tuple lies
    inner_pitch bytes on, and the next tuple src_pitch.
    """
    size = block * count
    if size > _LARGEST_PIXEL:
        return 0
    divisor = divisor_of(VECTOR_BYTES, size)
    vectors, starts = 0, shuffle.starts
    is_planes = size == MOST_WINDOWS * block and VECTOR_BYTES % size == 0 and abs(inner_pitch) >= VECTOR_BYTES
    if is_planes:
        # Four vectors read the same four windows.
        _write_sources(shuffle.sources, 4 * VECTOR_BYTES, block, count, inner_pitch, src_pitch)
        windows = _find_windows(shuffle.sources, 0, 4 * VECTOR_BYTES, _ANYWHERE, shuffle.offsets)
        if _is_shared(4, windows):
            for k in range(4):
                starts[k] = k * VECTOR_BYTES
            return _write_program(shuffle, 4, 4 * VECTOR_BYTES, 4 * VECTOR_BYTES // size, _ANYWHERE, False, 2)
    if size <= _SMALL_PIXEL or size // divisor == 1 or size // divisor == 3:
        # As many tuples as end where a vector does.
        tuples = VECTOR_BYTES // divisor
        for start in range(0, tuples * size, VECTOR_BYTES):
            starts[vectors] = start
            vectors += 1
    else:
        # One tuple, whose last vector overlaps the one before it, or else reaches beyond the tuple.
        tuples = 1
        for start in range(0, size, VECTOR_BYTES):
            starts[vectors] = min(start, max(size - VECTOR_BYTES, 0))
            vectors += 1
    _write_sources(shuffle.sources, tuples * size, block, count, inner_pitch, src_pitch)
    # A window for each vector would take more addresses than there are registers.
    return _write_program(
        shuffle, vectors, tuples * size, tuples, _ANYWHERE, False, 2 if block == SHUFFLED_PIXEL else 1
    )


@interpreted
def _write_sources(sources, total, block, count, inner_pitch, src_pitch):
    """Write where in the source each of so many bytes of tuples is."""
    i = offset = 0
    while i < total:
        for k in range(count):
            for byte in range(block):
                if i < total:
                    sources[i] = offset + k * inner_pitch + byte
                    i += 1
        offset += src_pitch


@interpreted
def write_channel_program(shuffle, block, channels, dst_pitch, inner_pitch, src_pitch):
    """Write the program of tuples whose blocks go to planes of their own; return its length, 0 if no loop does that.

    The planes lie dst_pitch bytes apart, and each is dense. In the source, the next block of a tuple lies inner_pitch
    bytes on, and the next tuple src_pitch.
    """
    if not 3 <= channels <= 4 or VECTOR_BYTES % block:
        return 0
    tuples = VECTOR_BYTES // block
    i = 0
    for channel in range(channels):
        shuffle.starts[channel] = channel * dst_pitch
        for k in range(tuples):
            for byte in range(block):
                shuffle.sources[i] = k * src_pitch + channel * inner_pitch + byte
                i += 1
    if not _is_shared(channels, _find_windows(shuffle.sources, 0, i, _ANYWHERE, shuffle.offsets)):
        return 0
    return _write_program(shuffle, channels, i, tuples, _ANYWHERE, True, 2)


@interpreted
def _last_window(sources, n, low, high):
    """Return where the last window that may be read begins, and True; or False if there is none."""
    for i in range(n):
        low, high = min(low, sources[i]), max(high, sources[i] + 1)
    return high - VECTOR_BYTES, high - low >= VECTOR_BYTES


@interpreted
def write_group_program(shuffle, block, firsts, n, low, high):
    """Write the program of one tuple of n blocks from any offsets, and return its length; 0 if there is none.

    Its vectors read nothing but what lies between these offsets, and from low to high. There is no program if there are
    no whole vectors, they lie too far apart, or a block is the fill value.
    """
    total = n * block
    if total % VECTOR_BYTES or total > LONGEST_GROUP or not _write_blocks(shuffle.sources, 0, block, firsts, n, 0):
        return 0
    last, is_there = _last_window(shuffle.sources, total, low, high)
    if not is_there:
        return 0
    vectors = total // VECTOR_BYTES
    for k in range(vectors):
        shuffle.starts[k] = k * VECTOR_BYTES
    return _write_program(shuffle, vectors, total, 1, last, False, 0)


@interpreted
def write_edge_program(shuffle, block, firsts, n, low, high, channels, inner_pitch, dst_pitch):
    """Write the program of one vector in each of some planes, of n blocks from any offsets; return its length.

    All channels read alike. Of the first channel, what lies from low to high may be read too. The length is 0 where
    there is no such program.
    """
    if not 3 <= channels <= 4 or n * block != VECTOR_BYTES:
        return 0
    for channel in range(channels):
        shuffle.starts[channel] = channel * dst_pitch
        if not _write_blocks(shuffle.sources, channel * VECTOR_BYTES, block, firsts, n, channel * inner_pitch):
            return 0
    reach = (channels - 1) * inner_pitch
    total = channels * VECTOR_BYTES
    last, is_there = _last_window(shuffle.sources, total, low + min(reach, 0), high + max(reach, 0))
    return _write_program(shuffle, channels, total, 1, last, True, 2) if is_there else 0


@interpreted
def _write_blocks(sources, i, block, firsts, n, shift):
    """Write where each byte of n blocks is, from source i on; return False if one is the fill value."""
    for k in range(n):
        if firsts[k] == FILL:
            return False
        for byte in range(block):
            sources[i] = firsts[k] + shift + byte
            i += 1
    return True
