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
    ["fastops._process._warnings", "fastops.kernels"],
    ["fastops._process._signals"],
    ["fastops._errors"],
    [
        "fastops._runtime._code_files",
        "fastops._process._forks",
        "fastops._arrays._pins",
        "fastops._runtime._threading_layers",
    ],
    ["fastops._process._lazy_names"],
    [
        "fastops._plans._integers",
        "fastops._lowering._bounds",
        "fastops._schedules._byte_strides",
        "fastops._arrays._dtypes",
        "fastops._runtime._kernel_cache",
    ],
    ["fastops._settings"],
    ["fastops._plans._sample_mode"],
    ["fastops._plans._axis_map", "fastops._operators._call_cache", "fastops._plans._range_plan"],
    ["fastops._plans._slice_plan", "fastops._lowering._strided_slice"],
    ["fastops._drawings", "fastops._plans._json"],
    ["fastops._lowering._family"],
    [
        "fastops._schedules._byte_axes",
        "fastops._arrays._fill_values",
        "fastops._execution._rounding",
        "fastops._runtime._kernels",
        "fastops._schedules._shuffle_program",
    ],
    ["fastops._schedules._planes", "fastops._arrays._buffer_pool"],
    ["fastops._schedules._schedule"],
    ["fastops._schedules._pieces", "fastops._arrays._outputs"],
    ["fastops._execution._tables"],
    ["fastops._execution._prepared_call"],
    ["fastops._execution._rebased_calls", "fastops._execution._range_call", "fastops._execution._execute"],
    ["fastops._execution._plan_call", "fastops._execution._views"],
    ["fastops._operators._operator", "fastops._operators._range_operator"],
    ["fastops.ops"],
    ["fastops._interop"],
    [f"fastops.{name}" for name in ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")],
    ["fastops.plan"],
    ["fastops"],
    ["fastops._cli"],
    ["fastops.__main__"],
]
PACKAGES = ("fastops._drawings", "fastops._interop", "fastops.kernels", "fastops.ops", "fastops.plan", "fastops._cli")


def modules() -> list[str]:
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in PACKAGE.rglob("*.py")]
    return sorted(name.removesuffix(".__init__") for name in names)


def tree(module: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*module.split("."))
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())


def layer(module: str) -> int:
    for i, names in enumerate(LAYERS):
        if any(module == name or (name != "fastops" and module.startswith(f"{name}.")) for name in names):
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


TOP_LEVEL = ("range", "slice", "strided_slice", "variadic_split")

# What makes calls of models, besides the operators.
MODELS = ("from_ir", "from_node", "reference_ops")

# The modules of dialects are the tables of their operators.
DIALECTS = {
    dialect: sorted(name for name in vars(getattr(fo, dialect)) if name[0] != "_" and name not in MODELS)
    for dialect in ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")
}
OPERATORS = [("", name) for name in TOP_LEVEL] + [(d, name) for d, names in DIALECTS.items() for name in names]


def test_the_public_names() -> None:
    errors = {"AttributeValueError", "DTypeError", "FastopsError", "KernelError", "OutOfBoundsError", "OutputError"}
    assert set(fo.__all__) == {*TOP_LEVEL, *DIALECTS, *errors, "SampleMode", "__version__", "plan"}
    assert set(fo.plan.__all__) == {*TOP_LEVEL, *DIALECTS, "AxisMap", "RangePlan", "SlicePlan"}
    assert all(hasattr(fo, name) for name in fo.__all__)
    assert all(hasattr(fo.plan, name) for name in fo.plan.__all__)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_public_names_of_a_dialect(dialect: str) -> None:
    module = getattr(fo, dialect)
    assert DIALECTS[dialect]
    assert dir(getattr(fo.plan, dialect)) == DIALECTS[dialect]
    assert not hasattr(getattr(fo.plan, dialect), "numpy")
    for name in DIALECTS[dialect]:
        function = getattr(module, name)
        assert function.__name__ == name
        assert function is getattr(fo, name, None) or function.__module__.startswith(f"fastops.ops.{dialect}._")


@pytest.mark.parametrize(("dialect", "name"), [(d, name) for d, name in OPERATORS if d])
def test_operators_have_a_test_file(dialect: str, name: str) -> None:
    *_, module = getattr(getattr(fo, dialect), name).__module__.split(".")
    folder = PACKAGE.parent / "tests" / "ops"
    is_top_level = getattr(getattr(fo, dialect), name) is getattr(fo, name, None)
    assert (folder / ("" if is_top_level else dialect) / f"test{module}.py").exists()


@pytest.mark.parametrize(("dialect", "name"), OPERATORS)
def test_operators_document_themselves(dialect: str, name: str) -> None:
    function = getattr(getattr(fo, dialect) if dialect else fo, name)
    plan = getattr(getattr(fo.plan, dialect) if dialect else fo.plan, name)
    text = inspect.getdoc(function) or ""
    for heading in ("Parameters", "Returns", "Raises", "Notes", "Examples"):
        assert f"\n{heading}\n---" in text
    assert "Specification:" in text
    assert ">>>" in text
    assert ">>>" in (inspect.getdoc(plan) or "")
    data_name, *parameters = inspect.signature(function).parameters
    for parameter in (data_name, *parameters):
        assert parameter in text.partition("Parameters\n")[2].partition("Returns\n")[0]
    if name == "range":
        assert list(inspect.signature(plan).parameters) == [data_name, *parameters[:-1]]
        return
    # The plan has the arguments that geometry depends on, in the same order and with the same defaults.
    _, *plan_parameters = inspect.signature(plan).parameters.values()
    geometry = [inspect.signature(function).parameters[each.name] for each in plan_parameters]
    assert [(each.name, each.default) for each in plan_parameters if each.name != "mode"] == [
        (each.name, each.default) for each in geometry if each.name != "mode"
    ]
    left = set(parameters) - {each.name for each in plan_parameters}
    fills = {"fill_value", "pad_value", "constant_value", "constant_values", "reflect_type", "value", "fill"}
    assert left <= {"out", "copy"} | fills


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
