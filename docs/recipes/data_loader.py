"""Photographs of any size, as normalised batches of random crops, in worker processes of PyTorch's DataLoader."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset

import fastops as fo

# A crop reaches up to PAD pixels beyond a photograph, or more if that is smaller than the crop; mean and deviation are
# ImageNet's, of bytes.
SIZE, PAD = 112, 16
MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)

Sample = tuple[np.ndarray, int]


class Photographs(Dataset):
    """Photographs in files, each with a label."""

    def __init__(self, paths: Sequence[Path], labels: Sequence[int]) -> None:
        self.paths, self.labels = paths, labels

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.paths)

    def __getitem__(self, index: int) -> Sample:
        """Return a photograph, as bytes of rows, columns and channels, and its label."""
        return np.asarray(Image.open(self.paths[index]).convert("RGB")), self.labels[index]


def augment(samples: Sequence[Sample]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a batch of random crops, half of them mirrored, as normalised float32 with channels first; and labels."""
    images, labels = zip(*samples, strict=True)
    # PyTorch gives each worker a seed of its own.
    rng = np.random.default_rng(int(torch.randint(2**63 - 1, ())))
    spare = np.array([image.shape[:2] for image in images]) - SIZE
    starts = rng.integers(np.minimum(spare, 0) - PAD, np.maximum(spare, 0) + PAD, endpoint=True)
    # In memory that the main process sees: the batch is written where it stays.
    batch = torch.empty(len(images), 3, SIZE, SIZE).share_memory_()
    fo.windows(
        images,
        starts,
        [SIZE, SIZE],
        axes=[0, 1],
        mode="reflect",
        flip=rng.random(len(images)) < 0.5,
        normalize=(MEAN, STD),
        out=batch.numpy().transpose(0, 2, 3, 1),
    )
    return batch, torch.tensor(labels)


def main() -> None:
    """Go through the photographs twice."""
    photographs = Photographs([Path(__file__).parents[1] / "_static" / "cat.jpg"] * 64, [0, 1] * 32)
    # Here, before the workers are forked: they then start with everything loaded and compiled.
    augment([photographs[0]])
    loader = DataLoader(
        photographs,
        batch_size=16,
        shuffle=True,
        num_workers=2,
        collate_fn=augment,
        # The workers stay for the next epoch, and with them what they have loaded.
        persistent_workers=True,
    )
    for epoch in range(2):
        for batch, labels in loader:
            assert len(labels) == len(batch)
        print(f"epoch {epoch}: {len(loader)} batches of {tuple(batch.shape)}, {batch.dtype}")


if __name__ == "__main__":
    main()
