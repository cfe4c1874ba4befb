"""The calls of all operators on data of other kinds: arrays of dask, tensors, and data in files."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import dask.array as da
import h5py
import numpy as np
import pytest

import fastops as fo
from tests.helpers.chains import LAYOUTS
from tests.helpers.contract import FORMS, Subject, Trial, all_operators, assert_same, has_torch, listed, tables_of
from tests.helpers.seeds import chooser, noted


def check_kinds(trial: Trial, chunks: int, copy: bool | None) -> None:
    """Assert that arrays of dask and tensors give results of their kind, and data in files gives NumPy arrays."""
    subject, call, data, arguments = trial.subject, trial.call, trial.data, trial.arguments
    options = {"copy": copy} if subject.has_copy else {}
    own = {} if copy is None else {"chunks": chunks}
    lazy = subject.function(da.from_array(data, chunks=chunks), **arguments, **options, **own)
    assert isinstance(lazy, list) == trial.is_list
    for each, wanted in zip(listed(lazy), trial.wanted, strict=True):
        assert isinstance(each, da.Array)
        assert (each.shape, each.dtype, each._meta.ndim) == (wanted.shape, wanted.dtype, wanted.ndim)
        # If chunks of data are regular, those of results are too: zarr needs regular chunks.
        assert da.core._check_regular_chunks(each.chunks)
        assert not own or each.chunks == da.core.normalize_chunks(chunks, wanted.shape)
        assert_same([each.compute(scheduler="sync")], wanted)
    if trial.dtype.kind not in "biufc":
        return
    if has_torch() and trial.dtype.isnative:
        torch = import_module("torch")
        results = subject.function(torch.from_numpy(np.array(data)), **arguments, **options)
        assert isinstance(results, list) == trial.is_list
        assert {type(each) for each in listed(results)} <= {torch.Tensor}
        assert_same([each.numpy() for each in listed(results)], trial.wanted)
    if call.is_flat:
        return
    with h5py.File("kinds.h5", "w", driver="core", backing_store=False) as file:
        stored = file.create_dataset("data", data=data)
        assert_same(listed(subject.function(stored, **arguments)), trial.wanted)
        outs = [np.zeros(each.shape, each.dtype) for each in trial.wanted]
        subject.function(stored, **arguments, out=trial.as_given(outs))
        assert_same(outs, trial.wanted)


def check_kinds_refuse(trial: Trial) -> None:
    """Assert that out and copy=False are errors for arrays of dask, and chunks for other data."""
    lazy, outs = da.from_array(trial.data, chunks=2), [np.array(each) for each in trial.wanted]
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (lazy, {"out": trial.as_given(outs)}, "out must be None for arrays of dask"),
        (lazy, {"chunks": object()}, "chunks must have lengths that add up"),
        (trial.data, {"chunks": 2}, "chunks must be None for data that is no array of"),
    ]
    if trial.subject.has_copy:
        wrong.append((lazy, {"copy": False}, "copy must be True or None for data that is"))
    for data, options, rule in wrong:
        with pytest.raises(fo.FastopsError, match=f"{trial.subject.op}: {rule}"):
            trial.subject.function(data, **trial.arguments, **options)


SUBJECTS = [each for each in map(Subject, all_operators()) if each.dialect != "torch"]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.op)
def test_data_of_other_kinds(subject: Subject) -> None:
    rng = chooser(f"kinds of {subject.op}")
    calls, _ = tables_of(subject.function)
    # One call is also made with data in one chunk.
    for i, chunks in [*[(i, rng.choice((2, 3))) for i in range(len(calls))], (rng.randrange(len(calls)), -1)]:
        dimensions = (subject.dtypes(calls[i]), LAYOUTS, list(FORMS), [True, False], [True, None])
        *drawn, copy = map(rng.choice, dimensions)
        with noted(f"call {i}: {calls[i]}", f"chunks={chunks}", f"copy={copy}", *drawn):
            trial = Trial(subject, calls[i], *drawn)
            check_kinds(trial, chunks, copy)
            check_kinds_refuse(trial)
