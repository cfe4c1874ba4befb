"""What grids of many patches do when they are called: they are windows, and starts are products of those of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastops._arrays._dtypes import AnyArray
from fastops._arrays._outputs import allocate, as_output
from fastops._errors import AttributeValueError
from fastops._execution._execute import copy_whole
from fastops._execution._window_checks import WindowsArguments
from fastops._execution._window_sources import as_window_source
from fastops._execution._windows_call import run_windows
from fastops._lowering._windows import Grid


def run_grid(grid: Grid, source: AnyArray, out: Any, copy: Any, fill_value: object) -> Any:
    """Return the patches of an array, which reach beyond it: the result, which may be ``out``, is no view."""
    if copy is not True and copy is not None:
        reason = "a result written into out" if out is not None else "a result that reads out of bounds"
        rule = f"be True or None for {reason}" if copy is False else "be True, False or None"
        raise AttributeValueError.about("copy", rule, copy)
    target, _pinned = (
        (allocate(grid.shape, source.dtype), None) if out is None else as_output(out, grid.shape, source.dtype)
    )
    dense = target if target.flags.c_contiguous else allocate(grid.shape, source.dtype)
    windows = dense.reshape(grid.split_shape).transpose(np.argsort(grid.order))
    starts = np.stack(np.meshgrid(*grid.starts, indexing="ij"), -1).reshape(-1, len(grid.starts))
    run_windows(grid.windows, as_window_source(source), WindowsArguments(starts, fill_value=fill_value), windows)
    if dense is not target:
        copy_whole(dense, target)
    return target if out is None else out
