"""The data of `fastops demo`: frames that it makes, an image, or the array of a file."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from math import prod
from pathlib import Path

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._cli._npy import open_npy, reason_of
from fastops._cli._table import format_bytes, format_shape
from fastops._errors import AttributeValueError, counted
from fastops._interop._files import check_regular_file

HEIGHT, WIDTH, CHANNELS = 1080, 1920, 3

#: The most bytes of input that the demo takes, so that it runs in 1.5 GiB of memory.
MOST_BYTES = 192 << 20

#: The most frames that it makes.
MOST_FRAMES = MOST_BYTES // (HEIGHT * WIDTH * CHANNELS)

_OP = "demo"
_FRAMES = 8


@dataclass(frozen=True, slots=True)
class DemoInput:
    """An array of at least one element, and where it comes from."""

    data: AnyArray
    origin: str

    def __str__(self) -> str:
        shape = format_shape(self.data.shape)
        dtype = (
            self.data.dtype if self.data.dtype.names is None else f"records of {counted(self.data.itemsize, 'byte')}"
        )
        return f"{self.origin}: {shape}, {dtype}, {format_bytes(self.data.nbytes)}"


def read_input(path: str | None, frames: int | None) -> DemoInput:
    """Return the input that the options ask for.

    ``frames`` counts the frames that are made, the copies of an image, or the items of a file's first axis.
    """
    if path is None:
        return DemoInput(make_frames(frames or _FRAMES), "frames that it makes")
    if Path(path).suffix.lower() in (".png", ".jpg", ".jpeg"):
        return _repeat_image(path, frames or _FRAMES)
    return _read_head(path, frames)


def make_frames(count: int) -> AnyArray:
    """Return frames of full HD, [count, 1080, 1920, 3] in uint8: a gradient that drifts, with noise on it."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.uint16)
    picture = np.stack([columns // 8, rows // 4, (rows + columns) // 12], axis=-1).astype(np.uint8)
    noise = np.random.default_rng(0)
    frames = np.empty((count, HEIGHT, WIDTH, CHANNELS), np.uint8)
    for k in range(count):
        grain = noise.integers(0, 16, picture.shape, dtype=np.uint8)
        np.add(np.roll(picture, (5 * k, 9 * k), axis=(0, 1)), grain, out=frames[k])
    return frames


def _repeat_image(path: str, frames: int) -> DemoInput:
    picture = _read_image(path)
    if picture.nbytes > MOST_BYTES:
        raise AttributeValueError(_OP, "input", f"have at most {format_bytes(MOST_BYTES)}", path)
    count = min(frames, MOST_BYTES // picture.nbytes)
    return DemoInput(np.repeat(picture[np.newaxis], count, axis=0), f"{count} copies of the image")


def _read_image(path: str) -> AnyArray:
    try:
        pillow = import_module("PIL.Image")
    except ImportError as error:
        rule = "be a .npy file where Pillow is not installed (the extra images)"
        raise AttributeValueError(_OP, "input", rule, path) from error
    check_regular_file(_OP, "input", path)
    try:
        with pillow.open(path) as image:
            if image.width * image.height * CHANNELS > MOST_BYTES:
                raise AttributeValueError(_OP, "input", f"have at most {format_bytes(MOST_BYTES)}", path)
            return np.array(image.convert("RGB"))
    except (OSError, SyntaxError, ValueError, pillow.DecompressionBombError) as error:
        if isinstance(error, AttributeValueError):
            raise
        raise AttributeValueError(_OP, "input", f"be a readable image ({reason_of(error)})", path) from error


def _read_head(path: str, frames: int | None) -> DemoInput:
    """Return the first items of a file's array: ``frames`` of them, or as many as the demo takes."""
    mapped = open_npy(_OP, "input", path)
    if mapped.ndim == 0 or mapped.nbytes == 0:
        got = f"an array of shape {mapped.shape} and dtype {mapped.dtype}"
        raise AttributeValueError(_OP, "input", "have at least one axis, one element and one byte an element", got)
    item_bytes = prod(mapped.shape[1:]) * mapped.itemsize
    if item_bytes > MOST_BYTES:
        rule = f"have items of at most {format_bytes(MOST_BYTES)} along its first axis"
        raise AttributeValueError(_OP, "input", rule, format_bytes(item_bytes))
    count = min(mapped.shape[0], MOST_BYTES // item_bytes, frames or mapped.shape[0])
    origin = "the file" if count == mapped.shape[0] else f"the first {count} of {mapped.shape[0]} items of the file"
    return DemoInput(np.array(mapped[:count], order="C", subok=False), origin)
