"""The cases that benchmarks time and tests check: one table, each case in a full and in a small size.

Importing this module allocates nothing and loads neither fastops nor Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Size:
    """How large a case is.

    Attributes
    ----------
    shape : tuple of int
        The shape of data; of the result, for a range.
    amount : int
        The one number that scales with it: a crop's extent, a window's first position, a pad's width.
    """

    shape: tuple[int, ...]
    amount: int = 0


@dataclass(frozen=True)
class Case:
    """One call of one operator.

    Attributes
    ----------
    name : str
        A stable identifier: results are kept under it.
    suite : str
        The suite that times it: bandwidth, ranges or latency.
    operator : str
        The public function.
    dtype : str
        Of the result.
    full, small : Size
        What benchmarks time, and what tests check.
    attributes : callable
        The operator's arguments at a size, but for data and out.
    expected : callable
        The result at a size by NumPy, from data; from the positions ``0..count-1``, for a range.
    """

    name: str
    suite: str
    operator: str
    dtype: str
    full: Size
    small: Size
    attributes: Callable[[Size], dict[str, Any]]
    expected: Callable[[NDArray[Any], Size], NDArray[Any] | list[NDArray[Any]]]

    @property
    def takes_data(self) -> bool:
        """False for ranges, which read nothing."""
        return self.operator != "range"

    def data(self, size: Size) -> NDArray[Any]:
        """Return data of small whole numbers, which repeat after 251; the positions, for a range."""
        if not self.takes_data:
            return np.arange(size.shape[0])
        return np.resize(np.arange(251, dtype=self.dtype), size.shape)

    def call(self, library: ModuleType, size: Size) -> Callable[..., Any]:
        """Return the call of the operator, which takes no more than ``out``."""
        data = (self.data(size),) if self.takes_data else ()
        return partial(getattr(library, self.operator), *data, **self.attributes(size))

    def prepared(self, library: ModuleType, size: Size) -> list[Callable[..., Any]]:
        """Return the calls of the case's plans, one for each output; each takes no more than ``out``."""
        shape = (size.shape,) if self.takes_data else ()
        plans = getattr(library.plan, self.operator)(*shape, **self.attributes(size))
        first = self.data(size) if self.takes_data else self.dtype
        return [partial(plan, first) for plan in (plans if isinstance(plans, list) else [plans])]


def _crop(size: Size) -> dict[str, Any]:
    height, width = size.shape[2:]
    top, left = (height - size.amount) // 2, (width - size.amount) // 2
    end = [0, 0, top + size.amount, left + size.amount]
    return {"begin": [0, 0, top, left], "end": end, "begin_mask": [1, 1], "end_mask": [1, 1]}


def _cropped(data: NDArray[Any], size: Size) -> NDArray[Any]:
    height, width = data.shape[2:]
    top, left = (height - size.amount) // 2, (width - size.amount) // 2
    return data[:, :, top : top + size.amount, left : left + size.amount]


def _whole_axes(strides: list[int]) -> dict[str, Any]:
    """Attributes that take whole axes at these strides."""
    masks = [1] * len(strides)
    return {"begin": [0] * len(strides), "end": [0] * len(strides), "strides": strides} | {
        "begin_mask": masks,
        "end_mask": masks,
    }


def _window(size: Size) -> dict[str, Any]:
    length = size.shape[2] // 2
    ends = {"begin": [0, 0, size.amount], "end": [0, 0, size.amount + length]}
    return ends | {"begin_mask": [1, 1, 0], "end_mask": [1, 1, 0]}


def _pad(mode: str, size: Size) -> dict[str, Any]:
    height, width = size.shape[-2:]
    padded = [height + 2 * size.amount, width + 2 * size.amount]
    return {"start": [-size.amount, -size.amount], "size": padded, "axes": [-2, -1], "mode": mode}


def _padded(mode: Any, data: NDArray[Any], size: Size) -> NDArray[Any]:
    return np.pad(data, [(0, 0)] * (data.ndim - 2) + [(size.amount, size.amount)] * 2, mode)


def _pad_case(name: str, mode: str, numpy_mode: str, dtype: str, full: Size, small: Size) -> Case:
    attributes, expected = partial(_pad, mode), partial(_padded, numpy_mode)
    return Case(name, "bandwidth", "slice", dtype, full, small, attributes, expected)


def _range_case(name: str, dtype: str, start: float, step: float) -> Case:
    def attributes(size: Size) -> dict[str, Any]:
        # Half a step short of the next element, so that no rounding of stop changes the count.
        stop = start + (2 * size.shape[0] - 1) * step / 2
        return {"start": start, "stop": stop, "step": step, "output_type": dtype}

    def expected(positions: NDArray[Any], _size: Size) -> NDArray[Any]:
        number = np.dtype(dtype).type
        return number(start) + positions.astype(dtype) * number(step)

    return Case(name, "ranges", "range", dtype, Size((20_000_000,)), Size((1_000,)), attributes, expected)


_IMAGES, _SMALL_IMAGES = (8, 3, 1080, 1920), (2, 3, 20, 30)
_FRAMES, _SMALL_FRAMES = (16, 1080, 1920, 3), (4, 9, 14, 3)
_PADDED, _SMALL_PADDED = Size((16, 3, 512, 512), 16), Size((2, 3, 11, 13), 4)

CASES: dict[str, Case] = {
    case.name: case
    for case in (
        Case(
            "crop_f32",
            "bandwidth",
            "strided_slice",
            "float32",
            Size(_IMAGES, 1024),
            Size(_SMALL_IMAGES, 16),
            _crop,
            _cropped,
        ),
        Case(
            "stride_2_f32",
            "bandwidth",
            "strided_slice",
            "float32",
            Size(_IMAGES),
            Size(_SMALL_IMAGES),
            lambda _size: _whole_axes([1, 1, 2, 2]),
            lambda data, _size: data[:, :, ::2, ::2],
        ),
        Case(
            "horizontal_flip_f32",
            "bandwidth",
            "strided_slice",
            "float32",
            Size(_IMAGES),
            Size(_SMALL_IMAGES),
            lambda _size: _whole_axes([1, 1, 1, -1]),
            lambda data, _size: data[..., ::-1],
        ),
        Case(
            "bgr_to_rgb_u8",
            "bandwidth",
            "strided_slice",
            "uint8",
            Size(_FRAMES),
            Size(_SMALL_FRAMES),
            lambda _size: _whole_axes([1, 1, 1, -1]),
            lambda data, _size: data[..., ::-1],
        ),
        Case(
            "stride_2_nhwc_u8",
            "bandwidth",
            "strided_slice",
            "uint8",
            Size(_FRAMES),
            Size(_SMALL_FRAMES),
            lambda _size: _whole_axes([1, 2, 2]),
            lambda data, _size: data[:, ::2, ::2],
        ),
        Case(
            "every_2nd_frame_u8",
            "bandwidth",
            "strided_slice",
            "uint8",
            Size(_FRAMES),
            Size(_SMALL_FRAMES),
            lambda _size: _whole_axes([2]),
            lambda data, _size: data[::2],
        ),
        Case(
            "kv_cache_window_f16",
            "bandwidth",
            "strided_slice",
            "float16",
            Size((2, 32, 4096, 128), 1024),
            Size((2, 4, 24, 8), 6),
            _window,
            lambda data, size: data[:, :, size.amount : size.amount + data.shape[2] // 2],
        ),
        _pad_case("pad_reflect_f32", "reflect", "reflect", "float32", _PADDED, _SMALL_PADDED),
        _pad_case("pad_clamp_f32", "clamp", "edge", "float32", _PADDED, _SMALL_PADDED),
        _pad_case("pad_fill_f32", "fill", "constant", "float32", _PADDED, _SMALL_PADDED),
        _pad_case("pad_wrap_f32", "wrap", "wrap", "float32", _PADDED, _SMALL_PADDED),
        _pad_case("pad_reflect_u8", "reflect", "reflect", "uint8", Size((64, 3, 512, 512), 16), _SMALL_PADDED),
        Case(
            "qkv_split_f32",
            "bandwidth",
            "variadic_split",
            "float32",
            Size((8, 1024, 3072)),
            Size((2, 5, 12)),
            lambda size: {"axis": -1, "split_lengths": [size.shape[-1] // 3] * 3},
            lambda data, _size: np.split(data, 3, axis=-1),
        ),
        _range_case("range_f32", "float32", 0.5, 0.1),
        _range_case("range_i64", "int64", -7, 3),
        _range_case("range_i32", "int32", -7, 3),
        Case(
            "tiny_strided_slice",
            "latency",
            "strided_slice",
            "float32",
            Size((8, 8)),
            Size((8, 8)),
            lambda _size: {"begin": [1, 0], "end": [7, 8], "strides": [1, 2]},
            lambda data, _size: data[1:7, ::2],
        ),
        Case(
            "tiny_reflect_pad",
            "latency",
            "slice",
            "float32",
            Size((8, 8), 2),
            Size((8, 8), 2),
            partial(_pad, "reflect"),
            partial(_padded, "reflect"),
        ),
        Case(
            "tiny_split",
            "latency",
            "variadic_split",
            "float32",
            Size((8, 8)),
            Size((8, 8)),
            lambda _size: {"axis": 0, "split_lengths": [3, 3, -1]},
            lambda data, _size: np.split(data, [3, 6]),
        ),
        Case(
            "tiny_range",
            "latency",
            "range",
            "float32",
            Size((100,)),
            Size((100,)),
            lambda _size: {"start": 0, "stop": 100, "step": 1, "output_type": "float32"},
            lambda positions, _size: positions.astype("float32"),
        ),
    )
}


def names_of(suite: str) -> list[str]:
    """Return the names of a suite's cases."""
    return [name for name, case in CASES.items() if case.suite == suite]
