"""All departures that random calls meet, of all frameworks."""

from __future__ import annotations

from tests.conformance import _numpy, _onnx, _openvino, _openvino_plugin, _tensorflow_departures, _torch_departures
from tests.conformance._live import Departure
from tests.conformance._operators import operator_of_function

_MODULES = (_openvino, _openvino_plugin, _onnx, _tensorflow_departures, _numpy, _torch_departures)


def departures_of(operator: str) -> list[Departure]:
    """Return the departures of an operator of the page."""
    known = [each for module in _MODULES for each in module.DEPARTURES]
    return [each for each in known if operator_of_function(each.framework, each.function) == operator]
