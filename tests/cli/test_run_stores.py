"""`fastops run` from and to arrays of zarr: what is written, in which chunks, and what is refused."""

from __future__ import annotations

import errno
import os
import signal
import sys
from itertools import count, cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops._cli import _dask_runs
from tests.cli._runs import ODD, bytes_of, content, is_refused, limited, ran, transcript
from tests.cli.test_run import run_of

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


# Operator, what IN holds, and what OUT, or each part, has to hold.
RESULTS: list[tuple[str, Any, Any]] = [
    (PAD, CUBE, PADDED),
    (SPLIT, CUBE, np.split(CUBE, [1, 3], axis=1)),
    (PATCHES, IMAGE, fo.tensorflow.extract_patches(IMAGE, [1, 2, 3, 1], [1, 1, 2, 1], [1] * 4, "SAME")),
    (BLOCKS, ONES, fo.openvino.space_to_batch(ONES, [1, 2], [0, 1], [0, 1])),
    ("plan --plan=plan.json --fill-value=-1", CUBE, np.pad(CUBE, 1, constant_values=-1)),
    ("slice --start=-1,0,0 --size=2,4,5 --mode=clamp", CUBE, CUBE[[0, 0]]),
    ("torch roll --shifts=5 --dims=1", CUBE, np.roll(CUBE, 5, 1)),
    ("numpy copy", np.array(5, "i2"), np.array(5, "i2")),
    ("numpy broadcast_to --shape=2,3", np.array(5), np.full((2, 3), 5)),
    ("numpy take_slice --index=2", np.arange(4), np.array(2)),
    ("numpy copy", np.zeros((0, 3)), np.zeros((0, 3))),
    ("numpy pad --pad-width=1 --fill-value=7", np.zeros((0, 3), "u1"), np.full((2, 5), 7, "u1")),
    ("numpy take_slice --index=2:", np.zeros((2, 3)), np.zeros((0, 3))),
    ("numpy split --indices-or-sections=2", np.zeros((2, 0)), [np.zeros((1, 0))] * 2),
]  # fmt: skip
# A directory may have any name, and a slash behind it, as shells complete it.
SOURCES = [("in.npy", 3), ("data/", 2), ("in.zarr", 3)]


def test_every_kind_of_result_from_and_to_every_format(tmp_path: Path) -> None:
    # All pairs, for an array and for parts, and for what follows each pair in turn.
    pairs = [(*source, suffix) for source in SOURCES for suffix in (".zarr", ".npy")]
    cases = [(result, pair) for result in RESULTS[:2] for pair in pairs]
    cases += zip(RESULTS[2:], cycle(pairs[:1] + pairs[2:]), strict=False)
    for i, ((operator, data, expected), (source, zarr_format, suffix)) in enumerate(cases):
        (tmp_path / f"{i}").mkdir()
        os.chdir(tmp_path / f"{i}")
        save(source, data, zarr_format)
        Path("plan.json").write_text(fo.plan.numpy.pad((3, 4, 5), 1).to_json())
        result = ran(run_of(operator, f"{source} -o out{suffix}{'/' * (suffix == '.zarr')}"))
        parts = expected if isinstance(expected, list) else [expected]
        names = [f"out-{k}{suffix}" for k in range(len(parts))] if parts is expected else [f"out{suffix}"]
        lines = [f"{name}: shape {part.shape}, {part.dtype}" for name, part in zip(names, parts, strict=True)]
        assert result == (0, "\n".join(lines) + "\n", ""), (operator, source, suffix)
        assert [bytes_of(load(name)) for name in names] == [bytes_of(part) for part in parts], (operator, source)
        assert sorted(os.listdir()) == sorted([source.rstrip("/"), "plan.json", *names])
        if suffix == ".zarr":
            assert {zarr.open_array(name, mode="r").metadata.zarr_format for name in names} == {zarr_format}


# zarr warns of types that are no part of its specification yet, by a class that not every version has.
@pytest.mark.filterwarnings("ignore")
def test_bytes_move_as_they_are() -> None:
    stored = [data for data in ODD if data.itemsize and data.dtype.isbuiltin != 2 and data.dtype.isnative]
    for i, data in enumerate([*stored, np.array([-0.0, 0.0, np.nan, 1, 2, 3])]):
        save(f"{i}.zarr", data, 2 + i % 2)
        assert ran(run_of("numpy flip", f"{i}.zarr -o {i}-out.zarr")).code == 0
        assert load(f"{i}-out.zarr").tobytes() == data[::-1].tobytes(), data.dtype
        assert ran(run_of("numpy flip", f"{i}-out.zarr -o out.npy")).code == 0
        assert bytes_of(np.load("out.npy")) == bytes_of(data)
    np.save("in.npy", np.arange(6, dtype=">i4"))
    assert ran(run_of("numpy flip", "in.npy -o swapped.zarr")).code == 0
    assert load("swapped.zarr").tolist() == [5, 4, 3, 2, 1, 0]


def test_ranges() -> None:
    for name in ("f32", "i4", "f64"):
        flags = f"--start -3 --stop 4 --step 2 --output-type {name}"
        assert ran(f"run range -o {name}.zarr {flags}").code == 0
        assert load(f"{name}.zarr").tobytes() == fo.range(-3, 4, 2, name).tobytes()
    assert sorted(os.listdir()) == ["f32.zarr", "f64.zarr", "i4.zarr", "in.npy"]


def test_chunks_are_no_larger_than_those_of_the_source() -> None:
    save("in.zarr", np.arange(320.0).reshape(20, 16), chunks=(10, 8))
    for operator, chunks in (("numpy pad --pad-width=30", (10, 8)), ("numpy tile --reps=3,5,2", (3, 10, 8))):
        assert ran(run_of(operator, "in.zarr -o out.zarr")).code == 0
        assert zarr.open_array("out.zarr", mode="r").chunks == chunks


# What is refused.


def test_refusals() -> None:
    for name in ("in.npy", "in.zarr", "damaged.zarr", "more.zarr", "more.zarr/inner.zarr"):
        save(name)
    save("long.npy", np.zeros((1, 2, 3), "g"))
    Path("damaged.zarr/zarr.json").write_text('{"zarr_format": 3, "node_type": "array"}')
    zarr.create_group("group.zarr")
    zarr.create_group("group2.zarr", zarr_format=2)
    os.mkdir("dir")
    os.mkdir("dir.zarr")
    Path("dir.zarr/precious").write_text("text")
    Path("file.zarr").write_text("text")
    os.symlink("loop.zarr", "loop.zarr")
    before = content()
    wrong = [call for call, start in transcript("wrong_stores.txt") if not is_refused(ran(call), start.rstrip())]
    assert wrong == []
    assert content() == before


@pytest.mark.parametrize("module", ["zarr", "dask.array"])
def test_packages_that_are_not_installed(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    save("in.zarr")
    before = content()
    monkeypatch.setitem(sys.modules, module, None)
    package, *_ = module.split(".")
    install = f"python -m pip install {package}, or the extra {package} of fastops"
    for files in ("in.zarr -o out.npy", "in.npy -o out.zarr"):
        assert ran(run_of(PAD, files)) == (2, "", f"numpy.pad: {package} is not installed: {install}\n")
    assert content() == before


# What is left behind.


def test_chunks_of_in_that_are_not_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    save("in.zarr")
    before = content()
    read = _dask_runs.ZarrSource.__getitem__
    for lie in (lambda x: x[:1], lambda x: np.concatenate([x, x]), lambda x: x.astype("f4")):
        monkeypatch.setattr(_dask_runs.ZarrSource, "__getitem__", lambda self, key, lie=lie: lie(read(self, key)))
        for output in ("out.zarr", "out.npy"):
            assert is_refused(ran(run_of(PAD, f"in.zarr -o {output}")), "chunk: data must give (")
    monkeypatch.setattr(_dask_runs.ZarrSource, "__getitem__", read)
    Path("in.zarr/c/1/1/1").write_bytes(b"no chunk")
    before |= content()
    for output in ("p.zarr", "p.npy"):
        result = ran(run_of(SPLIT, f"in.zarr -o {output}"))
        assert is_refused(result, "numpy.split: IN must be a zarr array that can be read ("), result
    assert content() == before


def test_out_that_is_replaced_hands_its_permissions_on() -> None:
    save("in.zarr")
    save("out.zarr", np.zeros(1000), chunks=(10,))
    os.symlink("out.zarr", "link.zarr")
    os.chmod("out.zarr", 0o705)
    os.chmod("in.zarr", 0o705)
    for source, output in (("in.npy", "link.zarr"), ("in.zarr", "out.zarr"), ("in.zarr", "in.zarr")):
        save("in.npy")
        assert ran(run_of(PAD, f"{source} -o {output}")).code == 0
        assert bytes_of(load(output)) == bytes_of(PADDED)
        assert os.path.islink("link.zarr")
        assert os.stat(output).st_mode & 0o777 == 0o705
        assert sorted(os.listdir()) == ["in.npy", "in.zarr", "link.zarr", "out.zarr"]


@pytest.mark.usefixtures("own_signals")
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_signals_while_chunks_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    save("in.zarr", np.arange(400.0), chunks=(4,))
    save("out.zarr", np.zeros(3))
    os.chmod("out.zarr", 0o700)
    before, modes = content(), set()
    read = _dask_runs.ZarrSource.__getitem__
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for output in ("out.zarr", "out.npy"):
            reads = count()

            def interrupted(source: Any, key: Any, number: Any = number, reads: Any = reads) -> Any:
                modes.update([path.stat().st_mode & 0o777 for path in Path().glob(".fastops-*.zarr")])
                if next(reads) == 20:
                    os.kill(os.getpid(), number)
                return read(source, key)

            monkeypatch.setattr(_dask_runs.ZarrSource, "__getitem__", interrupted)
            assert ran(run_of("numpy flip", f"in.zarr -o {output}")) == (code, "", "")
            assert content() == before
    # Nobody else reads what is to replace an array that nobody else may read.
    assert modes == {0o700}


def test_a_disk_that_is_full() -> None:
    save("in.npy", np.random.default_rng(0).random(1000))
    before = content()
    with limited("FSIZE", 4000):
        result = ran(run_of("numpy flip", "in.npy -o out.zarr"))
    assert is_refused(result, "numpy.flip: output must be a directory that can be written (File too large)"), result
    assert content() == before


def test_what_was_replaced_and_cannot_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    save("in.npy")
    save("out.zarr")
    rmdir = os.rmdir

    def refuse(path: Any, *arguments: Any, **options: Any) -> None:
        if str(path).endswith(".old"):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        rmdir(path, *arguments, **options)

    monkeypatch.setattr(os, "rmdir", refuse)
    result = ran(run_of(PAD, "in.npy -o out.zarr"))
    assert result.code == 0
    assert "is left, of what was replaced (Operation not permitted)" in result.err
    assert bytes_of(load("out.zarr")) == bytes_of(PADDED)
