"""The names under which results are kept, in `names.txt`: one that goes is a history that ends."""

from __future__ import annotations

from pathlib import Path


def kept_names(kind: str) -> list[str]:
    """The names of a kind: ``case`` of `benchmarks.cases`, ``asv`` of its suites, ``gate`` of the gate."""
    lines = (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{kind} ") for line in lines if line.startswith(f"{kind} ")]
