"""Which block runs when, and when there are enough."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.regress._environments import Environment
from benchmarks.regress._processes import WorkerProcess
from benchmarks.regress._progress import Progress
from benchmarks.regress._statistics import Block, Round, clock_share, interval_of, log_ratios
from benchmarks.regress._verdicts import CannotMeasureError, Measured, Row

SIDES = ("base", "head", "control")


@dataclass(frozen=True)
class Effort:
    """How much is spent.

    Attributes
    ----------
    block_seconds, batch_seconds : float
        Of each block, and of the batches of calls in it, at least.
    rounds : int
        Of the first pass; as many for the second.
    step : int
        Rounds that follow at a time while a pass is undecided.
    most_rounds : int
        Of a pass.
    pass_seconds : float
        From the start of measuring to the end of the first pass: while that is ahead of this, benchmarks that are
        undecided get more rounds.
    seconds : float
        From the start of measuring: what has not begun by then is left out.
    """

    block_seconds: float
    batch_seconds: float
    rounds: int
    step: int
    most_rounds: int
    pass_seconds: float
    seconds: float


FULL = Effort(20e-3, 2e-4, 9, 3, 24, 450.0, 570.0)
# On a busy machine, what is undecided gets as many rounds as a decision takes.
QUICK = Effort(20e-3, 2e-4, 9, 3, 60, 300.0, 390.0)


@dataclass
class _Timing:
    """A pass over one benchmark, so far: how many calls are a batch, and the rounds."""

    name: str
    batch: int
    rounds: list[Round] = field(default_factory=list)


def measured(rounds: Sequence[Round]) -> Measured:
    """Return what rounds say."""
    share = clock_share(rounds)
    pairs = (("base", "head"), ("base", "control"), ("head", "control"))
    intervals = [interval_of(log_ratios(rounds, *pair, share)) for pair in pairs]
    change, again, control = intervals
    if change is None or again is None or control is None:
        raise CannotMeasureError(f"{len(rounds)} rounds are too few")
    base = median(block.seconds for each in rounds for block in each["base"])
    return Measured(base, change, again, control, share, len(rounds))


def order_of(number: int) -> tuple[str, ...]:
    """Return the sides of a round in the order of their blocks: there and back, so that a drift is the same for all.

    Each round begins one side further on, lest one has always the same neighbour.
    """
    first = number % len(SIDES)
    forth = SIDES[first:] + SIDES[:first]
    return forth + forth[::-1]


class Session:
    """Passes over benchmarks, in workers of base, head, and head once more as the control.

    ``start`` is the monotonic time at which measuring begins.
    """

    def __init__(
        self,
        base: Environment,
        head: Environment,
        *,
        staged: Path,
        effort: Effort,
        progress: Progress,
        start: float,
    ) -> None:
        self._environments = {"base": base, "head": head, "control": head}
        self._staged = staged
        self._effort = effort
        self._progress = progress
        self._start = start

    def run(self, names: Sequence[str]) -> list[Row]:
        """Return a row for each benchmark: a first pass over all, and others in new processes where that differs."""
        rows = [Row(name) for name in names]
        effort = self._effort
        self._pass(rows, effort.pass_seconds, (effort.pass_seconds + effort.seconds) / 2)
        while self._elapsed() < effort.seconds and (again := [row for row in rows if row.needs_another_pass]):
            # The clearest regressions first: one that is confirmed is enough, should there not be the time for all.
            again.sort(key=lambda row: row.shown.change.lower, reverse=True)
            # Half of the time that is left: there may be a third pass.
            self._pass(again, (self._elapsed() + effort.seconds) / 2, effort.seconds)
        return rows

    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    def _pass(self, rows: Sequence[Row], aim: float, end: float) -> None:
        """Measure rows: with more rounds as long as that keeps to the aim, and none after the end."""
        if not rows:
            return
        self._progress.expect(len(rows))
        begin = self._elapsed()
        timings: dict[str, _Timing] = {}
        with self._workers() as workers:
            for i, row in enumerate(rows, 1):
                self._progress.begin(row.name)
                if self._elapsed() < end:
                    row.absent = self._prepare(workers, row.name)
                    if not row.absent:
                        timing = timings[row.name] = self._calibrate(workers, row.name)
                        row.passes.append(self._measure(workers, timing, begin + (aim - begin) * i / len(rows)))
                self._progress.finish()
            # What others did not need of their time.
            for row in [row for row in rows if row.name in timings]:
                if self._can_go_on(row.shown, aim):
                    self._progress.begin(row.name)
                    self._prepare(workers, row.name)
                    row.passes[-1] = self._measure(workers, timings[row.name], aim)

    @contextmanager
    def _workers(self) -> Iterator[dict[str, WorkerProcess]]:
        with ExitStack() as stack:
            workers = {}
            for side, environment in self._environments.items():
                worker = WorkerProcess(side, environment.python, self._staged, environment.kernels)
                stack.callback(worker.close)
                workers[side] = worker
            yield workers

    def _prepare(self, workers: dict[str, WorkerProcess], name: str) -> str:
        """Make all sides ready at once; return why one of them has no such benchmark, if so."""
        for worker in workers.values():
            worker.ask("prepare", name=name)
        answers = {side: self._checked(worker, name) for side, worker in workers.items()}
        for side, answer in answers.items():
            if "refused" in answer and side != "base":
                # Which BASE may do: it need not know what HEAD does.
                raise CannotMeasureError(f"{name} raised in {side}: {answer['refused']}")
        reasons = [f"{side}: {reason}" for side, answer in answers.items() for reason in answer.values()]
        return reasons[0] if reasons else ""

    def _calibrate(self, workers: dict[str, WorkerProcess], name: str) -> _Timing:
        seconds = self._effort.batch_seconds
        # One after the other, on cores that nobody else needs; and the same number for all.
        asked = [self._asked(each, name, "calibrate", batch_seconds=seconds) for each in workers.values()]
        return _Timing(name, max(answer["batch"] for answer in asked))

    def _measure(self, workers: dict[str, WorkerProcess], timing: _Timing, until: float) -> Measured:
        """Return what the first rounds say, or more rounds, as long as they are undecided and there is time."""
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
