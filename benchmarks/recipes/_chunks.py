"""Work that others share out: worker processes of PyTorch's data loader, threads of dask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops as fo
from benchmarks.recipes._case import FASTOPS, Case, Ways

Array = NDArray[Any]

_IMAGES, _WORKERS, _SIZE, _PAD = 512, 2, 224, 16
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)

# An image, and where its crop is and whether it is mirrored: the same for all ways.
Sample = tuple[Any, int, int, bool]


class _Images:
    """A data set of images, each with the crop that is drawn for it."""

    def __init__(self, images: Sequence[Any], transform: Callable[[Sample], Any]) -> None:
        rng = np.random.default_rng(0)
        self.images, self.transform = images, transform
        self.starts = rng.integers(-_PAD, 256 + _PAD - _SIZE, (_IMAGES, 2), endpoint=True).tolist()
        self.mirrored = (rng.random(_IMAGES) < 0.5).tolist()

    def __len__(self) -> int:
        return _IMAGES

    def __getitem__(self, index: int) -> Any:
        image = self.images[index % len(self.images)]
        return self.transform((_decoded(image), *self.starts[index], self.mirrored[index]))


def _decoded(image: Any) -> Array:
    from PIL import Image

    return np.array(Image.open(BytesIO(image)).convert("RGB")) if isinstance(image, bytes) else image


def _as_it_is(sample: Sample) -> Sample:
    return sample


def _augmented(samples: Sequence[Sample]) -> Any:
    """Return a batch as the recipe makes it."""
    import torch

    images, *starts, mirrored = zip(*samples, strict=True)
    batch = torch.empty(len(images), 3, _SIZE, _SIZE).share_memory_()
    out = batch.numpy().transpose(0, 2, 3, 1)
    how: Any = {"axes": [0, 1], "mode": "reflect", "flip": mirrored, "normalize": (_MEAN, _STD), "out": out}
    fo.windows(images, np.array(starts).T, [_SIZE, _SIZE], **how)
    return batch


def _padded_crop(sample: Sample) -> Array:
    image, y, x, is_mirrored = sample
    padded = np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), "reflect")
    crop = padded[y + _PAD : y + _PAD + _SIZE, x + _PAD : x + _PAD + _SIZE]
    return (crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1)


def _augmented_by_numpy(sample: Sample) -> Any:
    scale = np.float32(1 / np.array(_STD)).reshape(3, 1, 1)
    return (_padded_crop(sample) - np.float32(_MEAN).reshape(3, 1, 1)) * scale


def _augmented_by_torch(sample: Sample) -> Any:
    """Return what torchvision's transforms of tensors do: pad, crop, mirror, convert, normalise."""
    import torch

    image, y, x, is_mirrored = sample
    padded = torch.nn.functional.pad(torch.from_numpy(image).permute(2, 0, 1)[None], (_PAD,) * 4, "reflect")[0]
    crop = padded[:, y + _PAD : y + _PAD + _SIZE, x + _PAD : x + _PAD + _SIZE]
    pixels = (crop.flip(2) if is_mirrored else crop).to(torch.float32)
    return pixels.sub_(torch.tensor(_MEAN).view(3, 1, 1)).div_(torch.tensor(_STD).view(3, 1, 1))


def _encoded(image: Array) -> bytes:
    from PIL import Image

    memory = BytesIO()
    Image.fromarray(image).save(memory, "JPEG", quality=90)
    return memory.getvalue()


def _epochs(encode: Callable[[Array], Any]) -> Callable[[], Any]:
    """Return the ways to go through all images once, of images as ``encode`` stores them."""

    @contextmanager
    def opened() -> Iterator[Ways]:
        from torch.utils.data import DataLoader

        # Smooth, as photographs are: noise is no picture of what decoding takes.
        rows, columns = np.ogrid[:256, :256]
        waves = [np.sin(rows / (9 + k)) + np.sin(columns / (7 + k)) for k in range(3)]
        images = [encode(np.uint8(np.stack(np.roll(waves, k, 0), -1) * 60 + 128)) for k in range(3)]
        ways: dict[str, tuple[Callable[[Sample], Any], Any]] = {
            FASTOPS: (_as_it_is, _augmented),
            "NumPy: np.pad, slices, subtract, multiply": (_augmented_by_numpy, None),
            "PyTorch: pad, slices, flip, to, sub_, div_": (_augmented_by_torch, None),
        }
        how: Any = {"batch_size": 32, "num_workers": _WORKERS, "persistent_workers": True}
        data: Any = {name: _Images(images, transform) for name, (transform, _) in ways.items()}
        # Before the workers are forked.
        _augmented([data[FASTOPS][0]])
        loaders = {name: DataLoader(data[name], collate_fn=collate, **how) for name, (_, collate) in ways.items()}

        def epoch(loader: Any) -> Any:
            for batch in loader:
                last = batch
            return last.numpy()

        yield {name: partial(epoch, loader) for name, loader in loaders.items()}

    return opened


@contextmanager
def _padded() -> Iterator[Ways]:
    import dask
    import dask.array as da

    data = np.random.default_rng(0).random((4096, 4096), np.float32)
    source = da.from_array(data, chunks=512)
    with dask.config.set(scheduler="threads"):
        yield {
            FASTOPS: lambda: fo.numpy.pad(source, 10, "reflect").compute(),
            "dask.array.pad": lambda: da.pad(source, 10, mode="reflect").compute(),
        }


CASES = (
    *[
        Case(
            "data_loader",
            f"{_IMAGES} images of 256 x 256 x 3 bytes {source}: random crops of {_SIZE} x {_SIZE}, up to {_PAD} beyond "
            f"them, mirrored half of the time, as normalised float32 with channels first, in {_WORKERS} workers",
            _epochs(encode),
            ("torch", "PIL"),
        )
        for source, encode in (("in memory", np.asarray), ("from JPEG by Pillow", _encoded))
    ],
    Case("chunked", "4096 x 4096 float32 in chunks of 512 x 512, padded by 10, reflect", _padded, ("dask",)),
)
