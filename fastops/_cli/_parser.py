"""Argument parsing whose errors are one line in the library's grammar, and which takes lists such as ``-1,0``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from fastops._errors import AttributeValueError

# What argparse says, as (pattern, attribute, rule) of the library's grammar.
_TRANSLATIONS = (
    (r"the following arguments are required: (?P<name>.*)", "{name}", "be given"),
    (r"argument (?P<name>\S+): invalid choice: '(?P<got>.*?)'.*choose from (?P<all>.*)\)", "{name}", "be one of {all}"),
    (r"argument (?P<name>\S+): expected one argument", "{name}", "have a value"),
    (r"argument (?P<name>\S+): ignored explicit argument '(?P<got>.*)'", "{name}", "stand without a value"),
    (r"unrecognized arguments: (?P<got>.*)", "arguments", "be ones that --help lists"),
)

#: The name of what a parser leaves to another one, which may be nothing.
REST = "rest"

# A value that argparse would take for an option.
_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)


class LineParser(argparse.ArgumentParser):
    """A parser that raises `AttributeValueError` where argparse would print its usage and exit.

    Errors name ``op``, by default the last word of the command.
    """

    def __init__(self, op: str | None = None, **options: Any) -> None:
        self._own_op = op
        #: Gives, of a word that is no command here, the commands that may have been meant.
        self.find_meant: Callable[[str], list[str]] = lambda _: []
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse after negative values have been joined to their options."""
        namespace, others = super().parse_known_args(join_negative_values(args), namespace)
        for name, value in vars(namespace).items():
            if value == [] and name != REST:
                # Some versions of argparse make this of "--begin=--".
                raise AttributeValueError(self._op, name, "have a value", "--")
        return namespace, others

    def error(self, message: str) -> NoReturn:
        """Raise what argparse complains about, under the name of the command."""
        op = self._op
        for pattern, attribute, rule in _TRANSLATIONS:
            if match := re.fullmatch(pattern, message, re.DOTALL):
                found = match.groupdict()
                if found.get("name") in ("COMMAND", "OP"):
                    names = self.find_meant(found.get("got") or "") or self._commands()
                    rule = f"be one of {', '.join(names)}"
                raise AttributeValueError(op, attribute.format(**found), rule.format(**found), found.get("got"))
        raise AttributeValueError(op, "arguments", "be as --help says", message)

    @property
    def _op(self) -> str:
        return self._own_op or self.prog.split()[-1]

    def _commands(self) -> list[str]:
        """Return the commands below this parser."""
        actions = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        return [name for action in actions for name in action.choices]


def join_negative_values(args: Sequence[str]) -> list[str]:
    """Return the arguments with ``--begin -1,0`` written as ``--begin=-1,0``.

    Examples
    --------
    >>> join_negative_values(["--begin", "-1,0", "--end", "3,4", "-o", "x"])
    ['--begin=-1,0', '--end', '3,4', '-o', 'x']
    """
    joined: list[str] = []
    for arg in args:
        previous = joined[-1] if joined else ""
        if _NEGATIVE.match(arg) and len(previous) > 2 and previous.startswith("--") and "=" not in previous:
            joined[-1] = f"{previous}={arg}"
        else:
            joined.append(arg)
    return joined
