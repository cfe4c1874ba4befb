"""NumPy's own tests of numpy.pad, run on fastops.numpy.pad."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import fastops as fo

#: What is not run: results are C-contiguous, also those of data in Fortran order; a function of NumPy's own.
_EXEMPT = {"test_memory_layout_persistence", "TestAsPairs"}


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
    # NumPy expects it to fail, which it does not.
    delattr(module.TestLinearRamp, "test_object_array")
    found = {name: each for name, each in vars(module).items() if name[:4].lower() == "test"}
    return {name: each for name, each in found.items() if name not in _EXEMPT}


globals().update(_load_tests())


def test_results_are_contiguous() -> None:
    data = np.arange(6.0).reshape(2, 3)
    for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
        assert fo.numpy.pad(np.asfortranarray(data), 1, mode).flags.c_contiguous  # type: ignore[arg-type]
