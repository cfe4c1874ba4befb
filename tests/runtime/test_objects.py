"""Objects: which one a process runs, and which code it refuses."""

from __future__ import annotations

import compileall
import platform
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import pytest

from fastops._errors import KernelError
from fastops._runtime import _builds, _kernels, _object_files, _objects, _parallel
from fastops._runtime._object_files import KERNELS, LEVELS, Target, UnfitObjectError, check, pack
from fastops.kernels import _form
from tests.helpers.inspection import ALLOWED_SYMBOLS
from tests.helpers.processes import ROOT, run_python

FIELDS = ("NAME", "FEATURES")

_, MANIFEST, CODE = _objects.find_ready() or _objects.build()


@pytest.fixture
def fresh_process() -> Iterator[None]:
    """Let the properties of this process be read each time."""
    modules, remembered = (_object_files, _builds, _parallel), _object_files.this_process
    for module in modules:
        module.this_process = lambda: remembered.__wrapped__()  # type: ignore[attr-defined]
    yield
    for module in modules:
        module.this_process = remembered  # type: ignore[attr-defined]


def paths_now() -> tuple[Path, Path]:
    """The paths of both objects in the cache, for what this process is now."""
    host = _objects.host()
    return _builds.path_of(KERNELS, host), _parallel.parallel_path()


@pytest.mark.usefixtures("fresh_process")
def test_code_for_another_process_is_never_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [*paths_now()]
    own = {**_object_files.this_process()}
    changes: list[tuple[object, str, object]] = [
        (_object_files, "EXTENSION_SUFFIXES", [".cpython-399.so"]),
        (_object_files, "IS_CHECKED", not _object_files.IS_CHECKED),
        (_object_files._object_layout, "NDARRAY_DATA", 24),
        (_object_files.llvm, "llvm_version_info", (99, 1, 0)),
        (_object_files.llvm, "get_process_triple", lambda: "riscv64-unknown-linux-gnu"),
        (_object_files, "SOURCES", "other"),
    ]
    keys = set()
    for change in changes:
        with monkeypatch.context() as other:
            other.setattr(*change)
            seen += paths_now()
            assert len(set(seen)) == len(seen), change
            with pytest.raises(UnfitObjectError, match=r"it was compiled for other "):
                check(MANIFEST)
            keys |= {key for key, value in _object_files.this_process().items() if own[key] != value}
    assert keys == {*own}
    check(MANIFEST)
    # The parallel kernel is kept for a version of Numba, and for the processor that Numba compiles for.
    for change in (
        (_parallel, "version", lambda _: "0"),
        (numba.config, "CPU_NAME", "x"),
        (numba.config, "CPU_FEATURES", "y"),
    ):
        with monkeypatch.context() as other:
            other.setattr(*change)
            seen.append(_parallel.parallel_path())
            assert len(set(seen)) == len(seen), change


def copy_package(place: Path) -> Path:
    """Copy the package into a directory; return the copy."""
    return Path(shutil.copytree(ROOT / "fastops", place / "fastops", ignore=shutil.ignore_patterns("__pycache__")))


def test_changed_sources_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    kernels, compiler = package / "kernels", package / "_runtime" / "_compiler.py"
    monkeypatch.setattr(_form, "__file__", str(kernels / "_form.py"))
    of_each_folder = {source.parent: source for source in kernels.rglob("*.py")}
    assert {"kernels", "_intrinsics", "_rules", "_scheduler", "_tables"} == {folder.name for folder in of_each_folder}
    for source in (compiler, *of_each_folder.values(), kernels / "_new.py", kernels / "_another" / "_new.py"):
        _kernels.check_unchanged()
        source.parent.mkdir(exist_ok=True)
        content = source.read_bytes() if source.exists() else None
        source.write_bytes((content or b"") + b"\n")
        with pytest.raises(KernelError, match="changed on disk since this process imported it; start the process anew"):
            _kernels.check_unchanged()
        source.unlink() if content is None else source.write_bytes(content)


# Calls of a process without sources.
WITHOUT_SOURCES = """
import fastops as fo
print(fo.plan.slice((4,), [1], [2]).shape)
try:
    fo.slice([1, 2, 3], [1], [2])
except fo.KernelError as error:
    print(error)
"""

# Calls of a process whose sources change after it has imported the layout of tables, as in an upgrade.
UPGRADED = """
from pathlib import Path
import numpy as np
from numba import njit
import fastops as fo
fo.slice
with (Path(__file__).parent / "fastops/kernels/_tables/_gather.py").open("a") as file:
    file.write("# Another version.\\n")
print(fo.slice(np.arange(4), [1], [3]))
from fastops._runtime._kernels import link_parallel
for call in (lambda: link_parallel(), njit(lambda: fo.range(0, 4, 1, np.int32))):
    try:
        print(call())
    except fo.KernelError as error:
        print(error)
"""


def test_without_sources_plans_work_and_after_an_upgrade_code_of_both_versions_is_not_mixed(tmp_path: Path) -> None:
    package, program = copy_package(tmp_path), tmp_path / "program.py"
    # Python imports from the program's own directory first.
    program.write_text(UPGRADED)
    told = "fastops: it has changed on disk since this process imported it; start the process anew"
    assert run_python(program).stdout.splitlines() == ["[1 2 3]", told, told]
    assert compileall.compile_dir(package, legacy=True, quiet=1)
    for source in package.rglob("*.py"):
        source.unlink()
    program.write_text(WITHOUT_SOURCES)
    refused = "fastops: kernels cannot be compiled here: there are no sources of fastops"
    done = run_python(program, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.splitlines() == ["(2,)", refused], done.stderr


def test_the_best_object_that_came_and_fits_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if _object_files.IS_CHECKED:
        pytest.skip("no object comes in the checked form")
    monkeypatch.setattr(_objects, "SHIPPED", tmp_path)
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    triple, levels = MANIFEST.target.triple, LEVELS[MANIFEST.target.machine]

    def put(name: str, **fields: Any) -> None:
        (tmp_path / f"{name}.object").write_bytes(pack(MANIFEST._replace(**fields), CODE))

    def origin() -> str:
        found = _objects.find_ready()
        assert found is not None
        return found[0]

    assert _objects.look_at_shipped() == ([], {})
    (tmp_path / "broken.object").write_bytes(b"broken")
    (tmp_path / "directory.object").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"")
    put("other", process={**MANIFEST.process, "llvm": [1, 2, 3]})
    put("beyond", target=Target(triple, "generic", "+no-such-feature"))
    usable, refused = _objects.look_at_shipped()
    assert (usable, {name.partition(".")[0]: why[:23] for name, why in refused.items()}) == (
        [],
        {
            "broken": "it is damaged",
            "directory": "[Errno 21] Is a directo",
            "other": "it was compiled for oth",
            "beyond": "it is for other process",
        },
    )
    features = llvmlite.binding.get_host_cpu_features()
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    for level in levels:
        put(level, target=Target(triple, level, ""))
    for level in levels:
        features.clear()
        features.update(dict.fromkeys(Target(triple, level, "").needed(), True))
        assert origin() == f"shipped for {level}"
    put("host", target=Target(triple, "any", ",".join([f"+{name}" for name in [*features, "more"]])))
    # An object for a processor that is no level must list each feature.
    for more, expected in (({"more": False}, level), ({"more": True}, "any"), ({"other": False}, level)):
        features.update(more)
        assert origin() == f"shipped for {expected}"
    monkeypatch.setenv("NUMBA_CPU_NAME", "haswell")
    monkeypatch.setattr(_builds, "find", lambda *_: None)
    assert _objects.find_ready() is None
    assert _objects.host() == Target(triple, "haswell", features.flatten())
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert _objects.host().features == ""
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+avx2")
    assert _objects.host().features == "+avx2"


def test_functions_that_kernels_call_are_allowed_and_exist() -> None:
    assert {"memcpy", "malloc", "PyEval_SaveThread"} <= {*MANIFEST.undefined} <= ALLOWED_SYMBOLS
    assert _object_files.undefined_symbols(CODE) == MANIFEST.undefined
    for symbol, attribute, message in (
        ("PyLong_AsNothing", "undefined", "this process has no function PyLong_AsNothing"),
        ("no_such_function", "undefined", "this process has no function no_such_function"),
        ("fastops.nothing", "symbols", "it has no symbol fastops.nothing"),
    ):
        changed = MANIFEST._replace(**{attribute: [*getattr(MANIFEST, attribute), symbol]})
        with pytest.raises(UnfitObjectError, match=message):
            _objects.load("here", changed, CODE)


@pytest.mark.skipif(platform.machine() != "x86_64" or sys.platform != "linux", reason="relocations of ELF for x86-64")
def test_objects_call_external_functions_through_a_table_of_addresses() -> None:
    """LLVM reserves too little memory for an object that calls them directly, and may end the process that loads it."""
    sections = {section.name(): section.data() for section in llvmlite.binding.ObjectFileRef.from_data(CODE).sections()}
    symbols = list(struct.iter_unpack("<IBBHQQ", sections[b".symtab"]))
    direct = 4  # R_X86_64_PLT32
    called = [
        info >> 32 for _, info, _ in struct.iter_unpack("<QQq", sections[b".rela.text"]) if info % 2**32 == direct
    ]
    assert called
    assert [symbols[number] for number in called if symbols[number][3] == 0] == []
