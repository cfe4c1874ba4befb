"""NumPy's own tests of numpy.pad, as it ships them, run on fastops.numpy.pad.

The tests that do not hold here are named below, with the reason: pytest expects each of them to fail, and one that passes
is an error.
"""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import fastops as fo

# Modes of NumPy that compute values, or leave them out.
OTHER_MODES = ("linear_ramp", "maximum", "mean", "median", "minimum", "empty")

_VALUES = "a mode that computes values, or leaves them out"
_ODD = "odd reflections compute values"
_OBJECTS = "data of dtype object"
_ORDER = "the result is C-contiguous, also for data in Fortran order"

#: Tests that do not hold, by the reason. A name without brackets is one of all cases of a test.
EXEMPT = {}


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
    # TestAsPairs is about a function of NumPy's that np.pad calls.
    return {name: each for name, each in vars(module).items() if name[:4].lower() == "test" and name != "TestAsPairs"}


_TESTS = _load_tests()
globals().update(_TESTS)


@pytest.fixture(autouse=True)
def _expect_what_is_exempt(request: pytest.FixtureRequest) -> None:
    name = request.node.nodeid.partition("::")[2]
    for reason, names in EXEMPT.items():
        if name in names or name.partition("[")[0] in names:
            request.node.add_marker(pytest.mark.xfail(strict=True, reason=reason))
