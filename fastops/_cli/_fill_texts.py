"""Fill values on the command line: texts, as values of the data's type."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyDType
from fastops._errors import AttributeValueError


def read_fill_value(op: str, text: str, dtype: AnyDType) -> Any:
    """Return a fill value as an object that the library takes for a dtype."""
    readers: dict[str, Sequence[Callable[[str], Any]]] = {
        "b": ({"true": True, "false": False, "1": True, "0": False}.__getitem__,),
        "i": (int, float),
        "u": (int, float),
        "f": (int, float),
        "c": (int, float, complex),
        "M": (np.datetime64,),
        "m": (lambda text: np.array(int(text), dtype)[()],),
        "S": (os.fsencode,),
        "U": (str,),
        "V": (lambda text: bytes.fromhex(text.removeprefix("0x")),),
    }
    rule = "be hex bytes, as c03f" if dtype.kind == "V" else f"be a value of dtype {dtype}"
    # NumPy takes more digits than a time has, and makes another time of them, and floats have no end but infinity.
    is_long = dtype.kind == "M" and re.search(r"\d{19}", text)
    for read in () if is_long else readers[dtype.kind]:
        with suppress(ValueError, KeyError, OverflowError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = read(text.lower() if dtype.kind == "b" else text)
            if dtype.kind not in "iufc" or np.isfinite(complex(value)) or re.search("inf|nan", text, re.IGNORECASE):
                return value
    raise AttributeValueError(op, "fill_value", rule, text)
