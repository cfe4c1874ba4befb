"""`fastops run`: one operator, or a plan, from a file to others, of .npy or of zarr, which may be larger than memory."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from fastops import plan
from fastops._arrays._dtypes import is_ml_dtype
from fastops._cli._arguments import FLAGS, add_operator_flags, read_flags, read_path
from fastops._cli._dialect_calls import (
    add_attributes,
    add_dialects,
    create_parser,
    find_plan,
    read_attributes,
    shape_name_of,
)
from fastops._cli._run_calls import RunCall, lower_call, lower_plan, read_plan
from fastops._cli._run_files import Written, write_outputs, write_range
from fastops._cli._signals import signals_raised
from fastops._errors import AttributeValueError, FastopsError, shown

_PARTS_HELP = """\
OUT is the pattern of the files' names: {} in it stands for the number of the part, from 0 on;
without {}, -0, -1 ... stand before the suffix, so that parts.npy gives parts-0.npy, parts-1.npy ...
All of the files appear, or none."""

_IN_HELP = ".npy file, mapped into memory, or directory of a zarr array (required)"
_OUT_HELP = ".npy file to write, or, if it ends in .zarr, directory of a zarr array (required)"
_FILL_HELP = "what outputs read that read nothing of IN (default: 0); hex bytes for data of void dtype"
_PLAN_HELP = "file of a plan, as SlicePlan.to_json writes it (required)"

_PLANS: dict[str, Callable[..., Any]] = {
    "strided_slice": plan.strided_slice,
    "variadic_split": plan.variadic_split,
    "slice": plan.slice,
}

# What a wrong call gives, as in `__main__`.
_WRONG_CALL = 2
