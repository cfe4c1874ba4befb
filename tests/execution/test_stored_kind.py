"""Data in files: a call returns an array, and reads only the ranges in which its plan needs elements."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import zarr

import fastops as fo
from fastops._execution import _planned_kind
from tests.helpers.seeds import scale

Array = np.ndarray[Any, Any]

DATA = np.arange(20 * 26 * 5).reshape(20, 26, 5)


Create = Callable[[Path, Array], Any]


def hdf5(path: Path, data: Array, chunks: Any = None) -> Any:
    return h5py.File(path / f"{chunks}.h5", "w").create_dataset("data", data=data, chunks=chunks)


def zarr_of(chunks: tuple[int, ...], **options: Any) -> Create:
    def create(path: Path, data: Array) -> Any:
        options["shape"], options["dtype"] = data.shape, data.dtype
        array = zarr.create_array(path / "zarr", chunks=chunks[: data.ndim], **options)
        # zarr 3.1.0 writes wrong shards if create_array is given the data.
        array[...] = data
        return array

    return create


KINDS: list[Create] = [
    partial(hdf5, chunks=(7, 13, 5)),
    hdf5,
    zarr_of((8, 16, 5), zarr_format=2),
    zarr_of((9, 10, 2), zarr_format=3),
    zarr_of((6, 8, 5), shards=(12, 16, 5)),
]

# `tests/across/test_kinds.py` calls all operators but those of torch on such data.
CALLS: list[Callable[[Any], Any]] = [
    lambda x: fo.numpy.pad(x, ((3, 25), (30, 2), (0, 1)), "reflect"),
    lambda x: fo.numpy.pad(x, 2, constant_values=((1, 2), (3, 4), (5, 6))),
    lambda x: fo.numpy.take_slice(x, (slice(None, None, -7), 5)),
    lambda x: fo.numpy.roll(x, 3),
    lambda x: fo.numpy.roll(x, -777),
    lambda x: fo.numpy.split(x, [10, 11], 1)[2],
    lambda x: fo.frame(x, 7, 3, axis=0),
    lambda x: fo.windows(x, [[-3, 5], [15, 20]], [8, 8], axes=[0, 1], mode="fill", fill_value=9),
    lambda x: fo.windows(x, [[3, 1]], [8, 4], items=[5]),
    lambda x: fo.plan.numpy.flip(DATA.shape)(x),
    lambda x: fo.plan.windows(DATA.shape, [3, 3, 3])(x, [[1, 2, 0]]),
    lambda x: fo.lazy(x).pad(((1, 1), (2, 2), (0, 0)), "edge")[::2].run(),
]


def test_calls_on_all_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Read data without chunks in several parts.
    monkeypatch.setattr(_planned_kind, "_MOST_BYTES", 1000)
    chosen = random.Random(1)
    for n, create in enumerate(KINDS):
        (tmp_path / str(n)).mkdir()
        stored = create(tmp_path / str(n), DATA)
        # zarr is slow and differs from HDF5 only in the requests for data: run fewer calls.
        for i in chosen.sample(range(len(CALLS)), len(CALLS) if n < 2 else scale(5, len(CALLS))):
            result, expected = CALLS[i](stored), CALLS[i](DATA)
            assert type(result) is np.ndarray
            np.testing.assert_array_equal(result, expected, strict=True, err_msg=f"call {i} on {stored}")
        outs = [np.zeros((20, 10, 5), DATA.dtype)[:, ::-1], np.zeros((20, 16, 5), DATA.dtype)]
        assert fo.numpy.split(stored, [10], 1, out=outs) is outs
        np.testing.assert_array_equal(np.concatenate(outs, 1), DATA)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note how many elements each read of a dataset of HDF5 gives."""
    sizes: list[int] = []
    plain = h5py.Dataset.__getitem__

    def counted(self: Any, key: Any, **options: Any) -> Any:
        result = plain(self, key, **options)
        sizes.append(np.size(result))
        return result

    monkeypatch.setattr(h5py.Dataset, "__getitem__", counted)
    return sizes


def test_refusals(tmp_path: Path) -> None:
    out = np.zeros((20, 10, 5), DATA.dtype)
    file = h5py.File(tmp_path / "few.h5", "w")
    stored, text = file.create_dataset("data", data=DATA), file.create_dataset("text", data=["a", "b"])
    two = [[0] * 3] * 2, [1] * 3
    refused: list[tuple[str, Callable[[], Any]]] = [
        (r"flip: copy must be True or None for data that is not an", lambda: fo.numpy.flip(stored, copy=False)),
        (r"flip: copy must be True, False or None", lambda: fo.numpy.flip(stored, copy=3)),
        (r"split: out must be a list of 2 arrays", lambda: fo.numpy.split(stored, [10], 1, out=[out])),
        (r"split: out\[1\] must have shape \(20, 16, 5\)", lambda: fo.numpy.split(stored, [10], 1, out=[out, out])),
        ("do not overlap each other", lambda: fo.numpy.split(stored, 2, 1, out=[np.zeros((20, 13, 5), int)] * 2)),
        (r"copy: out must have shape \(20, 26, 5\)", lambda: fo.numpy.copy(stored, out=out)),
        ("numpy.flip: m must be one array, or a list of arrays in", lambda: fo.numpy.flip([stored])),
        ("windows: data must be one array, or a list of arrays in memory", lambda: fo.windows([stored, stored], *two)),
        ("windows: data must be one array, or a list of arrays in memory", lambda: fo.windows([DATA, stored], *two)),
        ("windows: items must be None where data is a list", lambda: fo.windows([stored], [[0, 0]], [1, 1], items=[0])),
        (r"plan: data must have shape \(3,\), got \(20, 26, 5\)", lambda: fo.plan.numpy.flip((3,))(stored)),
        ("m must have a shape", lambda: fo.numpy.flip(file.create_dataset("none", data=h5py.Empty("f4")))),
        ("m must not have elements of object", lambda: fo.numpy.flip(text)),
        (r"must be an array of the group: pass group\[name\]", lambda: fo.numpy.flip(file)),
        (r"must be an array of the group: pass group\[name\]", lambda: fo.lazy(file.create_group("group"))),
        (r"must be an array of the group: pass group\[name\]", lambda: fo.plan.numpy.flip((3,))(file)),
    ]
    for match, call in refused:
        with pytest.raises(fo.FastopsError, match=match):
            call()
    assert not out.any()
    np.testing.assert_array_equal(fo.numpy.tile(file.create_dataset("scalar", data=np.float32(3)), 2), [3, 3])
    np.testing.assert_array_equal(fo.numpy.pad(file.create_dataset("few", data=np.zeros((0, 3))), 1), np.zeros((2, 5)))
    file.close()
    for function in (fo.numpy.flip, fo.lazy, lambda x: fo.numpy.pad(x, 1), lambda x: fo.windows(x, [[0]], [1])):
        with pytest.raises(fo.AttributeValueError, match="must be open"):
            function(text)


# How many of a million elements each call reads: with chunks of 100 x 100, and without chunks.
READ: list[tuple[Callable[[Any], Any], int, int]] = [
    (lambda x: fo.slice(x, [100, 100], [5, 5]), 25, 25),
    (lambda x: fo.slice(x, [-3, 997], [5, 6], mode="reflect"), 16, 16),
    (lambda x: fo.numpy.take_slice(x, (slice(None, None, 500), slice(7, 8))), 2, 501),
    (lambda x: fo.windows(x, [[0, 0], [990, 990]], [3, 3]), 18, 18),
    (lambda x: fo.slice(x, [-50, 0], [20, 1000], mode="fill"), 0, 0),
]


def test_no_more_is_read_than_a_call_needs(tmp_path: Path, read: list[int]) -> None:
    data = np.arange(10**6, dtype=np.int32).reshape(1000, 1000)
    for chunks in ((100, 100), None):
        dataset = hdf5(tmp_path, data, chunks)
        for call, *most in READ:
            read.clear()
            np.testing.assert_array_equal(call(dataset), call(data))
            assert sum(read) == most[chunks is None]


def test_what_is_read_is_what_the_dataset_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = hdf5(tmp_path, DATA, (7, 13, 5))
    plain = h5py.Dataset.__getitem__
    lies: list[Callable[[Any], Any]] = [
        lambda x: x[:0],
        lambda x: np.concatenate([x, x]),
        lambda x: np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 1)]),
        lambda x: x[None],
        lambda x: x.astype(np.float32),
    ]
    for lie in lies:
        monkeypatch.setattr(h5py.Dataset, "__getitem__", lambda self, key, lie=lie: lie(plain(self, key)))
        for call in CALLS:
            with pytest.raises(fo.AttributeValueError, match=r"data must have the shape .* and the dtype int64 that"):
                call(dataset)
