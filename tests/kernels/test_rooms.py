"""What stands where in `fastops/kernels`: loops at its root, what emits LLVM's code and what is a table in folders."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fastops import kernels

KERNELS = Path(kernels.__file__).parent


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports, and the names that it takes from them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.py")), ids=lambda path: path.stem)
def test_loops_emit_no_llvm(path: Path) -> None:
    emits = [name for name in imports_of(path) if name.startswith(("llvmlite", "numba.extending", "numba.core"))]
    assert not emits


@pytest.mark.parametrize("path", sorted((KERNELS / "_tables").glob("*.py")), ids=lambda path: path.stem)
def test_tables_are_numbers_only(path: Path) -> None:
    assert imports_of(path) <= {"__future__.annotations"}
    assert not [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
