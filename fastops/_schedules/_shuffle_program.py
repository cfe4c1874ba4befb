"""Shuffle programs: how vectors of the source become pixels of the output, as `_tables._gather` lays them out."""

from __future__ import annotations

import sys
from functools import lru_cache
from math import gcd
from operator import index

from fastops.kernels._tables import _gather as t

# The blocks of larger pixels move at a good speed one by one.
_LARGEST_PIXEL = 128

# Pixels of up to these bytes are made several at a time, and so are those of which a few vectors make a group.
_SMALL_PIXEL = 8
_VECTORS_TOGETHER = (1, 3)

#: Blocks of so many bytes are shuffled like smaller ones: mirrored pixels of three float32 take 0.45 of the time of
#: copying each where the processor has permutes and 0.97 by AVX2, every second one 0.5 and 0.75.
SHUFFLED_PIXEL = 12

# Groups of so many vectors of few windows each are made by one loop too.
_LOOPED_VECTORS = 3

_PROGRAMS = 256


def create_shuffle_program(block: int, count: int, inner_pitch: int, src_pitch: int) -> tuple[int, ...] | None:
    """Return the program of pixels of `count` blocks, or None if it would be no faster than moving block by block.

    Parameters
    ----------
    block : int
        Bytes of a block.
    count : int
        Blocks of a pixel, dense in the output.
    inner_pitch : int
        Bytes from one block of a pixel to the next in the source.
    src_pitch : int
        Bytes from one pixel to the next in the source.
    """
    return _create_shuffle_program(index(block), index(count), index(inner_pitch), index(src_pitch))


# Of plain integers: what is kept of a trace would be of that trace, wherever it is found again.
@lru_cache(_PROGRAMS)
def _create_shuffle_program(block: int, count: int, inner_pitch: int, src_pitch: int) -> tuple[int, ...] | None:
    """Return what `create_shuffle_program` returns."""
    pixel = block * count
    if pixel > _LARGEST_PIXEL:
        return None
    if pixel <= _SMALL_PIXEL or pixel // gcd(pixel, t.VECTOR_BYTES) in _VECTORS_TOGETHER:
        # As many pixels as end where a vector does.
        pixels = t.VECTOR_BYTES // gcd(pixel, t.VECTOR_BYTES)
        starts = list(range(0, pixels * pixel, t.VECTOR_BYTES))
    else:
        # One pixel, whose last vector overlaps the one before it, or else reaches beyond the pixel.
        pixels = 1
        starts = [min(first, max(pixel - t.VECTOR_BYTES, 0)) for first in range(0, pixel, t.VECTOR_BYTES)]

    def source(byte: int) -> int:
        row, within = divmod(byte, pixel)
        i, rest = divmod(within, block)
        return row * src_pitch + i * inner_pitch + rest

    if pixel == t.MOST_WINDOWS * block and t.VECTOR_BYTES % pixel == 0 and abs(inner_pitch) >= t.VECTOR_BYTES:
        # Planes: four vectors read the same four windows.
        firsts = [k * t.VECTOR_BYTES for k in range(4)]
        shared = _share([[source(byte) for byte in range(k, k + t.VECTOR_BYTES)] for k in firsts])
        if shared is not None:
            return _program_of(shared, firsts, 4 * pixels)
    sources = [[source(byte) for byte in range(k, min(k + t.VECTOR_BYTES, pixels * pixel))] for k in starts]
    vectors = [_windows(each) for each in sources]
    # A window for each vector would take more addresses than there are registers.
    if max(map(len, vectors)) >= t.FEWEST_SHARED_WINDOWS or block == SHUFFLED_PIXEL:
        vectors = _share(sources) or vectors
    return _program_of(vectors, starts, pixels)


def create_channel_program(
    block: int, channels: int, dst_pitch: int, inner_pitch: int, src_pitch: int
) -> tuple[int, ...] | None:
    """Return the program of pixels whose blocks go to planes of their own; None if no loop makes that many at once.

    Parameters
    ----------
    block : int
        Bytes of a block.
    channels : int
        Blocks of a pixel.
    dst_pitch : int
        Bytes from one plane to the next in the output, each of which is dense.
    inner_pitch, src_pitch : int
        Bytes from one block of a pixel, and from one pixel, to the next in the source.
    """
    if channels not in t.SHARED_WINDOWS:
        return None
    pitches = index(dst_pitch), index(inner_pitch), index(src_pitch)
    return _create_channel_program(index(block), index(channels), *pitches)


@lru_cache(_PROGRAMS)
def _create_channel_program(
    block: int, channels: int, dst_pitch: int, inner_pitch: int, src_pitch: int
) -> tuple[int, ...] | None:
    """Return what `create_channel_program` returns."""
    if t.VECTOR_BYTES % block:
        return None
    pixels = t.VECTOR_BYTES // block
    sources = [
        [i * src_pitch + channel * inner_pitch + byte for i in range(pixels) for byte in range(block)]
        for channel in range(channels)
    ]
    vectors = _share(sources)
    if vectors is None:
        return None
    return _program_of(vectors, [channel * dst_pitch for channel in range(channels)], pixels, apart=True)


def create_group_program(block: int, offsets: tuple[int, ...], low: int, high: int) -> tuple[int, ...] | None:
    """Return the program of one pixel of blocks from any offsets.

    Its vectors read nothing but what lies between these, and from low to high. None is returned if there are no whole
    vectors, they lie too far apart, or one is a fill value.
    """
    return _create_group_program(index(block), tuple(map(index, offsets)), index(low), index(high))


@lru_cache(_PROGRAMS)
def _create_group_program(block: int, offsets: tuple[int, ...], low: int, high: int) -> tuple[int, ...] | None:
    """Return what `create_group_program` returns."""
    sources = [offset + byte for offset in offsets for byte in range(block)]
    last = _last_window(offsets, sources, low, high)
    if last is None or len(sources) % t.VECTOR_BYTES:
        return None
    starts = list(range(0, len(sources), t.VECTOR_BYTES))
    vectors = [_windows(sources[start : start + t.VECTOR_BYTES], last) for start in starts]
    return _program_of(vectors, starts, 1)


def create_edge_program(
    block: int, offsets: tuple[int, ...], low: int, high: int, channels: int, inner_pitch: int, dst_pitch: int
) -> tuple[int, ...] | None:
    """Return the program of one vector in each of some planes: of blocks from any offsets, of each channel the same.

    Of the first channel, what lies from low to high may be read too. None is returned where there is no such program.
    """
    if channels not in t.SHARED_WINDOWS:
        return None
    numbers = index(low), index(high), index(channels), index(inner_pitch), index(dst_pitch)
    return _create_edge_program(index(block), tuple(map(index, offsets)), *numbers)


@lru_cache(_PROGRAMS)
def _create_edge_program(
    block: int, offsets: tuple[int, ...], low: int, high: int, channels: int, inner_pitch: int, dst_pitch: int
) -> tuple[int, ...] | None:
    """Return what `create_edge_program` returns."""
    sources = [
        [offset + byte + channel * inner_pitch for offset in offsets for byte in range(block)]
        for channel in range(channels)
    ]
    reach = (channels - 1) * inner_pitch
    last = _last_window(
        offsets, [source for each in sources for source in each], low + min(reach, 0), high + max(reach, 0)
    )
    if last is None:
        return None
    vectors = _share(sources, last) or [_windows(each, last) for each in sources]
    return _program_of(vectors, [channel * dst_pitch for channel in range(channels)], 1, apart=True)


def _last_window(offsets: tuple[int, ...], sources: list[int], low: int, high: int) -> int | None:
    """Return where the last window that may be read begins; None if there is none, or an offset is the fill value."""
    if t.FILL in offsets:
        return None
    low, high = min(low, *sources), max(high, max(sources) + 1)
    return high - t.VECTOR_BYTES if high - low >= t.VECTOR_BYTES else None


def _share(sources: list[list[int]], last: int | None = None) -> list[list[tuple[int, bytes]]] | None:
    """Return the windows of vectors with these sources, the same ones for all; None if no loop makes that many."""
    offsets = [offset for offset, _ in _windows([source for each in sources for source in each], last)]
    if len(offsets) not in t.SHARED_WINDOWS.get(len(sources), ()):
        return None
    return [_lanes_of(each, offsets) for each in sources]


def _program_of(
    vectors: list[list[tuple[int, bytes]]], starts: list[int], pixels: int, *, apart: bool = False
) -> tuple[int, ...] | None:
    """Return the words of a program; None if a vector has more windows than there may be."""
    most = max(map(len, vectors))
    if most > t.MOST_WINDOWS:
        return None
    offsets = [offset for windows in vectors for offset, _ in windows]
    shares = all([offset for offset, _ in each] == [offset for offset, _ in vectors[0]] for each in vectors)
    is_looped = shares if most >= t.FEWEST_SHARED_WINDOWS else len(vectors) == _LOOPED_VECTORS
    reach = t.VECTOR_BYTES if apart else starts[-1] + t.VECTOR_BYTES
    together = len(vectors) if is_looped and len(vectors) in t.SHARED_WINDOWS else 1
    program = [most, min(offsets), max(offsets) + t.VECTOR_BYTES, len(vectors), pixels, reach, together, int(apart)]
    for start, windows in zip(starts, vectors, strict=True):
        program.append(start)
        for offset, lanes in windows + [(windows[0][0], b"")] * (most - len(windows)):
            program += [offset, *_words(lanes)]
    return tuple(program)


def _windows(sources: list[int], last: int | None = None) -> list[tuple[int, bytes]]:
    """Return the fewest windows of 16 bytes that have all sources: offset and lanes; none begins behind `last`."""
    offsets = []
    left = set(sources)
    while left:
        offsets.append(min(left) if last is None else min(*left, last))
        left = {source for source in left if source >= offsets[-1] + t.VECTOR_BYTES}
    return _lanes_of(sources, offsets)


def _lanes_of(sources: list[int], offsets: list[int]) -> list[tuple[int, bytes]]:
    """Return windows at offsets, in rising order, with the lanes that sources have in each."""
    windows = []
    done: set[int] = set()
    for offset in offsets:
        here = {source for source in sources if offset <= source < offset + t.VECTOR_BYTES} - done
        windows.append((offset, bytes(source - offset if source in here else t.NO_LANE for source in sources)))
        done |= here
    return windows


def _words(values: bytes) -> list[int]:
    """Return 16 lanes, or fewer and no more, as two signed integers of the machine's byte order."""
    values = values.ljust(t.VECTOR_BYTES, bytes([t.NO_LANE]))
    return [int.from_bytes(values[i : i + 8], sys.byteorder, signed=True) for i in (0, 8)]
