"""Operators in users' compiled code: equal to those of Python, their errors, caches of processes without fastops."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit, prange

import fastops as fo
import fastops.numba
from fastops._overloads import _link
from tests.helpers.torture import scale
from tests.ops.test_windows import source_of


@njit
def pad(array: Any, pad_width: Any, mode: Any) -> Any:
    return fo.numpy.pad(array, pad_width, mode)


@njit
def pad_into(array: Any, pad_width: Any, out: Any) -> Any:
    return fo.numpy.pad(array, pad_width, "constant", constant_values=3, out=out)


@njit
def tile(array: Any, reps: Any) -> Any:
    return fo.numpy.tile(array, reps)


@njit
def roll(array: Any, shift: Any, axis: Any) -> Any:
    return fo.numpy.roll(array, shift, axis)


@njit
def roll_flat(array: Any, shift: Any) -> Any:
    return fo.numpy.roll(array, shift)


@njit
def flip(array: Any, axis: Any) -> Any:
    return fo.numpy.flip(array, axis)


@njit
def transpose(array: Any, axes: Any) -> Any:
    return fo.numpy.transpose(array, axes)


@njit
def slice_(array: Any, start: Any, size: Any, stride: Any, mode: Any) -> Any:
    return fo.slice(array, start, size, stride, mode=mode)


@njit
def windows(array: Any, starts: Any, size: Any, mode: Any) -> Any:
    return fo.windows(array, starts, size, mode=mode)


def equal(result: Any, expected: Any) -> None:
    assert result.dtype == expected.dtype
    assert result.flags.c_contiguous
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("seed", range(scale(2, 10)))
def test_they_are_those_of_numpy(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(scale(400, 1000)):
        shape = [rng.choice([1, 2, 3, 5, 8, 17, 40]) for _ in range(2)]
        memory = np.arange(4 * shape[0] * shape[1], dtype=rng.choice([np.float32, np.int64]))
        array: Any = memory.reshape(2 * shape[0], 2 * shape[1])[:: rng.choice([2, -2]), ::2]
        widths = ((rng.randint(0, 60), rng.randint(0, 60)), (rng.randint(0, 60), rng.randint(0, 60)))
        mode: Any = rng.choice(["constant", "edge", "reflect", "symmetric", "wrap"])
        equal(pad(array, widths, mode), fo.numpy.pad(array, widths, mode))
        reps = rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 4)
        equal(tile(array, reps), np.tile(array, reps))
        shifts, axes = (rng.randint(-99, 99), rng.randint(-99, 99)), (rng.randint(-2, 1), rng.randint(-2, 1))
        equal(roll(array, shifts, axes), np.roll(array, shifts, axes))
        equal(roll_flat(array, shifts[0]), np.roll(array, shifts[0]))
        equal(flip(array, axes[0]), np.flip(array, axes[0]).copy())
        order = rng.choice([(0, 1), (1, 0), (-1, -2)])
        equal(transpose(array, order), array.transpose(order).copy())


@pytest.mark.parametrize("mode", ["wrap", "clamp", "fill", "reflect", "symmetric", "strict_bounds"])
def test_slices_and_windows(mode: str) -> None:
    rng = random.Random(mode)
    for _ in range(scale(200, 1000)):
        array = source_of(rng, [rng.randint(1, 20), rng.randint(1, 20)], np.dtype("i2"))
        size, stride = (rng.randint(0, 30), rng.randint(0, 30)), (rng.randint(-3, 3), rng.randint(-3, 3))
        start = rng.randint(-60, 60), rng.randint(-60, 60)
        try:
            expected = fo.slice(array, start, size, stride, mode=mode)
        except fo.OutOfBoundsError:
            with pytest.raises(ValueError, match=r"fastops\.slice: coordinates must lie in bounds"):
                slice_(array, start, size, stride, mode)
        else:
            equal(slice_(array, start, size, stride, mode), expected)
        starts = np.array([[rng.randint(0, 3), 0], [0, rng.randint(0, 3)]]) if mode == "strict_bounds" else None
        if starts is None:
            starts = np.array([[rng.randint(-60, 60) for _ in "yx"] for _ in range(rng.randint(0, 4))], int).reshape(
                -1, 2
            )
        try:
            expected = fo.windows(array, starts, size, mode=mode)
        except fo.OutOfBoundsError:
            with pytest.raises(ValueError, match=r"fastops\.windows: coordinates must lie in bounds"):
                windows(array, starts, size, mode)
        else:
            equal(windows(array, starts, size, mode), expected)


@njit
def strided(array: Any, begin: Any, end: Any, strides: Any) -> Any:
    return fo.strided_slice(
        array, begin, end, strides, begin_mask=(0, 1, 0), new_axis_mask=(0, 0, 1), shrink_axis_mask=(1, 0, 0)
    )


def test_strided_slices() -> None:
    rng = random.Random(0)
    array = np.arange(60).reshape(3, 4, 5)
    masks = {"begin_mask": (0, 1, 0), "new_axis_mask": (0, 0, 1), "shrink_axis_mask": (1, 0, 0)}
    for _ in range(300):
        begin = rng.randint(-3, 2), rng.randint(-9, 9), 0
        end, steps = (0, rng.randint(-9, 9), 0), (1, rng.choice([-(2**63), -2, -1, 1, 2, 2**63 - 1]), 1)
        equal(strided(array, begin, end, steps), fo.strided_slice(array, begin, end, steps, **masks))
    with pytest.raises(ValueError, match="strides must not be 0"):
        strided(array, (0, 0, 0), (0, 0, 0), (1, 0, 1))
    with pytest.raises(ValueError, match="coordinates must lie in bounds"):
        strided(array, (3, 0, 0), (0, 0, 0), (1, 1, 1))


def test_out_of_any_strides_which_may_overlap() -> None:
    array = np.arange(12.0).reshape(3, 4)
    out = np.zeros((8, 5)).T
    assert pad_into(array, 1, out[:, ::-1][:, :6]) is not None
    np.testing.assert_array_equal(out[:, ::-1][:, :6], np.pad(array, 1, constant_values=3))
    memory = np.arange(30.0).reshape(5, 6)
    expected = np.pad(memory[1:4, 1:5], 1, constant_values=3)
    pad_into(memory[1:4, 1:5], 1, memory)
    np.testing.assert_array_equal(memory, expected)
    with pytest.raises(ValueError, match="out must have the shape of the result"):
        pad_into(array, 1, np.zeros((5, 5)))


@njit
def ranges(start: Any, stop: Any, step: Any) -> Any:
    return fo.range(start, stop, step, "i32"), fo.range(start, stop, step, np.float64)


def test_ranges() -> None:
    for numbers in ((0, 10, 3), (10, -5, -4), (-1.9, 30.7, 1.6), (5, 5, 1), (0, 4000, 7)):
        integers, floats = ranges(*numbers)
        equal(integers, fo.range(*numbers, "i32"))
        equal(floats, fo.range(*numbers, np.float64))
    for numbers in ((0, 1, 0), (0.0, np.inf, 1.0), (0, 2**62, 1)):
        with pytest.raises(ValueError, match=r"fastops\.range: "):
            ranges(*numbers)


def test_what_is_wrong_is_a_value_error_of_a_constant_text() -> None:
    array = np.arange(12.0).reshape(3, 4)
    with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: sizes and pads must be at least 0$"):
        pad(array, ((-1, 0), (0, 0)), "wrap")
    with pytest.raises(ValueError, match=r"^fastops\.numpy\.pad: mode must be one of constant, edge, .*, wrap$"):
        pad(array, ((1, 0), (0, 0)), "mirror")
    with pytest.raises(ValueError, match="numbers must keep all sums within 64 bits"):
        slice_(array, (2**62, 0), (1, 1), (1, 1), "reflect")
    with pytest.raises(ValueError, match="an empty axis has nothing to read"):
        slice_(array[:0], (0, 0), (1, 1), (1, 1), "reflect")
    with pytest.raises(ValueError, match="axes must name axes of data"):
        roll(array, (1, 1), (0, 2))


@njit(parallel=True)
def pad_all(arrays: Any, out: Any) -> None:
    for i in prange(len(arrays)):
        out[i] = fo.numpy.pad(arrays[i], 2, "reflect")


def test_in_parallel_loops() -> None:
    arrays = np.random.default_rng(0).random((200, 6, 7))
    out = np.empty((200, 10, 11))
    pad_all(arrays, out)
    np.testing.assert_array_equal(out, np.pad(arrays, ((0, 0), (2, 2), (2, 2)), "reflect"))


# It does not ask for the stubs: Numba finds them.
USER = """
import numpy as np
from numba import njit
import fastops as fo

@njit(cache=True)
def pad(array):
    return fo.numpy.pad(array, 1, "wrap")
"""

RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np, user
assert "fastops.numba" not in sys.modules
print(user.pad(np.arange(3)).tolist(), sum(user.pad.stats.cache_hits.values()), "fastops.numba" in sys.modules)
"""

RUN_IN_WORKERS = """
import multiprocessing, sys
sys.path.insert(0, sys.argv[1])
import numpy as np, user

def pad(n):
    return user.pad(np.arange(n)).tolist(), sum(user.pad.stats.cache_hits.values())

if __name__ == "__main__":
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            found = pool.map(pad, [3, 4, 5], chunksize=1)
        assert [each[0] for each in found] == [np.pad(np.arange(n), 1, "wrap").tolist() for n in (3, 4, 5)]
        assert all(each[1] for each in found)
"""


def run_user(folder: Path, program: str = RUN, library: Path | None = None) -> str:
    """Run a program with a user's module in a new process; with the fastops of another folder if there is one."""
    environment = dict(os.environ)
    if library is not None:
        environment["PYTHONPATH"] = str(library)
    script = folder / "program.py"
    script.write_text(program)
    command = [sys.executable, str(script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


PADDED = [2, 0, 1, 2, 0]


def test_caches_of_users_are_loaded_without_stubs(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    assert run_user(tmp_path) == f"{PADDED} 0 True\n"
    assert run_user(tmp_path) == f"{PADDED} 1 False\n"
    run_user(tmp_path, RUN_IN_WORKERS)


def test_caches_of_users_are_forgotten_with_another_fastops(tmp_path: Path) -> None:
    user, library = tmp_path / "user", tmp_path / "library"
    user.mkdir()
    (user / "user.py").write_text(USER)
    package = Path(fo.__file__).parent
    shutil.copytree(package, library / "fastops", ignore=shutil.ignore_patterns("__pycache__"))
    assert run_user(user, library=library) == f"{PADDED} 0 True\n"
    assert run_user(user, library=library) == f"{PADDED} 1 False\n"
    with (library / "fastops" / "_overloads" / "_words.py").open("a") as file:
        file.write("# Another version.\n")
    assert run_user(user, library=library) == f"{PADDED} 0 True\n"
    assert run_user(user, library=library) == f"{PADDED} 1 False\n"


def test_a_link_of_other_kernels_is_refused() -> None:
    with pytest.raises(OSError, match="another version"):
        _link.find_link("0" * 64)


def test_other_code_does_not_load_the_stubs() -> None:
    code = """
import sys
from numba import njit
@njit
def plain(x): return abs(x)
assert plain(-1) == 1
assert "fastops._overloads._extension" in sys.modules, "fastops is not installed"
assert "fastops.numba" not in sys.modules and "fastops._runtime._kernels" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_functions_of_numpy_for_who_asks() -> None:
    code = """
import numpy as np
from numba import njit
from numba.core.errors import TypingError
import fastops.numba
@njit
def pad(a): return np.pad(a, 1, "edge")
try:
    pad(np.arange(3))
except TypingError:
    pass
else:
    raise SystemExit("np.pad is there")
fastops.numba.overload_numpy()
fastops.numba.overload_numpy()
@njit
def all_of_them(a):
    return np.pad(a, 1, "edge"), np.tile(a, 2), np.roll(a, 1, 0), np.roll(a, 1), np.flip(a, 0), np.flip(a)
a = np.arange(6).reshape(2, 3)
wanted = np.pad(a, 1, "edge"), np.tile(a, 2), np.roll(a, 1, 0), np.roll(a, 1), np.flip(a, 0), np.flip(a)
assert all(np.array_equal(*pair) for pair in zip(all_of_them(a), wanted))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
