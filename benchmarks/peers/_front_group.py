"""The rows of README: calls that people write with NumPy, OpenCV and PyTorch, in a loop and in a data loader.

Results are fresh, but for the loader's transform, which writes into a batch. Arguments that are drawn are NumPy's
integers, as its random generators give them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from textwrap import fill
from typing import Any

import numpy as np
from asv_gate.tables import markdown_lines, shown_seconds
from asv_gate.timing import Sample, interleaved_medians
from numpy.random import Generator
from numpy.typing import NDArray

import fastops
from benchmarks import cases
from benchmarks.peers._race import Expected, Job, Setup, Way, cycled_sample, find_fastest, is_quick, prepared, race
from benchmarks.peers._report import FASTOPS, Row
from benchmarks.peers._windows_group import expected_of, ways_into_out
from benchmarks.recipes._loader import IMAGES, WORKERS, encode_jpeg, open_epochs

Array = NDArray[Any]
Ways = Mapping[str, Sequence[Way]]

_PAD, _LEAST_PAD, _MOST_PAD, _CROP, _SIDE, _PATCHES = 16, 12, 20, 224, 64, 32
_KINDS = ("same", "drawn")


@dataclass(frozen=True)
class Task:
    """Work that people do with another library.

    Attributes
    ----------
    instead : dict
        The functions that are called instead of fastops, by library.
    data : str
        The data, in words.
    draw : callable
        Returns the ways of each contender, and their right result, with arguments drawn by a generator; without one,
        with the same arguments each time.
    calls : int
        Calls of a sample.
    threads : int or None
        How many threads each contender has; None for the number of the run.
    """

    instead: Mapping[str, str]
    data: str
    draw: Callable[[Generator | None, Setup], tuple[Ways, Expected]]
    calls: int = 64
    threads: int | None = None


@cache
def _data(shape: tuple[int, ...], dtype: str) -> Any:
    """Return the same array for all draws: it stays in the caches."""
    return np.resize(np.arange(251, dtype=dtype), shape)


def _pads(
    peer: str, shape: tuple[int, ...], dtype: str, numbers: Generator | None, _setup: Setup
) -> tuple[Ways, Expected]:
    """Pad arrays, channels last, or tensors, channels first."""
    pads = (_PAD,) * 4 if numbers is None else tuple(numbers.integers(_LEAST_PAD, _MOST_PAD + 1, 4))
    data, widths = _data(shape, dtype), [*[(0, 0)] * (len(shape) - 3), pads[:2], pads[2:], (0, 0)]
    libraries: tuple[Any, Any] = (fastops.numpy, np)
    if peer == "torch":
        libraries = (fastops.torch, import_module("torch.nn.functional"))
        data, widths = import_module("torch").from_numpy(data), pads
    contenders = zip((FASTOPS, peer), libraries, strict=True)
    calls = {name: partial(library.pad, data, widths, "reflect") for name, library in contenders}
    return {name: [prepared("pad", call)] for name, call in calls.items()}, Expected([np.asarray(calls[peer]())])


def _crop(numbers: Generator | None, _setup: Setup) -> tuple[Ways, Expected]:
    image = _data((256, 256, 3), "uint8")
    y, x, is_mirrored = (
        (5, 25, True) if numbers is None else (*numbers.integers(0, 2 * _PAD, 2), numbers.random() < 0.5)
    )

    def own() -> Array:
        start, stride = ([y - _PAD, x - _PAD + _CROP - 1], [1, -1]) if is_mirrored else ([y - _PAD, x - _PAD], [1, 1])
        result = np.empty((3, _CROP, _CROP), np.uint8)
        fastops.slice(image, start, [_CROP, _CROP], stride, axes=[0, 1], mode="reflect", out=result.transpose(1, 2, 0))
        return result

    def theirs() -> Array:
        padded = np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), "reflect")
        crop = padded[y : y + _CROP, x : x + _CROP]
        return np.ascontiguousarray((crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1))

    return {FASTOPS: [prepared("slice", own)], "numpy": [prepared("np.pad", theirs)]}, Expected([theirs()])


def _patches(numbers: Generator | None, _setup: Setup) -> tuple[Ways, Expected]:
    image = _data((256, 256, 3), "uint8")
    drawn = np.random.default_rng(0) if numbers is None else numbers
    starts = drawn.integers(-_SIDE // 2, 256 - _SIDE // 2, (_PATCHES, 2))
    arguments: dict[str, Any] = {"size": [_SIDE, _SIDE], "axes": [0, 1], "mode": "reflect"}
    theirs = partial(cases.padded_copies, cases.Drawn(image, starts, arguments, image))
    own = partial(fastops.windows, image, starts, **arguments)
    return {FASTOPS: [prepared("windows", own)], "numpy": [prepared("np.pad", theirs)]}, Expected([theirs()])


def _transform(drawn: cases.Drawn, numbers: Generator | None, setup: Setup) -> tuple[Ways, Expected]:
    chosen = drawn if numbers is None else cases.redrawn(drawn, numbers, min(_PAD, drawn.out.shape[1] // 4))
    return ways_into_out(chosen, setup), expected_of(chosen)


_TRANSFORMS = {
    "numpy": "the loader's transform by NumPy: `np.pad`, slices, multiply, add",
    "opencv": "the same by OpenCV: `copyMakeBorder`, `flip`, `split`, `LUT` or `addWeighted`",
    "torch": "the same by PyTorch: `F.pad`, slices, `flip`, `to`, `sub_`, `div_`",
}
_IMAGE = "an image of 256x256x3 bytes"


def _pad_task(peer: str, data: str, shape: tuple[int, ...], dtype: str, calls: int) -> Task:
    how = {"numpy": "`np.pad`", "torch": "`F.pad`"}[peer]
    instead = {peer: f"{how}, reflect, padding of {_PAD} (drawn: {_LEAST_PAD} to {_MOST_PAD})"}
    return Task(instead, data, partial(_pads, peer, shape, dtype), calls)


@cache
def _tasks(is_small: bool) -> dict[str, Task]:
    """Return all tasks by name. Their data are made once."""
    image = cases.draw_crop((256, 256, 3), _CROP, "chw", "float32", is_small)
    photographs = cases.draw_photographs(64, "float32", is_small)
    crops = {"numpy": "`np.pad`, slices, a copy: random crops beyond the edges, mirrored, channels first"}
    patches = {"numpy": f"`np.pad`, a loop of slices: {_PATCHES} patches of {_SIDE}x{_SIDE}, some beyond the edges"}
    batch, tensors = (32, 256, 256, 3), (32, 3, 256, 256)
    return {
        "transform_image": Task(_TRANSFORMS, _IMAGE, partial(_transform, image), threads=1),
        "transform_photographs": Task(
            _TRANSFORMS, "64 photographs, 180 to 500 pixels", partial(_transform, photographs), 2
        ),
        "crops": Task(crops, _IMAGE, _crop),
        "patches": Task(patches, _IMAGE, _patches, 16),
        "pad_image": _pad_task("numpy", _IMAGE, batch[1:], "uint8", 64),
        "pad_batch": _pad_task("numpy", "32 such images", batch, "uint8", 4),
        "pad_tensors_u8": _pad_task("torch", "32 images of 3x256x256 bytes", tensors, "uint8", 4),
        "pad_tensors_f32": _pad_task("torch", "32 images of 3x256x256 float32", tensors, "float32", 4),
        "pad_tensor_f32": _pad_task("torch", "an image of 3x256x256 float32", (1, *tensors[1:]), "float32", 64),
    }


_EPOCHS = {"epoch_memory": ("in memory", np.asarray), "epoch_jpeg": ("from JPEG, decoded by Pillow", encode_jpeg)}


def front(setup: Setup) -> list[Job]:
    """Return each task with the same arguments at each call, and with drawn ones; then epochs of a data loader."""
    tasks = {name: task for name, task in _tasks(setup.is_small).items() if {*task.instead} & {*setup.peers}}
    jobs = [
        Job("front", f"{name}_{kind}", partial(_run, name, kind), task.threads)
        for name, task in tasks.items()
        for kind in _KINDS
    ]
    has_loader = "torch" in setup.peers and find_spec("PIL") is not None
    return jobs + ([Job("front", name, partial(_run_epochs, name)) for name in _EPOCHS] if has_loader else [])


def _run(name: str, kind: str, setup: Setup) -> Row:
    task, numbers = _tasks(setup.is_small)[name], np.random.default_rng(0)
    row = Row("front", f"{name}_{kind}", f"{task.data}, arguments {kind}")
    count = 2 if is_quick(setup) else task.calls
    draws = [task.draw(None if kind == "same" else numbers, setup) for _ in range(1 if kind == "same" else count)]
    samples: dict[str, Sample] = {}
    for contender, choices in draws[0][0].items():
        if find_fastest(contender, choices, draws[0][1], row) is not None:
            chosen = [way for ways, _ in draws for way in ways[contender] if way.how == row.how[contender]]
            samples[contender] = cycled_sample([way.build() for way in chosen] * (count // len(draws)))
    row.wrong = row.absent.get(FASTOPS, "")
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _run_epochs(name: str, setup: Setup) -> Row:
    where, encode = _EPOCHS[name]
    row = Row("front", name, f"{IMAGES} images {where}, {WORKERS} workers")
    with open_epochs(encode) as epochs:
        # The names of the recipe say which functions are called.
        names = [FASTOPS, "numpy", "torch"]
        ways = {name: [prepared(how, epoch)] for name, (how, epoch) in zip(names, epochs.items(), strict=True)}
        expected = Expected([np.asarray([*epochs.values()][1]())], rtol=1e-5)
        return race(
            row, ways, expected, replace(setup, effort=replace(setup.effort, rounds=min(setup.effort.rounds, 7)))
        )


_LOOP = f"""
In a loop: the time of the other call divided by the time of fastops. Numbers in *italics* are below 1: there,
*fastops is slower*. The loader's transform crops {_CROP}x{_CROP} pixels, up to {_PAD} of them beyond the edges,
mirrors every other crop, brings channels first, converts to float32 and normalises: one call of `fo.windows`. For one
image, it has one thread in each library, as in a worker of a data loader; in the other rows, OpenCV, PyTorch and
fastops have two."""

_LOADER = f"""
In a data loader: the time in which a `DataLoader` of {WORKERS} workers gives {IMAGES} images of 256x256x3 bytes,
transformed likewise, in batches of 32; and the time with NumPy or PyTorch divided by the time with fastops."""


def lines_of(rows: Sequence[Row]) -> list[str]:
    """Return the two tables of README in Markdown, each below the sentence that says how to read it."""
    by_name = {row.name: row for row in rows}
    loop = [["instead of", "data", "the same arguments at each call", "arguments drawn at each call"]]
    for name, task in _tasks(False).items():
        pair = [by_name.get(f"{name}_{kind}") for kind in _KINDS]
        for peer, instead in task.instead.items():
            ratios = [_shown_ratio(row.times(peer) if row else None) for row in pair]
            loop += [[instead, task.data, *ratios]] if any(ratios) else []
    loader = [["images", "with NumPy", "with PyTorch", "with fastops", "NumPy / fastops", "PyTorch / fastops"]]
    for name, (where, _) in _EPOCHS.items():
        if (row := by_name.get(name)) is not None and row.values:
            times = [shown_seconds(row.values[each]) for each in ("numpy", "torch", FASTOPS)]
            loader.append([where, *times, *[_shown_ratio(row.times(each)) for each in ("numpy", "torch")]])
    tables = (_LOOP, markdown_lines(loop, (0, 1))), (_LOADER, markdown_lines(loader, (0,)))
    # A table without rows has two lines.
    return [line for text, lines in tables if len(lines) > 2 for line in (fill(text.strip(), 120), "", *lines, "")]


def _shown_ratio(ratio: float | None) -> str:
    if ratio is None:
        return ""
    shown = f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"
    return shown if float(shown) >= 1 else f"*{shown}*"
