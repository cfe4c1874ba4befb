"""Rules of operators: what compiled code is told of an operator whose attributes it reads (`kernels._rules`)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any

import numpy as np

from fastops._geometry._sample_mode import MODE_WORDS, TENSORRT_WORDS, SampleMode
from fastops.kernels._tables import _rules as r

# The objects by which compiled code tells attributes apart, in the order of the header.
_KNOWN: tuple[object, ...] = (
    *(int, np.int64, np.int32, tuple, list, slice, str, np.ndarray),
    *(np.dtype(np.int64), np.dtype(np.int32), None, Ellipsis),
)

#: The modes of `as_mode`, and of `as_tensorrt_mode`, as constants.
MODES: dict[Any, int] = {**MODE_WORDS, **{mode: mode for mode in SampleMode}}
TENSORRT_MODES: dict[Any, int] = {**TENSORRT_WORDS, **{mode: mode for mode in TENSORRT_WORDS.values()}}


def _own(constant: Any) -> Any:
    """Return a constant as callers have it: words in a program are one object each."""
    return intern(constant) if type(constant) is str else constant


class Rule:
    """What the attributes of an operator mean, by a family that compiled code knows.

    Parameters
    ----------
    family : int
        One of `kernels._tables._rules`.
    attributes : sequence of int
        The parameter of the family that each attribute is, in the order of the operator's.
    option, second_option : int
        The dialect.
    constants : mapping, optional
        The numbers for which objects stand: those of modes, by the words of the operator.

    Attributes
    ----------
    constants : dict
        As given; the words have the addresses of its keys.
    words : ndarray of int64
        What compiled code reads.
    """

    __slots__ = ("constants", "words")

    def __init__(
        self,
        family: int,
        attributes: Sequence[int] = (),
        option: int = 0,
        second_option: int = 0,
        constants: Mapping[Any, int] | None = None,
    ) -> None:
        self.constants = constants = {_own(constant): number for constant, number in (constants or {}).items()}
        words = [family, option, second_option, *map(id, _KNOWN), len(constants), len(attributes), *attributes]
        for constant, number in constants.items():
            words += (id(constant), int(number))
        assert words[r.ATTRIBUTES] == len(attributes)
        self.words = np.frombuffer(array("q", words), np.int64)

    def allow_none(self, are_optional: Sequence[bool]) -> None:
        """Let attributes be None, those of which that is said."""
        for i, is_optional in enumerate(are_optional[: self.words[r.ATTRIBUTES]]):
            self.words[r.HEADER_COLUMNS + i] += r.OPTIONAL * is_optional
