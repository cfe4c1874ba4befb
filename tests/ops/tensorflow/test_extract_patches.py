"""tf.image.extract_patches."""

import numpy as np
import pytest

import fastops as fo
from tests.helpers.patch_oracle import Cut, as_depth, cut_same, patches
from tests.ops._tables import Call, contract, refuser


def cut(shape, sizes, strides, rates, padding, pieces=1, expected=None):
    def found(x):
        of_axes = [(1 + k, sizes[k], strides[k], rates[k]) for k in (0, 1)]
        cuts = [Cut(*each) if padding == "VALID" else cut_same(x, *each) for each in of_axes]
        return as_depth(patches(x, *cuts), first=3, channels=3)

    lists = {"sizes": [1, *sizes, 1], "strides": [1, *strides, 1], "rates": [1, *rates, 1]}
    return Call(shape, {**lists, "padding": padding}, expected or found, pieces=pieces)


CALLS = [
    cut((2, 5, 7, 3), (2, 3), (1, 2), (1, 1), "VALID"),
    cut((1, 6, 9, 2), (3, 2), (2, 3), (2, 3), "VALID"),
    cut((1, 4, 6, 1), (2, 3), (2, 3), (1, 1), "VALID"),
    cut((2, 3, 3, 2), (1, 1), (1, 1), (5, 5), "SAME"),
    cut((2, 5, 4, 3), (3, 3), (1, 1), (1, 1), "SAME", 9),
    cut((1, 5, 6, 2), (2, 4), (2, 3), (2, 1), "SAME", 6),
    # No patch lies inside.
    cut((1, 2, 1, 2), (5, 3), (1, 1), (1, 2), "SAME", 2),
    cut((0, 3, 3, 2), (2, 2), (1, 1), (1, 1), "SAME"),
    cut((1, 3, 3, 0), (2, 2), (1, 1), (1, 1), "SAME"),
    # TensorFlow rounds to no patches.
    cut((1, 2, 2, 3), (5, 2), (2, 1), (1, 1), "VALID", expected=lambda x: x[:, :0, :1].reshape(1, 0, 1, 30)),
]

refuse = refuser((1, 3, 3, 1), sizes=[1, 2, 2, 1], strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")
REFUSALS = [
    refuse("images must have 4 axes", ValueError, (3, 3, 1)),
    refuse(r"sizes must reach over less .*, 4 elements, with VALID, .* \(axis 1", sizes=[1, 5, 5, 1], padding="VALID"),
    refuse("strides must be 4 values, of which the first and the last are 1", strides=[1, 1]),
    refuse("sizes must be 4 values, of which the first and the last are 1", sizes=[1, 2, 2, 2]),
]

test_extract_patches = contract(fo.tensorflow.extract_patches, CALLS, REFUSALS)


def test_patches_that_overlap_are_a_read_only_view() -> None:
    image, ones = np.arange(4 * 5).reshape(1, 4, 5, 1), [1, 1, 1, 1]
    # In their ends alone.
    view = fo.tensorflow.extract_patches(image, [1, 1, 3, 1], [1, 1, 2, 1], ones, "VALID", copy=False)
    assert np.shares_memory(view, image)
    assert not view.flags.writeable
    for sizes, padding, what in (([1, 2, 2, 1], "VALID", "merges axes"), ([1, 3, 3, 1], "SAME", "reads out of bounds")):
        with pytest.raises(fo.AttributeValueError, match=f"copy must be True or None for a result that {what}"):
            fo.tensorflow.extract_patches(image, sizes, ones, ones, padding, copy=False)
