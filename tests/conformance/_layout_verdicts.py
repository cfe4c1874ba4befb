"""Where frameworks depart from their specifications of transposes and blocks, or fastops answers differently."""

from __future__ import annotations

from math import prod

from tests.conformance._rules import Parameters, Verdict

_BATCH = "blocks: one of the batch other than 1"
_SIDES_OF_BATCH = "pads and crops: of the batch"


def _is_empty(case: Parameters) -> bool:
    return prod(case["input_shape"]) == 0


# What random calls meet, too.
NUMPY_NEGATIVE_REPEATS = (
    "Takes negative repeats of an axis without elements, and gives no elements. numpy.repeat does not say what they "
    "mean; fastops refuses them for data of any shape."
)
TORCH_ELLIPSES = (
    "Takes a second ellipsis if it stands for no axis, or if nothing follows it. Its page on indexing does not say so. "
    "fastops refuses it, as NumPy does."
)
TORCH_EMPTY_IMAGES = (
    "Returns a tensor without elements as it is, although its own shape function says another shape. "
    "torch.nn.PixelUnshuffle has no exception for such tensors. fastops gives the shape that the rule for all other "
    "tensors gives."
)
TORCH_NEGATIVE_REPEATS = (
    "Takes negative repeats of an axis without elements, and gives no elements. torch.tile does not say what they "
    "mean; fastops refuses them for tensors of any shape."
)

LAYOUTS = (
    Verdict(
        *("NumPy", "Repeat"),
        NUMPY_NEGATIVE_REPEATS,
        leaves=False,
        rule="repeats: negative, data without elements",
    ),
    Verdict(
        *("OpenVINO", "BatchToSpace"),
        "Crashes (SIGSEGV or SIGABRT) where the block of the batch is 2. "
        'BatchToSpace-2: it "is expected to be 1". fastops refuses any other.',
        leaves=False,
        rule=_BATCH,
    ),
    Verdict(
        *("OpenVINO", "BatchToSpace"),
        'Ignores crops of the batch. BatchToSpace-2: they "are expected to be 0". fastops refuses any other.',
        leaves=False,
        rule=_SIDES_OF_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        "Has no defined result where the block of the batch is not 1, and crashes (SIGFPE) where it is 0. "
        'SpaceToBatch-2: it "is expected to be 1". fastops refuses any other.',
        leaves=False,
        rule=_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        "Takes pads of the batch, but gives a batch without them, with other elements than its CPU plugin gives. "
        'SpaceToBatch-2: the pad "for batch dimension is expected to be 0 (no-padding)". fastops refuses any other.',
        leaves=False,
        rule=_SIDES_OF_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        'Node.evaluate does not take data of rank 2. SpaceToBatch-2: "rank >= 2". Its CPU plugin answers as fastops '
        "does, except for an empty batch. For rank 4 and 5, where the channels are padded, the plugin reads the next "
        "item of the batch where zeros belong; Node.evaluate does not.",
        leaves=True,
        when=lambda case: len(case["input_shape"]) == 2,
    ),
    Verdict(
        *("PyTorch", "SpaceToDepth"),
        TORCH_EMPTY_IMAGES,
        leaves=True,
        rule="data without elements",
    ),
    Verdict(
        *("PyTorch", "TakeSlice"),
        TORCH_ELLIPSES,
        leaves=False,
        rule="two ellipses",
    ),
    Verdict(
        *("PyTorch", "Tile"),
        TORCH_NEGATIVE_REPEATS,
        leaves=False,
        rule="repeats: negative",
        when=_is_empty,
    ),
)
