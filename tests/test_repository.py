"""The repository: public names, documentation, the direction of imports, and tests that do not judge times."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import fastops as fo
from tests.helpers.contract import ALL_DIALECTS
from tests.helpers.processes import names_of, run_code

PACKAGE = Path(fo.__file__).parent

# The stages, in the order of imports. A room is a folder, or a module that stands directly in `fastops`. A room may
# import rooms of earlier lines, and its own modules.
ROOMS = [
    ["_process", "kernels"],
    ["_settings", "_types"],
    ["_errors"],
    ["_geometry", "_runtime"],
    ["_arrays"],
    ["_lowering"],
    ["_execution"],
    ["ops"],
    ["_overloads"],
    ["plan"],
    ["_interop"],
    ["numba", "numpy", "onnx", "openvino", "tensorflow", "tensorrt", "torch", "typing"],
    ["_numba_extension"],
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
    """The modules of fastops that a module imports."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules())
            found |= inside or {node.module}
    return {name for name in found if name.split(".")[0] == "fastops"}


def test_imports_run_one_way_and_never_in_circles() -> None:
    wrong = []
    for module in modules():
        for other in imported(module):
            is_right = stage(other) < stage(module) or room(other) == room(module)
            if not is_right or (room(module) == "kernels" and room(other) != "kernels"):
                wrong.append(f"{module} imports {other}")
    assert wrong == []
    TopologicalSorter({module: imported(module) & set(modules()) - {module} for module in modules()}).prepare()


def test_modules_and_folders_are_told_apart_and_import_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 16
    for folder in {path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE}:
        # The docstring says what belongs in the folder.
        assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text())), folder
    for module in modules():
        functions = [node for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef)]
        assert module.rpartition(".")[2] not in {each.name for each in functions if each in tree(module).body}, module
        for function in functions:
            inner = [n.lineno for n in ast.walk(function) if isinstance(n, ast.Import | ast.ImportFrom)]
            assert inner == [], (module, function.name)


@cache
def named(module: str) -> set[str]:
    """The modules of fastops that a module names in strings, to load them when they are first used."""
    texts = {str(node.value).partition(":")[0] for node in ast.walk(tree(module)) if isinstance(node, ast.Constant)}
    return (texts & set(modules())) - {"fastops", module}


def test_imports_by_name_run_the_same_way() -> None:
    tables = {"fastops", "fastops.plan"}
    upward = [
        (module, other)
        for module in modules()
        for other in named(module)
        if stage(other) >= stage(module) and room(other) != room(module)
    ]
    assert upward == []
    # `fastops` and `fastops.plan` name modules of all stages in their tables of public names, so they are left out.
    both = {module: (imported(module) | named(module)) - {module} for module in set(modules()) - tables}
    TopologicalSorter({module: others & set(modules()) - tables for module, others in both.items()}).prepare()


TOP_LEVEL = ("crop_or_pad", "fold", "frame", "patches", "range", "slice", "strided_slice", "variadic_split")

# Operators whose plans take some arguments, such as the starts of windows, only when the plan is called.
BATCHES = ("windows",)


def test_the_public_names() -> None:
    errors = {"AttributeValueError", "AxisError", "DTypeError", "FastopsError", "KernelError"}
    errors |= {"OutOfBoundsError", "OutputError"}
    others = {"SampleMode", "__version__", "lazy", "plan", "typing"}
    assert set(fo.__all__) == {*TOP_LEVEL, *BATCHES, *ALL_DIALECTS, *errors, *others}
    types = {"AxisMap", "NodePlan", "OpenPlan", "PlanList", "RangePlan", "Run", "RunMap", "SlicePlan"}
    types |= {"SourceWindow", "WindowsPlan"}
    assert set(fo.plan.__all__) == {*TOP_LEVEL, *BATCHES, *ALL_DIALECTS, *types}
    assert all(hasattr(fo, name) for name in fo.__all__)
    assert all(hasattr(fo.plan, name) for name in fo.plan.__all__)


@pytest.mark.parametrize("dialect", ["", *ALL_DIALECTS])
def test_operators_document_themselves(dialect: str) -> None:
    for name in names_of(getattr(fo.plan, dialect)) if dialect else TOP_LEVEL:
        check_documentation(dialect, name)


def check_documentation(dialect: str, name: str) -> None:
    function = getattr(getattr(fo, dialect) if dialect else fo, name)
    plan = getattr(getattr(fo.plan, dialect) if dialect else fo.plan, name)
    text = inspect.getdoc(function) or ""
    for heading in ("Parameters", "Returns", "Raises", "Notes", "Examples"):
        assert f"\n{heading}\n---" in text
    assert all(part in text for part in ("Specification:", ">>>"))
    data_name, *parameters = inspect.signature(function).parameters
    for parameter in (data_name, *parameters):
        assert parameter in text.partition("Parameters\n")[2].partition("Returns\n")[0]
    if name == "range":
        assert list(inspect.signature(plan).parameters) == [data_name, *parameters[:-1]]
        return
    # The plan has the arguments that determine geometry, in the same order and with the same defaults.
    _, *of_plan = inspect.signature(plan).parameters.values()
    geometry = [inspect.signature(function).parameters[each.name] for each in of_plan]
    own, its = [[(each.name, each.default) for each in side if each.name != "mode"] for side in (of_plan, geometry)]
    assert own == its
    left = set(parameters) - {each.name for each in of_plan}
    fills = {"fill_value", "pad_value", "constant_value", "constant_values", "reflect_type", "value", "fill"}
    # Arguments of calls that NumPy runs, and arguments that do not change geometry.
    others = {"stat_length", "end_values", "keywords", "dtype", "like", "subok", "writeable"}
    # Arguments that choose a call, or that change elements.
    chosen = {"channel_axis", "reduce", "rng"}
    assert left <= {"out", "copy", "chunks"} | fills | others | chosen
    assert ("chunks" in left) is ("copy" in left)


def test_importing_loads_neither_numba_nor_ml_dtypes_nor_a_thread() -> None:
    loaded = '{"numba", "llvmlite", "ml_dtypes"} & set(sys.modules)'
    assert run_code(f"import threading; print({loaded}, threading.active_count())") == "set() 1\n"


# Matches lines of tests that depend on how long something takes, and so fail on a busy machine: they call a timer,
# store a time, subtract times or compare a time in an assert. A test may use a clock to make a seed, or to stop when it
# would otherwise never end.
JUDGING = re.compile(
    r'(?<!")\b(clock_gettime|default_timer|perf_counter|process_time|thread_time|timeit)'
    r"|\b(time|monotonic)(_ns)?\(\) *-|assert\b.*\b(time|monotonic)(_ns)?\(\) *[<>=]"
    r"|= *(time\.)?(time|monotonic)(_ns)?\(\)(?! *[+%])"
)


def test_no_test_judges_a_time() -> None:
    """Tests must pass on a slow machine, so they count operations or wait for events."""
    for judges in (
        "f(); assert time.monotonic() - start < 1",
        "start = time.monotonic()",
        "from time import perf_counter",
        "assert time() < 5",
    ):
        assert JUDGING.search(judges), judges
    folder = Path(__file__).parent
    for path in set(folder.rglob("*.py")) - {Path(__file__)}:
        assert [line for line in path.read_text("utf-8").splitlines() if JUDGING.search(line)] == [], path
