"""Names of a module that are elsewhere: found when they are first used, and kept."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import fastops as fo
from fastops._process._lazy_names import lazy_names, public_dir
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


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (fo, "pad", "; numpy, onnx, openvino, tensorflow and torch have one: fastops.numpy.pad"),
        (fo, "expand", "; onnx has one: fastops.onnx.expand"),
        (fo.plan, "pad", "; numpy, onnx, openvino, tensorflow and torch have one: fastops.plan.numpy.pad"),
        (fo.plan, "lazy", ""),
    ],
)
def test_a_name_that_dialects_have_says_which(module: Any, name: str, message: str) -> None:
    with pytest.raises(AttributeError) as info:
        getattr(module, name)
    assert str(info.value) == f"module '{module.__name__}' has no attribute '{name}'{message}"


def test_questions_for_private_names_load_nothing() -> None:
    assert run_code("print(hasattr(fo, '__wrapped__'), hasattr(fo.plan, '_x'), 'fastops.ops' in sys.modules)") == (
        "False False False\n"
    )


def test_a_module_lists_what_is_public() -> None:
    namespace = {"_own": 1, "__name__": "a.module", "b": 2, "a": 3}
    assert public_dir(namespace)() == ["a", "b"]
    assert public_dir({**namespace, "__all__": ["b"]})() == ["b"]


def test_a_name_that_is_used_loads_what_it_needs_only() -> None:
    printed = run_code("fo.SampleMode\nprint('numba' in sys.modules, 'fastops.ops' in sys.modules)")
    assert printed == "False False\n"
