"""Work that others share out: worker processes of PyTorch's data loader, threads of dask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import fastops as fo
from benchmarks.recipes._case import FASTOPS, Case, Ways
from benchmarks.recipes._images import augment, augment_by_numpy, draw_crops, random_image

_IMAGES, _WORKERS = 512, 2


class _Samples:
    """A data set of one image, cropped anew for each index."""

    def __init__(self, cut: Callable[..., Any]) -> None:
        self.image = random_image(256, 256, 3)
        self.crops = draw_crops(self.image.shape, _IMAGES)
        self.cut = cut
        # Before the workers are forked.
        cut(self.image, self.crops[0])

    def __len__(self) -> int:
        return len(self.crops)

    def __getitem__(self, index: int) -> Any:
        return self.cut(self.image, self.crops[index])


@contextmanager
def _epochs() -> Iterator[Ways]:
    from torch.utils.data import DataLoader

    loaders = [
        DataLoader(_Samples(cut), batch_size=32, num_workers=_WORKERS, persistent_workers=True)  # type: ignore[arg-type]
        for cut in (augment, augment_by_numpy)
    ]

    def epoch(loader: Any) -> Any:
        for batch in loader:
            last = batch
        return last.numpy()

    yield {FASTOPS: lambda: epoch(loaders[0]), "np.pad, slices, a copy": lambda: epoch(loaders[1])}


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
    Case(
        "data_loader",
        f"{_IMAGES} images of 256 x 256 x 3 bytes, padded, cropped and mirrored, in {_WORKERS} workers",
        _epochs,
        ("torch",),
    ),
    Case("chunked", "4096 x 4096 float32 in chunks of 512 x 512, padded by 10, reflect", _padded, ("dask",)),
)
