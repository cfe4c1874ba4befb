"""Patches: windows at equal distances along axes, which may overlap and may reach beyond a padded axis.

Element i of patch p reads coordinate ``p * stride - before + i * rate`` of an axis. One affine map expresses that only
inside the axis, so all patches inside are one piece of the result; patches that read fill values only are one piece on
each side, and each other patch is a piece. With several axes, each combination of their pieces is a piece of the
result; one launch writes all pieces. If there would be many pieces, data is padded first, so that all patches are one
piece: scheduling many pieces takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from math import prod
from typing import NamedTuple, TypeAlias

from fastops._geometry._geometry import NO_AXIS, SourceWindow
from fastops._geometry._sample_mode import SampleMode
from fastops._lowering._arguments import Bounds, Ints
from fastops._lowering._windows import MOST_PIECES, Assembly, Windows, check_pieces

# With more pieces than this, padding data first takes less time.
_FEW_PIECES = 512

# Data is padded to at most this many times the elements of data and result together, unless there are too many pieces.
_MOST_PADDED = 4

_FILL = SampleMode.FILL
_ONE_FOR_ALL = SourceWindow(NO_AXIS, 0, 0)


class Cut(NamedTuple):
    """The patches that an axis is cut into.

    Attributes
    ----------
    axis : int
        The axis of data; in `lower_fold`, of the result.
    size : int
        The number of elements of a patch.
    patches : int
        The number of patches.
    stride : int
        The distance from one patch to the next, >= 1.
    rate : int
        The distance from one element of a patch to the next, >= 1.
    before : int
        The distance from the start of the first patch to the start of the axis.
    """

    axis: int
    size: int
    patches: int
    stride: int = 1
    rate: int = 1
    before: int = 0


class _Zones(NamedTuple):
    """The bounds of five zones of the patches of an axis, in the order of patches.

    The patches of the first and of the last zone read fill values only, and those of the middle zone lie inside the
    axis; each of these zones is one piece. In the two zones between, each patch reaches beyond the axis and is a piece.
    """

    first_beyond: int
    first_inside: int
    end_inside: int
    end_beyond: int
    end: int

    @property
    def boxes(self) -> int:
        """The number of pieces of the axis."""
        filled = (self.first_beyond > 0) + (self.end_beyond < self.end)
        beyond = self.first_inside - self.first_beyond + self.end_beyond - self.end_inside
        return filled + beyond + (self.first_inside < self.end_inside)


#: One axis of a piece: its extent, its bounds, and the part of the source that it reads.
_Axis: TypeAlias = tuple[int, Bounds, SourceWindow]

#: Patches of an axis that are one piece: the first patch, the axis of patches, and that of elements in a patch.
_Box: TypeAlias = tuple[int, _Axis, _Axis]


def cut_same(axis: int, extent: int, size: int, stride: int, rate: int, *, more_before: bool = False) -> Cut:
    """Return ``ceil(extent / stride)`` patches with as few pads as these need.

    If the number of pads is odd, the additional one is after the axis or, with ``more_before``, before it.
    """
    patches = -(-extent // stride)
    pads = max((patches - 1) * stride + (size - 1) * rate + 1 - extent, 0)
    return Cut(axis, size, patches, stride, rate, (pads + more_before) // 2)


def cut_padded(axis: int, extent: int, size: int, stride: int, rate: int = 1, before: int = 0, after: int = 0) -> Cut:
    """Return the patches that lie inside an axis with its pads; their number may be 0."""
    room = extent + before + after - (size - 1) * rate - 1
    return Cut(axis, size, max(room // stride + 1, 0), stride, rate, before)


def lower_patches(
    shape: Ints, cuts: Sequence[Cut], merges: Sequence[Ints], mode: SampleMode = _FILL, attribute: str = "size"
) -> Assembly:
    """Return the pieces of patches; there is at most one cut for each axis of data of ``shape``.

    ``merges`` has the factors of each axis of the result: k stands for axis k of data, or for the patches that it is
    cut into, and ``len(shape) + j`` for the elements in a patch of cut j. ``mode`` says what coordinates outside of
    data read. Errors about too many pieces name ``attribute``.
    """
    counts = [*shape, *[cut.size for cut in cuts]]
    for cut in cuts:
        counts[cut.axis] = cut.patches
    result = [prod([counts[k] for k in merge]) for merge in merges]
    if 0 in result:
        return Assembly.empty(shape, result)
    zones = [_zones_of(shape[cut.axis], cut, mode) for cut in cuts]
    n_pieces = prod([own.boxes for own in zones])

    def list_pieces() -> Assembly:
        check_pieces(attribute, n_pieces, tuple(counts[len(shape) :]), "each patch that reaches beyond data")
        boxes = [sorted(_boxes_of(shape[cut.axis], cut, own)) for cut, own in zip(cuts, zones, strict=True)]
        # A box along several axes that are merged is not a box of the merged axis.
        is_split = any([len(own) > 1 for own in boxes])
        split = [part for merge in merges for part in (_split(merge, cuts) if is_split else [merge])]
        order, pieces, starts = tuple(chain(*merges)), [], []
        for piece in product(*boxes):
            axes = [(extent, (0, 1, extent), SourceWindow(k, 0, 1)) for k, extent in enumerate(shape)]
            first = dict.fromkeys(range(len(counts)), 0)
            for cut, (patch, of_patches, of_elements) in zip(cuts, piece, strict=True):
                axes[cut.axis], first[cut.axis] = of_patches, patch
                axes.append(of_elements)
            extents, bounds, reads = [axis[0] for axis in axes], [axis[1] for axis in axes], [axis[2] for axis in axes]
            own_shape = [prod([bounds[k][2] for k in merge]) for merge in split]
            pieces.append(Windows(extents, bounds, mode, own_shape, shape, order, reads if cuts else None))
            starts.append(tuple([first[merge[0]] for merge in split]))
        split_shape = [prod([counts[k] for k in merge]) for merge in split]
        return Assembly(result, pieces, starts, split_shape if len(split) > len(merges) else None)

    padding = _padding_of(shape, cuts, mode)
    # Patches whose elements lie far apart would skip most of the padded data.
    is_sparse = prod(padding.counts) > _MOST_PADDED * (prod(shape) + prod(result))
    if n_pieces <= (MOST_PIECES if is_sparse else _FEW_PIECES):
        return list_pieces()
    of_padded = lower_patches(padding.counts, [cut._replace(before=0) for cut in cuts], merges)
    return of_padded._replace(padding=padding, listed=list_pieces)


def _padding_of(shape: Ints, cuts: Sequence[Cut], mode: SampleMode) -> Windows:
    """Return the windows that pad data as far as patches reach."""
    bounds: list[Bounds] = [(0, 1, extent) for extent in shape]
    for cut in cuts:
        last = (cut.patches - 1) * cut.stride - cut.before + (cut.size - 1) * cut.rate
        bounds[cut.axis] = (-cut.before, 1, max(last + 1, shape[cut.axis]) + cut.before)
    return Windows(shape, bounds, mode)


def _split(merge: Ints, cuts: Sequence[Cut]) -> list[Ints]:
    """Return an axis's factors as one list; as a list for each factor if there are several and one counts patches."""
    is_cut = len(merge) > 1 and any([cut.axis in merge for cut in cuts])
    return [[k] for k in merge] if is_cut else [merge]


def _zones_of(extent: int, cut: Cut, mode: SampleMode) -> _Zones:
    """Return the zones of the patches of an axis."""
    reach = (cut.size - 1) * cut.rate
    first = _patches_before(cut, 0)
    end = max(_patches_before(cut, extent - reach), first)
    if mode is not SampleMode.FILL:
        return _Zones(0, first, end, cut.patches, cut.patches)
    return _Zones(_patches_before(cut, -reach), first, end, max(_patches_before(cut, extent), end), cut.patches)


def _patches_before(cut: Cut, coordinate: int) -> int:
    """Return the number of patches that begin before a coordinate."""
    return min(max(-((-coordinate - cut.before) // cut.stride), 0), cut.patches)


def _boxes_of(extent: int, cut: Cut, zones: _Zones) -> Iterator[_Box]:
    """Yield the pieces of the patches along an axis, in any order."""
    whole = SourceWindow(cut.axis, 0, 1)
    for first, end in ((0, zones.first_beyond), (zones.end_beyond, zones.end)):
        if first < end:
            patches = (extent, (extent, 0, end - first), whole)
            yield first, patches, (1, (0, 0, cut.size), _ONE_FOR_ALL)
    for p in chain(range(zones.first_beyond, zones.first_inside), range(zones.end_inside, zones.end_beyond)):
        bounds = (p * cut.stride - cut.before, cut.rate, cut.size)
        yield p, (1, (0, 1, 1), _ONE_FOR_ALL), (extent, bounds, whole)
    first, n = zones.first_inside, zones.end_inside - zones.first_inside
    if n > 0:
        inside = SourceWindow(cut.axis, first * cut.stride - cut.before, cut.stride if n > 1 else 0)
        elements = SourceWindow(cut.axis, 0, cut.rate if cut.size > 1 else 0)
        yield first, (n, (0, 1, n), inside), (cut.size, (0, 1, cut.size), elements)


#: Consecutive patches of an axis, and the elements of each patch that the result takes: where these elements begin in
#: the result, and a first index and a count for patches and for elements. Elements beyond a patch are fill values.
_Owned: TypeAlias = tuple[int, tuple[int, int], tuple[int, int]]


def _owned(cut: Cut, extent: int) -> list[_Owned]:
    """Return the patches from which an axis is put together: each element comes from the last patch that has it."""
    stride, before, last = cut.stride, cut.before, cut.patches - 1
    if not cut.patches:
        # There are no patches, so all elements are fill values.
        return [(0, (0, 1), (cut.size, extent))]
    first = min(before // stride, last)
    begin, at = before - first * stride, last * stride - before
    if first == last:
        return [(0, (last, 1), (begin, extent))]
    low, end = first + (begin > 0), last + (extent - at == stride)
    owned = []
    if begin:
        owned.append((0, (first, 1), (begin, stride - begin)))
    if low < end:
        owned.append((low * stride - before, (low, end - low), (0, stride)))
    if end == last:
        owned.append((at, (last, 1), (0, extent - at)))
    return owned


def lower_fold(
    about: tuple[str, Ints], shape: Ints, result: Ints, cuts: Sequence[tuple[Cut, int, int]], extents: Ints, order: Ints
) -> Assembly:
    """Return the pieces of a result that is put together from patches: each combination of the axes' pieces.

    Parameters
    ----------
    about : tuple of str and sequence of int
        The attribute that an error about too many pieces names, and its value.
    shape, result : sequence of int
        The shapes of data and of the result.
    cuts : sequence of tuple of Cut, int and int
        The cuts of axes of the result: each with the factor that counts patches, and that of elements in a patch.
    extents : sequence of int
        The extents of the factors that data's axes are split into.
    order : sequence of int
        The factors in the order of the result.
    """
    owned = [_owned(cut, result[cut.axis]) for cut, _, _ in cuts]
    attribute, written = about
    check_pieces(attribute, prod(map(len, owned)), written)
    windows, starts = [], []
    for piece in product(*owned):
        bounds: list[Bounds] = [(0, 1, extent) for extent in extents]
        start, own_shape = [0] * len(result), list(result)
        for (cut, j, k), (at, (first, n), (element, count)) in zip(cuts, piece, strict=True):
            bounds[j], bounds[k] = (first, 1, n), (element, 1, count)
            start[cut.axis], own_shape[cut.axis] = at, n * count
        windows.append(Windows(extents, bounds, _FILL, own_shape, shape, order))
        starts.append(tuple(start))
    return Assembly(result, windows, starts)
