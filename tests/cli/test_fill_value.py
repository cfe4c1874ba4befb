"""Fill values, from the text on the command line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fastops._cli._fill_texts import read_fill_value
from fastops._errors import AttributeValueError


@pytest.mark.parametrize(
    ("text", "dtype", "value"),
    [
        ("3", "f4", 3),
        ("nan", "f4", float("nan")),
        ("True", "?", True),
        ("1+2j", "c8", 1 + 2j),
        ("2020-01-02", "M8[D]", np.datetime64("2020-01-02")),
        ("5", "m8[s]", np.timedelta64(5, "s")),
        ("ab", "U3", "ab"),
        ("ab", "S3", b"ab"),
        ("0x3f80", "V2", b"\x3f\x80"),
    ],
)
def test_read_fill_value(text: str, dtype: str, value: Any) -> None:
    assert repr(read_fill_value("slice", text, np.dtype(dtype))) == repr(value) or (
        read_fill_value("slice", text, np.dtype(dtype)) == value
    )


def test_read_fill_value_refuses() -> None:
    with pytest.raises(AttributeValueError, match="fill_value must be a value of dtype float32, got 'x'"):
        read_fill_value("slice", "x", np.dtype("f4"))
