"""The build hook: compiles the kernels into the wheel, as an object for each kind of processors.

Without FASTOPS_LEVELS there is one object, for the processors of the machine that builds. Where kernels cannot be
compiled, the wheel has none, and each user's machine compiles them once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Levels of processors that objects are for, "host" or "none"; CONTRIBUTING.md tells more.
_VARIABLE = "FASTOPS_LEVELS"

# Compiles an object by the code of the sources, and checks it as a process does that loads it.
_PROGRAM = """
import sys
root, path, level = sys.argv[1:]
sys.path.insert(0, root)
from llvmlite import binding
from fastops._runtime import _builds, _object_files
cpu, features = level, ""
if level == "host":
    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
target = _object_files.Target(binding.get_process_triple(), cpu, features)
levels = _object_files.LEVELS.get(target.machine, {})
if level not in ("host", *levels):
    sys.exit(f"it is no level of this machine, whose levels are: {', '.join(levels) or 'host'}")
content = _builds.run_compiler(target)
_object_files.check(_object_files.unpack(content)[0])
open(path, "wb").write(content)
"""


class ObjectsHook(BuildHookInterface):  # type: ignore[misc]  # Hatchling is not installed where types are checked.
    """Compiles objects into wheels, except editable ones, whose sources change."""

    PLUGIN_NAME = "custom"

    _objects: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile an object for each level, and give the wheel the tag of the systems that it runs on."""
        if self.target_name != "wheel" or version == "editable":
            return
        levels = os.environ.get(_VARIABLE, "host").replace(",", " ").split()
        made = [path for level in levels if level != "none" and (path := self._compiled(level))]
        if not made:
            self.app.display_info("fastops: a wheel without kernels: each machine compiles them once, when first used")
            return
        build_data["pure_python"] = False
        build_data["tag"] = _tag(is_release=any(path.stem != "host" for path in made))
        build_data["force_include"].update({str(path): f"fastops/_objects/{path.name}" for path in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the objects, which are in the wheel."""
        if self._objects is not None:
            self._objects.cleanup()

    def _compiled(self, level: str) -> Path | None:
        """Compile an object, and return its path; if that fails, say why and return None."""
        self.app.display_info(f"fastops: compiling kernels for {level}, about 15 s")
        if self._objects is None:
            self._objects = tempfile.TemporaryDirectory(prefix="fastops-")
        path = Path(self._objects.name, f"{level}.object")
        command = [sys.executable, "-c", _PROGRAM, self.root, str(path), level]
        result = subprocess.run(  # noqa: S603
            command, cwd=path.parent, capture_output=True, text=True, check=False
        )
        if result.returncode:
            reason = (result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1]
            self.app.display_warning(f"fastops: no kernels for {level} in this wheel: {reason}")
            return None
        return path


def _tag(*, is_release: bool) -> str:
    """Return the tag of a wheel with objects.

    Objects call only C functions that every version of the C library has, so a wheel for other machines is for all
    Linux systems for which the dependencies have wheels.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if is_release and system.startswith("linux_"):
        system = system.replace("linux_", "manylinux_2_17_", 1)
    return f"{python}-{python}-{system}"
