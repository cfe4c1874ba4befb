"""The algebra of one axis: sound, idempotent, and unique where it reads in bounds."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastops import OutOfBoundsError, SampleMode
from fastops._errors import AttributeValueError
from fastops.plan import AxisMap
from tests.helpers import oracle as _oracle

MODES = list(SampleMode)
SMALL = list(itertools.product(range(6), range(-8, 9), range(-4, 5), range(6), MODES))


def reading(extent: int, start: int, stride: int, count: int, mode: SampleMode) -> list[int | None] | None:
    """What the arguments say, by the oracle; None for an error."""
    try:
        return [_oracle.index(start + y * stride, extent, mode.name.lower()) for y in range(count)]
    except IndexError:
        return None


def test_create_is_sound_and_idempotent_over_a_small_domain() -> None:
    errors = 0
    for arguments in SMALL:
        expected = reading(*arguments)
        if expected is None:
            errors += 1
            with pytest.raises(OutOfBoundsError):
                AxisMap.create(*arguments)
            continue
        axis = AxisMap.create(*arguments)
        assert [axis.source(y) for y in range(axis.count)] == expected, arguments
        again = AxisMap.create(axis.extent, axis.start, axis.stride, axis.count, axis.mode)
        assert again == axis
        assert hash(again) == hash(axis)
    assert 0 < errors < len(SMALL)


def test_create_is_unique_for_maps_that_read_in_bounds() -> None:
    forms: dict[object, set[AxisMap]] = defaultdict(set)
    for extent, start, stride, count, mode in SMALL:
        coordinates = [start + y * stride for y in range(count)]
        if all(0 <= x < extent for x in coordinates):
            forms[extent, tuple(coordinates)].add(AxisMap.create(extent, start, stride, count, mode))
    assert len(forms) > 100
    assert all(len(form) == 1 for form in forms.values())
    assert len({axis for form in forms.values() for axis in form}) == len(forms)


@pytest.mark.parametrize(
    ("arguments", "canonical"),
    [
        ((5, 9, 7, 0, SampleMode.WRAP), (5, 0, 1, 0, SampleMode.STRICT_BOUNDS)),
        ((5, 2, 2**63, 1, SampleMode.CLAMP), (5, 2, 1, 1, SampleMode.STRICT_BOUNDS)),
        ((5, 0, 1, 5, SampleMode.REFLECT), (5, 0, 1, 5, SampleMode.STRICT_BOUNDS)),
        ((5, 7, 1, 3, SampleMode.CLAMP), (5, 4, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((5, -7, -2, 3, SampleMode.CLAMP), (5, 0, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((5, -7, 2, 5, SampleMode.CLAMP), (5, -7, 2, 5, SampleMode.CLAMP)),
        ((5, 0, -1, 3, SampleMode.CLAMP), (5, 0, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((5, -2, 1, 3, SampleMode.CLAMP), (5, 0, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((5, 4, 1, 3, SampleMode.CLAMP), (5, 4, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((4, 5, -1, 3, SampleMode.CLAMP), (4, 3, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((4, 4, -1, 3, SampleMode.CLAMP), (4, 4, -1, 3, SampleMode.CLAMP)),
        ((5, 3, 1, 3, SampleMode.CLAMP), (5, 3, 1, 3, SampleMode.CLAMP)),
        ((5, 1, -1, 3, SampleMode.CLAMP), (5, 1, -1, 3, SampleMode.CLAMP)),
        ((5, 9, 7, 1, SampleMode.WRAP), (5, 4, 1, 1, SampleMode.STRICT_BOUNDS)),
        ((5, 9, 7, 1, SampleMode.FILL), (5, 9, 1, 1, SampleMode.FILL)),
        ((1, 3, 0, 2, SampleMode.FILL), (1, 3, 0, 2, SampleMode.FILL)),
        ((1, -3, 1, 7, SampleMode.REFLECT), (1, 0, 0, 7, SampleMode.STRICT_BOUNDS)),
        ((5, -1, 0, 3, SampleMode.WRAP), (5, 4, 0, 3, SampleMode.STRICT_BOUNDS)),
        ((5, -1, 1, 3, SampleMode.WRAP), (5, -1, 1, 3, SampleMode.WRAP)),
        ((0, -1, 1, 3, SampleMode.FILL), (0, -1, 1, 3, SampleMode.FILL)),
    ],
)
def test_canonical_forms(arguments: tuple[int, int, int, int, SampleMode], canonical: tuple[object, ...]) -> None:
    axis = AxisMap.create(*arguments)
    assert (axis.extent, axis.start, axis.stride, axis.count, axis.mode) == canonical


huge = st.one_of(
    st.integers(-20, 20),
    st.integers(-(2**70), 2**70),
    st.sampled_from([s * 2**e for s in (1, -1) for e in (31, 62, 63)]),
)


@given(st.integers(0, 2**66), huge, huge, st.integers(0, 2**66), st.sampled_from(MODES), st.data())
def test_huge_arguments_are_exact(
    extent: int, start: int, stride: int, count: int, mode: SampleMode, data: st.DataObject
) -> None:
    try:
        axis = AxisMap.create(extent, start, stride, count, mode)
    except OutOfBoundsError:
        last = start + (count - 1) * (stride if count > 1 else 0)
        assert extent == 0 or (
            mode is SampleMode.STRICT_BOUNDS and not 0 <= min(start, last) <= max(start, last) < extent
        )
        return
    if count:
        y = data.draw(st.integers(0, count - 1))
        x = start + y * stride
        if extent < 1000 or mode not in (SampleMode.REFLECT, SampleMode.SYMMETRIC):
            expected = (
                None if mode is SampleMode.FILL and not 0 <= x < extent else _oracle.index(x, extent, mode.name.lower())
            )
            assert axis.source(y) == expected


@pytest.mark.parametrize(("extent", "count", "attribute"), [(-1, 1, "extent"), (1, -1, "count")])
def test_negative_lengths_are_errors(extent: int, count: int, attribute: str) -> None:
    with pytest.raises(AttributeValueError) as info:
        AxisMap.create(extent, 0, 1, count)
    assert info.value.attribute == attribute


@pytest.mark.parametrize("y", [-1, 3])
def test_source_takes_outputs_only(y: int) -> None:
    with pytest.raises(OutOfBoundsError):
        AxisMap.create(3, 0, 1, 3).source(y)
