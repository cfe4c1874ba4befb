"""How Numba finds the stubs, and caches of users' functions: in other processes, and with another fastops."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

import fastops as fo
from fastops._overloads import _link

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


def test_functions_without_a_module_have_the_type_that_they_had() -> None:
    function = FunctionType((lambda: 1).__code__, {})
    assert function.__module__ is None
    with pytest.raises(ValueError, match="Cannot determine Numba type"):
        typeof(function)


NAMES = ["variadic_split", "lazy", "numpy.rot90", "torch.pad", "onnx.plans", "plan.slice", "plan.numpy.pad"]


@pytest.mark.parametrize("name", NAMES)
def test_functions_without_a_compiled_form_are_told_to_have_none(name: str) -> None:
    function = attrgetter(name)(fo)
    with pytest.raises(TypingError, match=rf"fastops\.{name} has no compiled form: .*\('fastops\.numba'\) names"):
        njit(lambda x: function(x))(np.zeros(3))


def test_attributes_without_a_compiled_form_are_told_to_have_none() -> None:
    with pytest.raises(TypingError, match=r"fastops\.numpy\.rot90 has no compiled form"):
        njit(lambda x: fo.numpy.rot90(x))(np.zeros((2, 2)))


def test_every_public_function_has_a_compiled_form_or_is_told_to_have_none() -> None:
    forms = [fo.slice, fo.strided_slice, fo.windows, fo.range]
    forms += [getattr(fo.numpy, name) for name in ("pad", "tile", "roll", "flip", "transpose")]
    modules = [fo, fo.numpy, fo.onnx, fo.openvino, fo.tensorflow, fo.tensorrt, fo.torch]
    functions = [
        each for module in modules for name in dir(module) if isinstance(each := getattr(module, name), FunctionType)
    ]
    assert len(functions) > 70
    for function in functions:
        if any(function is form for form in forms):
            cpu_target.typing_context.resolve_value_type(function)
        else:
            with pytest.raises(TypingError, match=f"{function.__name__} has no compiled form"):
                cpu_target.typing_context.resolve_value_type(function)
