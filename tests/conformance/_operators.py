"""Which operator of the page each function of fastops is, by the name of its framework there."""

from __future__ import annotations

import fastops as fo
from tests.helpers.inspection import names_of

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

# Functions that an operator has besides those of its own name, such as depth_to_space for DepthToSpace.
_OTHER_NAMES = {
    "BatchToSpace": "batch_to_space_nd",
    "Broadcast": "broadcast_to expand",
    "Copy": "ascontiguousarray",
    "DepthToSpace": "pixel_shuffle",
    "Flip": "fliplr flipud",
    "MoveAxis": "moveaxis rollaxis",
    "Patches": "extract_image_patches extract_patches sliding_window_view unfold",
    "Repeat": "repeat_interleave",
    "ShuffleChannels": "channel_shuffle",
    "Slice": "narrow",
    "SpaceToBatch": "space_to_batch_nd",
    "SpaceToDepth": "pixel_unshuffle",
    "Split": "array_split dsplit hsplit unstack variadic_split vsplit",
    "SwapAxes": "matrix_transpose swapaxes",
    "Transpose": "permute permute_dims",
}
_OPERATORS = {function: operator for operator, names in _OTHER_NAMES.items() for function in names.split()}

# Swaps two axes, and is a section of its own beside transposes of all.
_OTHERS = {("PyTorch", "transpose"): "SwapAxes", ("TensorRT's formula", "slice"): "TensorRT Slice"}


def functions_of(dialect: str) -> list[str]:
    """Return the names of a dialect's functions, each of which has random calls and an operator on the page."""
    return names_of(getattr(fo.plan, dialect))


def operators_of(framework: str) -> set[str]:
    """Return the operators of which a framework has functions."""
    names = [name for name, own in DIALECTS.items() if own == framework]
    return {operator_of_function(framework, function) for name in names for function in functions_of(name)}


def operator_of_function(framework: str, function: str) -> str:
    """Return the operator of a function of a framework, which are named as on the page and in the dialect."""
    own_name = function.title().replace("_", "")
    return _OTHERS.get((framework, function)) or _OPERATORS.get(function, own_name)
