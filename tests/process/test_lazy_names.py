"""Names of a module that are elsewhere: found when they are first used, and kept."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest

import fastops as fo
from fastops._process._lazy_names import lazy_names, lazy_plans
from tests.helpers.processes import run_code


def test_a_name_is_found_once_and_kept() -> None:
    namespace: dict[str, Any] = {"__name__": "a.module"}
    find = lazy_names(namespace, {"root": "math:sqrt", "decoder": "json.decoder"})
    assert find("root") is math.sqrt
    assert find("decoder") is json.decoder
    assert namespace == {"__name__": "a.module", "root": math.sqrt, "decoder": json.decoder}


def test_what_runs_operators_is_loaded_by_the_first_call() -> None:
    code = "fo.slice; has = lambda: 'fastops._operators._gather_runner' in sys.modules\n"
    code += "print(has()); fo.slice(np.ones(3), [0], [0]); print(has())"
    assert run_code(code) == "False\nTrue\n"


def test_names_that_are_nowhere_are_refused() -> None:
    find = lazy_names({"__name__": "a.module"}, {"root": "math:sqrt"})
    with pytest.raises(AttributeError, match=r"^module 'a\.module' has no attribute 'other'$"):
        find("other")
    with pytest.raises(AttributeError, match=r"^module 'fastops' has no attribute 'other'$"):
        fo.other  # type: ignore[attr-defined]  # noqa: B018


def test_plans_are_the_lowerings_of_the_operators() -> None:
    namespace: dict[str, Any] = {"__name__": "plans"}
    find, names = lazy_plans(namespace, "fastops.onnx")
    assert find("__all__") == names()
    assert "tile" in names()
    assert "from_node" not in names(), "it is no operator"
    assert find("tile") is sys.modules["fastops.ops.onnx._tile"].lower_tile is namespace["tile"]
    for other in ("from_node", "_tile", "other"):
        with pytest.raises(AttributeError, match=rf"^module 'plans' has no attribute '{other}'$"):
            find(other)


def test_a_name_that_is_used_loads_what_it_needs_only() -> None:
    printed = run_code("fo.SampleMode\nprint('numba' in sys.modules, 'fastops.ops' in sys.modules)")
    assert printed == "False False\n"
