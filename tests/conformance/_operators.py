"""Which operator of the page each function of fastops is, by the name of its framework there."""

from __future__ import annotations

import fastops as fo

#: Modules of fastops, and the names of their frameworks on the page.
DIALECTS = {
    "openvino": "OpenVINO",
    "onnx": "ONNX Runtime",
    "tensorflow": "TensorFlow",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "tensorrt": "TensorRT's formula",
}

#: Frameworks in the order of the page's columns.
FRAMEWORKS = tuple(DIALECTS.values())

# Functions of one name are one operator in all frameworks, but those below.
_OPERATORS = {
    "array_split": "Split",
    "ascontiguousarray": "Copy",
    "batch_to_space": "BatchToSpace",
    "batch_to_space_nd": "BatchToSpace",
    "broadcast": "Broadcast",
    "broadcast_to": "Broadcast",
    "center_crop_pad": "CenterCropPad",
    "channel_shuffle": "ShuffleChannels",
    "copy": "Copy",
    "depth_to_space": "DepthToSpace",
    "expand": "Broadcast",
    "extract_image_patches": "Patches",
    "extract_patches": "Patches",
    "flip": "Flip",
    "fliplr": "Flip",
    "flipud": "Flip",
    "moveaxis": "MoveAxis",
    "narrow": "Slice",
    "pad": "Pad",
    "permute": "Transpose",
    "permute_dims": "Transpose",
    "pixel_shuffle": "DepthToSpace",
    "pixel_unshuffle": "SpaceToDepth",
    "range": "Range",
    "repeat": "Repeat",
    "repeat_interleave": "Repeat",
    "reverse": "Reverse",
    "roll": "Roll",
    "rot90": "Rot90",
    "shuffle_channels": "ShuffleChannels",
    "slice": "Slice",
    "sliding_window_view": "Patches",
    "space_to_batch": "SpaceToBatch",
    "space_to_batch_nd": "SpaceToBatch",
    "space_to_depth": "SpaceToDepth",
    "split": "Split",
    "strided_slice": "StridedSlice",
    "swapaxes": "SwapAxes",
    "take_slice": "TakeSlice",
    "tile": "Tile",
    "transpose": "Transpose",
    "unfold": "Patches",
    "variadic_split": "Split",
}

# Swaps two axes, and is a section of its own beside transposes of all.
_OTHERS = {("PyTorch", "transpose"): "SwapAxes", ("TensorRT's formula", "slice"): "TensorRT Slice"}


def functions_of(dialect: str) -> set[str]:
    """Return the names of a dialect's functions, each of which has random calls and an operator on the page."""
    return set(dir(getattr(fo.plan, dialect)))


def operators_of(framework: str) -> set[str]:
    """Return the operators of which a framework has functions."""
    names = [name for name, own in DIALECTS.items() if own == framework]
    return {operator_of_function(framework, function) for name in names for function in functions_of(name)}


def operator_of_function(framework: str, function: str) -> str:
    """Return the operator of a function of a framework, which are named as on the page and in the dialect."""
    operator = _OTHERS.get((framework, function)) or _OPERATORS.get(function)
    if operator is None:
        raise LookupError(f"{function} of {framework} needs the name of its operator in _OPERATORS of {__file__}")
    return operator
