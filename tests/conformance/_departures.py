"""All departures that random calls meet, of all frameworks."""

from __future__ import annotations

from tests.conformance import (
    _numpy_departures,
    _onnx_departures,
    _openvino_departures,
    _openvino_plugin,
    _tensorflow_departures,
    _torch_departures,
)
from tests.conformance._live import Departure
from tests.conformance._operators import operator_of_function

_MODULES = (
    _openvino_departures,
    _openvino_plugin,
    _onnx_departures,
    _tensorflow_departures,
    _numpy_departures,
    _torch_departures,
)

_ALL: tuple[Departure, ...] = tuple([each for module in _MODULES for each in module.DEPARTURES])


def departures_of(operator: str) -> list[Departure]:
    """Return the departures of an operator of the page."""
    return [each for each in _ALL if operator_of_function(each.framework, each.function) == operator]
