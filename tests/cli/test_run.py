"""`fastops run` on .npy files: what is written, by every operator, and what is made of files that it cannot read."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import fastops as fo
from fastops._cli._files import part_names
from tests.cli._runs import ODD, bytes_of, content, is_refused, ran, run_of
from tests.helpers.contract import DIALECTS, Call, data_of, outputs_of, tables_of
from tests.helpers.inspection import names_of

CUBE = np.arange(24.0).reshape(2, 3, 4)
GRID = np.arange(6, dtype=np.int16).reshape(2, 3)

# Texts and types: those that NumPy reads so too, and others with the value of that type which the text stands for.
SAME_FILLS = "3:f4 inf:f8 -Infinity:f8 1e308:f8 NaN:f4 9007199254740993:i8 1+2j:c8 2020-01-02:M8[D] 5:m8[s] ab:U3 ab:S3"
FILLS: list[tuple[str, str, Any]] = [
    *[(text, dtype, text) for text, dtype in [each.split(":") for each in SAME_FILLS.split()]],
    *[("TRUE", "?", True), ("0x3f80", "V2", b"\x3f\x80"), ("803f", "V2", b"\x80\x3f")],
]
FILL = "slice --start -1 --size 1 --mode fill --fill-value="

# An operator with its flags, what IN holds, and what OUT has to hold.
RESULTS: list[tuple[str, Any, Any]] = [
    ("strided_slice --begin -1,0,3 --end 0,-1,-9 --strides 1,1,-2 --shrink-axis-mask 1", CUBE, CUBE[-1, 0:-1, 3::-2]),
    ("slice --start=-1 --size 4 --axes -1 --mode fill --fill-value -7", GRID[:1, :2], np.array([[-7, 0, 1, -7]], "i2")),
    ("strided_slice --begin '' --end ''", np.array(7), np.array(7)),
    ("strided_slice --begin 2 --end 0", np.ones((2, 3)), np.ones((0, 3))),
    *[("strided_slice --begin 1 --end 9 --strides 2", data, data[1::2]) for data in ODD],
    ("torch roll --shifts -5 --dims 1", np.asfortranarray(CUBE), np.roll(CUBE, -5, 1)),
    *[(FILL + text, np.zeros(1, dtype), np.array([value]).astype(dtype)) for text, dtype, value in FILLS],
]  # fmt: skip


def test_results() -> None:
    for operator, data, expected in RESULTS:
        np.save("in.npy", data)
        result = ran(run_of(operator))
        # Files know none of the types of ml_dtypes.
        dtype = np.load("in.npy").dtype
        assert result == (0, f"out.npy: shape {expected.shape}, {dtype}\n", ""), operator
        assert (np.load("out.npy").dtype, bytes_of(np.load("out.npy"))[1:]) == (dtype, bytes_of(expected)[1:]), operator
        assert sorted(content()) == ["in.npy", "out.npy"]


def test_fill_values_that_the_type_does_not_have() -> None:
    for text, dtype in {"x": "f4", "1.5": "i8", "9" * 4400: "i8", "2": "?", "0x3": "V2", "abcd": "S3"}.items():
        np.save("in.npy", np.zeros(1, dtype))
        assert is_refused(ran(run_of(FILL + text)), "slice: fill_value must be "), text
    assert sorted(content()) == ["in.npy"]


def test_names_of_files() -> None:
    # Whose name does not end in .npy, as that of a part.
    assert ran(run_of("numpy flip", "in.npy -o out")).code == 0
    assert np.load("out").shape == (1000,)
    assert (
        ran(["run", "numpy", "flip", "in.npy", "-o", "a\nb\x1b[31m.npy"]).out
        == "'a\\nb\\x1b[31m.npy': shape (1000,), int64\n"
    )
    os.mkdir("d.1")
    assert ran("run variadic_split in.npy -o d.1/p --axis -1 --split-lengths -1,2").code == 0
    assert [np.load(name).tolist()[-2:] for name in ("d.1/p-0", "d.1/p-1")] == [[997, 998], [999, 1000]]


# Every operator of every dialect.

# Those that are the top level's too have no tables.
OTHERS = {
    "strided_slice": [Call((4, 5), {"begin": [1], "end": [0], "shrink_axis_mask": [1]}, lambda x: x[1])],
    "variadic_split": [Call((4, 5), {"axis": -1, "split_lengths": [2, -1]}, lambda x: np.split(x, [2], axis=1))],
}
OPERATORS = [(dialect, name) for dialect in DIALECTS for name in names_of(getattr(fo.plan, dialect)) if name != "range"]


def text_of(attribute: str, value: Any) -> str:
    """A value, as it is written on the command line."""
    if attribute == "index":
        return ",".join([place_of(part) for part in (value if isinstance(value, tuple) else (value,))])
    return str(value.name).lower() if hasattr(value, "name") else str(value)


def place_of(part: Any) -> str:
    """A part of a basic index, as it is written."""
    if isinstance(part, slice):
        return ":".join(["" if n is None else str(n) for n in (part.start, part.stop, part.step)])
    return "..." if part is ... else str(part)


def flags_of(dialect: str, name: str, call: Call) -> list[str] | None:
    """The flags of a call; None for one that cannot be written so."""
    known = inspect.signature(getattr(getattr(fo.plan, dialect), name)).parameters
    # Strings are padded with something else than zero; nobody writes arrays; FILLS has the fill values.
    is_text = np.dtype(call.dtypes[0]).kind in "SU"
    if is_text or not {*call.arguments} <= {*known} or re.search(r"array\(|np\.|[Tt]ensor", repr(call.arguments)):
        return None
    return [f"--{key.replace('_', '-')}={text_of(key, value)}" for key, value in call.arguments.items()]


def chosen_calls(dialect: str, name: str) -> Iterator[tuple[Call, list[str]]]:
    """Calls that can be written, one for each set of arguments, and one of several pieces."""
    seen: set[Any] = set()
    is_own = getattr(getattr(fo, dialect), name) is not getattr(fo, name, None)
    for call in tables_of(getattr(getattr(fo, dialect), name))[0] if is_own else OTHERS[name]:
        flags, key = flags_of(dialect, name, call), (*sorted(call.arguments), (call.pieces or 0) > 1)
        # Files are not flattened.
        if flags is not None and key not in seen and (not call.is_flat or len(call.shape) == 1):
            seen.add(key)
            yield call, flags


def test_every_operator_of_every_dialect() -> None:
    wrong = []
    for dialect, name in OPERATORS:
        calls = list(chosen_calls(dialect, name))
        assert calls, (dialect, name)
        for call, flags in calls:
            data = data_of(call, np.dtype(call.dtypes[0]))
            expected = call.expected(data)
            np.save("in.npy", data)
            result = ran(["run", dialect, name, "in.npy", "-o", "out.npy", *flags])
            is_list = isinstance(expected, list | tuple)
            names = part_names("out.npy", len(expected)) if is_list else ["out.npy"]
            found = [bytes_of(np.load(each)) for each in names] if result.code == 0 else []
            if found != [*map(bytes_of, outputs_of(expected))]:
                wrong.append((dialect, name, flags, result))
    assert wrong == []


PLANS = [
    fo.plan.numpy.pad((3, 4), 1).then(fo.plan.numpy.pad((5, 6), 2)),
    fo.plan.numpy.repeat((3, 4), 3).then(fo.plan.numpy.transpose((36,))),
    fo.plan.slice((3, 4, 5), [-2, 7, 1], [9, 7, 6], [1, -2, 3], mode="reflect"),
]


def test_plans() -> None:
    for plan in PLANS:
        Path("plan.json").write_text(plan.to_json())
        data = np.arange(np.prod(plan.source_shape)).reshape(plan.source_shape)
        np.save("in.npy", data)
        fill = " --fill-value=7" if plan.fills else ""
        assert ran(f"run plan in.npy -o out.npy --plan plan.json{fill}").code == 0, plan
        assert bytes_of(np.load("out.npy")) == bytes_of(plan(data, fill_value=7 if fill else None)), plan


# What cannot be read.

HEADERS = {
    "<U0": ["(-1,)"],
    "|V0": ["(-1, 3)"],
    "<i4": ["(-1,)", "(-2, -3)", "(1000,)", "(4611686018427387904, 8)"],
    "|O": ["(3,)"],
}


def test_headers_of_what_is_not_there() -> None:
    headers = [(descr, shape) for descr, shapes in HEADERS.items() for shape in shapes]
    for version, (descr, shape) in product((1, 2, 3), headers):
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        length = len(header).to_bytes(2 if version == 1 else 4, "little")
        Path("in.npy").write_bytes(b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + bytes(49))
        result = ran(run_of("numpy flip"))
        assert is_refused(result, "numpy.flip: IN must be a readable .npy file"), (version, descr, shape, result)
    assert sorted(content()) == ["in.npy"]
