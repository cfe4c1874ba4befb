"""Random calls with hostile arguments in all positions at once: an error of fastops, or a result; never a crash."""

from __future__ import annotations

import random
import time
import warnings
from itertools import count

import pytest

import fastops as fo
from tests._hostile_calls import hostile_calls
from tests._torture import scale

# NumPy deprecates in 2.5 what callers may do all the same.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")

SECONDS = scale(2, 300)


def check_error(name: str, error: fo.FastopsError) -> None:
    text = str(error)
    assert text.startswith(f"{error.op}: {error.attribute} must "), (name, text)
    assert ", got " in text
    assert len(text) < 1000
    assert len(text.splitlines()) == 1


def test_nothing_but_errors_of_fastops_comes_out_of_random_calls() -> None:
    end = time.monotonic() + SECONDS
    raised = made = 0
    for n in count():
        for i, (name, function, arguments) in enumerate(hostile_calls(random.Random(n))):
            started = time.monotonic()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(**arguments)
            except fo.FastopsError as error:
                check_error(name, error)
                raised += 1
                assert time.monotonic() - started < 2, f"seed {n}, call {i}: {name}"
            except MemoryError:
                # NumPy reads data: a range of 2^40 numbers is more than the machine has.
                assert "data" in arguments
            except Exception as error:
                raise AssertionError(f"seed {n}, call {i}: {name} raised {type(error)}") from error
            else:
                made += 1
            if i >= 500:
                break
        if time.monotonic() > end:
            break
    assert min(raised, made) > 100
