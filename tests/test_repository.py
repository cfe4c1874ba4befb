"""The repository itself: public names, the direction of imports, what importing loads."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import fastops as fo

PACKAGE = Path(fo.__file__).parent

# A module may import only modules of lines above its own, and within a package those of the same package.
LAYERS = [
    ["fastops._warnings", "fastops.kernels"],
    ["fastops._interrupts"],
    ["fastops._errors"],
    ["fastops._code_files", "fastops._fork_lock", "fastops._hold", "fastops._layers"],
    ["fastops._lazy_names"],
    [
        "fastops._attributes",
        "fastops._bounds",
        "fastops._byte_strides",
        "fastops._dtypes",
        "fastops._kernel_cache",
    ],
    ["fastops._limits"],
    ["fastops._modes"],
    ["fastops._axis_map", "fastops._look_up", "fastops._range_plan"],
    ["fastops._plan", "fastops._positions"],
    ["fastops._family"],
    ["fastops._byte_axes", "fastops._fill", "fastops._rounding", "fastops._runtime", "fastops._shuffle_program"],
    ["fastops._recycle", "fastops._schedule"],
    ["fastops._outputs", "fastops._tables"],
    ["fastops._launch"],
    ["fastops._crop", "fastops._range_launch", "fastops._running"],
    ["fastops._plan_launch", "fastops._view"],
    ["fastops._operator", "fastops._range_operator"],
    ["fastops.ops"],
    ["fastops.plan"],
    ["fastops"],
    ["fastops._cli"],
    ["fastops.__main__"],
]
PACKAGES = ("fastops.kernels", "fastops.ops", "fastops._cli")


def modules() -> list[str]:
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in PACKAGE.rglob("*.py")]
    return sorted(name.removesuffix(".__init__") for name in names)


def tree(module: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*module.split("."))
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())


def layer(module: str) -> int:
    for i, names in enumerate(LAYERS):
        if module in names or module.rpartition(".")[0] in set(names) - {"fastops"}:
            return i
    raise AssertionError(f"{module} has no layer: give it one")


def imported(module: str) -> set[str]:
    """The modules of fastops that a module imports, submodules for names that are modules."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules())
            found |= inside or {node.module}
    return {name for name in found if name.split(".")[0] == "fastops"}


@pytest.mark.parametrize("module", modules())
def test_imports_run_one_way(module: str) -> None:
    for other in imported(module):
        same_package = any(module.startswith(package) and other.startswith(package) for package in PACKAGES)
        assert layer(other) < layer(module) or same_package, f"{module} imports {other}"
        if module.startswith("fastops.kernels"):
            assert other.startswith("fastops.kernels")


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_have_no_cycles(package: str) -> None:
    inside = {module: imported(module) & set(modules()) for module in modules() if module.startswith(package)}
    TopologicalSorter(
        {module: {n for n in names if n.startswith(package)} for module, names in inside.items()}
    ).prepare()


@pytest.mark.parametrize("module", modules())
def test_no_function_imports(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef):
            assert not [n.lineno for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("module", modules())
def test_no_module_bears_the_name_of_a_function_in_it(module: str) -> None:
    functions = {node.name for node in tree(module).body if isinstance(node, ast.FunctionDef)}
    assert module.rpartition(".")[2] not in functions


def test_the_public_names() -> None:
    operators = {"range", "slice", "strided_slice", "variadic_split"}
    errors = {"AttributeValueError", "DTypeError", "FastopsError", "KernelError", "OutOfBoundsError", "OutputError"}
    assert set(fo.__all__) == operators | errors | {"SampleMode", "__version__", "plan"}
    assert set(fo.plan.__all__) == operators | {"AxisMap", "RangePlan", "SlicePlan"}
    assert all(hasattr(fo, name) for name in fo.__all__)
    assert all(hasattr(fo.plan, name) for name in fo.plan.__all__)


@pytest.mark.parametrize("name", ["range", "slice", "strided_slice", "variadic_split"])
def test_operators_document_themselves(name: str) -> None:
    text = inspect.getdoc(getattr(fo, name)) or ""
    for heading in ("Parameters", "Returns", "Raises", "Notes", "Examples"):
        assert f"\n{heading}\n---" in text
    assert "Specification:" in text
    for parameter in inspect.signature(getattr(fo, name)).parameters:
        assert parameter in text.partition("Parameters\n")[2].partition("Returns\n")[0]
    plan_parameters = set(inspect.signature(getattr(fo.plan, name)).parameters) - {"shape"}
    assert plan_parameters == set(inspect.signature(getattr(fo, name)).parameters) - {
        "data",
        "out",
        "copy",
        "fill_value",
    }


def test_errors_are_the_builtins_that_callers_catch() -> None:
    assert issubclass(fo.AttributeValueError, ValueError)
    assert issubclass(fo.OutOfBoundsError, IndexError)
    assert issubclass(fo.DTypeError, TypeError)
    assert issubclass(fo.OutputError, ValueError)


def test_importing_loads_neither_numba_nor_ml_dtypes_nor_a_thread() -> None:
    code = """
import sys, threading, os, fastops
assert not {"numba", "llvmlite", "ml_dtypes"} & set(sys.modules)
assert threading.active_count() == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
