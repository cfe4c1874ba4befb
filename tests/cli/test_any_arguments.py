"""Whatever is written on the command line: an exit code, and at most one line of complaint."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fastops.__main__ import main
from fastops._cli import _npy
from fastops._cli._arguments import FLAGS

DATA = {
    "f.npy": np.arange(24.0).reshape(2, 3, 4),
    "scalar.npy": np.array(3),
    "empty.npy": np.zeros((0, 3)),
    "bool.npy": np.array([True, False]),
    "complex.npy": np.arange(4) + 1j,
    "span.npy": np.array([1, 2], "m8[s]"),
    "date.npy": np.array(["2020-01-01"], "M8[D]"),
    "bytes.npy": np.array([b"ab", b"c"]),
    "text.npy": np.array(["xy", "z"]),
    "record.npy": np.zeros(3, [("x", "i4"), ("y", "f8")]),
    "void.npy": np.zeros(3, "V0"),
    "swapped.npy": np.arange(4, dtype=">i8"),
}
# All of them below the current directory: they are written to.
PATHS = [*DATA, "missing.npy", "", ".", "f.npy/x", "x" * 300, "-", "--", "a\nb", "\udcff", "no\0such"]
NUMBERS = ["0", "1", "2", "-1", "3", "-9", "1e5", "0.5", "nan", "-inf", "1e400", "", "--", "1_0", "x", "\0"]
NUMBERS += ["\udcff", *map(str, (2**31, 2**61, 2**63 - 1, -(2**63), 2**63)), "9" * 60, "9" * 400, "9" * 5000]
WORDS = ["wrap", "fill", "reflect", "f32", "bf16", "i4", "u8", "g", "O", "V8", "f8,f8", "0x00", "zz", "1+2j", "NaT"]

texts = st.sampled_from(NUMBERS + WORDS + PATHS) | st.text(max_size=5)
lists = st.lists(st.sampled_from(NUMBERS[:6]) | st.sampled_from(NUMBERS), max_size=4).map(",".join)
VALUES = {
    "mode": st.sampled_from(WORDS[:3]) | texts,
    "output_type": st.sampled_from(WORDS[3:8]) | texts,
    "fill_value": texts,
}


@st.composite
def operator_calls(draw: st.DrawFn) -> list[str]:
    """Calls of `run` and `explain` that have the flags of the operator, or some of them."""
    command, op = draw(st.sampled_from(["run", "explain"])), draw(st.sampled_from(sorted(FLAGS)))
    args = [command, op]
    if command == "run":
        args += [] if op == "range" else [draw(st.sampled_from(PATHS))]
        args += ["-o", draw(st.just("out.npy") | st.sampled_from(PATHS[len(DATA) :]))]
    elif op != "range":
        args += ["--shape", draw(st.just("2,3,4") | lists)]
    for flag in FLAGS[op]:
        if draw(st.booleans()) or flag.is_required:
            value = draw(VALUES.get(flag.name, lists | texts))
            args += draw(st.sampled_from([[flag.option, value], [f"{flag.option}={value}"]]))
    return args


@pytest.fixture(autouse=True)
def _in_a_directory_with_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in DATA.items():
        np.save(name, data)
    # Little of the disk, even where much is asked for.
    monkeypatch.setattr(_npy, "_MOST_BYTES", 1 << 20)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    operator_calls() | st.lists(st.sampled_from(["run", "explain", "slice", "range", "-h", "-o"]) | texts, max_size=5)
)
@example(["explain", "range", "--start=--", "--stop=1", "--step=1", "--output-type=f32"])
@example(["explain", "slice", "--shape=--", "--start=0", "--size=1"])
@example(["demo", "--input=--"])
@example(["run", "range", "-o", "no\0such", "--start=0", "--stop=1", "--step=1", "--output-type=f32"])
@example(["run", "slice", "span.npy", "-o", "x", "--start=0", "--size=1", "--mode=fill", "--fill-value=" + "9" * 400])
@example(["run", "strided_slice", "void.npy", "-o", "x", "--begin=0", "--end=3", "--strides=" + "9" * 5000])
@example(["demo", "--frames", "9" * 5000])
@example(["demo", "--input", "scalar.npy", "--repeats", "\udcff"])
def test_anything_gives_an_exit_code_and_at_most_one_line(args: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(args)
    printed, complaint = out.getvalue(), err.getvalue()
    assert code in (0, 2)
    assert (printed == "") == (code == 2)
    assert complaint.count("\n") == (code == 2)
    assert code == 0 or (" must " in complaint and ", got " in complaint)
    assert not list(Path().glob(".fastops-*"))
