"""OpenVINO ExtractImagePatches-3."""

import fastops as fo
from tests.helpers.patch_oracle import Cut, as_depth, cut_same, patches
from tests.ops._tables import Call, contract, refuser


def cut(shape, sizes, strides, rates, auto_pad, pieces=1, expected=None):
    def found(x):
        of_axes = [(2 + k, sizes[k], strides[k], rates[k]) for k in (0, 1)]
        is_lower = auto_pad.lower() == "same_lower"
        is_valid = auto_pad.lower() == "valid"
        cuts = [Cut(*each) if is_valid else cut_same(x, *each, more_before=is_lower) for each in of_axes]
        return as_depth(patches(x, *cuts), first=1, channels=1)

    arguments = {"sizes": sizes, "strides": strides, "rates": rates, "auto_pad": auto_pad}
    return Call(shape, arguments, expected or found, pieces=pieces)


CALLS = [
    cut((2, 3, 5, 7), [2, 3], [1, 2], [1, 1], "valid"),
    cut((1, 2, 6, 9), [3, 2], [2, 3], [2, 3], "VALID"),
    cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "same_upper", 6),
    cut((2, 3, 5, 4), [3, 2], [1, 1], [1, 1], "Same_Lower", 6),
    cut((1, 2, 5, 6), [2, 4], [2, 3], [3, 2], "same_lower", 6),
    cut((1, 2, 3, 3), [5, 4], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0, :0].reshape(1, 40, 0, 0)),
    cut((1, 2, 3, 3), [9, 1], [1, 1], [1, 1], "valid", expected=lambda x: x[:, :, :0].reshape(1, 18, 0, 3)),
    cut((1, 0, 3, 3), [2, 2], [1, 1], [1, 1], "same_upper", expected=lambda x: x),
]

refuse = refuser((1, 1, 3, 3), sizes=[2, 2], strides=[1, 1], rates=[1, 1], auto_pad="valid")
REFUSALS = [
    refuse("data must have 4 axes", ValueError, (3, 3, 1)),
    refuse("rates must have 2 values", rates=[1]),
]

test_extract_image_patches = contract(fo.openvino.extract_image_patches, CALLS, REFUSALS)
