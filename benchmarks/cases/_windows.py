"""Windows: many of one size out of one array, or one out of each of several; and crops that are cast and normalised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases._case import operator_of

Array = NDArray[Any]

# Mean and deviation of the channels of images.
_PIXELS = ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))

# NumPy's names of the modes of fastops.
_PADS = {"reflect": "reflect", "clamp": "edge"}


class Drawn(NamedTuple):
    """The arguments of a call of windows.

    Attributes
    ----------
    data : ndarray, or list of them
    starts : ndarray of int
    arguments : dict
        The others, but for out.
    out : ndarray
        Of the result's shape; its memory may be in another order.
    """

    data: Any
    starts: Array
    arguments: dict[str, Any]
    out: Array


@dataclass(frozen=True)
class WindowsCase:
    """One call of windows, or of what does the same to one window.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    draw : callable
        Returns the arguments, the same each time; small ones if it is told so.
    by : str
        What is called: windows, a plan, or a chain, which is collected in each call.
    """

    name: str
    draw: Callable[[bool], Drawn]
    by: str = "windows"

    def call(self, library: ModuleType, *, is_small: bool) -> Callable[[], Any]:
        """Return the call, which writes into an output that exists, and returns that.

        Raises
        ------
        NotImplementedError
            That version of fastops has no windows yet, or does not normalise.
        """
        data, starts, arguments, out = self.draw(is_small)
        # What windows normalise, plans and chains do too.
        windows = operator_of(library, "windows", "normalize" if "normalize" in arguments else None)
        if self.by == "windows":
            return partial(windows, data, starts, **arguments, out=out)
        normalize, (start,) = arguments.pop("normalize"), starts.tolist()
        (target,) = out
        if self.by == "plan":
            plan = library.plan.slice(data.shape, start, **arguments)
            return lambda: plan(data, target, normalize=normalize)[None]
        chain = library.lazy(data)
        return lambda: chain.slice(start, **arguments).normalize(*normalize, out.dtype).run(out=target)[None]


def expected_windows(drawn: Drawn) -> Array:
    """Return the result by NumPy: each window is cut out of its source, which is padded as far as that reaches."""
    arguments = drawn.arguments
    sizes, mode = arguments["size"], arguments.get("mode")
    strides = np.broadcast_to(arguments.get("stride", 1), drawn.starts.shape)
    result = np.empty(drawn.out.shape, drawn.data[0].dtype)
    for n, start in enumerate(drawn.starts):
        source = drawn.data[n] if isinstance(drawn.data, list) else drawn.data
        if "items" in arguments:
            source = source[arguments["items"][n]]
        last = start + strides[n] * (np.array(sizes, int) - 1)
        keys, pads = [], []
        for extent, one, other in zip(source.shape, np.minimum(start, last), np.maximum(start, last), strict=False):
            before = max(-int(one), 0)
            pads.append((before, max(int(other) + 1 - extent, 0)))
            keys.append(slice(int(one) + before, int(other) + before + 1))
        pads += [(0, 0)] * (source.ndim - len(pads))
        if mode is not None:
            source = np.pad(source, pads, _PADS[mode])  # type: ignore[call-overload]
        mirror = tuple([slice(None, None, int(step)) for step in strides[n]])
        result[n] = source[tuple(keys)][mirror]
    if "normalize" not in arguments:
        return result
    mean, std = map(np.array, arguments["normalize"])
    normalized: Array = result * np.float32(1 / std) + np.float32(-mean / std)
    return normalized.astype(drawn.out.dtype)


def _image(is_small: bool) -> tuple[Array, int, int]:
    """Return a channels-last image, how many windows are cut, and how long they are."""
    shape, count, size = ((30, 40, 3), 6, 8) if is_small else ((1080, 1920, 3), 256, 64)
    return np.random.default_rng(0).integers(0, 256, shape, np.uint8), count, size


def _draw_inside(is_small: bool) -> Drawn:
    image, count, size = _image(is_small)
    starts = np.random.default_rng(1).integers(0, np.array(image.shape[:2]) - size, (count, 2))
    return Drawn(image, starts, {"size": [size, size], "axes": [0, 1]}, np.empty((count, size, size, 3), np.uint8))


def _draw_beyond(is_small: bool) -> Drawn:
    image, count, size = _image(is_small)
    starts = np.random.default_rng(2).integers(-size // 2, np.array(image.shape[:2]) - size // 2, (count, 2))
    arguments = {"size": [size, size], "axes": [0, 1], "mode": "reflect"}
    return Drawn(image, starts, arguments, np.empty((count, size, size, 3), np.uint8))


def _draw_patches(is_small: bool) -> Drawn:
    extent, count = (40, 20) if is_small else (512, 5000)
    rng = np.random.default_rng(3)
    data = rng.standard_normal((extent, extent), np.float32)
    starts = rng.integers(-7, extent - 7, (count, 2))
    return Drawn(data, starts, {"size": [15, 15], "mode": "reflect"}, np.empty((count, 15, 15), np.float32))


def _draw_pages(is_small: bool) -> Drawn:
    pages, shape, count = (8, (4, 6), 5) if is_small else (1024, (16, 512), 256)
    rng = np.random.default_rng(4)
    data = rng.standard_normal((pages, *shape), np.float32)
    arguments = {"size": [], "axes": [], "items": rng.permutation(pages)[:count]}
    return Drawn(data, np.zeros((count, 0), np.int64), arguments, np.empty((count, *shape), np.float32))


def _draw_frames(is_small: bool) -> Drawn:
    samples, length, hop = (100, 16, 4) if is_small else (480_000, 2048, 512)
    data = np.random.default_rng(5).standard_normal(samples, np.float32)
    starts = np.arange(0, samples - length + 1, hop)[:, None]
    return Drawn(data, starts, {"size": [length]}, np.empty((len(starts), length), np.float32))


def _draw_photographs(count: int, dtype: str, is_small: bool) -> Drawn:
    """Return photographs, which are normalised if they become floats."""
    count, least, most, size = (4, 12, 30, 16) if is_small else (count, 180, 501, 224)
    rng = np.random.default_rng(6)
    photos = [rng.integers(0, 256, (*rng.integers(least, most, 2), 3), np.uint8) for _ in range(count)]
    spare = np.array([photo.shape[:2] for photo in photos]) - size
    starts = rng.integers(np.minimum(spare, 0), np.maximum(spare, 0) + 1)
    mirrored = rng.random(count) < 0.5
    starts[mirrored, 1] += size - 1
    strides = np.where(mirrored[:, None], [1, -1], [1, 1])
    arguments = {"size": [size, size], "stride": strides, "axes": [0, 1], "mode": "reflect"}
    arguments |= {} if dtype == "uint8" else {"normalize": _PIXELS}
    return Drawn(photos, starts, arguments, np.empty((count, 3, size, size), dtype).transpose(0, 2, 3, 1))


def _draw_crop(shape: tuple[int, ...], side: int, layout: str, dtype: str, is_small: bool) -> Drawn:
    """Return a crop that reaches beyond the first edges and is mirrored: of an image, or of a volume."""
    rank = 3 if layout == "volume" else 2
    if is_small:
        shape, side = (20,) * rank + shape[rank:], 16
    rng = np.random.default_rng(7)
    data = rng.integers(0, 256, shape, np.uint8) if rank == 2 else rng.integers(-999, 999, shape, np.int16)
    starts = np.array([[-9] * (rank - 1) + [side - 10]])
    arguments: dict[str, Any] = {"size": [side] * rank, "stride": [1] * (rank - 1) + [-1], "axes": list(range(rank))}
    arguments |= {"mode": "reflect", "normalize": _PIXELS if rank == 2 else (12.5, 345.0)}
    out = np.empty((1, *[side] * rank, *shape[rank:]), dtype)
    # The same with its channels first in memory.
    planes = np.empty((1, 3, side, side), dtype).transpose(0, 2, 3, 1)
    return Drawn(data, starts, arguments, planes if layout == "chw" else out)


#: Crops and photographs that are cast and normalised.
NORMALIZE_CASES = {
    case.name: case
    for case in (
        WindowsCase("chw_f32_224", partial(_draw_crop, (256, 256, 3), 224, "chw", "float32")),
        WindowsCase("chw_f32_1024", partial(_draw_crop, (1080, 1920, 3), 1024, "chw", "float32")),
        WindowsCase("hwc_f32_448", partial(_draw_crop, (512, 640, 3), 448, "hwc", "float32"), "plan"),
        WindowsCase("chw_f16_448", partial(_draw_crop, (512, 640, 3), 448, "chw", "float16"), "chain"),
        WindowsCase("volume_f32_160", partial(_draw_crop, (176, 192, 192), 160, "volume", "float32"), "plan"),
        WindowsCase("photographs_f32", partial(_draw_photographs, 16, "float32")),
    )
}

WINDOWS_CASES = {
    case.name: case
    for case in (
        WindowsCase("windows_inside_u8", _draw_inside),
        WindowsCase("windows_beyond_u8", _draw_beyond),
        WindowsCase("windows_15x15_f32", _draw_patches),
        WindowsCase("windows_pages_f32", _draw_pages),
        WindowsCase("windows_frames_f32", _draw_frames),
        WindowsCase("windows_photographs_u8", partial(_draw_photographs, 200, "uint8")),
    )
}
