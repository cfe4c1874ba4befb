"""Windows: many of one size out of one array, or one out of each of several; some of them are cast and normalised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.cases._case import operator_of

Array = NDArray[Any]

# Mean and standard deviation of the channels of images, and of the voxels of a volume.
_PIXELS, _VOXELS = ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375)), (12.5, 345.0)

# NumPy's names of the modes of fastops.
_PADS: dict[str, Any] = {"reflect": "reflect", "clamp": "edge"}


class Drawn(NamedTuple):
    """The arguments of a call of windows.

    Attributes
    ----------
    data : ndarray, or list of them
    starts : ndarray of int
    arguments : dict
        The other arguments, except ``out``.
    out : ndarray
        An array of the result's shape; its axes may have another order in memory.
    """

    data: Any
    starts: Array
    arguments: dict[str, Any]
    out: Array

    @property
    def call(self) -> dict[str, Any]:
        """All keyword arguments of windows. A single window is mirrored by a negative stride, which is fastest."""
        arguments = {**self.arguments, "starts": self.starts, "out": self.out}
        if len(self.starts) == 1 and "flip" in arguments:
            (is_mirrored,), others = arguments.pop("flip"), [1] * (self.starts.shape[1] - 1)
            arguments["stride"] = [*others, -1 if is_mirrored else 1]
            if is_mirrored:
                arguments["starts"] = self.starts + np.array([*[0] * len(others), arguments["size"][-1] - 1])
        return arguments

    def each(self) -> Iterator[tuple[Array, list[int], bool, Array]]:
        """Give each window: its source, its start, whether it is mirrored along its last axis, and its output."""
        flips = self.arguments.get("flip", [False] * len(self.starts))
        items = self.arguments.get("items", range(len(self.starts)))
        is_one = not isinstance(self.data, list) and "items" not in self.arguments
        for n, (start, is_mirrored, item) in enumerate(zip(self.starts.tolist(), flips, items, strict=True)):
            yield self.data if is_one else self.data[item], start, bool(is_mirrored), self.out[n]


@dataclass(frozen=True)
class WindowsCase:
    """One call of windows, or of a plan or a chain that gives one window.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    draw : callable
        Returns the arguments, the same ones each time; small ones if its argument is true.
    by : str
        The kind of call: windows, plan, or chain, which is made anew in each call.
    """

    name: str
    draw: Callable[[bool], Drawn]
    by: str = "windows"

    def call(self, library: ModuleType, *, is_small: bool) -> Callable[[], Any]:
        """Return the call, which writes into an output that exists, and returns it.

        Raises
        ------
        NotImplementedError
            That version of fastops has no windows yet, or does not normalise.
        """
        drawn = self.draw(is_small)
        # Versions whose windows normalise have plans and chains that normalise.
        windows = operator_of(library, "windows", "normalize" if "normalize" in drawn.arguments else None)
        how = drawn.call
        if self.by == "windows":
            return partial(windows, drawn.data, **how)
        (start,), (target,), (mean, std) = how.pop("starts").tolist(), how.pop("out"), how.pop("normalize")
        if self.by == "plan":
            plan = library.plan.slice(drawn.data.shape, start, **how)
            return lambda: plan(drawn.data, target, normalize=(mean, std))[None]
        chain = library.lazy(drawn.data)
        return lambda: chain.slice(start, **how).normalize(mean, std, target.dtype).run(out=target)[None]


def scale_and_shift(drawn: Drawn) -> tuple[Any, Any] | None:
    """Return the factor and the summand that normalise a window; None if it is not normalised."""
    if "normalize" not in drawn.arguments:
        return None
    mean, std = map(np.array, drawn.arguments["normalize"])
    return np.float32(1 / std), np.float32(-mean / std)


def inside_and_pads(start: list[int], size: Any, extents: Any) -> tuple[Any, list[tuple[int, int]]]:
    """Return the index of the part of a source that a window reads, and how far it reaches beyond each edge."""
    ends = [first + n for first, n in zip(start, size, strict=False)]
    index = [slice(max(first, 0), min(end, n)) for first, end, n in zip(start, ends, extents, strict=False)]
    return tuple(index), [
        (max(-first, 0), max(end - n, 0)) for first, end, n in zip(start, ends, extents, strict=False)
    ]


def _finish(window: Array, axis: int | None, numbers: Any, out: Array) -> None:
    """Write a window into its output, mirrored along an axis, and scaled and shifted, if numbers say by how much."""
    window = window if axis is None else np.flip(window, axis)
    out[...] = window if numbers is None else window * numbers[0] + numbers[1]


def write_by_numpy(drawn: Drawn) -> Array:
    """Write each window by NumPy and return the output: pad the part inside, which is never shorter than its pads."""
    mode, rank, numbers = drawn.arguments.get("mode"), drawn.starts.shape[1], scale_and_shift(drawn)
    for source, start, is_mirrored, out in drawn.each():
        index, pads = inside_and_pads(start, drawn.arguments["size"], source.shape)
        window = source[index]
        if mode is not None and any(map(any, pads)):
            window = np.pad(window, [*pads, *[(0, 0)] * (source.ndim - rank)], _PADS[mode])
        _finish(window, rank - 1 if is_mirrored else None, numbers, out)
    return drawn.out


def expected_windows(drawn: Drawn) -> Array:
    """Return the result by NumPy, in memory of its own: each window is cut out of its padded source."""
    result, size, numbers = np.empty_like(drawn.out), drawn.arguments["size"], scale_and_shift(drawn)
    for (source, start, is_mirrored, _), out in zip(drawn.each(), result, strict=True):
        _, pads = inside_and_pads(start, size, source.shape)
        cut = tuple([slice(first + pad, first + pad + n) for first, (pad, _), n in zip(start, pads, size, strict=True)])
        if "mode" in drawn.arguments:
            rest = [(0, 0)] * (source.ndim - len(start))
            source = np.pad(source, [*pads, *rest], _PADS[drawn.arguments["mode"]])
        _finish(source[cut], len(start) - 1 if is_mirrored else None, numbers, out)
    return result


def padded_copies(drawn: Drawn) -> Array:
    """Return windows that reach beyond an image: pad all of it by half a window, then copy each window."""
    height, width = drawn.arguments["size"]
    padded = np.pad(drawn.data, [(height // 2,) * 2, (width // 2,) * 2, (0, 0)][: drawn.data.ndim], "reflect")
    starts = drawn.starts + np.array([height // 2, width // 2])
    return np.stack([padded[y : y + height, x : x + width] for y, x in starts])


def redrawn(drawn: Drawn, numbers: Generator, beyond: int) -> Drawn:
    """Return the same windows at other places, up to ``beyond`` outside each edge; half of them are mirrored."""
    axes = drawn.arguments["axes"]
    extents = np.array([[source.shape[axis] for axis in axes] for source, *_ in drawn.each()])
    spare = extents - drawn.arguments["size"]
    starts = numbers.integers(np.minimum(spare, 0) - beyond, np.maximum(spare, 0) + beyond, endpoint=True)
    return drawn._replace(starts=starts, arguments=drawn.arguments | {"flip": numbers.random(len(starts)) < 0.5})


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


def draw_photographs(count: int, dtype: str, is_small: bool) -> Drawn:
    """Return crops of photographs of different sizes, which are normalised if they become floats."""
    count, least, most, side = (4, 12, 30, 16) if is_small else (count, 180, 501, 224)
    rng = np.random.default_rng(6)
    photos = [rng.integers(0, 256, (*rng.integers(least, most, 2), 3), np.uint8) for _ in range(count)]
    arguments: dict[str, Any] = {"size": [side, side], "axes": [0, 1], "mode": "reflect"}
    arguments |= {} if dtype == "uint8" else {"normalize": _PIXELS}
    out = np.empty((count, 3, side, side), dtype).transpose(0, 2, 3, 1)
    return redrawn(Drawn(photos, np.zeros((count, 2), int), arguments, out), rng, 0)


def draw_crop(shape: tuple[int, ...], side: int, layout: str, dtype: str, is_small: bool) -> Drawn:
    """Return a crop that reaches beyond the first edges and is mirrored: of an image, or of a volume."""
    rank = 3 if layout == "volume" else 2
    if is_small:
        shape, side = (20,) * rank + shape[rank:], 16
    rng = np.random.default_rng(7)
    data = rng.integers(0, 256, shape, np.uint8) if rank == 2 else rng.integers(-999, 999, shape, np.int16)
    arguments: dict[str, Any] = {"size": [side] * rank, "axes": list(range(rank)), "mode": "reflect", "flip": [True]}
    arguments["normalize"] = _PIXELS if rank == 2 else _VOXELS
    out = np.empty((1, *[side] * rank, *shape[rank:]), dtype)
    # The same shape with the channels first in memory.
    planes = np.empty((1, 3, side, side), dtype).transpose(0, 2, 3, 1)
    return Drawn(data, np.array([[-5 if is_small else -9] * rank]), arguments, planes if layout == "chw" else out)


#: Crops and photographs that are cast and normalised.
NORMALIZE_CASES = {
    case.name: case
    for case in (
        WindowsCase("chw_f32_224", partial(draw_crop, (256, 256, 3), 224, "chw", "float32")),
        WindowsCase("chw_f32_1024", partial(draw_crop, (1080, 1920, 3), 1024, "chw", "float32")),
        WindowsCase("hwc_f32_448", partial(draw_crop, (512, 640, 3), 448, "hwc", "float32"), "plan"),
        WindowsCase("chw_f16_448", partial(draw_crop, (512, 640, 3), 448, "chw", "float16"), "chain"),
        WindowsCase("volume_f32_160", partial(draw_crop, (176, 192, 192), 160, "volume", "float32"), "plan"),
        WindowsCase("photographs_f32", partial(draw_photographs, 16, "float32")),
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
        WindowsCase("windows_photographs_u8", partial(draw_photographs, 200, "uint8")),
    )
}
