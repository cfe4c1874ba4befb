"""Imports of the gate's modules run one way, as its page of contents says."""

from __future__ import annotations

import ast
from pathlib import Path

import benchmarks.regress

DIRECTORY = Path(str(benchmarks.regress.__file__)).parent


def test_imports_run_one_way():
    lines = str(benchmarks.regress.__doc__).splitlines()
    order = [line.split("`")[1] for line in lines if line.startswith("`")]
    assert sorted(order) == sorted(path.stem for path in DIRECTORY.glob("*.py") if path.stem != "__init__")
    for module in order:
        nodes = ast.walk(ast.parse((DIRECTORY / f"{module}.py").read_text()))
        imported = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        inner = {name.rpartition(".")[2] for name in imported if name.startswith("benchmarks.regress.")}
        assert inner <= set(order[: order.index(module)]), module
