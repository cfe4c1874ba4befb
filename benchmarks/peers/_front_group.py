"""The rows of README: calls that people write with NumPy, OpenCV and PyTorch, in a loop and in a data loader.

Results are fresh, except those of the loader's transform, which writes into a batch. The arguments are new at each
call: integers of NumPy, as its random generators give them. The loader is a DataLoader of PyTorch with two workers,
whose images are cropped, mirrored and normalised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np
from asv_gate.tables import markdown_lines
from asv_gate.timing import Sample, interleaved_medians
from numpy.random import Generator
from numpy.typing import NDArray

import fastops
import fastops as fo
from benchmarks import cases
from benchmarks.peers._chain_groups import expected_of, ways_into_out
from benchmarks.peers._race import Expected, Job, Setup, Way, cycled_sample, find_fastest, is_quick, prepared, race
from benchmarks.peers._report import FASTOPS, Row

Array = NDArray[Any]

#: Images of an epoch, and the workers that share them.
IMAGES, WORKERS = 512, 2
_SIZE, _CROP_PAD = 224, 16
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)

# An image, the start of its crop, and whether it is mirrored: the same for all ways.
Drawn = tuple[Any, int, int, bool]


class _Images:
    """A data set of images, each with the crop that is drawn for it."""

    def __init__(self, images: Sequence[Any], transform: Callable[[Drawn], Any]) -> None:
        rng = np.random.default_rng(0)
        self.images, self.transform = images, transform
        self.starts = rng.integers(-_CROP_PAD, 256 + _CROP_PAD - _SIZE, (IMAGES, 2), endpoint=True).tolist()
        self.mirrored = (rng.random(IMAGES) < 0.5).tolist()

    def __len__(self) -> int:
        return IMAGES

    def __getitem__(self, index: int) -> Any:
        image = self.images[index % len(self.images)]
        return self.transform((_decoded(image), *self.starts[index], self.mirrored[index]))


def _decoded(image: Any) -> Array:
    from PIL import Image

    return np.array(Image.open(BytesIO(image)).convert("RGB")) if isinstance(image, bytes) else image


def encode_jpeg(image: Array) -> bytes:
    """Return an image as a file of JPEG."""
    from PIL import Image

    memory = BytesIO()
    Image.fromarray(image).save(memory, "JPEG", quality=90)
    return memory.getvalue()


def _unchanged(sample: Drawn) -> Drawn:
    return sample


def _batch_by_fastops(samples: Sequence[Drawn]) -> Any:
    """Return a batch, made as in `docs/recipes/data_loader.py`."""
    import torch

    images, *starts, mirrored = zip(*samples, strict=True)
    batch = torch.empty(len(images), 3, _SIZE, _SIZE).share_memory_()
    out = batch.numpy().transpose(0, 2, 3, 1)
    how: Any = {"axes": [0, 1], "mode": "reflect", "flip": mirrored, "normalize": (_MEAN, _STD), "out": out}
    fo.windows(images, np.array(starts).T, [_SIZE, _SIZE], **how)
    return batch


def _crop_by_numpy(sample: Drawn) -> Array:
    image, y, x, is_mirrored = sample
    padded = np.pad(image, ((_CROP_PAD, _CROP_PAD), (_CROP_PAD, _CROP_PAD), (0, 0)), "reflect")
    crop = padded[y + _CROP_PAD : y + _CROP_PAD + _SIZE, x + _CROP_PAD : x + _CROP_PAD + _SIZE]
    pixels = (crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1)
    scale = np.float32(1 / np.array(_STD)).reshape(3, 1, 1)
    result: Array = (pixels - np.array(_MEAN, np.float32).reshape(3, 1, 1)) * scale
    return result


def _crop_by_torch(sample: Drawn) -> Any:
    """Pad, crop, mirror, convert and normalise, as torchvision's transforms of tensors do."""
    import torch

    image, y, x, is_mirrored = sample
    padded = torch.nn.functional.pad(torch.from_numpy(image).permute(2, 0, 1)[None], (_CROP_PAD,) * 4, "reflect")[0]
    crop = padded[:, y + _CROP_PAD : y + _CROP_PAD + _SIZE, x + _CROP_PAD : x + _CROP_PAD + _SIZE]
    pixels = (crop.flip(2) if is_mirrored else crop).to(torch.float32)
    return pixels.sub_(torch.tensor(_MEAN).view(3, 1, 1)).div_(torch.tensor(_STD).view(3, 1, 1))


@contextmanager
def open_epochs(encode: Callable[[Array], Any]) -> Iterator[Mapping[str, Callable[[], Array]]]:
    """Give the ways to go once through all images; ``encode`` stores each image."""
    from torch.utils.data import DataLoader

    # Smooth images, as photographs are: decoding noise takes longer.
    rows, columns = np.ogrid[:256, :256]
    waves = [np.sin(rows / (9 + k)) + np.sin(columns / (7 + k)) for k in range(3)]
    images = [encode(np.uint8(np.stack(np.roll(waves, k, 0), -1) * 60 + 128)) for k in range(3)]
    ways: dict[str, tuple[Callable[[Drawn], Any], Any]] = {
        FASTOPS: (_unchanged, _batch_by_fastops),
        "NumPy: np.pad, slices, subtract, multiply": (_crop_by_numpy, None),
        "PyTorch: pad, slices, flip, to, sub_, div_": (_crop_by_torch, None),
    }
    how: Any = {"batch_size": 32, "num_workers": WORKERS, "persistent_workers": True}
    data: Any = {name: _Images(images, transform) for name, (transform, _) in ways.items()}
    # The first call loads the kernels, before the workers are forked.
    _batch_by_fastops([data[FASTOPS][0]])
    loaders = {name: DataLoader(data[name], collate_fn=collate, **how) for name, (_, collate) in ways.items()}

    def epoch(loader: Any) -> Any:
        for batch in loader:
            last = batch
        return last.numpy()

    yield {name: partial(epoch, loader) for name, loader in loaders.items()}


Ways = Mapping[str, Sequence[Way]]

_PAD, _LEAST_PAD, _MOST_PAD, _CROP, _SIDE, _PATCHES = 16, 12, 20, 224, 64, 32


@dataclass(frozen=True)
class Task:
    """Work that people do with another library.

    Attributes
    ----------
    what : str
        The row's first column.
    peers : tuple of str
        The other libraries.
    draw : callable
        Returns the ways of each contender, and their right result, with arguments that a generator draws.
    calls : int
        Calls of a sample.
    threads : int or None
        How many threads each contender has; None for the number of the run.
    instead : str
        The functions that are called instead of fastops, in the table of pads and crops.
    """

    what: str
    peers: tuple[str, ...]
    draw: Callable[[Generator, Setup], tuple[Ways, Expected]]
    calls: int = 64
    threads: int | None = None
    instead: str = ""


@cache
def _data(shape: tuple[int, ...], dtype: str) -> Any:
    """Return the same array for all draws: it stays in the caches."""
    return np.resize(np.arange(251, dtype=dtype), shape)


def _pads(peer: str, shape: tuple[int, ...], dtype: str, numbers: Generator, _setup: Setup) -> tuple[Ways, Expected]:
    """Pad arrays, channels last, or tensors, channels first."""
    pads = tuple(numbers.integers(_LEAST_PAD, _MOST_PAD + 1, 4))
    data, widths = _data(shape, dtype), [*[(0, 0)] * (len(shape) - 3), pads[:2], pads[2:], (0, 0)]
    libraries: tuple[Any, Any] = (fastops.numpy, np)
    if peer == "torch":
        libraries = (fastops.torch, import_module("torch.nn.functional"))
        data, widths = import_module("torch").from_numpy(data), pads
    contenders = zip((FASTOPS, peer), libraries, strict=True)
    calls = {name: partial(library.pad, data, widths, "reflect") for name, library in contenders}
    return {name: [prepared("pad", call)] for name, call in calls.items()}, Expected([np.asarray(calls[peer]())])


def _crop(numbers: Generator, _setup: Setup) -> tuple[Ways, Expected]:
    image = _data((256, 256, 3), "uint8")
    y, x, is_mirrored = (*numbers.integers(0, 2 * _PAD, 2), numbers.random() < 0.5)

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


def _patches(numbers: Generator, _setup: Setup) -> tuple[Ways, Expected]:
    image = _data((256, 256, 3), "uint8")
    starts = numbers.integers(-_SIDE // 2, 256 - _SIDE // 2, (_PATCHES, 2))
    arguments: dict[str, Any] = {"size": [_SIDE, _SIDE], "axes": [0, 1], "mode": "reflect"}
    theirs = partial(cases.padded_copies, cases.Drawn(image, starts, arguments, image))
    own = partial(fastops.windows, image, starts, **arguments)
    return {FASTOPS: [prepared("windows", own)], "numpy": [prepared("np.pad", theirs)]}, Expected([theirs()])


def _transform(drawn: cases.Drawn, numbers: Generator, setup: Setup) -> tuple[Ways, Expected]:
    chosen = cases.redrawn(drawn, numbers, min(_PAD, drawn.out.shape[1] // 4))
    return ways_into_out(chosen, setup), expected_of(chosen)


_IMAGE = "an image of 256x256x3 bytes"
_PHOTOGRAPHS = "a batch of 64 photographs of 180 to 500 pixels"
_LOADER_PEERS = {"numpy": "NumPy", "opencv": "OpenCV", "torch": "PyTorch"}


def _transform_task(drawn: cases.Drawn, data: str, calls: int, threads: int | None) -> Task:
    what = f"in a loop, {data} at each call"
    return Task(what, tuple(_LOADER_PEERS), partial(_transform, drawn), calls, threads)


def _pad_task(peer: str, what: str, shape: tuple[int, ...], dtype: str, calls: int) -> Task:
    instead = {"numpy": "`np.pad`", "torch": "`F.pad`"}[peer]
    return Task(what, (peer,), partial(_pads, peer, shape, dtype), calls, instead=instead)


@cache
def _tasks(is_small: bool) -> dict[str, Task]:
    """Return all tasks by name. Their data are made once."""
    image = cases.draw_crop((256, 256, 3), _CROP, "chw", "float32", is_small)
    photographs = cases.draw_photographs(64, "float32", is_small)
    crops = f"random crops beyond the edges, mirrored, channels first, of {_IMAGE}"
    patches = f"{_PATCHES} patches of {_SIDE}x{_SIDE} of such an image, some beyond the edges"
    pad = f"a padding of {_LEAST_PAD} to {_MOST_PAD} on each side of such an image, reflect"
    batch, tensors, same = (32, 256, 256, 3), (32, 3, 256, 256), "the same for"
    return {
        "transform_image": _transform_task(image, "one image of 256x256x3 bytes", 64, 1),
        "transform_photographs": _transform_task(
            photographs, "a batch of 64 photographs of 180 to 500 pixels", 2, None
        ),
        "crops": Task(crops, ("numpy",), _crop, instead="`np.pad`, slices, a copy"),
        "patches": Task(patches, ("numpy",), _patches, 16, instead="`np.pad`, a loop of slices"),
        "pad_image": _pad_task("numpy", pad, batch[1:], "uint8", 64),
        "pad_batch": _pad_task("numpy", f"{same} 32 such images", batch, "uint8", 4),
        "pad_tensors_u8": _pad_task("torch", f"{same} 32 images of 3x256x256 bytes", tensors, "uint8", 4),
        "pad_tensors_f32": _pad_task("torch", f"{same} 32 images of 3x256x256 float32", tensors, "float32", 4),
        "pad_tensor_f32": _pad_task(
            "torch", f"{same} one image of 3x256x256 float32", (1, *tensors[1:]), "float32", 64
        ),
    }


_EPOCHS = {"epoch_memory": ("in memory", np.asarray), "epoch_jpeg": ("from JPEG, decoded by Pillow", encode_jpeg)}


def front(setup: Setup) -> list[Job]:
    """Return each task, then epochs of a data loader."""
    tasks = {name: task for name, task in _tasks(setup.is_small).items() if {*task.peers} & {*setup.peers}}
    jobs = [Job("front", name, partial(_run, name), task.threads) for name, task in tasks.items()]
    has_loader = "torch" in setup.peers and find_spec("PIL") is not None
    return jobs + ([Job("front", name, partial(_run_epochs, name)) for name in _EPOCHS] if has_loader else [])


def _run(name: str, setup: Setup) -> Row:
    task, numbers = _tasks(setup.is_small)[name], np.random.default_rng(0)
    row = Row("front", name, task.what)
    draws = [task.draw(numbers, setup) for _ in range(2 if is_quick(setup) else task.calls)]
    samples: dict[str, Sample] = {}
    for contender, choices in draws[0][0].items():
        if find_fastest(contender, choices, draws[0][1], row) is not None:
            chosen = [way for ways, _ in draws for way in ways[contender] if way.how == row.how[contender]]
            samples[contender] = cycled_sample([way.build() for way in chosen])
    row.wrong = row.absent.get(FASTOPS, "")
    row.values = interleaved_medians(samples, setup.effort)
    return row


def _run_epochs(name: str, setup: Setup) -> Row:
    where, encode = _EPOCHS[name]
    row = Row("front", name, f"{IMAGES} images {where}, {WORKERS} workers")
    with open_epochs(encode) as epochs:
        # The names of the ways say which functions are called.
        names = [FASTOPS, "numpy", "torch"]
        ways = {name: [prepared(how, epoch)] for name, (how, epoch) in zip(names, epochs.items(), strict=True)}
        expected = Expected([np.asarray([*epochs.values()][1]())], rtol=1e-5)
        return race(
            row, ways, expected, replace(setup, effort=replace(setup.effort, rounds=min(setup.effort.rounds, 7)))
        )


def lines_of(rows: Sequence[Row]) -> list[str]:
    """Return the two tables of README in Markdown: the time of the other calls divided by that of fastops."""
    by_name = {row.name: row for row in rows}
    transforms = [["the loader's transform", *_LOADER_PEERS.values()]]
    pads = [["pads and crops, without casting", "instead of", "times as long"]]
    loader = {name: f"in a `DataLoader` of two workers, images {where}" for name, (where, _) in _EPOCHS.items()}
    for name, task in _tasks(False).items():
        if (row := by_name.get(name)) is not None and task.instead:
            pads.append([task.what, task.instead, _shown_ratio(row.times(task.peers[0]))])
    whats = {name: task.what for name, task in _tasks(False).items() if not task.instead} | loader
    for name, what in whats.items():
        if (row := by_name.get(name)) is not None:
            transforms.append([what, *[_shown_ratio(row.times(peer)) for peer in _LOADER_PEERS]])
    tables = markdown_lines(transforms, (0,)), markdown_lines(pads, (0, 1))
    # A table without rows has two lines.
    return [line for lines in tables if len(lines) > 2 for line in (*lines, "")]


def _shown_ratio(ratio: float | None) -> str:
    """Return a ratio, in italics below 1: there fastops is slower."""
    if ratio is None:
        return ""
    shown = f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"
    return shown if float(shown) >= 1 else f"*{shown}*"
