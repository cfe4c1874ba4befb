"""Which block runs when, and when there are enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from .processes import WorkerProcess
from .statistics import Block, Round, clock_share, interval_of, log_ratios
from .verdicts import CannotMeasureError, Measured, Row

SIDES = ("base", "head", "control")


@dataclass(frozen=True)
class Effort:
    """How much time is spent.

    Attributes
    ----------
    block_seconds, batch_seconds : float
        The least time of a block, and of a batch of calls in it.
    rounds : int
        Rounds that a case gets in a pass at first.
    step : int
        How many rounds are added at a time while a pass is undecided.
    most_rounds : int
        The most rounds of a pass.
    pass_seconds : float
        From the start of measuring to the end of the first pass. Undecided cases get more rounds while the pass can end
        by then.
    seconds : float
        From the start of measuring. No case begins a further pass after that; cases whose first pass has not begun
        halfway from ``pass_seconds`` to this are skipped.
    """

    block_seconds: float
    batch_seconds: float
    rounds: int
    step: int
    most_rounds: int
    pass_seconds: float
    seconds: float


FULL = Effort(20e-3, 2e-4, 9, 3, 24, 450.0, 570.0)
# On a busy machine, undecided cases may need up to 60 rounds.
QUICK = Effort(20e-3, 2e-4, 9, 3, 60, 300.0, 390.0)


@dataclass
class _Timing:
    """A pass over one case, so far: how many calls are a batch, and the rounds."""

    name: str
    batch: int
    rounds: list[Round] = field(default_factory=list)


def measured(rounds: Sequence[Round]) -> Measured:
    """Return the result of rounds."""
    share = clock_share(rounds)
    pairs = (("base", "head"), ("base", "control"), ("head", "control"))
    change, again, control = [interval_of(log_ratios(rounds, *pair, share)) for pair in pairs]
    if change is None or again is None or control is None:
        raise CannotMeasureError(f"{len(rounds)} rounds are too few")
    base = median(block.seconds for each in rounds for block in each["base"])
    return Measured(base, change, again, control, share, len(rounds))


def order_of(number: int) -> tuple[str, ...]:
    """Return the sides of a round, forwards, then backwards, so that a steady drift slows all alike.

    Each round begins one side further on, so that the neighbours of a side change.
    """
    first = number % len(SIDES)
    forth = SIDES[first:] + SIDES[:first]
    return forth + forth[::-1]


class Session:
    """Passes over cases, in workers of base, of head, and of head once more as the control.

    ``starts`` starts the worker of each side; ``start`` is the monotonic time at which measuring begins.
    """

    def __init__(
        self,
        starts: Mapping[str, Callable[[], WorkerProcess]],
        *,
        effort: Effort,
        progress: Callable[[str], None],
        start: float,
    ) -> None:
        self._starts = starts
        self._effort = effort
        self._progress = progress
        self._start = start

    def run(self, names: Sequence[str]) -> list[Row]:
        """Return a row for each case: a first pass over all, and others in new processes over those that differ."""
        rows = [Row(name) for name in names]
        effort = self._effort
        self._pass(rows, effort.pass_seconds, (effort.pass_seconds + effort.seconds) / 2)
        while self._elapsed() < effort.seconds and (again := [row for row in rows if row.needs_another_pass]):
            # The clearest regressions first: one that is confirmed is enough, if there is no time for all.
            again.sort(key=lambda row: row.shown.change.lower, reverse=True)
            # Half of the time that is left: there may be a third pass.
            self._pass(again, (self._elapsed() + effort.seconds) / 2, effort.seconds)
        return rows

    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    def _pass(self, rows: Sequence[Row], aim: float, end: float) -> None:
        """Measure rows: undecided ones get more rounds until ``aim``, and no row begins after ``end``."""
        begin = self._elapsed()
        timings: dict[str, _Timing] = {}
        with self._workers() as workers:
            for i, row in enumerate(rows, 1):
                self._progress(f"[{i}/{len(rows)}] {row.name}")
                if self._elapsed() < end:
                    row.absent = self._prepare(workers, row.name)
                    if not row.absent:
                        timing = timings[row.name] = self._calibrate(workers, row.name)
                        row.passes.append(self._measure(workers, timing, begin + (aim - begin) * i / len(rows)))
            # Spend the time that is left on undecided cases.
            for row in [row for row in rows if row.name in timings]:
                if self._can_go_on(row.shown, aim):
                    self._progress(f"again: {row.name}")
                    self._prepare(workers, row.name)
                    row.passes[-1] = self._measure(workers, timings[row.name], aim)

    @contextmanager
    def _workers(self) -> Iterator[dict[str, WorkerProcess]]:
        with ExitStack() as stack:
            workers = {}
            for side in SIDES:
                workers[side] = self._starts[side]()
                stack.callback(workers[side].close)
            yield workers

    def _prepare(self, workers: dict[str, WorkerProcess], name: str) -> str:
        """Prepare a case on all sides in parallel; return why a side does not have it, or an empty string."""
        for worker in workers.values():
            worker.ask("prepare", name=name)
        answers = {side: self._checked(worker, name) for side, worker in workers.items()}
        for side, answer in answers.items():
            if "raised" in answer and side != "base":
                # BASE may raise: it may lack features that HEAD's cases use.
                raise CannotMeasureError(f"{name} raised in {side}: {answer['raised']}")
        reasons = [f"{side}: {reason}" for side, answer in answers.items() for reason in answer.values()]
        return reasons[0] if reasons else ""

    def _calibrate(self, workers: dict[str, WorkerProcess], name: str) -> _Timing:
        seconds = self._effort.batch_seconds
        # Sides calibrate one after the other, each with all cores; then all use the largest number.
        asked = [self._asked(each, name, "calibrate", batch_seconds=seconds) for each in workers.values()]
        return _Timing(name, max(answer["batch"] for answer in asked))

    def _measure(self, workers: dict[str, WorkerProcess], timing: _Timing, until: float) -> Measured:
        """Return the result of the first rounds, or of more, as long as they are undecided and there is time."""
        self._add_rounds(workers, timing, self._effort.rounds - len(timing.rounds))
        result = measured(timing.rounds)
        while self._can_go_on(result, until):
            self._add_rounds(workers, timing, self._effort.step)
            result = measured(timing.rounds)
        return result

    def _can_go_on(self, result: Measured, until: float) -> bool:
        return not result.is_decided and result.rounds < self._effort.most_rounds and self._elapsed() < until

    def _add_rounds(self, workers: dict[str, WorkerProcess], timing: _Timing, count: int) -> None:
        for _ in range(count):
            blocks: dict[str, list[Block]] = {side: [] for side in SIDES}
            for side in order_of(len(timing.rounds)):
                arguments = {"least_seconds": self._effort.block_seconds, "batch": timing.batch}
                blocks[side].append(Block(**self._asked(workers[side], timing.name, "block", **arguments)))
            timing.rounds.append(blocks)

    def _asked(self, worker: WorkerProcess, name: str, what: str, **arguments: Any) -> dict[str, Any]:
        worker.ask(what, **arguments)
        return self._checked(worker, name)

    def _checked(self, worker: WorkerProcess, name: str) -> dict[str, Any]:
        answer = worker.answer()
        if "error" in answer:
            raise CannotMeasureError(f"{name} raised in {worker.side}: {answer['error']}")
        return answer
