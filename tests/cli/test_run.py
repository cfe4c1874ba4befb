"""`fastops run`: what it writes, and what it says of what it cannot read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import fastops
from fastops.__main__ import main
from fastops._cli import _npy_blocks
from fastops._cli._npy_blocks import regions_of
from fastops._cli._run_files import name_parts


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def files() -> list[str]:
    return sorted(os.listdir())


def save(array: Any, name: str = "in.npy") -> np.ndarray[Any, Any]:
    np.save(name, array)
    return np.asarray(array)


def test_strided_slice() -> None:
    data = save(np.arange(24.0).reshape(2, 3, 4))
    args = ["--begin", "-1,0,3", "--end", "0,-1,-9", "--strides", "1,1,-2", "--shrink-axis-mask", "1"]
    assert main(["run", "strided_slice", "in.npy", "-o", "out.npy", *args]) == 0
    result = np.load("out.npy")
    np.testing.assert_array_equal(result, data[-1, 0:-1, 3::-2])
    assert result.dtype == data.dtype
    assert files() == ["in.npy", "out.npy"]


def test_slice_says_what_it_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    data = save(np.arange(6, dtype=np.int16).reshape(2, 3))
    args = ["--start=-1", "--size", "5", "--axes", "-1", "--mode", "fill", "--fill-value", "-7"]
    assert main(["run", "slice", "in.npy", "-o", "out.npy", *args]) == 0
    expected = np.pad(data, [(0, 0), (1, 1)], constant_values=-7)
    np.testing.assert_array_equal(np.load("out.npy"), expected)
    assert capsys.readouterr().out == "out.npy: shape (2, 5), int16\n"


@pytest.mark.parametrize("name", ["i32", "f32", "bf16", "i4"])
def test_range(name: str) -> None:
    assert (
        main(["run", "range", "-o", "out.npy", "--start", "-3", "--stop", "4", "--step", "2", "--output-type", name])
        == 0
    )
    assert np.load("out.npy").tobytes() == fastops.range(-3, 4, 2, name).tobytes()


@pytest.mark.parametrize(("output", "names"), [("p.npy", ["p-0.npy", "p-1.npy"]), ("{}.x.npy", ["0.x.npy", "1.x.npy"])])
def test_variadic_split(output: str, names: list[str]) -> None:
    data = save(np.arange(10).reshape(2, 5))
    assert main(["run", "variadic_split", "in.npy", "-o", output, "--axis", "-1", "--split-lengths", "-1,2"]) == 0
    assert files() == sorted(["in.npy", *names])
    for name, expected in zip(names, np.split(data, [3], axis=1), strict=True):
        np.testing.assert_array_equal(np.load(name), expected)


@pytest.mark.parametrize(
    "data",
    [
        np.arange(6).astype(ml_dtypes.bfloat16),
        np.array([(1, 2.5), (3, 4.5)] * 3, [("a", "u1"), ("b", "f8")]),
        np.array(["a", "bcd"] * 3),
        np.arange(6, dtype=">i4"),
        np.arange(6).astype("M8[D]"),
        np.arange(6) > 2,
    ],
    ids=lambda data: str(data.dtype),
)
def test_bytes_move_as_they_are(data: np.ndarray[Any, Any]) -> None:
    save(data)
    assert (
        main(["run", "strided_slice", "in.npy", "-o", "out.npy", "--begin", "1", "--end", "9", "--strides", "2"]) == 0
    )
    result = np.load("out.npy")
    assert result.tobytes() == data[1::2].tobytes()
    assert result.dtype == np.load("in.npy").dtype


@pytest.mark.parametrize("output", ["out.h5", "out.npz", "out.tif/"])
def test_names_of_other_formats_are_refused(output: str, capsys: pytest.CaptureFixture[str]) -> None:
    save(np.arange(6))
    assert main(["run", "slice", "in.npy", "-o", output, "--start", "1", "--size", "2"]) == 2
    expected = f"slice: output must end in .npy or .zarr, which are written, or have no suffix, got {output!r}\n"
    assert capsys.readouterr().err == expected
    assert files() == ["in.npy"]


def test_a_name_without_a_suffix_is_an_npy_file() -> None:
    save(np.arange(6))
    assert main(["run", "slice", "in.npy", "-o", "out", "--start", "1", "--size", "2"]) == 0
    assert np.load("out").tolist() == [1, 2]


def test_fortran_order() -> None:
    data = save(np.asfortranarray(np.arange(12).reshape(3, 4)))
    assert main(["run", "slice", "in.npy", "-o", "out.npy", "--start", "1,1", "--size", "2,2"]) == 0
    np.testing.assert_array_equal(np.load("out.npy"), data[1:3, 1:3])


@pytest.mark.parametrize(
    ("data", "attributes", "shape"),
    [
        (np.array(7), ["--begin", "", "--end", ""], ()),
        (np.array(7), ["--begin", "0", "--end", "0", "--new-axis-mask", "1"], (1,)),
        (np.zeros((0, 3)), ["--begin", "0", "--end", "2"], (0, 3)),
        (np.ones((2, 3)), ["--begin", "2", "--end", "0"], (0, 3)),
    ],
)
def test_scalars_and_empty_arrays(data: Any, attributes: list[str], shape: tuple[int, ...]) -> None:
    save(data)
    assert main(["run", "strided_slice", "in.npy", "-o", "out.npy", *attributes]) == 0
    result = np.load("out.npy")
    assert result.shape == shape
    assert result.dtype == data.dtype


def test_pieces_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_npy_blocks, "_BLOCK_BYTES", 40)
    data = save(np.arange(60).reshape(3, 4, 5))
    for mode in ("wrap", "clamp", "fill", "reflect", "symmetric"):
        call = {"start": "-2,7,1", "size": "9,7,6", "stride": "1,-2,3"}
        flags = [word for name, value in call.items() for word in (f"--{name}", value)]
        assert main(["run", "slice", "in.npy", "-o", "out.npy", *flags, "--mode", mode]) == 0
        expected = fastops.slice(data, [-2, 7, 1], [9, 7, 6], [1, -2, 3], mode=mode)
        np.testing.assert_array_equal(np.load("out.npy"), expected)


@pytest.mark.parametrize("shape", [(5, 1, 7), (2, 3, 4), (100,), (1, 1), ()])
@pytest.mark.parametrize("most", [1, 6, 9])
def test_regions_cover_each_element_once_in_the_order_of_memory(shape: tuple[int, ...], most: int) -> None:
    places = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    seen: list[int] = []
    for region in regions_of(shape, most):
        own = places[tuple([slice(*bounds) for bounds in region])].ravel().tolist()
        assert 0 < len(own) <= most
        seen += own
    assert seen == list(range(places.size))


SLICE = ["--start", "0", "--size", "1"]


def test_unreadable_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    save(np.arange(100))
    os.mkdir("dir.npy")
    Path("text.npy").write_text("hello")
    Path("empty.npy").write_bytes(b"")
    Path("cut.npy").write_bytes(Path("in.npy").read_bytes()[:200])
    np.savez("z.npz", a=np.arange(3))
    np.save("objects.npy", np.array([1, None]), allow_pickle=True)
    names = ["dir.npy", "text.npy", "empty.npy", "cut.npy", "z.npz", "objects.npy", "missing.npy"]
    before = files()
    for name in names:
        assert main(["run", "slice", name, "-o", "out.npy", *SLICE]) == 2
        error = capsys.readouterr().err
        assert error.startswith("slice: IN must be a re")
        assert error.endswith(f", got '{name}'\n")
        assert error.count("\n") == 1
    assert files() == before


# What NumPy would map, or divide by zero.
HEADERS = {
    "no byte an element": ("<U0", "(-1,)"),
    "no byte an element, in structures": ("|V0", "(-1, 3)"),
    "negative extent": ("<i4", "(-1,)"),
    "negative extents": ("<i4", "(-2, -3)"),
    "booleans": ("<i4", "(True, 3)"),
    "more than the file has": ("<i4", "(1000,)"),
    "more than there are addresses": ("<i4", "(4611686018427387904, 8)"),
    "objects": ("|O", "(3,)"),
}


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("name", HEADERS)
def test_headers_of_what_is_not_there(version: int, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    descr, shape = HEADERS[name]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    Path("in.npy").write_bytes(b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + bytes(49))
    for command in (["run", "slice", "in.npy", "-o", "out.npy", *SLICE], ["demo", "--input", "in.npy"]):
        assert main(command) == 2
        error = capsys.readouterr().err
        assert "must be a readable .npy file" in error
        assert error.count("\n") == 1
    assert list(files()) == ["in.npy"]


def test_long_headers_are_refused_before_they_are_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = np.lib.format.read_array_header_2_0
    monkeypatch.setattr(np.lib.format, "read_array_header_2_0", lambda _: pytest.fail("the header was read"))
    for version in (2, 3):
        with open("in.npy", "wb") as file:
            file.write(b"\x93NUMPY" + bytes([version, 0]) + b"\xff" * 4)
            # A file without blocks on the disk.
            file.truncate(2**32 + 100)
        assert main(["run", "slice", "in.npy", "-o", "out.npy", *SLICE]) == 2
        assert "(its header has 4294967295 bytes), got 'in.npy'" in capsys.readouterr().err
    monkeypatch.setattr(np.lib.format, "read_array_header_2_0", reader)
    # NumPy writes and reads long ones of version 2, if they are not too long.
    np.save("in.npy", np.zeros(3, [(f"field{i}", "u1") for i in range(200)]))
    assert main(["run", "slice", "in.npy", "-o", "out.npy", *SLICE]) == 0


def test_pipes_are_no_files(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody waits for what a pipe may give."""
    save(np.arange(10))
    for name in ("fifo", "fifo.npy", "fifo.png"):
        os.mkfifo(name)
    for args, message in (
        (["run", "slice", "fifo.npy", "-o", "out.npy", *SLICE], "slice: IN"),
        (["run", "plan", "in.npy", "-o", "out.npy", "--plan", "fifo"], "plan: plan"),
        (["demo", "--input", "fifo.npy"], "demo: input"),
        (["demo", "--input", "fifo.png"], "demo: input"),
    ):
        assert main(args) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"{message} must be a regular file, got 'fifo")


@pytest.mark.parametrize("dtype", ["U0", "S0", "V0", "i4"])
def test_files_without_a_byte_of_data(dtype: str) -> None:
    save(np.zeros((0, 3) if dtype == "i4" else (2, 3), dtype))
    assert main(["run", "slice", "in.npy", "-o", "out.npy", "--start", "0,1", "--size", "0,2"]) == 0
    result = np.load("out.npy")
    assert (result.shape, result.dtype) == ((0, 2), np.load("in.npy").dtype)


def test_damaged_headers(capsys: pytest.CaptureFixture[str]) -> None:
    save(np.arange(100))
    whole = bytearray(Path("in.npy").read_bytes())
    noise = np.random.default_rng(0)
    codes = set()
    for _ in range(300):
        damaged = bytearray(whole)
        for place in noise.integers(0, 70, 2):
            damaged[place] = noise.integers(256)
        Path("damaged.npy").write_bytes(damaged)
        codes.add(main(["run", "slice", "damaged.npy", "-o", "out.npy", *SLICE]))
        assert capsys.readouterr().err.count("\n") <= 1
    assert codes == {0, 2}


@pytest.mark.parametrize(
    "args",
    [
        ["--start", "9", "--size", "4"],
        ["--start", "0", "--size", "4", "--mode", "fill", "--fill-value", "1.5"],
        ["--start", "0", "--size", "4", "--mode", "fill", "--fill-value", "x"],
        ["--start", "0", "--size", "9223372036854775807", "--mode", "wrap"],
        ["--start", "0", "--size", "4611686018427387904", "--mode", "wrap"],
    ],
)
def test_errors_leave_nothing(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    save(np.arange(10))
    Path("out.npy").write_bytes(b"old")
    assert main(["run", "slice", "in.npy", "-o", "out.npy", *args]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert files() == ["in.npy", "out.npy"]
    assert Path("out.npy").read_bytes() == b"old"


def test_name_parts() -> None:
    assert name_parts("d.1/x", 2) == ["d.1/x-0", "d.1/x-1"]
    assert name_parts("{}/{}.npy", 2) == ["0/0.npy", "1/1.npy"]


def test_fill_value_of_void_data() -> None:
    save(np.arange(2).astype(ml_dtypes.bfloat16))
    args = ["--start", "-1", "--size", "4", "--mode", "fill", "--fill-value", "803f"]
    assert main(["run", "slice", "in.npy", "-o", "out.npy", *args]) == 0
    assert np.load("out.npy").view(ml_dtypes.bfloat16).astype(float).tolist() == [1, 0, 1, 1]
