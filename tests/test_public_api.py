"""The public functions: their names, signatures, plans and the strings that they take."""

from __future__ import annotations

import inspect
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction
from itertools import chain
from typing import Any, Literal, get_args, get_origin

import pytest

import fastops as fo
from fastops._geometry._sample_mode import MODE_WORDS
from fastops._lowering._windows import lowering_of
from tests.helpers.contract import ALL_DIALECTS as DIALECTS
from tests.helpers.processes import names_of
from tests.signatures import stubs

# Functions for models of ONNX and OpenVINO. They are no operators, and have no plans.
MODELS = {"from_ir", "from_node", "plans", "reference_ops"}

#: The last arguments of each operator, which determine where results go.
TAILS = (["out", "copy", "chunks"], ["out"])


def test_stubs_have_the_signatures() -> None:
    """`python -m tests.signatures` writes stubs. Removing a function or moving an argument breaks users' programs."""
    for path, text in stubs().items():
        assert path.read_text("utf-8") == text, path


def test_dialects_have_a_plan_of_each_operator() -> None:
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        names = [name for name in names_of(module) if name not in MODELS]
        assert names_of(getattr(fo.plan, dialect)) == names
        for name in names:
            parameters = inspect.signature(getattr(module, name)).parameters.values()
            tail = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
            assert tail[-3:] == TAILS[0] or tail[-1:] == TAILS[1]


def test_an_unknown_name_is_refused_and_the_dialects_that_have_it_are_named() -> None:
    have = "numpy, onnx, openvino, tensorflow and torch have one"
    for module, name, message in (
        (fo, "other", ""),
        (fo, "pad", f"; {have}: fastops.numpy.pad"),
        (fo, "expand", "; onnx has one: fastops.onnx.expand"),
        (fo.plan, "pad", f"; {have}: fastops.plan.numpy.pad"),
        (fo.plan, "lazy", ""),
    ):
        text = f"module '{module.__name__}' has no attribute '{name}'{message}"
        with pytest.raises(AttributeError, match=f"^{re.escape(text)}$"):
            getattr(module, name)


def test_completion_shows_no_names_that_modules_only_use() -> None:
    for name in ("", "plan", "typing", *DIALECTS, *[f"plan.{each}" for each in DIALECTS]):
        module = import_module(f"fastops.{name}".removesuffix("."))
        assert names_of(module)
        assert all(hasattr(module, each) for each in dir(module)), name
        assert not {"annotations", "TYPE_CHECKING", "Any"} & set(dir(module)), name


PLANS = [(fo.plan, name) for name in dir(fo.plan) if isfunction(getattr(fo.plan, name))]
PLANS += [(module, name) for module in [getattr(fo.plan, each) for each in DIALECTS] for name in names_of(module)]


def test_plans_are_called_what_users_call_them() -> None:
    for module, name in PLANS:
        plan = getattr(module, name)
        # The operators of the top level are OpenVINO's too.
        home = fo.plan if plan is getattr(fo.plan, name, None) else module
        assert (plan.__module__, plan.__name__, plan.__qualname__) == (home.__name__, name, name)
        assert pickle.loads(pickle.dumps(plan)) is plan


def words_of(annotation: Any) -> set[str]:
    """The strings of all `Literal` types in an annotation."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*map(words_of, get_args(annotation)))


def read_words() -> dict[tuple[str, str], tuple[set[str], Callable[[str, Any], Any]]]:
    """For each attribute that is one of some strings: those that type checkers know, and the attribute's reader."""
    found = {}
    for module, name in PLANS:
        plan = getattr(module, name)
        if not hasattr(plan, "lowering"):
            continue
        for attribute, reader in lowering_of(plan).readers.items():
            annotation = inspect.signature(plan).parameters[attribute].annotation
            words = words_of(eval(annotation, inspect.unwrap(plan).__globals__))
            if words:
                found[f"{module.__name__}.{name}", attribute] = (words, reader)
    return found


WORDS = read_words()


def takes(reader: Callable[[str, Any], Any], word: str) -> bool:
    try:
        reader("mode", word)
    except fo.AttributeValueError:
        return False
    return True


def test_checkers_know_the_words_that_readers_take() -> None:
    assert len(WORDS) > 20
    known = {*MODE_WORDS, *chain.from_iterable(words for words, _ in WORDS.values())}
    for _, reader in WORDS.values():
        with pytest.raises(fo.AttributeValueError) as info:
            reader("mode", "no such word")
        known |= set(re.findall(r"\w+", info.value.rule))
    known = {word.lower() for word in known} | {word.upper() for word in known}
    for place, (words, reader) in WORDS.items():
        taken = {word for word in known if takes(reader, word)}
        # For the other words that checkers know, NumPy runs the call.
        assert words == taken or (words > taken and place[0] in ("fastops.plan.numpy.copy", "fastops.plan.numpy.pad"))
