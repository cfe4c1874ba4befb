"""The trials of the gate: their edits apply."""

from __future__ import annotations

import ast

from benchmarks.regress._changes import CHANGES
from benchmarks.regress.trials import ROOT


def test_edits_of_trials_apply_as_often_as_their_bars_ask_for():
    assert {(CHANGES[name].runs, CHANGES[name].least_right) for name in ("nothing", "kernel")} == {(20, 19)}
    for name, change in CHANGES.items():
        assert change.least_right <= change.runs, name
        for edit in change.edits:
            text = (ROOT / edit.file).read_text(encoding="utf-8")
            assert text.count(edit.old) == 1, (name, edit.file)
            if edit.file.endswith(".py"):
                ast.parse(text.replace(edit.old, edit.new))
