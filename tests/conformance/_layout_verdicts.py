"""Where frameworks leave their specifications of transposes and blocks, or fastops answers differently."""

from __future__ import annotations

from math import prod

from tests.conformance._rules import Parameters, Verdict

_BATCH = "blocks: one of the batch other than 1"
_SIDES_OF_BATCH = "pads and crops: of the batch"


def _is_empty(case: Parameters) -> bool:
    return prod(case["input_shape"]) == 0


# What random calls meet, too.
NUMPY_NEGATIVE_REPEATS = (
    "Takes negative repeats of an axis without elements, of which there are then none. numpy.repeat does not say what "
    "they mean; fastops refuses them for data of any shape."
)
TORCH_ELLIPSES = (
    "Takes a second ellipsis if it stands for no axis, or if nothing follows it. Its page on indexing does not say so, "
    "and NumPy refuses it, as fastops does."
)
TORCH_EMPTY_IMAGES = (
    "Gives a tensor without elements as it is, where its own shape function says another shape. "
    "torch.nn.PixelUnshuffle has no exception for such tensors. fastops gives the shape of all others."
)
TORCH_NEGATIVE_REPEATS = (
    "Takes negative repeats of an axis without elements, of which there are then none. torch.tile does not say what "
    "they mean; fastops refuses them for tensors of any shape."
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
        "Its process dies by SIGSEGV or SIGABRT where the block of the batch is 2. "
        'BatchToSpace-2: it "is expected to be 1". fastops refuses it.',
        leaves=False,
        rule=_BATCH,
    ),
    Verdict(
        *("OpenVINO", "BatchToSpace"),
        'Ignores crops of the batch. BatchToSpace-2: they "are expected to be 0". fastops refuses others.',
        leaves=False,
        rule=_SIDES_OF_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        "Has no defined result where the block of the batch is not 1, and its process dies by SIGFPE where it is 0. "
        'SpaceToBatch-2: it "is expected to be 1". fastops refuses others.',
        leaves=False,
        rule=_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        "Takes pads of the batch, but gives a batch without them, of other elements than its CPU plugin. "
        'SpaceToBatch-2: the pad "for batch dimension is expected to be 0 (no-padding)". fastops refuses others.',
        leaves=False,
        rule=_SIDES_OF_BATCH,
    ),
    Verdict(
        *("OpenVINO", "SpaceToBatch"),
        'Node.evaluate does not take data of rank 2. SpaceToBatch-2: "rank >= 2". Its CPU plugin answers as fastops '
        "does, but for an empty batch. Of rank 4 and 5, where the channels are padded, the plugin reads the next item "
        "of the batch where zeros belong; Node.evaluate does not.",
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
