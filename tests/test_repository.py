"""The repository itself: public names, the direction of imports, what importing loads."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import fastops as fo

PACKAGE = Path(fo.__file__).parent

# The stages, in the order of imports: a room may import rooms of lines above its own, and modules of its own. A room is
# a folder, or a module that stands directly in `fastops`.
ROOMS = [
    ["_process", "kernels"],
    ["_settings", "_types"],
    ["_errors"],
    ["_plans", "_runtime"],
    ["_drawings", "_schedules"],
    ["_arrays"],
    ["_lowering"],
    ["_execution"],
    ["_operators"],
    ["ops"],
    ["_overloads"],
    ["_interop"],
    ["dask", "numba", "numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch", "typing"],
    ["plan"],
    ["__init__"],
    ["_cli"],
    ["__main__"],
]


@cache
def modules() -> list[str]:
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in PACKAGE.rglob("*.py")]
    return sorted(name.removesuffix(".__init__") for name in names)


@cache
def tree(module: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*module.split("."))
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())


def room(module: str) -> str:
    """The folder, or the module of the root, that a module belongs to."""
    return [*module.split("."), "__init__"][1]


def stage(module: str) -> int:
    for i, rooms in enumerate(ROOMS):
        if room(module) in rooms:
            return i
    raise AssertionError(f"{module} has no stage: give it one")


@cache
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
        assert stage(other) < stage(module) or room(other) == room(module), f"{module} imports {other}"
        if room(module) == "kernels":
            assert room(other) == "kernels"


def test_no_imports_run_in_circles() -> None:
    TopologicalSorter({module: imported(module) & set(modules()) - {module} for module in modules()}).prepare()


def test_few_modules_stand_in_the_root() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 16


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE}), ids=str)
def test_every_folder_says_what_belongs_there(folder: Path) -> None:
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))


# Modules that are imported by name, when something is first used, although they are of a later stage: plans draw
# themselves, run, and are indexed, and each kind of data has an object that runs calls on it.
UPWARD = {
    ("fastops._arrays._kinds", "fastops._execution._labelled_kind"),
    ("fastops._arrays._kinds", "fastops._execution._stored_kind"),
    ("fastops._arrays._kinds", "fastops._execution._tensor_kind"),
    ("fastops._arrays._kinds", "fastops._interop._dask_kind"),
    ("fastops._plans._range_plan", "fastops._drawings._svg"),
    ("fastops._plans._range_plan", "fastops._drawings._text"),
    ("fastops._plans._range_plan", "fastops._execution._range_call"),
    ("fastops._plans._plan_list", "fastops._drawings._svg"),
    ("fastops._plans._plan_list", "fastops._drawings._text"),
    ("fastops._plans._slice_plan", "fastops._arrays._plan_indices"),
    ("fastops._plans._slice_plan", "fastops._drawings._svg"),
    ("fastops._plans._slice_plan", "fastops._drawings._text"),
    ("fastops._plans._slice_plan", "fastops._execution._plan_call"),
    ("fastops._plans._slice_plan", "fastops.ops.numpy._take_slice"),
    ("fastops._plans._windows_plan", "fastops._execution._window_calls"),
    ("fastops._overloads._extension", "fastops.numba"),
}


def test_few_imports_by_name_run_up() -> None:
    upward = set()
    for module in modules():
        for node in ast.walk(tree(module)):
            name = str(node.value).partition(":")[0] if isinstance(node, ast.Constant) else "fastops"
            if name != "fastops" and name in modules() and room(name) != room(module) and stage(name) >= stage(module):
                upward.add((module, name))
    assert upward == UPWARD


@pytest.mark.parametrize("module", modules())
def test_no_function_imports(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef):
            assert not [n.lineno for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("module", modules())
def test_no_module_bears_the_name_of_a_function_in_it(module: str) -> None:
    functions = {node.name for node in tree(module).body if isinstance(node, ast.FunctionDef)}
    assert module.rpartition(".")[2] not in functions


TOP_LEVEL = ("frame", "range", "slice", "strided_slice", "variadic_split")

# Many outputs of one operator: their plans take the starts, and not the lowering.
BATCHES = ("windows",)

# What makes calls of models, besides the operators.
MODELS = ("from_ir", "from_node", "plans", "reference_ops")

# The modules of dialects are the tables of their operators.
DIALECTS = {
    dialect: sorted(name for name in vars(getattr(fo, dialect)) if name[0] != "_" and name not in MODELS)
    for dialect in ("numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch")
}
OPERATORS = [("", name) for name in TOP_LEVEL] + [(d, name) for d, names in DIALECTS.items() for name in names]


def test_the_public_names() -> None:
    errors = {"AttributeValueError", "AxisError", "DTypeError", "FastopsError", "KernelError"}
    errors |= {"OutOfBoundsError", "OutputError"}
    others = {"SampleMode", "__version__", "dask", "lazy", "plan", "typing"}
    assert set(fo.__all__) == {*TOP_LEVEL, *BATCHES, *DIALECTS, *errors, *others}
    types = {
        "AxisMap",
        "NodePlan",
        "PlanList",
        "RangePlan",
        "Run",
        "RunMap",
        "SlicePlan",
        "SourceWindow",
        "WindowsPlan",
    }
    assert set(fo.plan.__all__) == {*TOP_LEVEL, *BATCHES, *DIALECTS, *types}
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
    # Of modes that are no plan, so that they are errors.
    refused = {"stat_length", "end_values"}
    assert left <= {"out", "copy"} | fills | refused


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
