"""The command as a whole, and `fastops explain`, `demo`, `info` and `warmup`.

The command gives exit codes, prints at most one line for wrong arguments, and copes with closed and full streams.
`fastops explain` shows plans, also those of models, in words, as JSON and as drawings. The other commands report wrong
results and caches that cannot be used.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from textwrap import indent
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import fastops as fo
from fastops import _process
from fastops.__main__ import main
from fastops._arrays import _outputs
from fastops._cli import _demo, _info, _warmup
from fastops._process import warn_once
from fastops._runtime import _builds, _objects
from fastops._runtime._threads import ThreadLimits
from fastops.kernels._form import IS_CHECKED
from fastops.kernels._intrinsics import _object_layout
from tests.cli.conftest import ODD, content, is_refused, ran
from tests.helpers.processes import run_python
from tests.helpers.seeds import scale

EXPLAIN = "explain slice --shape 5 --start 1 --size 2"

WRONG = {
    "bogus": "fastops: COMMAND must be one of demo, run, explain, info, warmup, got 'bogus'\n",
    "info --colour": "info: arguments must be as --help says, got ",
    "demo --frames 0": "demo: arguments must be as --help says, got ",
    "run": "run: OP must be one of strided_slice, variadic_split, slice, numpy, onnx,",
    "run slice": "slice: arguments must be as --help says, got ",
    "run slice in.npy --start 1 --size 998 -o x.h5": "slice: output must end in .npy or .zarr, or have no suffix",
    "run slice in.npy --start 1 --size 9 -o none/x.npy": "slice: output must be in a directory that exists",
    "run flip in.npy -o x.npy": "run: OP must be one of numpy flip, torch flip, got 'flip'\n",
    "run numpy pad in.npy -o x.npy --pad-width 1 --shape 3": "numpy.pad: arguments must be as --help says, got ",
    "run numpy tile in.npy -o x.npy --reps=-1": "numpy.tile: reps must be at least 0",
    "run numpy pad in.npy -o x.npy --pad-width=1 --fill-value=a": "numpy.pad: fill_value must be a value",
    "run plan in.npy -o x.npy --plan missing": "fastops: files must be accessible, got [Errno 2]",
    "run plan in.npy -o x.npy --plan in.npy": "SlicePlan: text must be a JSON document of fastops.SlicePlan",
    "run plan in.npy -o x.npy --plan plan.json": "plan: IN must have shape (3, 4), the plan's",
    "run slice in.npy -o x.npy --start 0 --size 4611686018427387904 --mode wrap": "slice: the output must fit",
    **{
        f"run numpy flip {name} -o x.npy": "numpy.flip: IN must be a readable .npy file, or a directory of zarr ("
        for name in ("text.npy", "none.npy", "cut.npy", "z.npz", "objects.npy", "missing.npy")
    },
    "run numpy flip / -o x.npy": "numpy.flip: IN must be the directory of a zarr array (",
    "explain": "explain: arguments must be as --help says, got ",
    "explain onnx pad --shape 3 --pads 1,x": "onnx.pad: pads must be a list of integers, got '1,x'",
    f"explain onnx pad --shape 3 --pads 1,1 --mode {'[' * 9000}": "onnx.pad: mode must be one of constant",
    f"explain numpy rot90 --shape 3,3 --k {'1' * 5000}": "numpy.rot90: k must be ",
    "explain numpy take_slice --shape 3 --index 1:2:3:4": "numpy.take_slice: index must be ",
    "explain numpy flip --shape 5 --svg missing/x.svg": "fastops: files must be accessible, got [Errno 2]",
    "explain --model m --input-shape 3,8": "explain: input_shape must be a name and a shape, as x=1,3,224,224",
}


def test_wrong_calls_are_one_line_and_exit_2_and_leave_nothing() -> None:
    pytest.importorskip("onnx")
    whole = Path("in.npy").read_bytes()
    np.save("objects.npy", np.array([1, None]), allow_pickle=True)
    np.savez("z.npz", a=np.arange(3))
    for name, text in {"x.npy": b"old", "text.npy": b"hello", "none.npy": b"", "cut.npy": whole[:200]}.items():
        Path(name).write_bytes(text)
    Path("plan.json").write_text(fo.plan.numpy.pad((3, 4), 1).to_json())
    before = content()
    results = {call: ran(call) for call in WRONG}
    assert [each for each in results.items() if not is_refused(each[1], WRONG[each[0]])] == []
    assert content() == before


# Texts that each command prints; exit codes are 0.
RIGHT = {
    "--version": [f"fastops {fo.__version__}\n"],
    "--help": ["usage: fastops ", "demo", "warmup", "explain"],
    "run --help": ["fastops run [-h] OP IN -o OUT", "strided_slice", "torch"],
    "run numpy pad --help": ["fastops run numpy pad", "IN", "OUT", "--pad-width VALUE", "--fill-value"],
    "explain --help": ["--model FILE"],
    "explain onnx pad --help": ["usage: fastops explain onnx pad ", "Explain a call of onnx.pad.", "--pads VALUE"],
}


def test_right_calls_print_what_they_say() -> None:
    results = {command: ran(command) for command in RIGHT}
    for command, result in results.items():
        shown = result.out if "--version" in command else " ".join(result.out.split())
        assert [text for text in RIGHT[command] if text not in shown] == [], (command, result)
        assert (result.code, result.err) == (0, "")
    assert ran("") == results["--help"]
    assert "--shape" not in results["run numpy pad --help"].out


ERRORS: list[tuple[BaseException, int, str]] = [
    (KeyboardInterrupt(), 130, ""),
    (MemoryError(), 2, "fastops: the arrays must fit in memory, got MemoryError\n"),
    (fo.KernelError("fastops: no Numba"), 1, "fastops: no Numba\n"),
    (ImportError("fastops: no zarr"), 2, "fastops: no zarr\n"),
    (RuntimeWarning("an\nerror"), 2, "an error\n"),
    (OSError("no\nlibrary\x1b[2J"), 2, "fastops: files must be accessible, got no library\\x1b[2J\n"),
]


def test_errors_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code, line in ERRORS:
        monkeypatch.setattr(_info, "_machine", Mock(side_effect=error))
        assert ran("info") == (code, "", line)


# --- Any arguments --------------------------------------------------------------------------------------------------

SOURCES = {f"{data.dtype.kind}{i}.npy": data for i, data in enumerate(ODD)}
SOURCES |= {"f.npy": np.arange(24.0).reshape(2, 3, 4), "scalar.npy": np.array(3), "empty.npy": np.zeros((0, 3))}
# All of them lie below the current directory, because commands write to them.
PATHS = [*SOURCES, "missing.npy", "", ".", "f.npy/x", "x" * 300, "-", "--", "a\nb", "\udcff"]
NUMBERS = ["0", "1", "2", "-1", "3", "-9", "1e5", "0.5", "nan", "-inf", "1e400", "", "--", "1_0", "x"]
NUMBERS += ["\udcff", *map(str, (2**31, 2**61, 2**63 - 1, -(2**63), 2**63)), "9" * 60, "9" * 400, "9" * 5000]
WORDS = ["wrap", "fill", "reflect", "f32", "bf16", "i4", "u8", "g", "O", "V8", "f8,f8", "0x00", "zz", "1+2j", "NaT"]

texts = st.sampled_from(NUMBERS + WORDS + PATHS) | st.text(st.characters(exclude_characters="/\0"), max_size=5)
PLANS: dict[str, Any] = {
    "slice --shape 5 --start -1 --size 7 --mode fill": fo.plan.slice((5,), [-1], [7], mode="fill"),
    "variadic_split --shape 5 --axis 0 --split-lengths 2,-1": fo.plan.variadic_split((5,), 0, [2, -1]),
    "range --start 0 --stop 9 --step 2 --output-type i32": fo.plan.range(0, 9, 2, "i32"),
    "tensorflow range --start 5": fo.plan.tensorflow.range(5),
    "numpy pad --shape 2,3 --pad-width ((1,1),(0,-0))": fo.plan.numpy.pad((2, 3), ((1, 1), (0, 0))),
    "numpy take_slice --shape 4,5,6 --index 1:,...,None,::-2": fo.plan.numpy.take_slice(
        (4, 5, 6), (slice(1, None), ..., None, slice(None, None, -2))
    ),
    "openvino space_to_batch --shape 2,4 --block-shape 1,2 --pads-begin 0,1 --pads-end 0,1": (
        fo.plan.openvino.space_to_batch((2, 4), [1, 2], [0, 1], [0, 1])
    ),
}
RUNS = [f"run slice {name} -o out.npy --start 0 --size 2 --mode fill --fill-value 3" for name in SOURCES]
RUNS += [f"explain {call}" for call in PLANS]


@st.composite
def nearly_right(draw: st.DrawFn) -> list[str]:
    """Calls in which at most three words are replaced, and at most one is added."""
    words = draw(st.sampled_from(RUNS)).split() + draw(st.lists(texts, max_size=1))
    for at in draw(st.lists(st.integers(0, len(words) - 1), max_size=3)):
        words[at] = draw(texts)
    return words


@settings(max_examples=scale(80, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nearly_right() | st.lists(st.sampled_from(["run", "explain", "slice", "range", "-h", "-o"]) | texts, max_size=5))
def test_anything_gives_an_exit_code_and_at_most_one_line(args: list[str]) -> None:
    for name, data in SOURCES.items():
        if not os.path.exists(name):
            np.save(name, data)
    with pytest.MonkeyPatch.context() as patch:
        # Use little of the disk.
        give = os.posix_fallocate
        patch.setattr(os, "posix_fallocate", lambda file, at, n: give(file, at, n if n <= 1 << 20 else -1))
        result = ran(args)
    assert is_refused(result) or (result.code == 0 and result.out and not result.err), result
    assert not list(Path().glob(".fastops-*"))


# --- Streams --------------------------------------------------------------------------------------------------------


@contextmanager
def standard(name: str, stream: Any) -> Iterator[None]:
    """Replace a standard stream of the process, and close the new one at the end, as Python does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, name, stream)
        yield
        getattr(sys, name).close()


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that is closed")
def test_a_reader_that_goes_away_and_a_disk_that_is_full(capsys: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    # Python closes the stream without an error, although it has text left to write.
    with standard("stdout", open(writer, "w")):
        assert main(EXPLAIN.split()) == 141
    assert capsys.readouterr().err == ""
    if os.path.exists("/dev/full"):
        with standard("stdout", open("/dev/full", "w", buffering=1)):
            assert main(EXPLAIN.split()) == 2
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        assert "got [Errno 28] No space left on device" in capsys.readouterr().err


WITHOUT_NUMBA = """
import sys
from fastops.__main__ import main
for command in sys.argv[1:]:
    assert main(command.split()) == 0
    assert not {"numba", "llvmlite"} & set(sys.modules), command
assert "numpy" in sys.modules
"""


def test_no_numba_where_nothing_is_compiled() -> None:
    done = run_python("-c", WITHOUT_NUMBA, "--help", "--version", "run numpy pad --help", EXPLAIN)
    assert (done.returncode, done.stderr) == (0, "")


def printed(command: str) -> str:
    """The output of a right call of explain, without the last line break."""
    result = ran(f"explain {command}")
    assert (result.code, result.err, result.out[-1:]) == (0, "", "\n"), result
    return result.out[:-1]


def test_words_json_and_drawings() -> None:
    for call, expected in PLANS.items():
        op = call.partition(" --")[0].replace(" ", ".")
        svg = " --svg p.svg" if hasattr(expected, "to_svg") else ""
        assert printed(f"{call}{svg}") == f"{op}: {indent(expected.explain(), '  ').lstrip()}", call
        assert not svg or Path("p.svg").read_text(encoding="utf-8") == expected.to_svg()
        document = json.loads(printed(f"{call} --json"))
        is_list = isinstance(expected, list)
        plans, documents = (expected, document) if is_list else ([expected], [document])
        assert [type(plan).from_json(json.dumps(each)) for plan, each in zip(plans, documents, strict=True)] == plans


MODEL = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 8] x) => (y) <int64[1] starts = {2}, int64[1] ends = {6}, int64[1] axes = {1}> {
  cut = Slice(x, starts, ends, axes)
  a, b = Split<axis = 1, num_outputs = 2>(cut)
  rows = Slice(x, starts, ends)
  y = Add(a, b)
}"""

NO_PLAN = "data must have a known shape, got x of shape (n, 8)"


def test_nodes_of_models() -> None:
    onnx = pytest.importorskip("onnx")
    onnx.save(onnx.parser.parse_model(MODEL), "m.onnx")
    nodes = cut, split, _ = fo.onnx.plans("m.onnx", {"x": (3, 8)})
    words = [f"{node.name} ({node.op_type}): {indent(node.plan.explain(), '  ').lstrip()}" for node in nodes]
    assert printed("--model m.onnx --input-shape x=3,8") == "\n".join(words)
    first, second, _ = json.loads(printed("--model m.onnx --input-shape x=3,8 --json"))
    assert first == {"name": "cut", "op_type": "Slice", "plan": json.loads(cut.plan.to_json())}
    assert second["plan"] == [json.loads(part.to_json()) for part in split.plan]
    words = printed("--model m.onnx")
    assert words.startswith("cut (Slice): (n, 8) -> (n, 4)\n    axis 0: n, as it is\n    axis 1: extent 8, start 2,")
    assert "\n\n  part 1: (n, 4) -> (n, 2)\n    axis 0: n, as it is\n" in words
    assert words.endswith(f"\nrows (Slice): no plan: {NO_PLAN}")
    first, second, last = json.loads(printed("--model m.onnx --json"))
    assert (first["plan"]["shape"], first["plan"]["axes"][0], len(second["plan"])) == (["n", 4], "n", 2)
    assert last["reason"] == NO_PLAN
    empty = '<ir_version: 10, opset_import: ["" : 18]> g (float x) => (y) {y = Neg(x)}'
    onnx.save(onnx.parser.parse_model(empty), "none.onnx")
    assert printed("--model none.onnx") == "the model has no slicing nodes"


def test_names_are_shown_and_not_obeyed() -> None:
    layer = '<layer id="1" name="naïve&#10;\u202e\u2028\xad 名" type="SpaceToDepth"/>'
    Path("odd.xml").write_text(layer, encoding="utf-8")
    assert printed("--model odd.xml").startswith(
        r"naïve\n\u202e\u2028\xad 名 (SpaceToDepth): no plan: openvino.from_ir"
    )


# --- Demo -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo make small frames and short ranges."""
    monkeypatch.setattr(_demo, "SHAPE", (1, 54, 96, 3))
    monkeypatch.setattr(_demo, "RANGE_COUNT", 99)
    monkeypatch.setattr(_demo, "REPEATS", 1)


def test_the_table() -> None:
    code, out, err = ran("demo")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == f"fastops {fo.__version__} on frames that it makes: 1x54x96x3, uint8, 0.0 MB"
    header, *rows = [re.split(r"  +", line) for line in lines[2 : lines.index("", 2)]]
    assert header == ["operator", "what", "out", "ms", "GB/s", "x NumPy", "ok"]
    assert {row[0] for row in rows} == {"strided_slice", "variadic_split", "slice", "range"}
    assert {row[1] for row in rows} >= {"crop", "stride 2", "horizontal flip", "BGR -> RGB", "planes", "f32", "i64"}
    assert {f"{mode.name.lower()} pad" for mode in fo.SampleMode} - {row[1] for row in rows} == {"strict_bounds pad"}
    assert [row[-1] for row in rows] == ["yes"] * len(rows)
    assert max(map(len, lines)) <= 80
    # With one run, no ratio is marked as changing.
    assert all(re.fullmatch(r"\d+\.\d\d", row[5]) for row in rows)
    assert re.fullmatch(rf"\d+ threads?, threading layer \w+: all {len(rows)} correct", lines[-1])


def test_wrong_results_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right, right_range = fo.slice, fo.range

    def wrong(*args: Any, mode: str, **options: Any) -> Any:
        return right(*args, mode="clamp" if mode == "reflect" else mode, **options)

    def idle(*args: Any, out: Any = None) -> Any:
        # A call without ``out`` is right; a call with ``out`` writes nothing.
        return right_range(*args) if out is None else out

    monkeypatch.setattr(_demo.fastops, "slice", wrong)
    monkeypatch.setattr(_demo.fastops, "range", idle)
    code, out, _ = ran("demo")
    assert code == 1
    assert [row.split()[1] for row in out.splitlines() if row.endswith(" NO")] == ["reflect", "f32", "i64"]
    assert re.search(r": 3 of \d+ WRONG$", out.rstrip())


def test_ratios_that_change_from_run_to_run_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.zeros(4, np.uint8)
    monkeypatch.setattr(_demo, "REPEATS", 4)
    for seconds, ratio in (((8, 8, 8, 8), "8.00"), ((2, 8, 8, 64), "8.00"), ((2, 2, 8, 8), "~5.00")):
        # In each run, fastops takes one second, and NumPy takes the given seconds.
        times = accumulate([step for rival in seconds for step in (0, 1, rival)])
        monkeypatch.setattr(_demo, "perf_counter", partial(next, map(float, times)))
        row = _demo.measure("slice", "crop", lambda **_: array, lambda: array)
        assert row[5] == ratio


# --- Machine and kernels --------------------------------------------------------------------------------------------


def info() -> dict[str, str]:
    # At least two blanks separate a name, which may have two words, from its value.
    return dict(re.split(r"  +", line, maxsplit=1) for line in ran("info").out.splitlines())


def test_info(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = info()
    assert lines["fastops"] == f"{fo.__version__}, {Path(fo.__file__).parent}"
    assert all(lines[package] == version(package) for package in ("numpy", "numba", "llvmlite", "ml_dtypes"))
    assert lines["thread limits"].startswith(f"Numba {lines['threads']}, affinity ")
    assert lines["threading layer"] in ("omp", "tbb", "workqueue")
    assert not {"calls", "memory kept"} & {*lines}
    monkeypatch.setattr(_outputs, "CAN_COUNT", False)
    monkeypatch.setattr(_object_layout, "is_as_expected", lambda: False)
    monkeypatch.setattr(ThreadLimits, "read", lambda: ThreadLimits(4, 1.5, True))
    lines = info()
    assert lines["memory kept"] == "none: this Python does not tell what is in use"
    assert lines["calls"].startswith("slow: ")
    assert lines["thread limits"].endswith(", affinity 4, a quota of 1.5, a worker of a pool")


def test_info_says_which_kernels_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = _objects.find_ready()[0]
    lines = info()
    assert (lines["kernels"], "checked" in lines) == (origin, IS_CHECKED)
    monkeypatch.setattr(_objects, "find_ready", lambda: None)
    monkeypatch.setattr(_builds, "cache_directory", lambda: tmp_path / "kept")
    for _ in range(2):
        lines = info()
        assert lines["kernels"] == "not compiled yet: the first call does that, or fastops warmup"
        assert lines["cache"] == str(tmp_path / "kept")
        (tmp_path / "kept").mkdir(exist_ok=True)
    monkeypatch.setattr(_objects, "look_at_shipped", lambda: ([], {"x.object": "it is damaged"}))
    assert info()["not used"] == "x.object: it is damaged"
    (tmp_path / "kept").chmod(0o777)
    assert ", not used: others than its owner may write" in info()["cache"]


def test_warmup(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = _objects.find_ready()[0]
    assert re.fullmatch("(shipped|compiled here) for .+", origin)
    assert ran("warmup") == (0, f"all kernels  {origin}\nthreads      ready\n", "")
    monkeypatch.setattr(_warmup, "link_parallel", lambda: False)
    assert ran("warmup").out.endswith("threads      none: this version of Numba differs\n")
    link = Mock(side_effect=lambda: warn_once("compiled kernels cannot be kept in\n/x"))
    monkeypatch.setattr(_warmup, "link_parallel", link)
    monkeypatch.setattr(_process, "_told", {})
    code, _, err = ran("warmup")
    assert (code, err) == (2, "fastops: compiled kernels cannot be kept in /x\n")
