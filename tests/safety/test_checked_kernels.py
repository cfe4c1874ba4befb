"""The checked form of the kernels: its checks see every access and catch wrong ones, and all tests pass in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import fastops.kernels
from tests.helpers.processes import run_program, run_python
from tests.helpers.seeds import in_full, scale

KERNELS = Path(fastops.kernels.__file__).parent

# The functions that access memory: by `Pointer`, of a variable on the stack, of objects whose layout is NumPy's or
# CPython's, of the word of a kernel that is compiled later, and of the records of the checks.
MAY_ACCESS = {
    "_access": "Pointer.load Pointer.load_first Pointer.store Pointer.store_first Pointer.copy_from Variable.__init__ "
    "Variable.get Variable.set _emit_long_copy _emit_record",
    "_entries": "_emit_entry",
    "_memory": "memory_in",
    "_objects": "_load_field _object field_of fields_of half_at integer_at length_of object_of word_at",
    "_outlined": "emit_call",
    "_symbols": "take_violation",
}

# Methods of a builder that access memory, or make a pointer whose bounds no `Pointer` knows; and functions that do so
# whatever they belong to.
_OF_A_BUILDER = re.compile("load|store|load_atomic|store_atomic|cmpxchg|atomic_rmw|inttoptr|asm")
_OF_ANYBODY = re.compile("alloca_once_value|_?load_field|memcpy|memmove|memset|memset_padding|raw_memcpy|raw_memmove")

# Prefixes of the names of LLVM's functions that access memory.
_INTRINSICS = ("llvm.mem", "llvm.masked.", "llvm.vp.")


def is_access(node: ast.AST) -> bool:
    """True if a node emits an access of memory, or makes a pointer of an integer."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.startswith(_INTRINSICS)
    if isinstance(node, ast.Name):
        return _OF_ANYBODY.fullmatch(node.id) is not None
    if not isinstance(node, ast.Attribute):
        return False
    owner = getattr(node.value, "id", getattr(node.value, "attr", ""))
    names = (_OF_ANYBODY, _OF_A_BUILDER) if owner.lower().endswith("builder") else (_OF_ANYBODY,)
    return any(each.fullmatch(node.attr) for each in names)


def accesses(source: str) -> set[str]:
    """The functions and methods of a module's source that emit an access, and "" if the module itself does."""
    made = set()

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for each in body:
            if isinstance(each, ast.ClassDef):
                visit(each.body, f"{prefix}{each.name}.")
            elif any(map(is_access, ast.walk(each))):
                made.add(prefix + each.name if isinstance(each, ast.FunctionDef) else prefix)

    visit(ast.parse(source).body, "")
    return made


def test_every_access_goes_through_the_checks() -> None:
    made = {f"{module.stem}.{name}" for module in KERNELS.rglob("*.py") for name in accesses(module.read_text())}
    assert made == {f"{stem}.{name}" for stem, names in MAY_ACCESS.items() for name in names.split()}


@in_full
def test_accesses_beyond_a_buffer_are_caught_and_harm_nothing() -> None:
    done = run_program("violations", seconds=300, FASTOPS_CHECKED_KERNELS="1")
    assert (done.returncode, done.stdout) == (0, "caught\n"), done.stderr


FEW = "kernels/test_chunks.py kernels/test_gather.py ops/test_slices.py"
# Tests of the repository and of timing do not run kernels, and tests that start processes take long.
TESTS = "arrays benchmarks/test_cases.py execution geometry kernels lowering ops overloads"


@in_full
def test_the_suite_passes_in_the_checked_form() -> None:
    chosen = [f"tests/{each}" for each in scale(FEW, TESTS).split()]
    # The inner run must not take options of the outer one.
    own = {"FASTOPS_CHECKED_KERNELS": "1", "FASTOPS_TORTURE": None, "FASTOPS_FULL": None, "PYTEST_ADDOPTS": None}
    done = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, seconds=3000, **own)
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout
