"""The checked form of the kernels: what it catches. That it catches nothing else is what the fuzz and torture say."""

from __future__ import annotations

import ast
import ctypes
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import fastops.kernels
from fastops.kernels import _types
from tests.safety._processes import run_program

KERNELS = Path(fastops.kernels.__file__).parent

# Where loads and stores are made: by `Pointer`, of objects whose layout is NumPy's or CPython's, and of a unit's slot.
MAY_ACCESS = {"_access", "_types", "_units", "_objects.address_of", "_objects.object_of"}


def is_access(node: ast.AST) -> bool:
    """True for a builder's load or store, and for what copies memory."""
    if not isinstance(node, ast.Attribute):
        return False
    is_builder = isinstance(node.value, ast.Name) and node.value.id == "builder"
    return (is_builder and node.attr in ("load", "store")) or node.attr in ("raw_memcpy", "raw_memmove", "atomic_rmw")


def accesses(module: Path) -> list[str]:
    """The functions and classes of a module that emit an access."""
    definitions = [
        each for each in ast.parse(module.read_text()).body if isinstance(each, ast.FunctionDef | ast.ClassDef)
    ]
    return [each.name for each in definitions if any(map(is_access, ast.walk(each)))]


def test_every_access_goes_through_the_checks() -> None:
    made = {f"{module.stem}.{name}" for module in KERNELS.glob("*.py") for name in accesses(module)}
    assert {name for name in made if not {name, name.partition(".")[0]} & MAY_ACCESS} == set()
    assert "_access.Pointer" in made


@pytest.mark.parametrize("dtype", ["u1", "f8", "c16", "S7", "V100", ">i4", ml_dtypes.bfloat16, "M8[s]"])
def test_the_item_size_lies_where_the_bounds_take_it_from(dtype: str) -> None:
    made = np.dtype(dtype)
    assert ctypes.c_int64.from_address(id(made) + _types.DTYPE_ITEMSIZE).value == made.itemsize


def test_accesses_beyond_a_buffer_are_caught_and_harm_nothing() -> None:
    done = run_program("violations", seconds=300, FASTOPS_CHECKED_KERNELS="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "caught\n"
