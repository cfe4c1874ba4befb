"""A data set whose samples fastops pads, crops and mirrors, in worker processes of PyTorch's DataLoader."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import fastops as fo

PAD, SIZE = 16, 112


def augment(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random crop of the padded image, mirrored half of the time, with its channels first."""
    chain = fo.lazy(image).pad(((PAD, PAD), (PAD, PAD), (0, 0)), "reflect")
    top, left = (rng.integers(length - SIZE + 1) for length in chain.shape[:2])
    chain = chain[top : top + SIZE, left : left + SIZE]
    if rng.random() < 0.5:
        chain = chain.flip(1)
    return chain.transpose((2, 0, 1)).run()


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
