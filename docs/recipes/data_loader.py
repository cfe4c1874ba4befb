"""A data set whose samples fastops pads, crops and mirrors, in worker processes of PyTorch's DataLoader."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import fastops as fo

PAD, SIZE = 16, 112


def augment(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random crop of the padded image, mirrored half of the time, with its channels first."""
    start = [rng.integers(-PAD, length + PAD - SIZE + 1) for length in image.shape[:2]]
    stride = [1, 1]
    if rng.random() < 0.5:
        start[1] += SIZE - 1
        stride[1] = -1
    out = np.empty((3, SIZE, SIZE), np.uint8)
    fo.slice(image, start, [SIZE, SIZE], stride, axes=[0, 1], mode="reflect", out=out.transpose(1, 2, 0))
    return out


class Augmented(Dataset):
    """Images of bytes, augmented whenever they are read."""

    def __init__(self, images: np.ndarray) -> None:
        self.images = images
        # Here, before the workers are forked: they then start with everything loaded and compiled.
        augment(images[0], np.random.default_rng(0))

    def __len__(self) -> int:
        """Return how many images there are."""
        return len(self.images)

    def __getitem__(self, index: int) -> torch.Tensor:
        """Return an image, augmented."""
        # PyTorch gives each worker a seed of its own.
        rng = np.random.default_rng(int(torch.randint(2**63 - 1, ())))
        return torch.from_numpy(augment(self.images[index], rng))


def main() -> None:
    """Go through the images twice."""
    images = np.random.default_rng(0).integers(0, 256, (64, 120, 160, 3), np.uint8)
    loader = DataLoader(
        Augmented(images),
        batch_size=16,
        shuffle=True,
        num_workers=2,
        # The workers stay for the next epoch, and with them what they have loaded.
        persistent_workers=True,
    )
    for epoch in range(2):
        for batch in loader:
            assert batch.shape == (16, 3, SIZE, SIZE)
        print(f"epoch {epoch}: {len(loader)} batches of {tuple(batch.shape)}, {batch.dtype}")


if __name__ == "__main__":
    main()
