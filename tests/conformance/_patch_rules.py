"""Which rule a recorded case of patches is about: of images, unfolded blocks, and sliding windows."""

from __future__ import annotations

from math import prod
from typing import Any

from tests.conformance._layout_rules import argument, fault_of_axes

Parameters = dict[str, Any]

_NAMES = {"sizes": ("sizes", "kernel_size"), "strides": ("strides", "stride"), "rates": ("rates", "dilation")}


def rule_of_patches(case: Parameters) -> str:
    """The rule of Patches."""
    if case["function"] == "sliding_window_view":
        return _rule_of_windows(case)
    rank = len(case["input_shape"])
    if rank not in ((3, 4) if case["function"] == "unfold" else (4,)):
        return "data of another rank"
    numbers = {name: argument(case, *names, default=1) for name, names in _NAMES.items()}
    numbers = {name: [value] * 2 if isinstance(value, int) else value for name, value in numbers.items()}
    if case["function"] == "extract_patches":
        for name, values in numbers.items():
            if len(values) != 4:
                return f"{name}: another number of them than axes"
            if values[0] != 1 or values[3] != 1:
                return f"{name}: of batch or channels"
        numbers = {name: values[1:3] for name, values in numbers.items()}
    for name, values in numbers.items():
        if len(values) != 2:
            return f"{name}: not two"
        if min(values) < 1:
            return f"{name}: {'0' if min(values) == 0 else 'negative'}"
    padding = argument(case, "padding", "auto_pad", default=0)
    if isinstance(padding, str) and padding.upper() not in ("VALID", "SAME", "SAME_UPPER", "SAME_LOWER"):
        return "padding: another word"
    if case["function"] == "extract_patches" and padding != padding.upper():
        return "padding: in lower case"
    if case["function"] == "unfold":
        pads = [padding] * 2 if isinstance(padding, int) else padding
        if min(pads) < 0:
            return "padding: negative"
    return _rule_of_images(case, numbers, padding)


def _rule_of_images(case: Parameters, numbers: dict[str, list[int]], padding: Any) -> str:
    """The rule of images and numbers in which nothing is wrong by itself."""
    shape = case["input_shape"]
    if prod(shape) == 0:
        return "data without elements"
    extents = shape[1:3] if case["function"] == "extract_patches" else shape[-2:]
    if not isinstance(padding, str):
        pads = [padding] * 2 if isinstance(padding, int) else padding
        word = "padding on both sides" if max(pads) else "no padding"
        extents = [extent + 2 * pad for extent, pad in zip(extents, pads, strict=True)]
    else:
        word = {"VALID": "no padding", "SAME": "same_upper"}.get(padding.upper(), padding.lower())
    reach = [(size - 1) * rate + 1 for size, rate in zip(numbers["sizes"], numbers["rates"], strict=True)]
    if word[:4] != "same" and any([long > extent for long, extent in zip(reach, extents, strict=True)]):
        return f"{word}: patches longer than the image"
    kind = "rates above 1" if max(numbers["rates"]) > 1 else None
    if kind is None:
        overlaps = any([size > stride for size, stride in zip(numbers["sizes"], numbers["strides"], strict=True)])
        kind = "patches that overlap" if overlaps else "patches apart"
    return f"{word}: {kind}"


def _rule_of_windows(case: Parameters) -> str:
    shape, windows = case["input_shape"], argument(case, "window_shape")
    axes = argument(case, "axis", default=list(range(len(shape))))
    windows = [windows] if isinstance(windows, int) else windows
    axes = [axes] if isinstance(axes, int) else axes
    if len(windows) != len(axes):
        return "windows: another number of them than axes"
    fault = fault_of_axes(axes, len(shape))
    if fault == "an axis out of range":
        return f"windows: {fault}"
    if min(windows, default=1) < 1:
        return f"windows: {'of no elements' if min(windows) == 0 else 'negative'}"
    left = list(shape)
    for axis, size in zip(axes, windows, strict=True):
        if size > left[axis]:
            return "windows: longer than the axis"
        left[axis] -= size - 1
    return f"windows: {fault or ('of no axis' if not axes else 'inside')}"
