"""What is said about recorded cases on the page on conformance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.conformance._rules import RULES, Parameters


def _always(case: Parameters) -> bool:
    return True


@dataclass(frozen=True)
class Verdict:
    """What a framework does in some cases.

    It is about the cases of one rule, or of all, for which ``when`` is true. ``leaves`` says whether the framework
    leaves its own specification, ``alike`` that fastops answers these cases as the framework does.
    """

    framework: str
    operator: str
    text: str
    leaves: bool
    rule: str | None = None
    when: Callable[[Parameters], bool] = _always
    alike: bool = False

    def is_about(self, framework: str, operator: str, case: Parameters, *, alike: bool) -> bool:
        """Whether the verdict is about a case, and about whether the two answer it alike."""
        if (framework, operator, alike) != (self.framework, self.operator, self.alike):
            return False
        return self.rule in (None, RULES[operator](case)) and self.when(case)
