"""Names of a module that are elsewhere: found when they are first used, and kept."""

from __future__ import annotations

import re
from typing import Any

import pytest

import fastops as fo
from tests.helpers.processes import run_code


def test_a_name_that_is_nowhere_is_refused_and_one_that_dialects_have_says_which() -> None:
    cases: list[tuple[Any, str, str]] = [
        (fo, "other", ""),
        (fo, "pad", "; numpy, onnx, openvino, tensorflow and torch have one: fastops.numpy.pad"),
        (fo, "expand", "; onnx has one: fastops.onnx.expand"),
        (fo.plan, "pad", "; numpy, onnx, openvino, tensorflow and torch have one: fastops.plan.numpy.pad"),
        (fo.plan, "lazy", ""),
    ]
    for module, name, message in cases:
        text = f"module '{module.__name__}' has no attribute '{name}'{message}"
        with pytest.raises(AttributeError, match=f"^{re.escape(text)}$"):
            getattr(module, name)


LOADED = """
def use(*values):
    print([name in sys.modules for name in ("numba", "fastops.ops", "fastops._execution._gather_runner")])
use(fo.SampleMode, hasattr(fo, "__wrapped__"), hasattr(fo.plan, "_x"))
use(fo.slice, fo.plan.strided_slice((2, 3), [0], [1]), fo.plan.range(0, 5, 1, "i32"))
use(fo.slice(np.ones(3), [0], [0]))
"""


def test_what_is_used_loads_what_it_needs_only() -> None:
    """Neither questions for private names nor types load operators; these, and plans, do not load what runs them."""
    assert run_code(LOADED) == "[False, False, False]\n[False, True, False]\n[False, True, True]\n"
