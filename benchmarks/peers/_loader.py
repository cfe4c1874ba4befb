"""A DataLoader of PyTorch with two workers, whose images are cropped, mirrored and normalised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastops as fo
from benchmarks.peers._report import FASTOPS

Array = NDArray[Any]

#: Images of an epoch, and the workers that share them.
IMAGES, WORKERS = 512, 2
_SIZE, _PAD = 224, 16
_MEAN, _STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)

# An image, the start of its crop, and whether it is mirrored: the same for all ways.
Sample = tuple[Any, int, int, bool]


class _Images:
    """A data set of images, each with the crop that is drawn for it."""

    def __init__(self, images: Sequence[Any], transform: Callable[[Sample], Any]) -> None:
        rng = np.random.default_rng(0)
        self.images, self.transform = images, transform
        self.starts = rng.integers(-_PAD, 256 + _PAD - _SIZE, (IMAGES, 2), endpoint=True).tolist()
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


def _unchanged(sample: Sample) -> Sample:
    return sample


def _batch_by_fastops(samples: Sequence[Sample]) -> Any:
    """Return a batch as the recipe makes it."""
    import torch

    images, *starts, mirrored = zip(*samples, strict=True)
    batch = torch.empty(len(images), 3, _SIZE, _SIZE).share_memory_()
    out = batch.numpy().transpose(0, 2, 3, 1)
    how: Any = {"axes": [0, 1], "mode": "reflect", "flip": mirrored, "normalize": (_MEAN, _STD), "out": out}
    fo.windows(images, np.array(starts).T, [_SIZE, _SIZE], **how)
    return batch


def _crop_by_numpy(sample: Sample) -> Array:
    image, y, x, is_mirrored = sample
    padded = np.pad(image, ((_PAD, _PAD), (_PAD, _PAD), (0, 0)), "reflect")
    crop = padded[y + _PAD : y + _PAD + _SIZE, x + _PAD : x + _PAD + _SIZE]
    pixels = (crop[:, ::-1] if is_mirrored else crop).transpose(2, 0, 1)
    scale = np.float32(1 / np.array(_STD)).reshape(3, 1, 1)
    result: Array = (pixels - np.array(_MEAN, np.float32).reshape(3, 1, 1)) * scale
    return result


def _crop_by_torch(sample: Sample) -> Any:
    """Pad, crop, mirror, convert and normalise, as torchvision's transforms of tensors do."""
    import torch

    image, y, x, is_mirrored = sample
    padded = torch.nn.functional.pad(torch.from_numpy(image).permute(2, 0, 1)[None], (_PAD,) * 4, "reflect")[0]
    crop = padded[:, y + _PAD : y + _PAD + _SIZE, x + _PAD : x + _PAD + _SIZE]
    pixels = (crop.flip(2) if is_mirrored else crop).to(torch.float32)
    return pixels.sub_(torch.tensor(_MEAN).view(3, 1, 1)).div_(torch.tensor(_STD).view(3, 1, 1))


@contextmanager
def open_epochs(encode: Callable[[Array], Any]) -> Iterator[Mapping[str, Callable[[], Array]]]:
    """Give the ways to go through all images once, of images as ``encode`` stores them."""
    from torch.utils.data import DataLoader

    # Smooth images, as photographs are: decoding noise takes longer.
    rows, columns = np.ogrid[:256, :256]
    waves = [np.sin(rows / (9 + k)) + np.sin(columns / (7 + k)) for k in range(3)]
    images = [encode(np.uint8(np.stack(np.roll(waves, k, 0), -1) * 60 + 128)) for k in range(3)]
    ways: dict[str, tuple[Callable[[Sample], Any], Any]] = {
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
