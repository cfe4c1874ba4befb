"""Draw the picture at the top of README and of the site: ``python docs/_ext/front_picture.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

import fastops as fo

STATIC = Path(__file__).parents[1] / "_static"

# Rows and columns of windows: two of them reach beyond the image.
_STARTS = np.array([[-16, -20], [14, 34], [84, 130], [56, 84]])
_SIZE = 52


def main() -> None:
    """Write the picture."""
    image: Any = np.asarray(Image.open(STATIC / "cat.jpg"))
    pads = ((24, 24), (32, 32), (0, 0))
    chain = fo.lazy(image).pad(pads, "reflect")[24:, 60:].flip(1)
    windows = fo.windows(image, _STARTS, [_SIZE, _SIZE], axes=[0, 1], mode="reflect")
    figure = Figure(figsize=(12, 3.1), layout="constrained", facecolor="white")
    left, padded, cropped, right = figure.subplots(1, 4)
    _show(left, image, "one image, and four windows")
    _show(padded, fo.numpy.pad(image, pads, "reflect"), 'fo.numpy.pad(image, …, "reflect")')
    _show(cropped, chain.run(), "fo.lazy(image).pad(…)[…].flip(1)")
    right.set_axis_off()
    right.set_title("fo.windows(image, starts, …)", fontsize=10, family="monospace")
    for k, (window, (y, x)) in enumerate(zip(windows, _STARTS, strict=True)):
        inset = right.inset_axes((0.52 * (k % 2), 0.52 * (1 - k // 2), 0.46, 0.46))
        _show(inset, window)
        for spine in inset.spines.values():
            spine.set(edgecolor=f"C{k}", linewidth=3)
        left.add_patch(Rectangle((x - 0.5, y - 0.5), _SIZE, _SIZE, fill=False, edgecolor=f"C{k}", linewidth=2))
    padded.add_patch(
        Rectangle((31.5, 23.5), image.shape[1], image.shape[0], fill=False, edgecolor="white", linestyle="--")
    )
    left.set_xlim(-24, image.shape[1] + 24)
    left.set_ylim(image.shape[0] + 18, -18)
    figure.savefig(STATIC / "front.png", dpi=110)


def _show(axis: Any, image: Any, title: str = "") -> None:
    axis.imshow(image, interpolation="nearest")
    axis.set_title(title, fontsize=10, family="monospace" if title.startswith("fo.") else None)
    axis.set_xticks([])
    axis.set_yticks([])
    for spine in axis.spines.values():
        spine.set_visible(title == "")


if __name__ == "__main__":
    main()
