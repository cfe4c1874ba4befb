"""Data in files: what is read is what the plan reads, and what comes out is an array."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import zarr

import fastops as fo
from tests.helpers.processes import run_code

Array = np.ndarray[Any, Any]

DATA = np.arange(60 * 80 * 5).reshape(60, 80, 5)


def hdf5(path: Path, data: Array, chunks: Any) -> Any:
    return h5py.File(path / "data.h5", "w").create_dataset("data", data=data, chunks=chunks)


def zarr_of(version: int) -> Callable[[Path, Array, Any], Any]:
    def create(path: Path, data: Array, chunks: Any) -> Any:
        store = zarr.create_array(
            path / f"data{version}", shape=data.shape, dtype=data.dtype, chunks=chunks, zarr_format=version
        )
        store[...] = data
        return store

    return create


def sharded(path: Path, data: Array, chunks: tuple[int, ...]) -> Any:
    shards = tuple([2 * n for n in chunks])
    store = zarr.create_array(path / "s", shape=data.shape, dtype=data.dtype, chunks=chunks, shards=shards)
    store[...] = data
    return store


KINDS: dict[str, tuple[Callable[[Path, Array, Any], Any], Any]] = {
    "hdf5": (hdf5, (7, 13, 5)),
    "hdf5 in one": (hdf5, None),
    "zarr 2": (zarr_of(2), (16, 16, 5)),
    "zarr 3": (zarr_of(3), (16, 7, 2)),
    "zarr in shards": (sharded, (8, 8, 5)),
}


@pytest.fixture(params=KINDS)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    create, chunks = KINDS[request.param]
    data = create(tmp_path, DATA, chunks)
    yield data
    if isinstance(data, h5py.Dataset):
        data.file.close()


CALLS: list[Callable[[Any], Any]] = [
    lambda x: fo.numpy.pad(x, ((3, 70), (90, 2), (0, 1)), "reflect"),
    lambda x: fo.numpy.pad(x, 2, constant_values=((1, 2), (3, 4), (5, 6))),
    lambda x: fo.numpy.transpose(x, (2, 0, 1)),
    lambda x: fo.numpy.take_slice(x, (slice(None, None, -7), 5)),
    lambda x: fo.numpy.repeat(x, 3, 1),
    lambda x: fo.numpy.roll(x, 3),
    lambda x: fo.numpy.roll(x, -777),
    lambda x: fo.slice(x, [-9, 5, 0], [2, 3, 5], mode="wrap"),
    lambda x: fo.strided_slice(x, [1, 2], [3, 9]),
    lambda x: fo.numpy.split(x, [10, 11], 1)[2],
    lambda x: fo.frame(x, 7, 3, axis=0),
    lambda x: fo.windows(x, [[-3, 5], [40, 70]], [8, 8], axes=[0, 1], mode="fill", fill_value=9),
    lambda x: fo.windows(x, [[3, 1]], [8, 4], items=[5]),
    lambda x: fo.plan.numpy.flip((60, 80, 5))(x),
    lambda x: fo.plan.windows((60, 80, 5), [3, 3, 3])(x, [[1, 2, 0]]),
    lambda x: fo.lazy(x).pad(((1, 1), (2, 2), (0, 0)), "edge")[::2].run(),
]


def test_calls(stored: Any) -> None:
    for call in CALLS:
        result, expected = call(stored), call(DATA)
        assert type(result) is np.ndarray
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("create", [hdf5, zarr_of(2), zarr_of(3)])
@pytest.mark.parametrize("dtype", [">i4", "<i4", "u1", ">c16"])
def test_data_without_axes_is_in_any_byte_order(
    create: Callable[[Path, Array, Any], Any], dtype: str, tmp_path: Path
) -> None:
    data = create(tmp_path, np.array(5, dtype), None if create is hdf5 else ())
    for call in (lambda x: fo.numpy.roll(x, 1), fo.numpy.transpose, lambda x: fo.numpy.broadcast_to(x, (2, 3))):
        result, expected = call(data), call(np.array(5, data.dtype))
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def test_outputs_of_the_caller(stored: Any) -> None:
    out = np.zeros((80, 60, 5), DATA.dtype)
    assert fo.numpy.transpose(stored, (1, 0, 2), out=out) is out
    np.testing.assert_array_equal(out, DATA.transpose(1, 0, 2))
    outs = [np.zeros((60, 10, 5), DATA.dtype)[:, ::-1], np.zeros((60, 70, 5), DATA.dtype)]
    assert fo.numpy.split(stored, [10], 1, out=outs) is outs
    np.testing.assert_array_equal(outs[0], DATA[:, :10])
    np.testing.assert_array_equal(outs[1], DATA[:, 10:])


def test_refusals(stored: Any) -> None:
    out = np.zeros((60, 10, 5), DATA.dtype)
    for call, match in [
        (
            lambda: fo.numpy.flip(stored, copy=False),
            r"numpy\.flip: copy must be True or None for data that is not an array",
        ),
        (lambda: fo.numpy.split(stored, [10], 1, out=[out]), r"numpy\.split: out must be a list of 2 arrays"),
        (lambda: fo.numpy.split(stored, [10], 1, out=[out, out]), r"numpy\.split: out must have shape \(60, 70, 5\)"),
        (lambda: fo.numpy.split(stored, [10, 20], 1, out=[out, out, out]), r"numpy\.split: out must "),
        (lambda: fo.numpy.copy(stored, out=out), r"numpy\.copy: out must have shape \(60, 80, 5\)"),
        (
            lambda: fo.windows([stored], [[0, 0, 0]], [1, 1, 1]),
            "windows: data must be one array, or a list of arrays in",
        ),
        (lambda: fo.plan.numpy.flip((3,))(stored), r"plan: data must have shape \(3,\), got \(60, 80, 5\)"),
    ]:
        with pytest.raises(fo.FastopsError, match=match):
            call()
    assert not out.any()


@pytest.mark.parametrize(
    ("call", "most"),
    [
        (lambda x: fo.slice(x, [100, 100], [5, 5]), 25),
        (lambda x: fo.slice(x, [-3, 997], [5, 6], mode="reflect"), 4 * 4),
        (lambda x: fo.numpy.take_slice(x, (slice(None, None, 500), slice(7, 8))), {None: 501, (100, 100): 2}),
        (lambda x: fo.windows(x, [[0, 0], [990, 990]], [3, 3]), 18),
        (lambda x: fo.slice(x, [-50, 0], [20, 1000], mode="fill"), 0),
    ],
)
@pytest.mark.parametrize("chunks", [(100, 100), None])
def test_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Any, most: Any, chunks: Any) -> None:
    data = np.arange(10**6, dtype=np.int32).reshape(1000, 1000)
    dataset = hdf5(tmp_path, data, chunks)
    read: list[int] = []
    plain = h5py.Dataset.__getitem__

    def counted(self: Any, key: Any, **options: Any) -> Any:
        result = plain(self, key, **options)
        read.append(np.size(result))
        return result

    monkeypatch.setattr(h5py.Dataset, "__getitem__", counted)
    result = call(dataset)
    np.testing.assert_array_equal(result, call(data))
    assert sum(read) == (most if isinstance(most, int) else most[chunks])
    dataset.file.close()


@pytest.mark.parametrize(
    "lie",
    [
        lambda x: x[:0],
        lambda x: np.concatenate([x, x]),
        lambda x: np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 1)]),
        lambda x: x[None],
        lambda x: x.astype(np.float32),
        lambda x: x.astype(x.dtype.newbyteorder()),
    ],
)
@pytest.mark.parametrize("which", range(len(CALLS)))
def test_what_is_read_is_what_the_dataset_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: int, lie: Callable[[Any], Any]
) -> None:
    dataset = hdf5(tmp_path, DATA, (7, 13, 5))
    plain = h5py.Dataset.__getitem__
    monkeypatch.setattr(h5py.Dataset, "__getitem__", lambda self, key: lie(plain(self, key)))
    with pytest.raises(fo.AttributeValueError, match=r"data must give .* of int64, as its array says, got"):
        CALLS[which](dataset)
    dataset.file.close()


def test_scalars_and_empty_data(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "few.h5", "w") as file:
        scalar = file.create_dataset("scalar", data=np.float32(3))
        empty = file.create_dataset("empty", data=np.zeros((0, 3)))
        np.testing.assert_array_equal(fo.numpy.tile(scalar, 2), [3, 3])
        assert fo.numpy.copy(scalar) == 3
        np.testing.assert_array_equal(fo.numpy.pad(empty, 1), np.zeros((2, 5)))
        with pytest.raises(fo.AttributeValueError, match="m must have a shape, which empty datasets have not"):
            fo.numpy.flip(file.create_dataset("none", data=h5py.Empty("f4")))
        for group in (file, file.create_group("group")):
            for call in (fo.numpy.flip, fo.lazy, lambda x: fo.numpy.pad(x, 1), fo.plan.numpy.flip((3,))):
                with pytest.raises(fo.AttributeValueError, match=r"must be an array of the group: pass group\[name\]"):
                    call(group)
        text = file.create_dataset("text", data=["a", "b"])
        with pytest.raises(fo.DTypeError, match="m must not have elements of object"):
            fo.numpy.flip(text)
    for call in (fo.numpy.flip, fo.lazy, lambda x: fo.numpy.pad(x, 1), lambda x: fo.windows(x, [[0]], [1])):
        with pytest.raises(fo.AttributeValueError, match="must be open"):
            call(text)


@pytest.mark.skipif(sys.platform != "linux", reason="the units of peak memory are those of Linux")
@pytest.mark.parametrize("kind", ["memmap", "hdf5"])
def test_few_elements_of_a_large_file_take_little_memory(tmp_path: Path, kind: str) -> None:
    code = f"""
import resource, numpy as np, h5py, fastops as fo
path = {str(tmp_path / "large")!r}
if {kind!r} == "memmap":
    data = np.memmap(path, np.float32, "w+", shape=(20_000, 25_000))
else:
    data = h5py.File(path, "w").create_dataset("data", (20_000, 25_000), np.float32)
fo.numpy.flip(np.zeros(3))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert fo.slice(data, [9_000, -2], [5, 5], mode="wrap").shape == (5, 5)
assert fo.plan.numpy.pad((20_000, 25_000), 3)[:5, :5](data).shape == (5, 5)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 50_000, grown
"""
    run_code(code)
