"""`fastops run` from and to zarr arrays: elements, chunks, metadata and refusals."""

from __future__ import annotations

import os
import signal
from itertools import count, cycle, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.cli.conftest import bytes_of, content, is_refused, ran, run_of

zarr = pytest.importorskip("zarr")
pytest.importorskip("dask.array")

CUBE = np.arange(60.0).reshape(3, 4, 5)
PAD = "numpy pad --pad-width=2 --mode=reflect"
PADDED = np.pad(CUBE, 2, "reflect")
SPLIT = "numpy split --indices-or-sections=1,3 --axis=1"
IMAGE, ONES = CUBE[..., None], np.ones((2, 4), "i4")
BLOCKS = "openvino space_to_batch --block-shape=1,2 --pads-begin=0,1 --pads-end=0,1"
PATCHES = "tensorflow extract_patches --sizes=1,2,3,1 --strides=1,1,2,1 --rates=1,1,1,1 --padding=SAME"


def save(name: str, data: Any = CUBE, zarr_format: int = 3, chunks: tuple[int, ...] | None = None) -> None:
    data = np.asarray(data)
    if name.endswith(".npy"):
        np.save(name, data)
        return
    own = tuple([max(-(-n // 2), 1) for n in data.shape]) if chunks is None else chunks
    options: Any = {"zarr_format": zarr_format, "config": {"write_empty_chunks": True}}
    array = zarr.create_array(name, shape=data.shape, chunks=own, dtype=data.dtype, **options)
    array[...] = data


def load(name: str) -> Any:
    return np.load(name) if name.endswith(".npy") else np.asarray(zarr.open_array(name, mode="r")[...])


# An operator, the array in IN, and the array that OUT must hold, or the list of its parts.
RESULTS: list[tuple[str, Any, Any]] = [
    (PAD, CUBE, PADDED),
    (SPLIT, CUBE, np.split(CUBE, [1, 3], axis=1)),
    (PATCHES, IMAGE, fo.tensorflow.extract_patches(IMAGE, [1, 2, 3, 1], [1, 1, 2, 1], [1] * 4, "SAME")),
    (BLOCKS, ONES, fo.openvino.space_to_batch(ONES, [1, 2], [0, 1], [0, 1])),
    ("plan --plan=plan.json --fill-value=-1", CUBE, np.pad(CUBE, 2, constant_values=-1)),
    ("slice --start=-1,0,0 --size=2,4,5 --mode=clamp", CUBE, CUBE[[0, 0]]),
    ("torch roll --shifts=5 --dims=1", CUBE, np.roll(CUBE, 5, 1)),
    ("numpy copy", np.array(5, "i2"), np.array(5, "i2")),
    # By default, zarr stores no chunks that equal its fill value, so it would read -0.0 as 0.0.
    ("numpy copy", np.full(6, complex(-0.0, -0.0)), np.full(6, complex(-0.0, -0.0))),
    ("numpy broadcast_to --shape=2,3", np.array(5), np.full((2, 3), 5)),
    ("numpy take_slice --index=2", np.arange(4), np.array(2)),
    ("numpy copy", np.zeros((0, 3)), np.zeros((0, 3))),
    ("numpy pad --pad-width=1 --fill-value=7", np.zeros((0, 3), "u1"), np.full((2, 5), 7, "u1")),
    ("numpy take_slice --index=2:", np.zeros((2, 3)), np.zeros((0, 3))),
    ("numpy split --indices-or-sections=2", np.zeros((2, 0)), [np.zeros((1, 0))] * 2),
]  # fmt: skip
# Names and formats of IN. A directory may have any name, and may be given with the slash that shells add.
SOURCES = [("in.npy", 3), ("data/", 2), ("in.zarr", 3)]


def test_every_kind_of_result_from_and_to_every_format(tmp_path: Path) -> None:
    # The first two results are tried with all pairs of formats, each other result with one pair, in turn.
    pairs = [(*source, suffix) for source in SOURCES for suffix in (".zarr", ".npy")]
    cases = [(result, pair) for result in RESULTS[:2] for pair in pairs]
    cases += zip(RESULTS[2:], cycle(pairs[:1] + pairs[2:]), strict=False)
    for i, ((operator, data, expected), (source, zarr_format, suffix)) in enumerate(cases):
        (tmp_path / f"{i}").mkdir()
        os.chdir(tmp_path / f"{i}")
        save(source, data, zarr_format)
        Path("plan.json").write_text(fo.plan.numpy.pad((3, 4, 5), 1).then(fo.plan.numpy.pad((5, 6, 7), 1)).to_json())
        result = ran(run_of(operator, f"{source} -o out{suffix}{'/' * (suffix == '.zarr')}"))
        parts = expected if isinstance(expected, list) else [expected]
        names = [f"out-{k}{suffix}" for k in range(len(parts))] if parts is expected else [f"out{suffix}"]
        lines = [f"{name}: shape {part.shape}, {part.dtype}" for name, part in zip(names, parts, strict=True)]
        assert result == (0, "\n".join(lines) + "\n", ""), (operator, source, suffix)
        assert [bytes_of(load(name)) for name in names] == [bytes_of(part) for part in parts], (operator, source)
        assert sorted(os.listdir()) == sorted([source.rstrip("/"), "plan.json", *names])
        if suffix == ".zarr":
            assert {zarr.open_array(name, mode="r").metadata.zarr_format for name in names} == {zarr_format}


# Attributes of zarr arrays that OUT takes from IN, and options of IN.
KEPT = ("compressors", "filters", "fill_value")
STORES: list[dict[str, Any]] = [
    {"dimension_names": ["z", "y", "x"], "attributes": {"unit": "mm"}, "fill_value": 7},
    {"shards": (4, 8, 4), "compressors": None, "dimension_names": ["z", None, "x"]},
    {"shards": (2, 4, 8), "compressors": zarr.codecs.GzipCodec(level=1), "fill_value": -1, "attributes": {"a": [1]}},
    {"filters": [zarr.codecs.TransposeCodec(order=(2, 0, 1))], "compressors": zarr.codecs.ZstdCodec(level=3)},
    {"zarr_format": 2, "attributes": {"_ARRAY_DIMENSIONS": ["z", "y", "x"], "b": 1}, "order": "F"},
    {"zarr_format": 2, "compressors": None, "fill_value": None},
]
# Operators, their results, and the axis of the source that becomes each axis of the result; None is a new axis.
MOVES: list[tuple[str, Any, list[int | None]]] = [
    ("numpy pad --pad-width=3 --mode=wrap", lambda a: np.pad(a, 3, "wrap"), [0, 1, 2]),
    ("numpy transpose --axes=2,0,1", lambda a: a.transpose(2, 0, 1), [2, 0, 1]),
    ("numpy take_slice --index=1,::-1", lambda a: a[1, ::-1], [1, 2]),
    ("numpy tile --reps=2,1,2,1", lambda a: np.tile(a, (2, 1, 2, 1)), [None, 0, 1, 2]),
    ("numpy take_slice --index=None,:,3:4", lambda a: a[None, :, 3:4], [None, 0, None, 2]),
]


@pytest.mark.filterwarnings("ignore")
def test_an_out_has_the_options_and_metadata_of_its_in() -> None:
    data = np.arange(5.0 * 9 * 11).reshape(5, 9, 11)
    for n, (options, (operator, call, axes)) in enumerate(product(STORES, MOVES)):
        source = zarr.create_array(f"{n}.zarr", shape=data.shape, chunks=(2, 4, 2), dtype=data.dtype, **options)
        source[...] = data
        assert ran(run_of(operator, f"{n}.zarr -o out{n}.zarr")).code == 0
        result = zarr.open_array(f"out{n}.zarr", mode="r")
        assert bytes_of(result[...]) == bytes_of(call(data)), (options, operator)
        has_rank = len(axes) == 3 or "filters" not in options
        for name in KEPT if has_rank else KEPT[::2]:
            assert getattr(result, name) == getattr(source, name), (options, operator, name)
        names, attributes = options.get("dimension_names"), dict(options.get("attributes", {}))
        assert getattr(result.metadata, "dimension_names", None) == (
            names and tuple([None if k is None else names[k] for k in axes])
        ), (options, operator)
        listed = attributes.pop("_ARRAY_DIMENSIONS", None)
        if listed and None not in axes:
            attributes["_ARRAY_DIMENSIONS"] = [listed[k] for k in axes if k is not None]
        assert dict(result.attrs) == attributes
        assert (result.shards is None) is ("shards" not in options)
        for shard, chunk in zip(result.shards or (), result.chunks, strict=False):
            assert shard % chunk == 0
    # Shards are as large as those of the source.
    first = zarr.open_array(f"out{len(MOVES)}.zarr", mode="r")
    assert (first.shards, first.chunks) == ((4, 8, 4), (2, 4, 2))


# --- Refusals -------------------------------------------------------------------------------------------------------

WRONG = {
    "group.zarr -o x.npy": "IN must be the directory of a zarr array (",
    "dir -o x.npy": "IN must be the directory of a zarr array (",
    "missing.zarr -o x.npy": "IN must be the directory of a zarr array (",
    "file.zarr -o x.npy": "IN must be the directory of a zarr array (",
    "damaged.zarr -o x.npy": "IN must be the directory of a zarr array (",
    "in.npy -o dir.zarr": "output must be the directory of a zarr array (",
    "in.npy -o group.zarr": "output must be the directory of a zarr array (",
    "in.npy -o file.zarr": "output must be the directory of a zarr array (",
    "in.zarr -o dir": "output must be a regular file",
    "long.npy -o x.zarr": "the output must have a type that zarr stores",
}


def test_refusals() -> None:
    for name in ("in.npy", "in.zarr", "damaged.zarr"):
        save(name)
    save("long.npy", np.zeros((1, 2, 3), "g"))
    Path("damaged.zarr/zarr.json").write_text('{"zarr_format": 3, "node_type": "array"}')
    zarr.create_group("group.zarr")
    os.mkdir("dir")
    os.mkdir("dir.zarr")
    Path("dir.zarr/precious").write_text("text")
    Path("file.zarr").write_text("text")
    before = content()
    results = {files: ran(run_of("numpy flip", files)) for files in WRONG}
    assert [each for each in results.items() if not is_refused(each[1], f"numpy.flip: {WRONG[each[0]]}")] == []
    assert content() == before


def test_a_damaged_chunk() -> None:
    save("in.zarr")
    Path("in.zarr/c/1/1/1").write_bytes(b"no chunk")
    before = content()
    for output in ("p.zarr", "p.npy"):
        result = ran(run_of(SPLIT, f"in.zarr -o {output}"))
        assert is_refused(result, "numpy.split: IN must be a zarr array that can be read, got "), result
    assert content() == before


@pytest.mark.usefixtures("own_signals")
def test_an_interrupt_while_chunks_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    save("in.zarr", chunks=(1, 1, 1))
    before = content()
    read = zarr.Array.__getitem__
    for output in ("in.zarr", "new.zarr", "out.npy"):
        reads = count()

        def interrupted(array: Any, key: Any, reads: Any = reads) -> Any:
            if next(reads) == 20:
                os.kill(os.getpid(), signal.SIGINT)
            return read(array, key)

        monkeypatch.setattr(zarr.Array, "__getitem__", interrupted)
        assert ran(run_of("numpy flip", f"in.zarr -o {output}")) == (130, "", "")
        monkeypatch.setattr(zarr.Array, "__getitem__", read)
        assert content() == before


def test_a_replaced_out_keeps_its_permissions() -> None:
    save("in.zarr")
    os.chmod("in.zarr", 0o750)
    assert ran(run_of(PAD, "in.zarr -o in.zarr")).code == 0
    assert (bytes_of(load("in.zarr")), os.stat("in.zarr").st_mode & 0o777) == (bytes_of(PADDED), 0o750)
