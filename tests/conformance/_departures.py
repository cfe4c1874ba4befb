"""All departures that random calls meet, of all frameworks."""

from __future__ import annotations

from tests.conformance import _numpy_departures, _torch_departures
from tests.conformance._live import Departure
from tests.conformance._operators import operator_of_function


def departures_of(operator: str) -> list[Departure]:
    """Return the departures of an operator of the page."""
    return [each for each in _ALL if operator_of_function(each.framework, each.function) == operator]


_ALL: tuple[Departure, ...] = (*_numpy_departures.DEPARTURES, *_torch_departures.DEPARTURES)
