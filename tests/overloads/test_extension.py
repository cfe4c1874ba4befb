"""The extension of Numba: Numba finds the stubs, and errors of users' code name the operator.

Other processes load users' functions from Numba's caches; after an upgrade, Numba compiles them again.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

import fastops as fo
import fastops.numba
from fastops._overloads import _link
from fastops._runtime import _objects
from fastops._runtime._object_files import LEVELS, Target, pack
from tests.helpers.processes import run_code, run_python

# The user's module does not import the stubs: Numba finds them.
USER = """
from numba import njit
import fastops as fo

@njit(cache=True)
def pad(array):
    return fo.numpy.pad(array, 1, "wrap")
"""

# Code that calls no operator does not load the stubs. Forked and spawned processes load the cached function as this
# process does.
RUN = """
import multiprocessing, sys
import numpy as np
from numba import njit
import user

@njit
def plain(x):
    return abs(x)

def pad(n):
    return user.pad(np.arange(n)).tolist(), sum(user.pad.stats.cache_hits.values()), "fastops.numba" in sys.modules

if __name__ == "__main__":
    assert plain(-1) == 1
    assert "fastops._numba_extension" in sys.modules, "fastops is not installed"
    assert "fastops.numba" not in sys.modules and "fastops._runtime._kernels" not in sys.modules
    for method in {"fork", "spawn"} & {*sys.argv}:
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.map(pad, [3, 4, 5], chunksize=1)
        assert [each[0] for each in found] == [np.pad(np.arange(n), 1, "wrap").tolist() for n in (3, 4, 5)]
        assert all(each[1] for each in found)
    print(*pad(3))
    if "origin" in sys.argv:
        print(sys.modules["fastops._runtime._kernels"]._object.origin)
"""


_LEFT_OUT = shutil.ignore_patterns("__pycache__", "_objects")


def test_caches_of_users_are_loaded_without_stubs_and_forgotten_with_another_fastops(tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(Path(fo.__file__).parent, library / "fastops", ignore=_LEFT_OUT)
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "program.py").write_text(RUN)

    def run(*methods: str) -> str:
        done = run_python(tmp_path / "program.py", *methods, PYTHONPATH=str(library))
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == "[2, 0, 1, 2, 0] 0 True\n"
    assert run("fork", "spawn") == "[2, 0, 1, 2, 0] 1 False\n"
    # Cached code calls the object that the process loads.
    _, manifest, code = _objects.find_ready()
    level = Target(manifest.target.triple, [*LEVELS[manifest.target.machine]][-1], "")
    (library / "fastops" / "_objects").mkdir()
    (library / "fastops" / "_objects" / "level.object").write_bytes(pack(manifest._replace(target=level), code))
    assert run("fork", "origin") == f"{[2, 0, 1, 2, 0]} 1 False\nshipped for {level.cpu}\n"
    with (library / "fastops" / "_overloads" / "_calls.py").open("a") as file:
        file.write("# Another version.\n")
    assert run() == "[2, 0, 1, 2, 0] 0 True\n"
    with pytest.raises(OSError, match="another version"):
        _link.find_link("0" * 64)


def test_functions_have_compiled_forms_or_numba_says_that_they_have_none() -> None:
    # Numba loads its extensions when it first compiles.
    assert njit(lambda x: x)(1) == 1
    forms = {fo.slice, fo.strided_slice, fo.windows, fo.range, fo.frame}
    names = ["pad", "tile", "roll", "flip", "transpose", "rot90", "moveaxis", "swapaxes", "repeat", "broadcast_to"]
    names += ["sliding_window_view", "split", "array_split"]
    forms |= {getattr(fo.numpy, name) for name in names}
    for function in forms:
        cpu_target.typing_context.resolve_value_type(function)
    fliplr = fo.numpy.fliplr
    for call, told in ((lambda x: fliplr(x), "fliplr"), (lambda x: fo.numpy.fliplr(x), "'fliplr' of type Module")):
        with pytest.raises(TypingError, match=told):
            njit(call)(np.zeros((2, 2)))
    # A function may have no module.
    function = FunctionType((lambda: 1).__code__, {})
    assert function.__module__ is None
    with pytest.raises(ValueError, match="Cannot determine Numba type"):
        typeof(function)


def test_another_numba_leaves_all_other_functions_compiled() -> None:
    code = """
from numba import njit

class Other:
    def find_spec(self, name, *_):
        if name == "fastops._overloads._stubs":
            raise ImportError("cannot import name 'overload' from 'numba.extending'")

sys.meta_path.insert(0, Other())
print(njit(lambda x: x + 1)(2))
try:
    njit(lambda x: fo.numpy.flip(x))(np.arange(3))
except ImportError as error:
    print(error)
print(fo.numpy.flip(np.arange(3)))
"""
    told = "cannot import name 'overload' from 'numba.extending'"
    assert run_code(code).splitlines() == ["3", told, "[2 1 0]"]


NUMPY = fo.numpy
ARRAY, STARTS, UNSIGNED = np.zeros((3, 4)), np.zeros((1, 2), np.int64), np.ones(2, np.uint64)

# A call of each kind of stub, with data.
CALLS: dict[str, Callable[..., Any]] = {
    "slice": lambda x: fo.slice(x, (0, 0), (1, 1)),
    "windows": lambda x: fo.windows(x, STARTS, (1, 1)),
    "frame": lambda x: fo.frame(x, 2, 1),
    "numpy.pad": lambda x: NUMPY.pad(x, 1),
    "numpy.roll": lambda x: NUMPY.roll(x, 1, 0),
    "numpy.split": lambda x: NUMPY.split(x, 3),
}

# Wrong calls of single operators.
WRONG: tuple[tuple[Callable[..., Any], tuple[Any, ...], str], ...] = (
    (lambda x, n: fo.slice(x, n, (1, 1)), (1.5,), "slice: start must be an integer, or tuples, lists or arrays"),
    (lambda x, n: fo.slice(x, n, (1, 1)), (UNSIGNED,), "slice: start must be an integer, or tuples, lists or arrays"),
    (lambda x, m: fo.slice(x, (1, 1), (1, 1), mode=m), (1.5,), "slice: mode must be a string, an integer or a Sample"),
    (lambda x: fo.slice(x, (1,), (1,), fill_value=1j), (), "slice: the fill value must be a number that data of t"),
    (lambda x, o: fo.slice(x, (1, 1), (1, 1), out=o), (STARTS,), "slice: out must be a writeable array of 2 dimensio"),
    (lambda x, n: fo.strided_slice(x, n, (1,)), (STARTS[0],), "strided_slice: begin must be a tuple, whose length is"),
    (lambda x: fo.strided_slice(x, (0,), (1,), new_axis_mask=(2,)), (), "strided_slice: masks must be tuples of liter"),
    (lambda x, s: fo.windows(x, s, (1, 1)), (3,), "windows: starts must be an array of two dimensions of integers"),
    (lambda x, s: fo.windows(x, s, (1, 1)), (UNSIGNED[None],), "windows: starts must "),
    (lambda x, i: fo.windows(x, STARTS, (1,), items=i), (np.zeros(1),), "windows: items must be an integer, or tuples"),
    (lambda x, o: fo.windows(x, STARTS, (1, 1), out=o), (STARTS,), "windows: out must be a writeable array of 3 dimen"),
    (lambda x, n: fo.frame(x, n, 1), (2.0,), "frame: frame_length must be an integer, signed or of less than 64 bits"),
    (lambda x, n: fo.frame(x, 2, 1, axis=n), (2.0,), "frame: axis must be an integer"),
    (lambda x, m: fo.frame(x, 2, 1, mode=m), (1.5,), "frame: mode must be a string"),
    (lambda x, n: NUMPY.pad(x, n), (UNSIGNED,), "numpy.pad: pad_width must be an integer, or tuples, lists or arrays"),
    (lambda x: NUMPY.pad(x, 1, constant_values=(1, 2)), (), "numpy.pad: constant_values must be one number in comp"),
    (lambda x: NUMPY.pad(x, ((1, 2), 3)), (), "numpy.pad: pad_width must be an integer"),
    (lambda x: NUMPY.pad(x, 1, constant_values=None), (), "numpy.pad: constant_values must be one number in comp"),
    (lambda x: NUMPY.pad(x, 1, 4), (), "numpy.pad: mode must be a string"),
    (lambda x, n: NUMPY.tile(x, n), (STARTS[0],), "numpy.tile: reps must be a tuple, whose length is known when comp"),
    (lambda x: NUMPY.tile(x, (1,) * 29), (), "numpy.tile: data and results must have at most 28 axes in compiled code"),
    (lambda x: NUMPY.roll(x, 1.5, 0), (), "numpy.roll: shift must be an integer"),
    (lambda x: NUMPY.broadcast_to(x, (4,)), (), "numpy.broadcast_to: shape must have a length for each axis of data"),
    (lambda x, n: NUMPY.broadcast_to(x, n), (STARTS[0],), "numpy.broadcast_to: shape must be a tuple, whose length"),
    (lambda x, n: NUMPY.sliding_window_view(x, n), (STARTS[0],), "numpy.sliding_window_view: window_shape must be a t"),
    (lambda x: fo.range(0, x, 1, "i4"), (), "range: start, stop and step must be floats, or integers, signed or of"),
    (lambda _: fo.range(0, 9, 1, "i4"), (), "range: output_type must be a type of integers, float32 or float64, or a"),
    (lambda _: fo.range(0, 9, 1, 3), (), "range: output_type must be a type of integers, float32"),
    (lambda x: NUMPY.split(x, 0), (), "numpy.split: indices_or_sections must be in 1..1048576, got 0"),
    (lambda x: NUMPY.split(x, 1.5), (), "numpy.split: indices_or_sections must be an integer"),
    (lambda x, n: NUMPY.array_split(x, n), (STARTS,), "numpy.array_split: indices_or_sections must be an integer"),
)


def refusal_of(call: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(TypeError) as error:
        njit(call)(*arguments)
    return str(error.value)


@pytest.mark.parametrize("name", CALLS)
def test_wrong_data_of_each_kind_of_stub(name: str) -> None:
    # The name of the data argument differs between operators.
    for data, text in (
        (3.5, r"\w+ must be one array in compiled code, got float64"),
        ((ARRAY, ARRAY), r"\w+ must be one array in compiled code, got UniTuple"),
        (ARRAY.astype("S3"), r"\w+ must be of booleans, integers, floats of 32 or 64 bits, .*, got \[char x 3\]"),
    ):
        assert re.match(rf"fastops\.{name}: {text}", refusal_of(CALLS[name], data))


def test_what_is_wrong_with_types_and_the_next_call_is_right() -> None:
    for call, arguments, text in WRONG:
        assert refusal_of(call, ARRAY, *arguments).startswith(f"fastops.{text}")
    inner = njit(lambda x: NUMPY.pad(x, 1, 4))
    assert refusal_of(lambda x: inner(x), ARRAY) == "fastops.numpy.pad: mode must be a string"
    assert njit(lambda x: NUMPY.pad(x, 1, "edge"))(ARRAY).shape == (5, 6)
