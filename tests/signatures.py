"""The signatures of the functions that make plans, as stubs: ``python -m tests.signatures`` writes them.

fastops derives the functions from the operators at run time, so type checkers need the stubs. The stubs also show each
change of the functions that users call.
"""

from __future__ import annotations

import builtins
import collections.abc
import inspect
import re
import typing
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy.typing

import fastops as fo
from fastops._geometry import _numbers, _sample_mode
from fastops.ops import _patches
from fastops.plan import _operators, _range_and_windows_plan, _slice_plan
from tests.helpers.contract import ALL_DIALECTS
from tests.helpers.processes import names_of

_FOLDER = Path(fo.plan.__file__).parent
_HOMES = (typing, collections.abc, numpy.typing, _numbers, _sample_mode, _patches, _slice_plan, _range_and_windows_plan)
_HEADER = "# python -m tests.signatures writes this file.\n"


def _written(parameter: inspect.Parameter) -> str:
    default = parameter.default
    shown = f"{type(default).__name__}.{default.name}" if isinstance(default, Enum) else repr(default)
    return f"{parameter.name}: {parameter.annotation}{'' if default is parameter.empty else f' = {shown}'}"


def _signature_of(plan: Any) -> str:
    signature = inspect.signature(plan)
    arguments = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        arguments.append(_written(parameter))
    return f"def {plan.__name__}({', '.join(arguments)}) -> {signature.return_annotation}: ..."


def _import_of(name: str, home: ModuleType) -> str:
    """The line that imports a name, which annotations of a module use."""
    found = next(each for each in (*_HOMES, home) if hasattr(each, name))
    return f"from {found.__name__} import {name}"


def _stub_of(plans: Iterable[Any]) -> str:
    """The text of the stub for functions of one module."""
    imports, lines = set(), []
    for plan in plans:
        lines.append(_signature_of(plan))
        home = inspect.getmodule(plan.__wrapped__)
        assert home is not None
        signature = inspect.signature(plan)
        used = [signature.return_annotation]
        for each in signature.parameters.values():
            used += [each.annotation, type(each.default).__name__ if isinstance(each.default, Enum) else ""]
        names = {*re.findall(r"\b[A-Za-z]\w*", re.sub(r"'[^']*'", "", " ".join(used)))} - {*dir(builtins)}
        imports |= {_import_of(name, home) for name in names}
    return "\n".join([_HEADER, *sorted(imports), "", *lines, ""])


def stubs() -> dict[Path, str]:
    """The text of each stub."""
    modules = {name: getattr(fo.plan, name) for name in ALL_DIALECTS} | {"_operators": _operators}
    plans = {name: [getattr(module, each) for each in names_of(module)] for name, module in modules.items()}
    return {_FOLDER / f"{name}.pyi": _stub_of(each) for name, each in plans.items()}


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, "utf-8")
