"""Arguments that were never seen before: beside calls that are repeated, and other shapes at each call."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

import fastops
from benchmarks.measure.timing import QUICK, Sample, interleaved_medians
from benchmarks.peers._rows import FASTOPS, REFERENCE, Row
from benchmarks.peers._setup import Job, Setup
from benchmarks.peers.frameworks import is_installed

_SIDE, _CROP, _TAKEN = 256, 128, 64

# Calls of a sample. Of those that are repeated, each comes so often before the next one.
_CALLS, _REPEATS = 600, 60

Place = tuple[int, int]
Call = Callable[..., object]


def arguments(_setup: Setup) -> list[Job]:
    """Return calls at new places beside repeated ones, then calls on arrays of other shapes each time."""
    jobs = [Job("arguments", f"place_{name}", partial(_places, name)) for name in _calls_at_places()]
    if not is_installed("torch"):
        jobs = [job for job in jobs if "torch" not in job.name]
    return jobs + [Job("arguments", f"shape_{name}", partial(_shapes, name)) for name in _CALLS_ON_IMAGES]


def _calls_at_places() -> dict[str, tuple[tuple[int, int], Call]]:
    """Return calls by name, with the bounds of the places that they take: two integers."""
    image = np.resize(np.arange(251, dtype=np.uint8), (_SIDE, _SIDE, 3))
    volume = np.resize(np.arange(251, dtype=np.float32), (8, 64, 96))
    out = np.empty((_CROP, _CROP, 3), np.uint8)
    chw = np.empty((3, _CROP, _CROP), np.uint8).transpose(1, 2, 0)
    shape, taken = [_CROP, _CROP, 3], [_TAKEN, _TAKEN, 3]

    def beyond(mode: str) -> Call:
        return lambda y, x: fastops.slice(image, [y, x, 0], shape, mode=mode, out=out)

    def ends(y: int, x: int) -> tuple[list[int], list[int]]:
        return [y, x], [y + _TAKEN, x + _TAKEN]

    def torch_narrow(y: int, _x: int) -> object:
        return fastops.torch.narrow(_tensor(image), 0, y, _TAKEN)

    inside, around, shifts = (0, _SIDE - _CROP), (-_TAKEN, _SIDE), (-_TAKEN, _TAKEN)
    modes = ("wrap", "clamp", "fill", "reflect", "symmetric")
    return {
        "crop": (inside, lambda y, x: fastops.slice(image, [y, x, 0], shape, out=out)),
        "crop_at_numpy_integers": (
            inside,
            lambda y, x: fastops.slice(image, [np.int64(y), np.int64(x), 0], shape, out=out),
        ),
        "crop_at_array": (inside, lambda y, x: fastops.slice(image, np.array([y, x, 0]), shape, out=out)),
        "mirrored_crop": (
            inside,
            lambda y, x: fastops.slice(image, [y, x + _CROP - 1, 0], shape, [1, -1, 1], out=out),
        ),
        "crop_to_chw": (inside, lambda y, x: fastops.slice(image, [y, x, 0], shape, out=chw)),
        **{f"beyond_{mode}": (around, beyond(mode)) for mode in modes},
        "strided_slice": (
            inside,
            lambda y, x: fastops.strided_slice(image, [y, x], [y + _CROP, x + _CROP], [1, 1], out=out),
        ),
        "roll": (shifts, lambda y, x: fastops.numpy.roll(volume, (y, x), (1, 2))),
        "take_slice": (
            inside,
            lambda y, x: fastops.numpy.take_slice(image, (slice(y, y + _TAKEN), slice(x, x + _TAKEN))),
        ),
        "onnx_slice": (inside, lambda y, x: fastops.onnx.slice(image, *ends(y, x))),
        "openvino_slice": (inside, lambda y, x: fastops.openvino.slice(image, *ends(y, x), [1, 1])),
        "tensorflow_slice": (inside, lambda y, x: fastops.tensorflow.slice(image, [y, x, 0], taken)),
        "tensorrt_slice": (
            inside,
            lambda y, x: fastops.tensorrt.slice(image, [y, x, 0], taken, [1, 1, 1], mode="strict_bounds"),
        ),
        "torch_narrow": (inside, torch_narrow),
        "torch_roll": (shifts, lambda y, x: fastops.torch.roll(_tensor(volume), (y, x), (1, 2))),
    }


def _tensor(array: Any) -> Any:
    return __import__("torch").from_numpy(array)


def _places(name: str, setup: Setup) -> Row:
    (low, high), call = _calls_at_places()[name]
    numbers = random.Random(name)  # noqa: S311 - no secrets.
    places = [(numbers.randrange(low, high), numbers.randrange(low, high)) for _ in range(_CALLS)]
    repeated = [place for place in places[: _CALLS // _REPEATS] for _ in range(_REPEATS)]
    row = Row("arguments", f"place_{name}", "another place at each call", asked={"times_reference": 1.5})
    row.how = {FASTOPS: "new places", REFERENCE: "the same place again"}
    samples = {FASTOPS: _sample(call, places), REFERENCE: _sample(call, repeated)}
    for sample in samples.values():
        sample()
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _sample(call: Call, argument_lists: Sequence[tuple[Any, ...]]) -> Sample:
    """Return the sample of a call with each of these arguments, in turn."""

    def sample() -> float:
        call(*argument_lists[0])
        start = time.perf_counter()
        for each in argument_lists:
            call(*each)
        return (time.perf_counter() - start) / len(argument_lists)

    return sample


# Calls on images, no two of the same shape.
_CALLS_ON_IMAGES: dict[str, Call] = {
    "crop": lambda image: fastops.slice(image, [3, 5, 0], [image.shape[0] - 10, image.shape[1] - 12, 3]),
    "pad_reflect": lambda image: fastops.slice(
        image, [-8, -8, 0], [image.shape[0] + 16, image.shape[1] + 16, 3], mode="reflect"
    ),
    "numpy_pad_reflect": lambda image: fastops.numpy.pad(image, ((8, 8), (8, 8), (0, 0)), mode="reflect"),
    "numpy_pad_constant": lambda image: fastops.numpy.pad(image, ((8, 8), (8, 8), (0, 0))),
}


def _shapes(name: str, setup: Setup) -> Row:
    shapes = ((h, w) for h in range(40, 90) for w in range(50, 90))
    chosen = random.Random(0).sample(list(shapes), _CALLS)  # noqa: S311 - no secrets.
    images = [(np.zeros((h, w, 3), np.uint8),) for h, w in islice(chosen, 60 if setup.effort is QUICK else None)]
    row = Row("arguments", f"shape_{name}", "another shape at each call, about 4,000 pixels", asked={"seconds": 20e-6})
    row.how[FASTOPS] = "fresh results"
    sample = _sample(_CALLS_ON_IMAGES[name], images)
    sample()
    row.values = interleaved_medians({FASTOPS: sample}, setup.effort)
    return row
