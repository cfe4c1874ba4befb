"""Numba finds the stubs; and its caches of users' functions work in other processes and after an upgrade."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

import fastops as fo
from fastops._overloads import _link
from fastops._runtime import _objects
from fastops._runtime._object_files import LEVELS, Target, pack
from fastops.kernels._form import IS_CHECKED
from tests.helpers.inspection import names_of
from tests.helpers.processes import run_code, run_python

# It does not import the stubs: Numba finds them.
USER = """
from numba import njit
import fastops as fo

@njit(cache=True)
def pad(array):
    return fo.numpy.pad(array, 1, "wrap")
"""

# Other code does not load them. Processes that are forked and spawned load the function as this one does.
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
    # It calls whichever object a process has; none that came is taken for a processor that is named.
    if not IS_CHECKED and not os.environ.get("NUMBA_CPU_NAME"):
        _, manifest, code = _objects.find_ready()
        level = Target(manifest.target.triple, [*LEVELS[manifest.target.machine]][-1], "")
        (library / "fastops" / "_objects").mkdir()
        (library / "fastops" / "_objects" / "level.object").write_bytes(pack(manifest._replace(target=level), code))
        assert run("fork", "origin") == f"{[2, 0, 1, 2, 0]} 1 False\nshipped for {level.cpu}\n"
    with (library / "fastops" / "_overloads" / "_words.py").open("a") as file:
        file.write("# Another version.\n")
    assert run() == "[2, 0, 1, 2, 0] 0 True\n"
    with pytest.raises(OSError, match="another version"):
        _link.find_link("0" * 64)


def test_every_public_function_has_a_compiled_form_or_is_told_to_have_none() -> None:
    # It asks its extensions when it first compiles.
    assert njit(lambda x: x)(1) == 1
    forms = {fo.slice, fo.strided_slice, fo.windows, fo.range, fo.frame}
    names = ["pad", "tile", "roll", "flip", "transpose", "rot90", "moveaxis", "swapaxes", "repeat", "broadcast_to"]
    names += ["sliding_window_view", "split", "array_split"]
    forms |= {getattr(fo.numpy, name) for name in names}
    modules = [fo, fo.numpy, fo.onnx, fo.openvino, fo.tensorflow, fo.tensorrt, fo.torch, fo.plan, fo.plan.numpy]
    functions = {}
    for module in modules:
        for name in names_of(module):
            if isinstance(function := getattr(module, name), FunctionType):
                # A function that several modules have is known by its shortest name.
                functions.setdefault(function, f"{module.__name__}.{name}")
    assert len(functions) > 70
    for function, name in functions.items():
        if function in forms:
            cpu_target.typing_context.resolve_value_type(function)
        else:
            with pytest.raises(TypingError, match=rf"{name} has no compiled form: .*\('fastops\.numba'\) names"):
                cpu_target.typing_context.resolve_value_type(function)
    fliplr = fo.numpy.fliplr
    for call in (lambda x: fliplr(x), lambda x: fo.numpy.fliplr(x)):
        with pytest.raises(TypingError, match=r"fastops\.numpy\.fliplr has no compiled form"):
            njit(call)(np.zeros((2, 2)))
    # Functions without a module have the type that they had.
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
