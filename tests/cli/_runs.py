"""Runs in a directory with in.npy in it, and what the directory holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fastops.__main__ import main

DATA = np.arange(1, 1001)
SLICE = ["slice", "--start", "1", "--size", "998"]
SPLIT = ["variadic_split", "--axis", "0", "--split-lengths", "1,2,997"]
PARTS = ["p-0.npy", "p-1.npy", "p-2.npy"]


def run(operator: list[str], output: str) -> int:
    return main(["run", operator[0], "in.npy", "-o", output, *operator[1:]])


def content() -> dict[str, bytes | None]:
    """The regular files, by name; None stands for what is something else."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in Path().iterdir()}
