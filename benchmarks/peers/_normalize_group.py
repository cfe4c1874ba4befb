"""A loader's transform: crops that reach beyond by reflect, mirrored and normalised, at another place each time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import cycle, product
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

import fastops
from benchmarks.measure.limits import fills
from benchmarks.measure.timing import interleaved_medians
from benchmarks.peers._contest import samples_of
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks._base import LazyModule

cv2: Any = LazyModule("cv2")
torch: Any = LazyModule("torch")

Array = NDArray[Any]
#: Writes one crop: of data, at its first coordinates, into an output with the axes of data.
Way = Callable[[Array, Any, Array], object]

_MEAN, _STD = np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
_SCALE, _SHIFT = np.float32(1 / _STD), np.float32(-_MEAN / _STD)
_BEYOND, _PLACES, _SMALL, _PHOTOGRAPHS = 12, 64, 40, 64

_IMAGES = {224: (256, 256, 3), 448: (512, 640, 3), 1024: (1080, 1920, 3)}
_VOLUMES = {96: (112, 128, 128), 160: (176, 192, 192)}


def normalize(_setup: Setup) -> list[Job]:
    """Return crops of images and of volumes, and batches of photographs, with one thread and with all."""
    runs: dict[str, Callable[[Row, Setup], None]] = {}
    for (layout, dtype), side in product((("chw", "float32"), ("chw", "float16"), ("hwc", "float32")), _IMAGES):
        runs[f"{layout}_{dtype}_{side}"] = partial(_run_crop, _IMAGES[side], side, layout, dtype)
    for side, shape in _VOLUMES.items():
        runs[f"volume_float32_{side}"] = partial(_run_crop, shape, side, "volume", "float32")
    runs["photographs_float32"] = _run_photographs
    return [
        Job("normalize", f"{name}_{threads}", partial(_run, f"{name}_{threads}", run))
        for name, run in runs.items()
        for threads in ("1_thread", "all_threads")
    ]


def _run(name: str, run: Callable[[Row, Setup], None], setup: Setup) -> Row:
    row = Row("normalize", name, "")
    with setup.one_thread() as alone:
        own = alone if name.endswith("1_thread") else setup
        for each in (FASTOPS, *[peer for peer in ("torch",) if peer in own.peers]):
            own.framework(each)
        if find_spec("cv2") is not None:
            cv2.setNumThreads(own.threads)
        run(row, own)
    return row


def _run_crop(shape: tuple[int, ...], side: int, layout: str, dtype: str, row: Row, setup: Setup) -> None:
    is_volume = layout == "volume"
    if setup.is_small:
        side, shape = _SMALL, (_SMALL + 9,) * 3 if is_volume else (_SMALL + 9, _SMALL + 19, 3)
    rng = np.random.default_rng(0)
    data = rng.integers(-999, 999, shape).astype(np.int16) if is_volume else rng.integers(0, 256, shape, np.uint8)
    size = (side,) * (3 if is_volume else 2)
    rests = np.array(shape[: len(size)]) - side
    # By up to so much beyond the first edge, or the last one, of each axis.
    by = rng.integers(1, _BEYOND + 1, (_PLACES, len(size)))
    starts = np.where(rng.random(by.shape) < 0.5, -by, rests + by).tolist()
    row.what = f"{data.dtype.name} {shape} to {dtype}, {size}, {layout}"
    row.asked = {"share": 1 / 1.6 if side == 224 else 1 / 1.3, "times_reference": 1 / 1.4}
    if not is_volume:
        row.asked |= {"opencv": 6.0, "torch": 15.0}
    calls = {}
    for name, (how, way) in _ways(size, setup).items():
        out = _output((*size, *shape[len(size) :]), layout, dtype)
        if all([_is_right(way, data, start, out) for start in starts[:8]]):
            calls[name], row.how[name] = partial(_next, way, data, cycle(starts), out), how
        elif name == FASTOPS:
            row.wrong = "another result than NumPy's"
        else:
            row.absent[name] = "another result than NumPy's"
    row.touched_bytes = out.nbytes
    limits = fills(out.nbytes, setup.threads)
    medians = interleaved_medians(samples_of({**calls, **limits}, setup), setup.effort)
    row.values, row.limits = {name: medians[name] for name in calls}, {name: medians[name] for name in limits}


def _next(way: Way, data: Array, starts: Any, out: Array) -> None:
    way(data, next(starts), out)


def _output(shape: tuple[int, ...], layout: str, dtype: str) -> Array:
    """Return an output with channels last in its shape, whose memory has the layout."""
    return np.empty((3, *shape[:2]), dtype).transpose(1, 2, 0) if layout == "chw" else np.empty(shape, dtype)


def _is_right(way: Way, data: Array, start: list[int], out: Array) -> bool:
    """Return whether a way gives what the formula does, but for how it rounds."""
    expected = np.empty_like(out)
    _by_numpy(data, start, expected)
    out[...] = 0
    way(data, start, out)
    return np.allclose(out, expected, rtol=2e-3 if out.dtype == np.float16 else 1e-5, atol=1e-4)


def _ways(size: tuple[int, ...], setup: Setup) -> dict[str, tuple[str, Way]]:
    ways: dict[str, tuple[str, Way]] = {
        FASTOPS: ("windows(..., normalize=)", _own),
        REFERENCE: ("slice, a loop in @njit", _Recipe()),
        "numpy": ("np.pad, a view, multiply, add", _by_numpy),
    }
    if len(size) == 3:
        return ways
    if "torch" in setup.peers:
        ways["torch"] = "functional.pad, flip, to, sub_, div_, copy_", _by_torch
    if find_spec("cv2") is not None:
        ways["opencv_planes"] = "copyMakeBorder, flip, split, addWeighted", partial(_by_opencv, _planes_by_opencv)
        ways["opencv_pixels"] = "copyMakeBorder, flip, subtract, multiply", partial(_by_opencv, _pixels_by_opencv)
    return ways


def _numbers(rank: int) -> tuple[Any, Any]:
    """Return scale and shift of pixels; of a volume, one number each."""
    return (_SCALE, _SHIFT) if rank == 2 else (_SCALE[0], _SHIFT[0])


def _mirror(start: Sequence[int], size: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return start and stride of a window that is mirrored along the last of its axes."""
    return (*start[:-1], start[-1] + size[-1] - 1), (*[1] * (len(start) - 1), -1)


def _own(data: Array, start: list[int], out: Array) -> None:
    rank = len(start)
    first, stride = _mirror(start, out.shape[:rank])
    numbers = (_MEAN, _STD) if rank == 2 else (_MEAN[0], _STD[0])
    axes = range(rank)
    fastops.windows(
        data, [first], out.shape[:rank], stride, axes=axes, mode="reflect", normalize=numbers, out=out[None]
    )


@njit(fastmath=True)
def _normalize_rows(rows: Any, scale: Any, shift: Any, out: Any) -> None:
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            for k in range(rows.shape[2]):
                out[i, j, k] = rows[i, j, k] * scale[i] + shift[i]


class _Recipe:
    """What one writes without the stage: the elements as planes, then a loop over them."""

    def __init__(self) -> None:
        self.planes: Array | None = None

    def __call__(self, data: Array, start: list[int], out: Array) -> None:
        rank, n = len(start), out.shape[-1]
        if self.planes is None:
            self.planes = np.empty((n, *out.shape[:2]) if rank == 2 else out.shape, data.dtype)
            self.floats = np.empty(self.planes.shape, np.float32)
        first, stride = _mirror(start, out.shape[:rank])
        moved = self.planes.transpose(1, 2, 0) if rank == 2 else self.planes
        fastops.slice(data, first, out.shape[:rank], stride, axes=range(rank), mode="reflect", out=moved)
        target = out.transpose(2, 0, 1) if rank == 2 else out
        floats = target if out.dtype == np.float32 else self.floats
        scale, shift = [np.broadcast_to(each, len(target)) for each in _numbers(rank)]
        _normalize_rows(self.planes, scale, shift, floats)
        if floats is not target:
            target[...] = floats


def _inside(start: list[int], size: Sequence[int], extents: Sequence[int]) -> tuple[Any, list[tuple[int, int]]]:
    """Return the index of what a crop reads inside of data, and by how much it reaches beyond the edges."""
    index = [slice(max(x, 0), min(x + n, extent)) for x, n, extent in zip(start, size, extents, strict=True)]
    return tuple(index), [
        (max(-x, 0), max(x + n - extent, 0)) for x, n, extent in zip(start, size, extents, strict=True)
    ]


def _by_numpy(data: Array, start: list[int], out: Array) -> None:
    rank = len(start)
    index, pads = _inside(start, out.shape[:rank], data.shape[:rank])
    moved = np.flip(np.pad(data[index], [*pads, *[(0, 0)] * (data.ndim - rank)], "reflect"), rank - 1)
    scale, shift = _numbers(rank)
    out[...] = moved * scale + shift


def _by_torch(data: Array, start: list[int], out: Array) -> None:
    index, ((top, bottom), (left, right)) = _inside(start, out.shape[:2], data.shape[:2])
    inside = torch.from_numpy(data[index]).permute(2, 0, 1)
    moved = torch.nn.functional.pad(inside[None], (left, right, top, bottom), "reflect")[0].flip(2)
    mean, std = [torch.tensor(each, dtype=torch.float32).view(3, 1, 1) for each in (_MEAN, _STD)]
    torch.from_numpy(out).permute(2, 0, 1).copy_(moved.to(torch.float32).sub_(mean).div_(std))


def _by_opencv(finish: Callable[[Array, Array], None], data: Array, start: list[int], out: Array) -> None:
    _finish_by_opencv(finish, data, start, True, out)


def _finish_by_opencv(
    finish: Callable[[Array, Array], None], data: Array, start: Sequence[int], is_mirrored: bool, out: Array
) -> None:
    index, ((top, bottom), (left, right)) = _inside(list(start), out.shape[:2], data.shape[:2])
    crop = data[index]
    if top or bottom or left or right:
        crop = cv2.copyMakeBorder(crop, top, bottom, left, right, cv2.BORDER_REFLECT_101)
    finish(cv2.flip(crop, 1) if is_mirrored else crop, out)


def _planes_by_opencv(crop: Array, out: Array) -> None:
    for channel, plane in enumerate(cv2.split(crop)):
        target = out[..., channel]
        is_plane = target.flags.c_contiguous and out.dtype == np.float32
        how = {"dst": target} if is_plane else {}
        scaled = cv2.addWeighted(
            plane, float(_SCALE[channel]), plane, 0, float(_SHIFT[channel]), dtype=cv2.CV_32F, **how
        )
        if not is_plane:
            target[...] = scaled


def _pixels_by_opencv(crop: Array, out: Array) -> None:
    is_direct = out.flags.c_contiguous and out.dtype == np.float32
    pixels = cv2.subtract(crop, (*_MEAN, 0), out if is_direct else None, dtype=cv2.CV_32F)
    cv2.multiply(pixels, (*(1 / _STD), 0), pixels)
    if out.dtype == np.float32 and not is_direct:
        cv2.split(pixels, list(out.transpose(2, 0, 1)))
    elif not is_direct:
        out[...] = pixels


def _run_photographs(row: Row, setup: Setup) -> None:
    rng = np.random.default_rng(0)
    n, side, least, most = (4, _SMALL, 30, 60) if setup.is_small else (_PHOTOGRAPHS, 224, 200, 480)
    photos = [rng.integers(0, 256, (*rng.integers(least, most, 2), 3), np.uint8) for _ in range(n)]
    spare = np.array([photo.shape[:2] for photo in photos]) - side
    starts = rng.integers(np.minimum(spare, 0) - 2, np.maximum(spare, 0) + 2, endpoint=True)
    mirrored = rng.random(n) < 0.5
    out, other = (np.empty((n, 3, side, side), np.float32).transpose(0, 2, 3, 1) for _ in range(2))
    how: Any = {"axes": [0, 1], "mode": "reflect", "flip": mirrored, "normalize": (_MEAN, _STD), "out": out}
    calls = {FASTOPS: lambda: fastops.windows(photos, starts, [side, side], **how)}
    row.what, row.asked = f"{n} photographs of {least} to {most} pixels to {other.shape}", {"opencv": 5.0}
    calls[FASTOPS]()
    if find_spec("cv2") is not None:

        def theirs() -> Any:
            for photo, start, is_mirrored, each in zip(photos, starts.tolist(), mirrored, other, strict=True):
                _finish_by_opencv(_planes_by_opencv, photo, start, is_mirrored, each)

        calls["opencv"], row.how["opencv"] = theirs, "copyMakeBorder, flip, split, addWeighted of each"
        theirs()
        if not np.allclose(out, other, rtol=1e-5, atol=1e-4):
            row.wrong = "another result than OpenCV's"
    row.values = interleaved_medians(samples_of(calls, setup), setup.effort)
