"""Draw the picture at the top of README and of the site: ``python docs/_ext/front_picture.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

import fastops as fo

_STATIC = Path(__file__).parents[1] / "_static"

# The first row and the first column of each window; two windows reach beyond the image.
_STARTS = np.array([[-20, -24], [14, 34], [90, 136], [56, 84]])
_SIZE = 48


def main() -> None:
    """Write the picture: four panels of one size."""
    image: Any = np.asarray(Image.open(_STATIC / "cat.jpg"))
    pads = ((24, 24), (32, 32), (0, 0))
    padded = fo.numpy.pad(image, pads, "reflect")
    height, width = padded.shape[:2]
    figure = Figure(figsize=(6, 5.2), layout="constrained", facecolor="white")
    (left, right), (below, windows) = figure.subplots(2, 2)
    canvas = np.full_like(padded, 255)
    canvas[24:-24, 32:-32] = image
    _show(left, canvas, "image")
    _show(right, padded, "fo.numpy.pad")
    _show(below, fo.lazy(image).pad(pads, "reflect")[24:, 32:].flip(1).run(), "fo.lazy")
    right.add_patch(Rectangle((31.5, 23.5), width - 64, height - 48, fill=False, edgecolor="white", linestyle="--"))
    pieces = fo.windows(image, _STARTS, [_SIZE, _SIZE], axes=[0, 1], mode="reflect")
    gap = (height - 2 * 80) / 3
    _show(windows, np.full_like(padded, 255), "fo.windows")
    for k, (piece, (y, x)) in enumerate(zip(pieces, _STARTS, strict=True)):
        left.add_patch(Rectangle((x + 31.5, y + 23.5), _SIZE, _SIZE, fill=False, edgecolor=f"C{k}", linewidth=2.5))
        left_edge, top = width / 2 + (gap / 2 if k % 2 else -gap / 2 - 80), gap / 2 + (80 + gap) * (k // 2)
        windows.imshow(piece, extent=(left_edge, left_edge + 80, top + 80, top))
        windows.add_patch(Rectangle((left_edge, top), 80, 80, fill=False, edgecolor=f"C{k}", linewidth=3))
    windows.set(xlim=(0, width), ylim=(height, 0))
    figure.savefig(_STATIC / "front.png", dpi=130)


def _show(axis: Any, image: Any, title: str) -> None:
    axis.imshow(image, interpolation="nearest")
    axis.set_title(title, fontsize=15, family="monospace")
    axis.set_axis_off()


if __name__ == "__main__":
    main()
