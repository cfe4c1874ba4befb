"""Normalized results of fastops and of OpenVINO, which computes ``(x - mean) / std`` in another order.

OpenVINO subtracts first, and then divides, as PyTorch and NumPy do. fastops multiplies by one number and adds another.
The results differ by the rounding of both numbers, of the product and of the sum.
"""

from __future__ import annotations

import numpy as np
import pytest

import fastops as fo
from tests.helpers.seeds import chooser

MEAN, STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
# In units of float32's precision, relative to the larger term of the sum.
MOST_APART = 4


def test_openvino() -> None:
    openvino = pytest.importorskip("openvino", reason="OpenVINO is not installed")
    for seed in range(20):
        rng = chooser(f"normalize {seed}")
        # Crops that reach beyond an image; some are mirrored.
        shape = (rng.randint(8, 60), rng.randint(8, 60), 3)
        image = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
        start, size = [rng.randint(-7, 7), rng.randint(-7, 7)], [rng.randint(1, 50), rng.randint(1, 50)]
        size = [min(n, extent) for n, extent in zip(size, shape, strict=False)]
        flip = rng.choice([None, 0, 1])
        plan = fo.plan.crop_or_pad(shape, size, axes=[0, 1], mode="reflect", position=start, flip=flip)
        moved = plan(image)
        given = openvino.opset13.parameter([1, 3, *moved.shape[:2]], np.float32)
        processor = openvino.preprocess.PrePostProcessor(openvino.Model([given], [given]))
        own = processor.input()
        own.tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
        own.model().set_layout(openvino.Layout("NCHW"))
        own.preprocess().convert_element_type(openvino.Type.f32).mean(MEAN).scale(STD)
        compiled = openvino.compile_model(processor.build(), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        theirs = compiled([np.ascontiguousarray(moved)[np.newaxis]])[0][0].transpose(1, 2, 0)
        found = plan.transpose(2, 0, 1)(image, normalize=(MEAN, STD)).transpose(1, 2, 0)
        assert found.shape == theirs.shape == moved.shape
        most = MOST_APART * np.finfo(np.float32).eps * np.maximum(moved / STD, np.array(MEAN) / STD)
        for exact in (theirs.astype(np.float64), (moved - MEAN) / STD):
            assert (np.abs(found - exact) <= most).all(), np.abs(found - exact).max()
