"""The recorded outcomes of real frameworks, as frozen cases.

A case expects what the specification means: its `recommended` outcome where there is one, else the framework's own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "vectors"


@dataclass(frozen=True)
class Case:
    """One recorded call: its parameters, and the arrays that it must give, or None for an error."""

    parameters: dict[str, Any]
    expected: list[tuple[tuple[int, ...], list[Any]]] | None

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """The source array."""
        shape, dtype = self.parameters["input_shape"], self.parameters["input_dtype"]
        values = self.parameters["input_data"]
        flat = np.arange(np.prod(shape, dtype=int)) if isinstance(values, str) else np.array(values)
        return flat.astype(dtype).reshape(shape)


def load_cases(name: str) -> list[Case]:
    """Return the cases of a file."""
    document = json.loads((FOLDER / f"{name}.json").read_text())
    assert document["schema"] == "slice-family-vectors/1"
    assert len(document["cases"]) == document["case_count"]
    return [Case(case, _expected(case)) for case in document["cases"]]


def _expected(case: dict[str, Any]) -> list[tuple[tuple[int, ...], list[Any]]] | None:
    outcome = case.get("recommended", case)
    if outcome["status"] == "error":
        return None
    assert "recommended" in case or not case.get("unsafe"), "an unsafe outcome is no expectation"
    prefix = "" if "recommended" in case else "output_"
    if f"{prefix}shapes" in outcome:
        return [(tuple(s), d) for s, d in zip(outcome[f"{prefix}shapes"], outcome[f"{prefix}data"], strict=True)]
    return [(tuple(outcome[f"{prefix}shape"]), outcome[f"{prefix}data"])]
