"""What mypy and pyright say of users' files: an error in each line that is marked, and no other.

`tox -e types` runs this. Both checkers take their time, so that a plain run leaves it out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

USERS = Path(__file__).parent / "users"

#: The files, and what each imports besides NumPy.
FILES = {"good": (), "bad": (), "tensors": ("torch",), "others": ("dask", "xarray", "zarr")}


def lines_of_mypy(file: Path) -> set[int]:
    """The lines of a file in which mypy finds an error."""
    # No configuration is found, so that a user's is not ours.
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", file.name]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stdout + done.stderr
    print(done.stdout)
    errors = re.findall(rf"^{file.name}:(\d+): error:", done.stdout, re.MULTILINE)
    assert len(errors) == done.stdout.count(": error:"), "in another file"
    return set(map(int, errors))


def lines_of_pyright(file: Path) -> set[int]:
    """The lines of a file in which pyright finds an error."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", file.name]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    for each in found:
        print(each["range"]["start"]["line"] + 1, each["message"])
    return {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"}


CHECKERS = {"mypy": lines_of_mypy, "pyright": lines_of_pyright}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("checker", CHECKERS)
def test_errors_are_where_users_err(checker: str, name: str) -> None:
    for module in (checker, *FILES[name]):
        if not find_spec(module):
            pytest.skip(f"{module} is not installed")
    file = USERS / f"{name}.py"
    lines = file.read_text(encoding="utf-8").splitlines()
    assert CHECKERS[checker](file) == {n for n, line in enumerate(lines, 1) if line.endswith("# bad")}
