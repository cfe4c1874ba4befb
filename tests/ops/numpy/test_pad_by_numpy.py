"""NumPy's own tests of numpy.pad, run on fastops.numpy.pad where they are about modes that copy elements."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.ops.numpy.test_pad import COMPUTING

#: What is not run besides modes that compute values: the last test here, and refusals of `test_pad`, have what fastops
#: does instead. TestAsPairs is about a function of NumPy's that np.pad calls.
_EXEMPT = {
    "": {"test_legacy_vector_functionality", "test_memory_layout_persistence", "test_object_input"}
    | {"TestAsPairs", "TestEmpty", "TestLinearRamp", "TestStatistic"},
    "TestConstant": {"test_check_object_array"},
    "TestReflect": {"test_check_odd_method"},
    "TestSymmetric": {"test_check_large_pad_odd", "test_check_odd_method"},
}


class _Instead:
    """A module with other values of some names."""

    def __init__(self, module: ModuleType, **names: Any) -> None:
        self._module = module
        vars(self).update(names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def _raises(error: type[Exception], match: str | None = None) -> Any:
    """As pytest.raises, but for the text: messages are fastops' own."""
    return pytest.raises(error)


def _leave_out_other_modes(test: Any) -> bool:
    """Take modes out of what a test is run with; return False if none are left."""
    for i, mark in enumerate(test.pytestmark):
        if mark.name == "parametrize" and mark.args[0] == "mode":
            modes = [mode for mode in mark.args[1] if mode not in COMPUTING]
            test.pytestmark[i] = pytest.mark.parametrize("mode", modes).mark
            return bool(modes)
    return True


def _load_tests() -> dict[str, Any]:
    """Return NumPy's tests of np.pad, by name, on fastops' function; none where NumPy comes without tests."""
    found = find_spec("numpy.lib.tests.test_arraypad") if find_spec("numpy.lib.tests") else None
    if found is None or found.origin is None:
        return {}
    spec = spec_from_file_location("numpys_tests_of_pad", found.origin)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module).update(np=_Instead(np, pad=fo.numpy.pad), pytest=_Instead(pytest, raises=_raises))
    homes = {name: each for name, each in vars(module).items() if name.startswith("Test")}
    for home, names in [("", vars(module)), *[(name, vars(each)) for name, each in homes.items()]]:
        for name, test in list(names.items()):
            is_left_out = hasattr(test, "pytestmark") and not _leave_out_other_modes(test)
            if name in _EXEMPT.get(home, ()) or is_left_out:
                delattr(homes.get(home, module), name)
    return {name: each for name, each in vars(module).items() if name[:4].lower() == "test"}


globals().update(_load_tests())


def test_objects_are_refused_and_results_are_contiguous() -> None:
    data = np.arange(6.0).reshape(2, 3)
    for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
        with pytest.raises(fo.DTypeError, match=r"numpy\.pad: array must"):
            fo.numpy.pad(data.astype(object), 1, mode)  # type: ignore[arg-type]
        # Also those of data in Fortran order, whose results in NumPy are in that order.
        assert fo.numpy.pad(np.asfortranarray(data), 1, mode).flags.c_contiguous  # type: ignore[arg-type]
