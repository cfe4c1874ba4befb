"""Normalized results of fastops and of frameworks, which compute ``(x - mean) / std`` in another order.

Frameworks subtract first, and then divide. fastops multiplies by one number and adds another. The results differ by
the rounding of both numbers, of the product and of the sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.seeds import chooser

MEAN, STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
# In units of float32's precision, relative to the larger term of the sum.
MOST_APART = 4


def crops() -> list[tuple[Any, Any]]:
    """Return images, each with the plan of a crop that reaches beyond it; some are mirrored."""
    pairs = []
    for seed in range(20):
        rng = chooser(f"normalize {seed}")
        shape = (rng.randint(8, 60), rng.randint(8, 60), 3)
        image = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
        start, size = [rng.randint(-7, 7), rng.randint(-7, 7)], [rng.randint(1, 50), rng.randint(1, 50)]
        size = [min(n, extent) for n, extent in zip(size, shape, strict=False)]
        flip = rng.choice([None, 0, 1])
        pairs.append((image, fo.plan.crop_or_pad(shape, size, axes=[0, 1], mode="reflect", position=start, flip=flip)))
    return pairs


def check(found: Any, theirs: Any, moved: Any) -> None:
    """Assert that two normalized results of the elements ``moved`` agree; all have channels last."""
    mean, std = np.array(MEAN), np.array(STD)
    largest = np.maximum(np.abs(moved / std), np.abs(mean / std))
    apart = np.abs(found.astype(np.float64) - theirs.astype(np.float64))
    assert found.shape == theirs.shape == moved.shape
    assert (apart <= MOST_APART * np.finfo(np.float32).eps * largest).all(), apart.max()
    assert (np.abs(found - (moved - mean) / std) <= MOST_APART * np.finfo(np.float32).eps * largest).all()


def test_pytorch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    for image, plan in crops():
        moved = plan(image)
        pixels = torch.from_numpy(moved.copy()).permute(2, 0, 1).float()
        theirs = (pixels - torch.tensor(MEAN).view(3, 1, 1)) / torch.tensor(STD).view(3, 1, 1)
        check(plan(image, normalize=(MEAN, STD)), theirs.permute(1, 2, 0).numpy(), moved)


def test_openvino() -> None:
    openvino = pytest.importorskip("openvino", reason="OpenVINO is not installed")
    for image, plan in crops():
        moved = plan(image)
        given = openvino.opset13.parameter([1, 3, *moved.shape[:2]], np.float32)
        processor = openvino.preprocess.PrePostProcessor(openvino.Model([given], [given]))
        own = processor.input()
        own.tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
        own.model().set_layout(openvino.Layout("NCHW"))
        own.preprocess().convert_element_type(openvino.Type.f32).mean(MEAN).scale(STD)
        compiled = openvino.compile_model(processor.build(), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        theirs = compiled([np.ascontiguousarray(moved)[np.newaxis]])[0][0]
        planes = plan.transpose(2, 0, 1)(image, normalize=(MEAN, STD))
        check(planes.transpose(1, 2, 0), theirs.transpose(1, 2, 0), moved)
