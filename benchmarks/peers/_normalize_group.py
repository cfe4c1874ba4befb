"""A loader's transform: crops that reach beyond by reflect, mirrored and normalised, at another place each time.

What stays from call to call is made once for each contender: buffers, tables, mean and deviation as it wants them. The
fastest of its ways is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import cycle, product
from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

import fastops
from benchmarks.measure.limits import fills
from benchmarks.measure.timing import interleaved_medians
from benchmarks.peers._contest import fastest, samples_of
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks._base import LazyModule

cv2: Any = LazyModule("cv2")
torch: Any = LazyModule("torch")

Array = NDArray[Any]
#: Writes one crop: of data, at its first coordinates, mirrored or not, into an output with the axes of data.
Way = Callable[[Array, Sequence[int], bool, Array], object]
#: Does so with each of data, at the places that come next.
Move = Callable[[list[Array], Iterator[Any], Array], object]
#: The first coordinates of each crop of a call, and which of them are mirrored.
Places = tuple[list[list[int]], list[bool]]

_PIXELS = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
_VOXELS = 12.5, 345.0
# Crops reach so far at most. There are more places than any call remembers.
_BEYOND, _PLACES, _SMALL = 20, 1600, 48

_IMAGES = {224: (256, 256, 3), 448: (512, 640, 3), 1024: (1080, 1920, 3)}
_VOLUMES = {96: (112, 128, 128), 160: (176, 192, 192)}


class Kind(NamedTuple):
    """What a row crops: one image or volume of this shape, or, where there is none, 64 photographs."""

    layout: str
    dtype: str
    side: int
    shape: tuple[int, ...] = ()


def normalize(_setup: Setup) -> list[Job]:
    """Return crops of images and of volumes, and batches of photographs, with one thread and with all."""
    layouts = ("chw", "float32"), ("chw", "float16"), ("hwc", "float32")
    kinds = [Kind(*layout, side, _IMAGES[side]) for layout, side in product(layouts, _IMAGES)]
    kinds += [Kind("volume", "float32", side, shape) for side, shape in _VOLUMES.items()]
    rows = {f"{kind.layout}_{kind.dtype}_{kind.side}": kind for kind in kinds}
    rows["photographs_float32"] = Kind("chw", "float32", 224)
    names = [(name, f"{name}_{threads}") for name in rows for threads in ("1_thread", "all_threads")]
    return [Job("normalize", full, partial(_run, full, rows[name])) for name, full in names]


def _run(name: str, kind: Kind, setup: Setup) -> Row:
    with setup.one_thread() as alone:
        own = alone if name.endswith("1_thread") else setup
        for each in (FASTOPS, *[peer for peer in own.peers if peer == "torch"]):
            own.framework(each)
        if find_spec("cv2") is not None:
            cv2.setNumThreads(own.threads)
        return _row(name, kind, own)


def _row(name: str, kind: Kind, setup: Setup) -> Row:
    data, places, out = _draw(kind, setup.is_small)
    what = f"{len(data)} photographs" if len(data) > 1 else f"{data[0].dtype} {data[0].shape}"
    row = Row("normalize", name, f"{what} to {kind.dtype}, {out.shape[1:]}, {kind.layout}")
    asked = {"writing": 1.6 if kind.side == 224 else 1.3, "recipe": 1.4, "opencv": 6.0, "torch": 15.0}
    row.asked = asked if kind.shape else {"opencv": 5.0}
    checked = [_expected(data, each, out) for each in places[:2]]
    calls: dict[str, Callable[[], object]] = {}
    for contender, ways in _ways(kind, out[0], setup).items():
        found = {how: partial(move, data, cycle(places), out) for how, move in ways.items()}
        reasons = {how: _difference(call, checked, out) for how, call in found.items()}
        right = [how for how, reason in reasons.items() if not reason]
        if right:
            row.how[contender] = right[fastest([found[how] for how in right])]
            calls[contender] = found[row.how[contender]]
        else:
            row.absent[contender] = "; ".join(f"{how}: {reason}" for how, reason in reasons.items())
    row.wrong = row.absent.get(FASTOPS, "")
    row.touched_bytes = out.nbytes
    limits: dict[str, Callable[[], object]] = {"out.fill": partial(out.fill, 7)}
    if setup.threads > 1:
        limits["parallel memset"] = fills(out.nbytes, setup.threads)["parallel memset"]
    # Half of the usual time: the largest crops take as long as their rounds.
    effort = replace(setup.effort, seconds=setup.effort.seconds / 2)
    medians = interleaved_medians(samples_of({**calls, **limits}, setup), effort)
    row.values, row.limits = {name: medians[name] for name in calls}, {name: medians[name] for name in limits}
    return row


def _draw(kind: Kind, is_small: bool) -> tuple[list[Array], list[Places], Array]:
    """Return what is cropped, the places of many calls, and an output with channels last in its shape."""
    rng, side = np.random.default_rng(0), _SMALL if is_small else kind.side
    rank = 3 if kind.layout == "volume" else 2
    if kind.shape:
        shape = (*[side + 25] * rank, *kind.shape[rank:]) if is_small else kind.shape
        dtype, least, most = ("int16", -999, 999) if rank == 3 else ("uint8", 0, 256)
        data = [rng.integers(least, most, shape, dtype)]
        # Each place once: by up to so much beyond the first edge, or the last one, of each axis.
        ends = [np.r_[-_BEYOND:0, n - side + 1 : n - side + _BEYOND + 1] for n in shape[:rank]]
        every = np.stack(np.meshgrid(*ends), -1).reshape(-1, rank)
        places = [([start], [True]) for start in rng.permutation(every)[:_PLACES].tolist()]
    else:
        count, least, most = (4, 30, 60) if is_small else (64, 200, 480)
        data = [rng.integers(0, 256, (*rng.integers(least, most, 2), 3), np.uint8) for _ in range(count)]
        spare = np.array([photo.shape[:2] for photo in data]) - side
        low, high = np.minimum(spare, 0) - 2, np.maximum(spare, 0) + 2
        # Of these, too, there are more than any call remembers.
        draws = [(rng.integers(low, high, endpoint=True), rng.random(count) < 0.5) for _ in range(32)]
        places = [(starts.tolist(), mirrored.tolist()) for starts, mirrored in draws]
    n, channels = len(data), data[0].shape[rank:]
    if kind.layout == "chw":
        return data, places, np.zeros((n, *channels, side, side), kind.dtype).transpose(0, 2, 3, 1)
    return data, places, np.zeros((n, *[side] * rank, *channels), kind.dtype)


def _numbers(out: Array) -> tuple[Any, Any]:
    """Return mean and deviation for an output of one crop."""
    return _VOXELS if out.shape[-1] != 3 else _PIXELS


def _scaled(out: Array) -> tuple[Any, Any]:
    """Return the same as what to multiply by, and to add."""
    mean, std = map(np.array, _numbers(out))
    return np.float32(1 / std), np.float32(-mean / std)


def _expected(data: list[Array], places: Places, out: Array) -> Array:
    """Return what the formula gives, by NumPy."""
    expected = np.empty_like(out)
    _call_each(_by_numpy, data, iter([places]), expected)
    return expected


def _difference(call: Callable[[], object], checked: list[Array], out: Array) -> str:
    """Return why a call fails, or that it gives something else than what is expected, but for how it rounds."""
    for expected in checked:
        out[...] = 0
        try:
            call()
        except Exception as error:
            return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        if not np.allclose(out, expected, rtol=2e-3 if out.dtype == np.float16 else 1e-5, atol=1e-4):
            return "another result than NumPy's"
    return ""


def _call_each(way: Way, data: list[Array], places: Iterator[Places], out: Array) -> None:
    for photo, start, is_mirrored, each in zip(data, *next(places), out, strict=True):
        way(photo, start, is_mirrored, each)


def _own(data: list[Array], places: Iterator[Places], out: Array) -> None:
    starts, mirrored = next(places)
    rank = len(starts[0])
    size = out.shape[1 : rank + 1]
    how: dict[str, Any] = {"axes": [*range(rank)], "mode": "reflect", "normalize": _numbers(out[0]), "out": out}
    if len(data) > 1:
        fastops.windows(data, starts, size, flip=mirrored, **how)
    else:
        first, stride = _mirror(starts[0], size, mirrored[0])
        fastops.windows(data[0], [first], size, stride, **how)


def _ways(kind: Kind, out: Array, setup: Setup) -> dict[str, dict[str, Move]]:
    """Return the ways of each contender that takes part, by how they do it, for outputs like one."""
    recipe = partial(_call_each, _Recipe(kind.layout, out, setup.threads))
    ways: dict[str, dict[str, Move]] = {FASTOPS: {"windows": _own}, REFERENCE: {"slice, a loop in @njit": recipe}}
    if find_spec("cv2") is not None and kind.layout != "volume":
        ways["opencv"] = _OpenCV(out).ways
    if "torch" in setup.peers:
        ways["torch"] = _Torch(out).ways
    return ways


def _mirror(start: Sequence[int], size: Sequence[int], is_mirrored: bool) -> tuple[Sequence[int], tuple[int, ...]]:
    """Return start and stride of a window that is mirrored, or not, along the last of its axes."""
    if not is_mirrored:
        return start, (1,) * len(start)
    return (*start[:-1], start[-1] + size[-1] - 1), (*[1] * (len(start) - 1), -1)


def _normalize_planes(planes: Any, scale: Any, shift: Any, out: Any) -> None:
    count, rows, columns = planes.shape
    for n in prange(count * rows):
        i, j = n // rows, n % rows
        for k in range(columns):
            out[i, j, k] = np.float32(planes[i, j, k]) * scale[i] + shift[i]


def _normalize_pixels(rows: Any, scale: Any, shift: Any, out: Any) -> None:
    for i in prange(rows.shape[0]):
        for k in range(rows.shape[1]):
            out[i, k] = np.float32(rows[i, k]) * scale[k] + shift[k]


def _look_up(planes: Any, table: Any, out: Any) -> None:
    count, rows, columns = planes.shape
    for n in prange(count * rows):
        i, j = n // rows, n % rows
        for k in range(columns):
            out[i, j, k] = table[i, planes[i, j, k]]


@cache
def _compiled(kernel: Any, is_parallel: bool) -> Any:
    return njit(fastmath=True, parallel=is_parallel)(kernel)


class _Recipe:
    """What one writes without the stage: the elements as planes, or as pixels, then a loop over them.

    Numba has no float16 on a CPU: there, the loop looks up its bits.
    """

    def __init__(self, layout: str, out: Array, threads: int) -> None:
        scale, shift = _scaled(out)
        self.layout = layout
        self.moved = np.empty(out.shape, np.int16 if layout == "volume" else np.uint8)
        if layout == "chw":
            self.moved = np.empty((out.shape[-1], *out.shape[:2]), np.uint8).transpose(1, 2, 0)
        kernel: Any = _normalize_planes
        self.numbers: tuple[Array, ...] = (scale, shift)
        if layout == "hwc":
            kernel, self.numbers = _normalize_pixels, (np.tile(scale, len(out)), np.tile(shift, len(out)))
        elif layout == "volume":
            self.numbers = np.full(len(out), scale), np.full(len(out), shift)
        elif out.dtype == np.float16:
            kernel, self.numbers = _look_up, (np.ascontiguousarray(_table(out).T).view(np.uint16),)
        self.loop = _compiled(kernel, threads > 1)

    def __call__(self, data: Array, start: Sequence[int], is_mirrored: bool, out: Array) -> None:
        size = out.shape[: len(start)]
        first, stride = _mirror(start, size, is_mirrored)
        fastops.slice(data, first, size, stride, axes=[*range(len(start))], mode="reflect", out=self.moved)
        self.loop(self._laid_out(self.moved), *self.numbers, self._laid_out(out))

    def _laid_out(self, array: Array) -> Array:
        bits = array.view(np.uint16) if array.dtype == np.float16 else array
        if self.layout == "hwc":
            return bits.reshape(len(array), -1)
        return bits.transpose(2, 0, 1) if self.layout == "chw" else bits


def _table(out: Array) -> Array:
    """Return what each byte becomes, for each channel: of shape (256, channels)."""
    scale, shift = _scaled(out)
    table: Array = np.arange(256, dtype=np.float32)[:, None] * scale + shift
    return table.astype(out.dtype)


def _inside(start: Sequence[int], size: Sequence[int], extents: Sequence[int]) -> tuple[Any, list[tuple[int, int]]]:
    """Return the index of what a crop reads inside of data, and by how much it reaches beyond the edges."""
    index = [slice(max(x, 0), min(x + n, extent)) for x, n, extent in zip(start, size, extents, strict=True)]
    pads = [(max(-x, 0), max(x + n - extent, 0)) for x, n, extent in zip(start, size, extents, strict=True)]
    return tuple(index), pads


def _by_numpy(data: Array, start: Sequence[int], is_mirrored: bool, out: Array) -> None:
    rank = len(start)
    index, pads = _inside(start, out.shape[:rank], data.shape[:rank])
    moved = np.pad(data[index], [*pads, *[(0, 0)] * (data.ndim - rank)], "reflect")
    scale, shift = _scaled(out)
    out[...] = (np.flip(moved, rank - 1) if is_mirrored else moved) * scale + shift


class _Torch:
    """The pad reads channels last as they are, or planes that are made before it."""

    def __init__(self, out: Array) -> None:
        self.numbers = [torch.tensor(each, dtype=torch.float32).view(-1, 1, 1) for each in _numbers(out)]
        # A crop becomes floats in memory of its own, then what is asked for; or there at once.
        self.ways: dict[str, Move] = {
            "channels_last, pad, flip, to, sub_, div_, copy_": partial(_call_each, partial(self._write, False, False)),
            "contiguous, pad, flip, to, sub_, div_, copy_": partial(_call_each, partial(self._write, False, True)),
            "contiguous, pad, flip, copy_, sub_, div_": partial(_call_each, partial(self._write, True, True)),
        }

    def _write(self, is_direct: bool, is_planes: bool, data: Array, start: Any, is_mirrored: bool, out: Array) -> None:
        rank = len(start)
        index, pads = _inside(start, out.shape[:rank], data.shape[:rank])
        moved, target = torch.from_numpy(data[index]), torch.from_numpy(out)
        if rank == 2:
            moved, target = moved.permute(2, 0, 1), target.permute(2, 0, 1)
        moved = moved.contiguous() if is_planes else moved
        around = [n for pair in reversed(pads) for n in pair]
        if any(around):
            moved = torch.nn.functional.pad(moved[None], around, "reflect")[0]
        moved = moved.flip(-1) if is_mirrored else moved
        mean, std = self.numbers
        if is_direct:
            target.copy_(moved).sub_(mean).div_(std)
        else:
            target.copy_(moved.to(torch.float32).sub_(mean).div_(std))


def moved_by_opencv(
    data: Array, start: Sequence[int], size: Sequence[int], is_mirrored: bool, outs: tuple[Any, Any] = (None, None)
) -> Any:
    """Return a crop of bytes, padded in the memory of the first output, and mirrored in the second one's."""
    index, ((top, bottom), (left, right)) = _inside(start, size, data.shape[:2])
    crop = data[index]
    if top or bottom or left or right:
        crop = cv2.copyMakeBorder(crop, top, bottom, left, right, cv2.BORDER_REFLECT_101, outs[0])
    return cv2.flip(crop, 1, outs[1]) if is_mirrored else crop


class _OpenCV:
    """Bytes are moved first, then looked up or scaled. `blobFromImage`, and arithmetic of pixels, take longer."""

    def __init__(self, out: Array) -> None:
        self.moved = np.empty(out.shape, np.uint8), np.empty(out.shape, np.uint8)
        self.planes = [np.empty(out.shape[:2], np.uint8) for _ in range(3)]
        # Bits are looked up: OpenCV 4 has no float16 in Python.
        self.bits = np.int16 if out.dtype == np.float16 else out.dtype
        self.table = _table(out).view(self.bits)[None]
        self.tables = [np.ascontiguousarray(self.table[..., channel]) for channel in range(3)]
        self.scaled = [each.tolist() for each in _scaled(out)]
        finishes = {"LUT": self._look_up} if out.flags.c_contiguous else {"split, LUT": self._look_up_planes}
        if out.dtype == np.float32 and not out.flags.c_contiguous:
            finishes["split, addWeighted"] = self._scale_planes
        self.ways: dict[str, Move] = {}
        for how, finish in finishes.items():
            self.ways[f"copyMakeBorder, flip, {how}"] = partial(_call_each, partial(self._write, finish))

    def _write(self, finish: Any, data: Array, start: Sequence[int], is_mirrored: bool, out: Array) -> None:
        finish(moved_by_opencv(data, start, out.shape[:2], is_mirrored, self.moved), out)

    def _look_up(self, crop: Array, out: Array) -> None:
        cv2.LUT(crop, self.table, out.view(self.bits))

    def _look_up_planes(self, crop: Array, out: Array) -> None:
        cv2.split(crop, self.planes)
        for plane, table, target in zip(self.planes, self.tables, out.view(self.bits).transpose(2, 0, 1), strict=True):
            cv2.LUT(plane, table, target)

    def _scale_planes(self, crop: Array, out: Array) -> None:
        cv2.split(crop, self.planes)
        for plane, scale, shift, target in zip(self.planes, *self.scaled, out.transpose(2, 0, 1), strict=True):
            cv2.addWeighted(plane, scale, plane, 0, shift, target, cv2.CV_32F)
