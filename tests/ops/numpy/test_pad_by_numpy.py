"""NumPy's own tests of numpy.pad, as it ships them, run on fastops.numpy.pad.

The tests that do not hold here are named below, with the reason. Each of them must fail: one that begins to pass is an
error, as is any other that fails.
"""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import fastops as fo

# Modes of np.pad that compute values, or leave them out.
_OTHER_MODES = ("linear_ramp", "maximum", "mean", "median", "minimum", "empty")

_VALUES = "modes that compute values or leave them out are no copies of elements"
_ODD = "odd reflections compute values"
_OBJECTS = "data of dtype object is refused"
_ORDER = "results are C-contiguous, also those of data in Fortran order"

#: Tests that do not hold, and why.
EXEMPT = {
    "test_legacy_vector_functionality": "a function as the mode computes values",
    "test_memory_layout_persistence": _ORDER,
    "test_object_input": _OBJECTS,
    "TestConstant::test_check_object_array": _OBJECTS,
    "TestReflect::test_check_odd_method": _ODD,
    "TestSymmetric::test_check_large_pad_odd": _ODD,
    "TestSymmetric::test_check_odd_method": _ODD,
    "TestEmpty::test_pad_empty_dimension": _VALUES,
    "TestEmpty::test_simple": _VALUES,
    "TestLinearRamp::test_check_2d": _VALUES,
    "TestLinearRamp::test_check_simple": _VALUES,
    "TestLinearRamp::test_end_values": _VALUES,
    "TestLinearRamp::test_negative_difference": _VALUES,
    "TestStatistic::test_check_maximum_1": _VALUES,
    "TestStatistic::test_check_maximum_2": _VALUES,
    "TestStatistic::test_check_maximum_stat_length": _VALUES,
    "TestStatistic::test_check_mean_2": _VALUES,
    "TestStatistic::test_check_mean_shape_one": _VALUES,
    "TestStatistic::test_check_mean_stat_length": _VALUES,
    "TestStatistic::test_check_median": _VALUES,
    "TestStatistic::test_check_median_01": _VALUES,
    "TestStatistic::test_check_median_02": _VALUES,
    "TestStatistic::test_check_median_stat_length": _VALUES,
    "TestStatistic::test_check_minimum_1": _VALUES,
    "TestStatistic::test_check_minimum_2": _VALUES,
    "TestStatistic::test_check_minimum_stat_length": _VALUES,
    "TestStatistic::test_simple_stat_length": _VALUES,
}

#: Tests of several modes that hold but for those modes. In the others of their kind np.pad raises an error too.
EXEMPT_IN_OTHER_MODES = {
    "test_dtype_persistence",
    "test_kwargs",
    "test_non_contiguous_array",
    "TestConditionalShortcuts::test_clip_statistic_range",
    "TestConditionalShortcuts::test_shallow_statistic_range",
    "TestConditionalShortcuts::test_zero_padding_shortcuts",
    "TestEmptyArray::test_pad_non_empty_dimension",
    "TestPadWidth::test_zero_pad_width",
    "TestStatistic::test_same_prepend_append",
    "TestStatistic::test_zero_stat_length_valid",
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


def _reason_for(name: str, mode: object) -> str | None:
    """Return why a test does not hold, or None."""
    if name in EXEMPT_IN_OTHER_MODES:
        return _VALUES if mode in _OTHER_MODES else None
    return EXEMPT.get(name)


@pytest.fixture(autouse=True)
def _expect_what_is_exempt(request: pytest.FixtureRequest) -> None:
    name = request.node.nodeid.partition("::")[2].partition("[")[0]
    callspec = getattr(request.node, "callspec", None)
    reason = _reason_for(name, callspec.params.get("mode") if callspec else None)
    if reason is not None:
        request.node.add_marker(pytest.mark.xfail(strict=True, reason=reason))


def test_what_is_exempt_are_tests_of_numpy() -> None:
    if not _TESTS:
        pytest.skip("this NumPy comes without its tests")
    for name in (*EXEMPT, *EXEMPT_IN_OTHER_MODES):
        first, *rest = name.split("::")
        assert hasattr(_TESTS[first], rest[0]) if rest else callable(_TESTS[first])
