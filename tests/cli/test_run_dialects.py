"""`fastops run DIALECT OP`: every operator of every dialect, on the calls that its own tests have."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import EllipsisType
from typing import Any

import numpy as np
import pytest

import fastops as fo
from fastops.__main__ import main
from fastops._cli._run_files import name_parts
from tests.helpers.contract import DIALECTS, Call, assert_same, data_of, tables_of

# Those that are the top level's too have no tables.
OTHERS: dict[tuple[str, str], list[Call]] = {
    ("openvino", "strided_slice"): [
        Call((4, 5), {"begin": [1, -1], "end": [9, 0], "strides": [2, -2]}, lambda x: x[1:9:2, -1:0:-2]),
        Call((4, 5), {"begin": [1], "end": [0], "shrink_axis_mask": [1]}, lambda x: x[1]),
    ],
    ("openvino", "variadic_split"): [
        Call((4, 5), {"axis": -1, "split_lengths": [2, -1]}, lambda x: np.split(x, [2], axis=1))
    ],
}
OPERATORS = [(dialect, name) for dialect in DIALECTS for name in dir(getattr(fo.plan, dialect)) if name != "range"]
FILL_NAMES = ("constant_values", "constant_value", "pad_value", "fill", "value")


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_of(value: Any) -> str:
    """A value, as it is written on the command line."""
    if isinstance(value, fo.plan.AxisMap | str):
        return str(value)
    if hasattr(value, "name"):
        return str(value.name).lower()
    if isinstance(value, list):
        value = [part.item() if isinstance(part, np.generic) else part for part in value]
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


def index_text(index: Any) -> str:
    """A basic index, as it is written."""
    parts = []
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, slice):
            numbers = ["" if number is None else str(number) for number in (part.start, part.stop, part.step)]
            parts.append(":".join(numbers))
        else:
            parts.append("..." if isinstance(part, EllipsisType) else str(part))
    return ",".join(parts)


def has_other_mode(call: Call) -> bool:
    """True for a call of a mode that fills nothing."""
    return str(call.arguments.get("mode", call.arguments.get("pad_mode", "constant"))).lower() not in (
        "constant",
        "fill",
    )


def flags_of(dialect: str, name: str, call: Call) -> list[str] | None:
    """The flags of a call; None for one that cannot be written so."""
    known = inspect.signature(getattr(getattr(fo.plan, dialect), name)).parameters
    flags = []
    for attribute, value in call.arguments.items():
        if (value is None and attribute != "index") or attribute == "reflect_type":
            continue
        if attribute in known:
            text = index_text(value) if attribute == "index" else text_of(value)
            flags.append(f"--{attribute.replace('_', '-')}={text}")
        # What a dialect rounds, or leaves aside where nothing is filled, is refused here.
        elif attribute in FILL_NAMES and type(value) is int and value < 256 and not has_other_mode(call):
            flags.append(f"--fill-value={value}")
        else:
            return None
    # Strings are padded with what a dialect says, which is no zero.
    if np.dtype(call.dtypes[0]).kind in "SU":
        return None
    if "Tensor" in str([type(value) for value in call.arguments.values()]):
        return None
    return flags


def calls_of(dialect: str, name: str) -> list[tuple[Call, list[str]]]:
    calls = OTHERS.get((dialect, name)) or tables_of(getattr(getattr(fo, dialect), name))[0]
    found = [(call, flags_of(dialect, name, call)) for call in calls]
    return [(call, flags) for call, flags in found if flags is not None]


def check_run(dialect: str, name: str, flags: list[str], source: str, output: str, read: Any, expected: Any) -> None:
    assert main(["run", dialect, name, source, "-o", output, *flags]) == 0
    names = name_parts(output, len(expected)) if isinstance(expected, list | tuple) else [output]
    assert_same([read(each) for each in names], expected)


@pytest.mark.parametrize(("dialect", "name"), OPERATORS)
def test_npy(dialect: str, name: str) -> None:
    calls = calls_of(dialect, name)
    assert calls
    # The first ones, and those that are special.
    for call, flags in [each for i, each in enumerate(calls) if i < 5 or each[0].is_flat or (each[0].pieces or 0) > 1]:
        data = data_of(call, np.dtype(call.dtypes[0]))
        np.save("in.npy", data)
        check_run(dialect, name, flags, "in.npy", "out.npy", np.load, call.expected(data))


@pytest.mark.parametrize(("dialect", "name"), OPERATORS)
def test_zarr(dialect: str, name: str) -> None:
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("dask")
    calls = [(call, flags) for call, flags in calls_of(dialect, name) if np.prod(call.shape)]
    # One that has pieces, where there is one.
    call, flags = max(calls, key=lambda each: each[0].pieces or 0)
    dtype = next(own for own in call.dtypes if np.dtype(own).isnative)
    data = data_of(call, np.dtype(dtype))
    chunks = tuple([-(-n // 2) for n in data.shape])
    source = zarr.create_array("in.zarr", shape=data.shape, chunks=chunks, dtype=data.dtype)
    source[...] = data

    def read(path: str) -> Any:
        return np.asarray(zarr.open_array(path, mode="r")[...])

    check_run(dialect, name, flags, "in.zarr", "out.zarr", read, call.expected(data))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["numpy"], "numpy: OP must be one of array_split, "),
        (["numpy", "pad"], "numpy.pad: IN must be given, got None"),
        (["numpy", "pad", "in.npy"], "numpy.pad: output must be given as -o OUT, got None"),
        (["numpy", "pad", "in.npy", "-o", "x.npy"], "numpy.pad: pad_width must be given as --pad-width, got None"),
        (["numpy", "pad", "in.npy", "-o", "x.npy", "--shape", "3"], "numpy.pad: arguments must be ones that --help"),
        (["numpy", "tile", "in.npy", "-o", "x.npy", "--reps=-1"], "numpy.tile: reps must be at least 0"),
        (["numpy", "flip", "in.npy", "-o", "x.npy", "--fill-value=1"], "numpy.flip: fill_value must be given where "),
        (
            ["numpy", "pad", "in.npy", "-o", "x.npy", "--pad-width=1", "--fill-value=a"],
            "numpy.pad: fill_value must be a value of dtype int64, got 'a'",
        ),
        (["onnx", "range", "-o", "x.npy"], "onnx.range: start must be given as --start"),
        (["tensorflow", "range", "-o", "x.npy", "--start=x"], "tensorflow.range: "),
    ],
)
def test_errors(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("in.npy", np.arange(6).reshape(2, 3))
    assert main(["run", *args]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert printed.err.count("\n") == 1
    assert not Path("x.npy").exists()


def test_a_roll_of_flattened_data_of_any_rank() -> None:
    cube = np.arange(24).reshape(2, 3, 4)
    for data in (cube, np.asfortranarray(cube), np.arange(3), np.array(5), np.zeros((0, 3))):
        np.save("in.npy", data)
        assert main(["run", "torch", "roll", "in.npy", "-o", "out.npy", "--shifts", "-5"]) == 0
        assert_same([np.load("out.npy")], np.roll(data, -5))


def test_help_names_the_flags(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "numpy", "pad", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(text in shown for text in ("fastops run numpy pad", "IN", "OUT", "--pad-width", "--fill-value"))
    assert "--shape" not in shown


PAD_PLAN = fo.plan.numpy.pad((3, 4), 1)


def write_plan(plan: fo.plan.SlicePlan | fo.plan.RangePlan) -> None:
    Path("plan.json").write_text(plan.to_json())


@pytest.mark.parametrize(
    "plan",
    [
        PAD_PLAN,
        PAD_PLAN.then(fo.plan.numpy.pad((5, 6), 2)),
        fo.plan.numpy.pad((3, 4), 2, "reflect").then(fo.plan.numpy.pad((7, 8), 5, "symmetric")),
        fo.plan.numpy.repeat((3, 4), 3).then(fo.plan.numpy.transpose((36,))),
        fo.plan.numpy.sliding_window_view((3, 4), (2, 2))[0],
        fo.plan.tensorflow.space_to_depth((1, 4, 6, 3), 2),
    ],
    ids=str,
)
def test_plan(plan: fo.plan.SlicePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastops._cli._npy_blocks._BLOCK_BYTES", 50)
    write_plan(plan)
    data = np.arange(np.prod(plan.source_shape)).reshape(plan.source_shape)
    np.save("in.npy", data)
    fill = ["--fill-value=7"] if plan.fills else []
    assert main(["run", "plan", "in.npy", "-o", "out.npy", "--plan", "plan.json", *fill]) == 0
    assert_same([np.load("out.npy")], plan(data, fill_value=7 if plan.fills else None))


def test_plans_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("in.npy", np.zeros((3, 4)))
    np.save("other.npy", np.zeros((4, 3)))
    write_plan(PAD_PLAN)
    Path("odd.json").write_bytes(b"\xff")
    Path("range.json").write_text(fo.plan.range(0, 3, 1, "i32").to_json())
    cases = [
        (["in.npy"], "plan: plan must be given, got None"),
        (["in.npy", "--plan", "missing.json"], "plan: plan must be a file that can be read (No such file"),
        (["in.npy", "--plan", "odd.json"], "SlicePlan: text must be a JSON document of fastops.SlicePlan"),
        (["in.npy", "--plan", "range.json"], "SlicePlan: format must be fastops.SlicePlan"),
        (["other.npy", "--plan", "plan.json"], "plan: IN must have shape (3, 4), the plan's source_shape, got (4, 3)"),
    ]
    for args, message in cases:
        assert main(["run", "plan", "-o", "out.npy", *args]) == 2
        printed = capsys.readouterr()
        assert printed.err.startswith(message)
        assert printed.err.count("\n") == 1
    assert not Path("out.npy").exists()


@pytest.mark.parametrize(
    ("dialect", "flags", "expected"),
    [
        ("onnx", ["--start", "1", "--limit", "10", "--delta", "3"], np.array([1, 4, 7])),
        ("onnx", ["--start", "1.5", "--limit", "3", "--delta", "1"], np.array([1.5, 2.5], np.float32)),
        ("tensorflow", ["--start", "3"], np.arange(3, dtype=np.int32)),
        ("openvino", ["--start", "5", "--stop", "9", "--step", "2", "--output-type", "f16"], np.array([5, 7], "f2")),
    ],
)
def test_ranges(dialect: str, flags: list[str], expected: Any) -> None:
    assert main(["run", dialect, "range", "-o", "out.npy", *flags]) == 0
    result = np.load("out.npy")
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "numpy", "pad"], "Write what numpy.pad makes of IN to OUT, which appears when it is whole"),
        (["run", "torch", "split"], "Write what torch.split makes of IN to OUT, which appears when it is whole"),
        (["run", "onnx", "range"], "Write the values of onnx.range to OUT, which appears when it is whole"),
        (["explain", "numpy", "pad"], "Explain a call of numpy.pad."),
    ],
)
def test_help_says_what_the_command_does(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert says in printed
    assert "Return the plan" not in printed
