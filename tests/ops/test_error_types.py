"""Errors of fo.numpy and fo.torch are caught by what catches those of NumPy and PyTorch, for all refusals of tables."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import fastops as fo
from tests.helpers.contract import Refusal, Subject, all_operators, tables_of, theirs_of
from tests.ops.test_arguments import common_refusals

VERSION = np.lib.NumpyVersion(np.__version__)

#: Refusals whose errors no handler of the framework's errors catches: each with what it raises, and why ours is none.
EXEMPT = {
    ("numpy.pad", "MemoryError"): "NumPy reads all of a list before it finds it too long",
    ("torch.pad", "NotImplementedError"): "PyTorch has no pad of that mode for so few axes at all, right or wrong",
    ("torch.unfold", "IndexError"): "PyTorch looks at the last axis of three before it counts them",
}

# PyTorch has no function like fo.torch.slice.
SUBJECTS = [each for each in map(Subject, all_operators()) if each.dialect in ("numpy", "torch")]
SUBJECTS = [each for each in SUBJECTS if each.op != "torch.slice"]


def is_new_to_numpy(op: str, arguments: dict[str, Any]) -> bool:
    """True for arguments that NumPy does not have, or that a later version reads and this one refuses by their type."""
    return "step" in arguments or (op == "numpy.pad" and VERSION < "2.4.0" and isinstance(arguments["pad_width"], dict))


def is_exempt(subject: Subject, refusal: Refusal, error: Exception) -> bool:
    # A mode that PyTorch does not have is refused as it refuses it.
    is_unknown = subject.op == "torch.pad" and refusal.arguments.get("mode") in ("edge", "other")
    return (subject.op, type(error).__name__) in EXEMPT and not is_unknown


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.op)
def test_who_catches_their_error_catches_ours(subject: Subject) -> None:
    for refusal in [*tables_of(subject.function)[1], *[each for _, each in common_refusals(subject)]]:
        data = subject.own(np.zeros(refusal.shape, "f4"))
        if is_new_to_numpy(subject.op, refusal.arguments):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                theirs_of(subject.function)(data, **refusal.arguments)
            except Exception as error:
                theirs = error
            else:
                continue
        with pytest.raises(fo.FastopsError) as ours:
            subject.function(data, **refusal.arguments)
        assert isinstance(ours.value, type(theirs)) != is_exempt(subject, refusal, theirs), (refusal, theirs)
