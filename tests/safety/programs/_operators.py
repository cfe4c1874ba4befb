"""Calls of each kind of operator, on small work and on work for threads, with NumPy's results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import fastops as fo

Call = tuple[str, Callable[[], Any], Any]


def every_operator() -> list[Call]:
    """Return calls: the name, the call, and its right result."""
    images = np.arange(3 * 300 * 320, dtype=np.int64).reshape(3, 300, 320)
    pixels = np.arange(500 * 400 * 3, dtype=np.uint32).reshape(500, 400, 3)
    planes = (np.arange(900 * 800) % 251).astype(np.uint8).reshape(800, 900)
    small = np.arange(60.0).reshape(3, 20)
    plan = fo.plan.slice((3, 300, 320), [0, -4, -4], [3, 308, 328], mode="reflect")
    padded = np.pad(images, ((0, 0), (4, 4), (4, 4)), "reflect")
    starts = [[k, 3 * k] for k in range(20)]
    images_of_windows = np.stack([images[:, k : k + 200, 3 * k : 3 * k + 200] for k in range(20)])
    flips = ([0, 0, -1], [3, 300, -999], [1, 1, -1])
    axes5, signal = np.arange(5 * 4 * 4 * 14 * 56.0).reshape(5, 4, 4, 14, 56), np.arange(1 << 20, dtype="u1")
    places = np.arange(0, 1 << 19, 64)[:, None] - 5
    calls: list[Call] = [
        ("flip", lambda: fo.strided_slice(images, *flips), images[:, :, ::-1]),
        ("channels", lambda: fo.strided_slice(pixels, [0, 0, -1], [500, 400, -9], [1, 1, -1]), pixels[:, :, ::-1]),
        ("transposed bytes", lambda: fo.slice(planes.T, [0, 0], [900, 800]), planes.T),
        ("transposed", lambda: fo.numpy.transpose(images, (2, 1, 0)), images.T),
        ("split", lambda: np.concatenate(fo.variadic_split(images, 2, [100, -1, 20]), 2), images),
        ("windows", lambda: fo.windows(images, starts, [200, 200], axes=[1, 2]), images_of_windows),
        ("plan", lambda: plan(images), padded),
        ("plan into out", lambda: plan(images, out=np.empty(plan.shape, np.int64)), padded),
        ("lazy", lambda: fo.lazy(images)[:, ::-1].run(), images[:, ::-1]),
        ("range i64", lambda: fo.range(5, 200_005, 1, "i64"), np.arange(5, 200_005)),
        ("range f32", lambda: fo.range(0, 300_000, 1, "f32"), np.arange(300_000, dtype=np.float32)),
        ("small slice", lambda: fo.slice(small, [18], [4], axes=[1], mode="wrap"), small[:, [18, 19, 0, 1]]),
        ("small range", lambda: fo.range(0, 1, 0.25, "f64"), np.arange(0, 1, 0.25)),
        ("roll", lambda: fo.numpy.roll(images, 5, 2), np.roll(images, 5, 2)),
        ("five axes", lambda: fo.numpy.transpose(axes5, (3, 4, 2, 1, 0)), axes5.transpose(3, 4, 2, 1, 0)),
        (
            "wrapped windows",
            lambda: fo.windows(signal, places, [128], axes=[0], mode="wrap"),
            signal.take(places + np.arange(128), mode="wrap"),
        ),
        (
            "windows to channels first",
            lambda: fo.windows(
                pixels,
                [[50, 9], [0, 0]],
                [99, 200],
                axes=[0, 1],
                out=np.empty((2, 3, 99, 200), "u4").transpose(0, 2, 3, 1),
            ),
            np.stack([pixels[50:149, 9:209], pixels[:99, :200]]),
        ),
    ]
    width = ((0, 0), (3, 3), (3, 3))
    modes: Any = ("reflect", "edge", "wrap", "symmetric", "constant")
    return calls + [(mode, partial(fo.numpy.pad, images, width, mode), np.pad(images, width, mode)) for mode in modes]


def check(call: Call) -> None:
    """Make a call; raise unless it is right."""
    name, run, expected = call
    if not np.array_equal(run(), expected):
        raise ValueError(f"{name} is wrong")


def check_all() -> None:
    """Make each call once."""
    for call in every_operator():
        check(call)
