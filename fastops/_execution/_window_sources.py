"""What windows read: one array, or an array for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fastops._arrays._dtypes import AnyArray, AnyDType
from fastops._arrays._inputs import as_source
from fastops._errors import AttributeValueError, shown


class WindowSources(NamedTuple):
    """Arrays that nobody else has, and their pins.

    Attributes
    ----------
    arrays : tuple of ndarray
        One, or one for each window.
    pins : tuple
    geometries : ndarray of int64, or None
        The shape and byte strides of each, if each window has its own.
    """

    arrays: tuple[AnyArray, ...]
    pins: tuple[Any, ...]
    geometries: AnyArray | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first one."""
        return self.arrays[0].shape

    @property
    def dtype(self) -> AnyDType:
        return self.arrays[0].dtype

    def check_alike(self, axes: Sequence[int]) -> None:
        """Raise unless all arrays are as long along some axes: windows take all of these."""
        assert self.geometries is not None
        for axis in axes:
            differs = self.geometries[:, axis] != self.shape[axis]
            if differs.any():
                n = int(differs.argmax())
                rule = (
                    f"have arrays of extent {shown(self.shape[axis])} along axis {axis}, of which windows take all, "
                    f"which array {n} has not"
                )
                raise AttributeValueError.about("data", rule, self.arrays[n].shape)


# How objects say that they are arrays, as those of other libraries and images of Pillow do. NumPy looks for them on
# objects too, where asking for one may copy an image.
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")


def is_list_of_arrays(data: Any) -> bool:
    """True for a list or a tuple of arrays, by whatever protocol they are arrays: each window has its own.

    NumPy would make one array of those of one shape.
    """
    if not isinstance(data, list | tuple) or not data:
        return False
    first = data[0]
    # NumPy's scalars are numbers, and bytes are text.
    if isinstance(first, np.ndarray | np.generic | bytes):
        return isinstance(first, np.ndarray)
    own = getattr(first, "__dict__", ())
    return any([hasattr(type(first), name) or name in own for name in _PROTOCOLS]) or _has_buffer(first)


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def as_window_source(data: Any) -> WindowSources:
    """Return the one array that all windows read."""
    array, pin = as_source(data)
    return WindowSources((array,), (pin,), None)


def as_window_sources(data: Sequence[Any]) -> WindowSources:
    """Return the arrays of a list, which are of one type and rank."""
    read = [as_source(array) for array in tuple(data)]
    arrays = tuple([array for array, _ in read])
    check_equal("array", "dtype", [array.dtype for array in arrays])
    check_equal("array", "rank", [array.ndim for array in arrays])
    return WindowSources(arrays, tuple([pin for _, pin in read]), geometries_of(arrays))


def geometries_of(arrays: Sequence[AnyArray]) -> AnyArray:
    """Return the shapes and byte strides of arrays of one rank, a row for each."""
    return np.array([array.shape + array.strides for array in arrays], np.int64).reshape(len(arrays), -1)


def check_equal(kind: str, what: str, values: Sequence[Any]) -> None:
    """Raise unless all of a list of data are of one dtype, or the like, of which the value of each is given."""
    for n, value in enumerate(values):
        if value != values[0]:
            rule = f"have {kind}s of one {what}, {values[0]}, which {kind} {n} has not"
            raise AttributeValueError.about("data", rule, value)
