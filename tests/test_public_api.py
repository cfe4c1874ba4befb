"""The public functions, by name and signature: each framework's own names, argument order and defaults, and ours."""

from __future__ import annotations

import doctest
import inspect
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

import fastops as fo
from fastops._geometry._sample_mode import MODE_WORDS
from fastops._lowering._windows import lowering_of
from tests.helpers.contract import ALL_DIALECTS as DIALECTS
from tests.helpers.names import names_of

# Written out: a function that goes, or an argument that moves, breaks programs.
_LINES = Path(__file__).with_name("signatures.txt").read_text("utf-8").splitlines()
SIGNATURES = {name: f"({rest}" for name, _, rest in (line.partition("(") for line in _LINES)}

# What makes calls of models, besides the operators, which have plans.
MODELS = {"from_ir", "from_node", "plans", "reference_ops"}


def signature_of(function: Any) -> str:
    """The arguments and their defaults, without types."""
    signature = inspect.signature(function)
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def test_the_signatures() -> None:
    found = {name: signature_of(getattr(fo, name)) for name in SIGNATURES if "." not in name}
    for dialect in DIALECTS:
        module = getattr(fo, dialect)
        names = names_of(module)
        found |= {f"{dialect}.{name}": signature_of(getattr(module, name)) for name in names}
        assert names_of(getattr(fo.plan, dialect)) == [name for name in names if name not in MODELS]
    assert found == SIGNATURES


def test_completion_shows_no_names_that_modules_only_use() -> None:
    for name in ("", "plan", "dask", "numba", "typing", *DIALECTS, *[f"plan.{each}" for each in DIALECTS]):
        module = import_module(f"fastops.{name}".removesuffix("."))
        assert names_of(module)
        assert all(hasattr(module, each) for each in dir(module)), name
        assert not {"annotations", "TYPE_CHECKING", "Any"} & set(dir(module)), name


PLANS = [(fo.plan, name) for name in dir(fo.plan) if isfunction(getattr(fo.plan, name))]
PLANS += [(module, name) for module in [getattr(fo.plan, each) for each in DIALECTS] for name in names_of(module)]


def test_plans_are_called_what_users_call_them() -> None:
    runner = doctest.DocTestRunner()
    for module, name in PLANS:
        plan = getattr(module, name)
        # The operators of the top level are OpenVINO's too.
        home = fo.plan if plan is getattr(fo.plan, name, None) else module
        assert (plan.__module__, plan.__name__, plan.__qualname__) == (home.__name__, name, name)
        assert pickle.loads(pickle.dumps(plan)) is plan
        # Modules that load their names when they are used show doctest none.
        examples = doctest.DocTestFinder(recurse=False).find(plan, f"{home.__name__}.{name}", globs={})
        assert sum([len(each.examples) for each in examples]) > 1, (home, name)
        assert f"fo.{home.__name__.removeprefix('fastops.')}.{name}(" in (plan.__doc__ or "")
        for each in examples:
            runner.run(each)
    assert runner.summarize().failed == 0


def words_of(annotation: Any) -> set[str]:
    """The strings of all literals in an annotation."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*map(words_of, get_args(annotation)))


def read_words() -> dict[tuple[str, str], tuple[set[str], Callable[[str, Any], Any]]]:
    """For each attribute that is a word: what checkers know of it, and its reader."""
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
        assert words == {word for word in known if takes(reader, word)}, place


def test_operators_and_plans_take_the_same_words() -> None:
    for plan, attribute in WORDS:
        *path, name = plan.removeprefix("fastops.plan.").split(".")
        function = getattr(import_module(".".join(["fastops", *path])), name)
        lower = getattr(import_module(plan.rpartition(".")[0]), name)
        annotations = [inspect.signature(each).parameters[attribute].annotation for each in (function, lower)]
        own, its = (words_of(eval(each, inspect.unwrap(lower).__globals__)) for each in annotations)
        # NumPy does calls of the others.
        assert own == its or (own > its and plan in ("fastops.plan.numpy.copy", "fastops.plan.numpy.pad"))
