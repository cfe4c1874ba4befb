"""mypy finds no error in the package; mypy and pyright find errors in exactly the marked lines of users' files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USERS = Path(__file__).parent / "users"

#: The files, and the packages that each imports besides NumPy.
FILES = {"good.py": (), "bad.py": (), "tensors.py": ("torch",), "others.py": ("dask", "xarray", "zarr")}

# A file, and the number of a line in it.
Lines = set[tuple[str, int]]


def check(checker: str, *arguments: str, cwd: Path = USERS) -> str:
    """Run a checker on files, in which it may find errors, and return its output."""
    if not find_spec(checker):
        pytest.skip(f"{checker} is not installed")
    command = [sys.executable, "-m", checker, *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode < 2, done.stdout + done.stderr
    return done.stdout


def lines_of_mypy(files: list[str], cache: Path) -> Lines:
    """The lines of files in which mypy finds an error."""
    # Use no configuration: a user has another one than this repository.
    options = ["--strict", "--config-file=", "--no-error-summary", f"--cache-dir={cache}"]
    printed = check("mypy", *options, *files)
    print(printed)
    errors = re.findall(r"^(\w+\.py):(\d+): error:", printed, re.MULTILINE)
    assert len(errors) == printed.count(": error:"), "in another file"
    return {(file, int(line)) for file, line in errors}


def lines_of_pyright(files: list[str], _cache: Path) -> Lines:
    """The lines of files in which pyright finds an error."""
    printed = check("pyright", "--pythonpath", sys.executable, "--outputjson", *files)
    errors = [each for each in json.loads(printed)["generalDiagnostics"] if each["severity"] == "error"]
    found = [(Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"]) for each in errors]
    print(*found, sep="\n")
    return {(file, line) for file, line, _ in found}


@pytest.mark.parametrize("lines_of", [lines_of_mypy, lines_of_pyright])
def test_errors_are_where_users_err(lines_of, tmp_path: Path) -> None:
    missing = {module for needs in FILES.values() for module in needs if not find_spec(module)}
    files = [file for file, needs in FILES.items() if missing.isdisjoint(needs)]
    expected = {
        (file, n)
        for file in files
        for n, line in enumerate((USERS / file).read_text(encoding="utf-8").splitlines(), 1)
        if line.endswith("# bad")
    }
    assert lines_of(files, tmp_path) == expected
    if missing:
        pytest.skip(f"not installed, while the other files are right: {', '.join(sorted(missing))}")


def test_the_package_has_no_errors(tmp_path: Path) -> None:
    assert check("mypy", f"--cache-dir={tmp_path}", cwd=ROOT).startswith("Success: no issues found")
