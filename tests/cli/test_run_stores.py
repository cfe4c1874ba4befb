"""`fastops run` from and to arrays of zarr: whole, as they were, or not there."""

from __future__ import annotations

import errno
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from fastops._cli import _dask_runs, _zarr_staging

zarr = pytest.importorskip("zarr")
dask_array = pytest.importorskip("dask.array")

DATA = np.arange(60.0).reshape(3, 4, 5)
PAD = ["numpy", "pad", "--pad-width=2", "--mode=reflect"]
PADDED = np.pad(DATA, 2, "reflect")
SPLIT = ["numpy", "split", "--indices-or-sections=1,3", "--axis=1"]
PARTS = ["p-0.zarr", "p-1.zarr", "p-2.zarr"]


def save(name: str, data: Any = DATA, zarr_format: int = 3, chunks: tuple[int, ...] | None = None) -> None:
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


def run(operator: list[str], source: str, output: str) -> int:
    n = 2 if operator[0] in ("numpy", "torch", "tensorflow") else 1
    return main(["run", *operator[:n], source, "-o", output, *operator[n:]])


def content() -> dict[str, bytes]:
    """All files of the current directory and below it, and directories, which have no bytes."""
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(Path().rglob("*"))}


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


SOURCES = [("in.npy", 3), ("in.zarr", 2), ("in.zarr", 3)]


@pytest.mark.parametrize("output", ["out.npy", "out.zarr", "out.zarr/"])
@pytest.mark.parametrize(("source", "zarr_format"), SOURCES)
def test_every_combination(source: str, zarr_format: int, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    save(source, DATA, zarr_format)
    assert run(PAD, source, output) == 0
    name = output.rstrip("/")
    assert capsys.readouterr() == (f"{name}: shape (7, 8, 9), float64\n", "")
    np.testing.assert_array_equal(load(name), PADDED)
    assert sorted(os.listdir()) == sorted([source, name])
    if name == "out.zarr":
        made = zarr.open_array(name, mode="r")
        assert made.metadata.zarr_format == zarr_format
        assert made.chunks == ((2, 2, 3) if source == "in.zarr" else (3, 4, 5))


def test_in_that_is_a_directory_of_any_name() -> None:
    save("data", DATA)
    assert run(PAD, "data/", "out.npy") == 0
    np.testing.assert_array_equal(load("out.npy"), PADDED)


@pytest.mark.parametrize(("source", "zarr_format"), SOURCES)
@pytest.mark.parametrize("output", ["p.zarr", "p{}.npy"])
def test_parts(source: str, zarr_format: int, output: str) -> None:
    save(source, DATA, zarr_format)
    assert run(SPLIT, source, output) == 0
    names = PARTS if output == "p.zarr" else ["p0.npy", "p1.npy", "p2.npy"]
    for name, expected in zip(names, np.split(DATA, [1, 3], axis=1), strict=True):
        np.testing.assert_array_equal(load(name), expected)
    assert sorted(os.listdir()) == sorted([source, *names])


@pytest.mark.parametrize(
    ("shape", "operator", "expected"),
    [
        ((), ["numpy", "copy"], lambda x: x),
        ((), ["numpy", "broadcast_to", "--shape=2,3"], lambda x: np.broadcast_to(x, (2, 3))),
        ((4,), ["numpy", "take_slice", "--index=2"], lambda x: x[2]),
        ((0, 3), ["numpy", "copy"], lambda x: x),
        ((0, 3), ["numpy", "pad", "--pad-width=1", "--fill-value=7"], lambda x: np.pad(x, 1, constant_values=7)),
        ((2, 3), ["numpy", "take_slice", "--index=2:"], lambda x: x[2:]),
        ((2, 0), ["numpy", "split", "--indices-or-sections=2"], lambda x: np.split(x, 2)),
    ],
)
@pytest.mark.parametrize(("source", "zarr_format"), SOURCES)
def test_scalars_and_empty_arrays(
    shape: tuple[int, ...], operator: list[str], expected: Any, source: str, zarr_format: int
) -> None:
    data = np.arange(np.prod(shape, dtype=int), dtype="i2").reshape(shape) + np.int16(5)
    save(source, data, zarr_format)
    for suffix in (".zarr", ".npy"):
        assert run(operator, source, f"out{suffix}") == 0
        parts = expected(data)
        names = [f"out-{i}{suffix}" for i in range(len(parts))] if isinstance(parts, list) else [f"out{suffix}"]
        for name, part in zip(names, parts if isinstance(parts, list) else [parts], strict=True):
            assert load(name).shape == part.shape
            assert load(name).dtype == part.dtype
            np.testing.assert_array_equal(load(name), part)


@pytest.mark.parametrize("zarr_format", [2, 3])
@pytest.mark.parametrize(
    "data",
    [
        np.arange(6).view("V8"),
        np.array([-0.0, 0.0, np.nan, 1, 2, 3]),
        np.full(6, complex(-0.0, -0.0)),
        np.array(["a", "bcd"] * 3),
        np.arange(6).astype("M8[D]"),
        np.array([(1, 2.5), (3, -0.0)] * 3, [("a", "u1"), ("b", "f8")]),
        np.arange(6) > 2,
    ],
    ids=lambda data: str(data.dtype),
)
# zarr warns of types that are no part of its specification yet, by a class that not every version has.
@pytest.mark.filterwarnings("ignore")
def test_bytes_move_as_they_are(data: Any, zarr_format: int) -> None:
    save("in.zarr", data, zarr_format)
    assert run(["numpy", "flip"], "in.zarr", "out.zarr") == 0
    assert load("out.zarr").tobytes() == data[::-1].tobytes()
    assert run(["numpy", "flip"], "out.zarr", "out.npy") == 0
    assert load("out.npy").tobytes() == data.tobytes()
    assert load("out.npy").dtype == data.dtype


def test_other_byte_orders() -> None:
    data = np.arange(6, dtype=">i4")
    save("in.npy", data)
    assert run(["numpy", "flip"], "in.npy", "out.zarr") == 0
    np.testing.assert_array_equal(load("out.zarr"), data[::-1])


def test_operators_of_pieces_and_plans() -> None:
    save("in.zarr", DATA[..., None])
    call = ["tensorflow", "extract_patches", "--sizes=1,2,3,1", "--strides=1,1,2,1", "--rates=1,1,1,1"]
    assert run([*call, "--padding=SAME"], "in.zarr", "out.zarr") == 0
    expected = fo.tensorflow.extract_patches(DATA[..., None], [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME")
    np.testing.assert_array_equal(load("out.zarr"), expected)
    Path("plan.json").write_text(fo.plan.numpy.pad((3, 4, 5, 1), 1).to_json())
    assert run(["plan", "--plan=plan.json", "--fill-value=-1"], "in.zarr", "out.zarr") == 0
    np.testing.assert_array_equal(load("out.zarr"), np.pad(DATA[..., None], 1, constant_values=-1))
    assert run(["slice", "--start=-1,0,0,0", "--size=2,4,5,1", "--mode=clamp"], "in.zarr", "out.npy") == 0
    np.testing.assert_array_equal(load("out.npy"), DATA[[0, 0]][..., None])


@pytest.mark.parametrize("name", ["f32", "i4", "f64"])
def test_range(name: str) -> None:
    flags = ["--start", "-3", "--stop", "4", "--step", "2", "--output-type", name]
    assert main(["run", "range", "-o", "out.zarr", *flags]) == 0
    assert load("out.zarr").tobytes() == fo.range(-3, 4, 2, name).tobytes()
    assert os.listdir() == ["out.zarr"]


@pytest.mark.parametrize(
    ("operator", "shape", "chunks"),
    [
        (["numpy", "pad", "--pad-width=1000"], (2100, 2060), (50, 60)),
        (["slice", "--start=-9,0", "--size=900,60", "--mode=fill"], (900, 60), (50, 60)),
        (["onnx", "center_crop_pad", "--shape=1000,60"], (1000, 60), (50, 60)),
        (["numpy", "broadcast_to", "--shape=7,100,60"], (7, 100, 60), (1, 50, 60)),
        (["numpy", "repeat", "--repeats=4", "--axis=1"], (100, 240), (50, 60)),
        (["numpy", "tile", "--reps=3,5,2"], (3, 500, 120), (1, 50, 60)),
        (["numpy", "flip"], (100, 60), (50, 60)),
    ],
)
def test_chunks_are_no_larger_than_those_of_the_source(
    operator: list[str], shape: tuple[int, ...], chunks: tuple[int, ...]
) -> None:
    save("in.zarr", np.arange(6000.0).reshape(100, 60), chunks=(50, 60))
    n = 1 if operator[0] == "slice" else 2
    assert main(["run", *operator[:n], "in.zarr", "-o", "out.zarr", *operator[n:]]) == 0
    result = zarr.open_array("out.zarr", mode="r")
    assert (result.shape, result.chunks) == (shape, chunks)


# What is refused.


def failed_in_one_line(capsys: pytest.CaptureFixture[str], message: str) -> bool:
    printed = capsys.readouterr()
    return printed.out == "" and printed.err.startswith(message) and printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("source", "output", "message"),
    [
        ("group.zarr", "x.npy", "numpy.pad: IN must be a zarr array, not a group, got 'group.zarr'"),
        ("group2.zarr", "x.npy", "numpy.pad: IN must be a zarr array, not a group, got 'group2.zarr'"),
        ("dir", "x.npy", "numpy.pad: IN must be a readable zarr array, which is a directory with a zarr.json"),
        ("missing.zarr", "x.npy", "numpy.pad: IN must be a readable zarr array, which is a directory"),
        ("file.zarr", "x.npy", "numpy.pad: IN must be a readable zarr array, which is a directory"),
        ("damaged.zarr", "x.npy", "numpy.pad: IN must be a readable zarr array ("),
        ("in.zarr", "dir", "numpy.pad: output must be the path of a regular file, got 'dir'"),
        ("in.npy", "dir.zarr", "numpy.pad: output must be a readable zarr array, which is a directory with"),
        ("in.npy", "group.zarr", "numpy.pad: output must be a zarr array, not a group, got 'group.zarr'"),
        ("in.npy", "file.zarr", "numpy.pad: output must be the path of a zarr array, or a new one, got 'file.zarr'"),
        ("in.npy", "loop.zarr", "numpy.pad: output must be the path of a zarr array, or a new one, got 'loop.zarr'"),
        ("in.npy", "missing/x.zarr", "numpy.pad: output must be a directory that can be written (No such file"),
        ("long.npy", "x.zarr", "numpy.pad: the output must have a type that zarr stores ("),
    ],
)
def test_refusals(source: str, output: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("in.npy", "in.zarr", "damaged.zarr"):
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
    assert run(PAD, source, output) == 2
    assert failed_in_one_line(capsys, message)
    assert content() == before


def test_rolls_of_flattened_data() -> None:
    for name in ("in.npy", "in.zarr"):
        save(name)
    assert run(["torch", "roll", "--shifts=5"], "in.zarr", "out.npy") == 0
    assert run(["numpy", "roll", "--shift=5"], "in.npy", "out.zarr") == 0
    for name in ("out.npy", "out.zarr"):
        np.testing.assert_array_equal(load(name), np.roll(load("in.npy"), 5))


@pytest.mark.parametrize("module", ["zarr", "dask"])
@pytest.mark.parametrize(("source", "output"), [("in.zarr", "out.npy"), ("in.npy", "out.zarr")])
def test_packages_that_are_not_installed(
    module: str, source: str, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save(source)
    for name in list(sys.modules):
        if name.partition(".")[0] == module:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    assert run(PAD, source, output) == 2
    install = f"python -m pip install {module}, or the extra {module} of fastops"
    expected = f"numpy.pad: {module} is not installed: {install}\n"
    assert capsys.readouterr() == ("", expected)
    assert os.listdir() == [source]


# What is left behind.


@pytest.mark.parametrize("lie", [lambda x: x[:1], lambda x: np.concatenate([x, x]), lambda x: x.astype("f4")])
@pytest.mark.parametrize("output", ["out.zarr", "out.npy"])
def test_chunks_of_in_that_are_not_what_it_says(
    lie: Any, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save("in.zarr")
    read = _dask_runs.ZarrSource.__getitem__
    monkeypatch.setattr(_dask_runs.ZarrSource, "__getitem__", lambda self, key: lie(read(self, key)))
    assert run(PAD, "in.zarr", output) == 2
    assert failed_in_one_line(capsys, "chunk: data must give (")
    assert os.listdir() == ["in.zarr"]


@pytest.mark.parametrize("output", ["p.zarr", "p.npy"])
def test_a_chunk_of_in_that_is_corrupt(output: str, capsys: pytest.CaptureFixture[str]) -> None:
    save("in.zarr")
    save("p-1.zarr", np.zeros(3))
    Path("in.zarr/c/1/1/1").write_bytes(b"no chunk")
    before = content()
    assert run(SPLIT, "in.zarr", output) == 2
    assert failed_in_one_line(capsys, "numpy.split: IN must be a zarr array that can be read (")
    assert content() == before


@pytest.mark.parametrize("output", ["out.zarr", "in.zarr", "link.zarr"])
def test_out_that_is_replaced(output: str) -> None:
    save("in.zarr")
    save("out.zarr", np.zeros(1000), chunks=(10,))
    os.symlink("out.zarr", "link.zarr")
    os.chmod("out.zarr", 0o705)
    os.chmod("in.zarr", 0o705)
    assert run(PAD, "in.zarr", output) == 0
    np.testing.assert_array_equal(load(output), PADDED)
    assert os.path.islink("link.zarr")
    assert os.stat(output).st_mode & 0o777 == 0o705
    assert sorted(os.listdir()) == ["in.zarr", "link.zarr", "out.zarr"]


@pytest.mark.parametrize("existing", [[], ["p-0.zarr", "p-2.zarr"]], ids=len)
@pytest.mark.parametrize("failing", PARTS[1:])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_all_parts_appear_or_none(
    failure: BaseException, failing: str, existing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save("in.zarr")
    for name in existing:
        save(name, np.zeros(2))
    before = content()
    rename, failures = os.rename, iter([failure])

    def fail_once(source: Any, target: Any) -> None:
        # Its predecessor was renamed before.
        if Path(target).name == failing:
            for each in failures:
                raise each
        rename(source, target)

    monkeypatch.setattr(_zarr_staging.os, "rename", fail_once)
    assert run(SPLIT, "in.zarr", "p.zarr") == (2 if isinstance(failure, OSError) else 130)
    assert next(failures, None) is None
    assert content() == before
    assert run(SPLIT, "in.zarr", "p.zarr") == 0
    assert [load(name).shape for name in PARTS] == [(3, 1, 5), (3, 2, 5), (3, 1, 5)]
    assert sorted(os.listdir()) == ["in.zarr", *PARTS]


@pytest.mark.usefixtures("own_signals")
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("output", ["out.zarr", "out.npy"])
def test_signals_while_chunks_are_written(
    number: signal.Signals, output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save("in.zarr", np.arange(400.0), chunks=(4,))
    save("out.zarr", np.zeros(3))
    before = content()
    read, left = _dask_runs.ZarrSource.__getitem__, iter([False] * 20 + [True])

    def interrupted(source: Any, key: Any) -> Any:
        if next(left, False):
            os.kill(os.getpid(), number)
        return read(source, key)

    monkeypatch.setattr(_dask_runs.ZarrSource, "__getitem__", interrupted)
    try:
        code = run(["numpy", "flip"], "in.zarr", output)
    except SystemExit as done:
        code = int(done.code or 0)
    assert code == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert capsys.readouterr() == ("", "")
    assert content() == before


def test_a_disk_that_is_full(capsys: pytest.CaptureFixture[str]) -> None:
    resource = pytest.importorskip("resource", reason="needs POSIX")
    save("in.npy", np.random.default_rng(0).random(1000))
    before = content()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, hard))
    try:
        assert run(["numpy", "flip"], "in.npy", "out.zarr") == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failed_in_one_line(capsys, "numpy.flip: output must be a directory that can be written (File too large)")
    assert content() == before


def test_the_bar_counts_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []

    class Bar(_dask_runs.ProgressBar):
        def show(self, label: str) -> None:
            shown.append((self.done, self.total, label))

    monkeypatch.setattr(_dask_runs, "ProgressBar", Bar)
    save("in.zarr")
    assert run(PAD, "in.zarr", "out.zarr") == 0
    total = shown[0][1]
    assert total >= 36
    assert shown == [(done, total, "writing out.zarr") for done in range(total + 1)]


def test_out_that_lies_in_in(capsys: pytest.CaptureFixture[str]) -> None:
    save("in.zarr")
    before = content()
    for output in ("in.zarr/out.zarr", "in.zarr/out.npy", "./in.zarr/../in.zarr/out.zarr"):
        assert run(PAD, "in.zarr", output) == 2
        assert "numpy.pad: output must not lie in IN, got" in capsys.readouterr().err
    assert content() == before
    assert run(PAD, "in.zarr", "in.zarr") == 0
    np.testing.assert_array_equal(load("in.zarr"), PADDED)


def test_an_array_with_more_in_its_directory_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    save("in.npy")
    save("out.zarr")
    save("out.zarr/inner.zarr")
    before = content()
    assert run(PAD, "in.npy", "out.zarr") == 2
    rule = "numpy.pad: output must be the path of a zarr array and nothing else, but it has inner.zarr"
    assert rule in capsys.readouterr().err
    assert content() == before


def test_what_was_replaced_and_cannot_be_removed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save("in.npy")
    save("out.zarr")
    plain = _zarr_staging.shutil.rmtree

    def rmtree(path: Any, *arguments: Any, **options: Any) -> None:
        if str(path).endswith(".old"):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        plain(path, *arguments, **options)

    monkeypatch.setattr(_zarr_staging.shutil, "rmtree", rmtree)
    assert run(PAD, "in.npy", "out.zarr") == 0
    assert "is left, of what was replaced (Operation not permitted)" in capsys.readouterr().err
    np.testing.assert_array_equal(load("out.zarr"), PADDED)
