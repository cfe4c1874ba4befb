"""Times, their statistics and their units, verdicts on measurements, and the exit code.

Most intervals of simulated times contain the simulated ratio, whatever the noise.
"""

from __future__ import annotations

import gc
from functools import partial
from itertools import repeat
from math import log

import numpy as np
import pytest
from asv_gate import timing
from asv_gate.counting import Counter
from asv_gate.session import SIDES, order_of
from asv_gate.statistics import Block, Interval, Round, clock_share, interval_of, log_ratios
from asv_gate.tables import shown_seconds
from asv_gate.verdicts import CounterChange, Measured, Row, Verdict, changes_between, exit_reason

SAME = Interval(1.0, 0.95, 1.05)


def measured(lower: float, upper: float, control: Interval = SAME, again: float | None = None) -> Measured:
    ratio = (lower * upper) ** 0.5
    return Measured(1e-3, Interval(ratio, lower, upper), Interval(ratio, again or lower, upper), control, 0.5, 9)


# Passes by letter: s is slower, l likely slower, e equal, f faster. The intervals of b and u contain the threshold;
# that of u is wide. In n, N and S, the two processes of head differ.
PASSES = {"s": measured(1.15, 1.25), "l": measured(1.09, 1.2), "e": measured(0.96, 1.04), "f": measured(0.7, 0.85)}
PASSES |= {"b": measured(1.05, 1.15), "u": measured(0.9, 1.15), "n": measured(0.96, 1.04, Interval(1.2, 1.12, 1.3))}
PASSES |= {"N": measured(0.96, 1.04, Interval(0.8, 0.7, 0.9)), "S": measured(1.15, 1.25, Interval(1.2, 1.12, 1.3))}


def row(passes: str, absent: str = "") -> Row:
    return Row("memory/crop_f32", [PASSES[each] for each in passes], absent)


def test_verdicts_and_which_need_another_pass():
    verdicts = {
        Verdict.SKIPPED: [""],
        Verdict.NOT_SLOWER: ["e", "fe", "se", "le", "sle"],
        Verdict.FASTER: ["ff"],
        Verdict.REGRESSION: ["ss", "sls", "lss", "sS"],
        Verdict.BORDERLINE: ["b", "l", "ll", "sll"],
        Verdict.UNDECIDED: ["u"],
        Verdict.NOISY: ["n", "N"],
        Verdict.UNCONFIRMED: ["f", "s", "sl", "ls"],
    }
    assert [row("", f"{side}: no").verdict for side in ("base", "head")] == [Verdict.NEW, Verdict.ABSENT]
    for verdict, all_passes in verdicts.items():
        assert [row(passes).verdict for passes in all_passes] == [verdict] * len(all_passes), all_passes
    assert [p for found in verdicts.values() for p in found if row(p).needs_another_pass] == ["l", "f", "s", "sl", "ls"]
    # A case is slower only if the lower bounds of both processes of head are above the threshold, not at it.
    bounds = ((1.2, 1.05), (1.2, 1.11), (1.1, None), (1.1001, None))
    assert [measured(lower, 1.3, again=again).is_slower for lower, again in bounds] == [False, True, False, True]
    assert abs(measured(1.2, 1.2).head - 1.2e-3) < 1e-9


COUNTER, OTHER = (CounterChange("tiny_split: launches", base, 3 - base, base == 1) for base in (1, 2))


def test_the_exit_code_and_its_reason():
    new, absent = row("", "base: no slice"), row("", "head: no slice")
    for rows, changes, code, reason in (
        ([row("e")], [], 0, "no regression in 1 case"),
        ([row("b")], [OTHER], 0, "no regression in 1 case, 1 borderline"),
        ([row("e")], [COUNTER], 1, "regression: 1 counter worse"),
        # Noise hides neither counters nor regressions that were seen twice.
        ([row("u")], [COUNTER], 1, "regression: 1 counter worse, 1 unclear"),
        ([row("u")] * 3 + [row("ss")], [], 1, "regression: 1 slower, 3 unclear"),
        ([row("u"), row("e")], [], 2, "could not measure: too noisy to say for 1 of 2 cases"),
        ([row(""), row("e")], [], 2, "could not measure: time was up before 1 case of 2"),
        # Cases that may be faster do not prevent the verdict.
        ([row("f"), *[row("e")] * 9], [], 0, "no regression in 10 cases"),
        ([row("s"), row("ss")], [], 1, "regression: 1 slower"),
        (
            [absent],
            [COUNTER],
            2,
            "could not measure: BASE and HEAD have no case in common (memory/crop_f32: head: no slice)",
        ),
        ([absent, row("e")], [], 0, "no regression in 1 case"),
        ([new, row("u"), *[row("e")] * 9], [], 0, "no regression in 9 cases, 1 unclear, 1 new"),
    ):
        assert exit_reason(rows, changes) == (code, reason)


def test_which_changes_of_counters_are_worse():
    # A count of base, counts of head that are not worse, and counts of head that are worse.
    for worse, slack, base, fine, bad in (
        ("more", 0, 1, [0, 1], [2]),
        ("more", 10, 20, [10, 30], [31]),
        ("fewer", 0, 2, [2, 3], [1]),
        ("none", 0, 8, [4, 9], [0]),
        ("none", 0, 0, [0, 4], []),
        ("", 0, 3, [0, 40], []),
    ):
        found = [Counter(head, worse, slack).is_worse_than(base) for head in fine + bad]
        assert found == [False] * len(fine) + [True] * len(bad), (worse, slack)
    # Counters that both commits have are compared, and the worse ones come first.
    base = {"a: launches": 2, "tiny_split: launches": 1, "c: launches": 1, "gone: launches": 1}
    head = {"a: launches": 1, "tiny_split: launches": 2, "c: launches": 1, "new: launches": 1}
    both = [{name: Counter(value) for name, value in each.items()} for each in (base, head)]
    assert changes_between(*both) == [COUNTER, CounterChange("a: launches", 2, 1, False)]


# Logarithms of the noise of blocks.
NOISES = {
    "normal": lambda generator: generator.normal(0, 0.05),
    # The tail is so heavy that no variance exists.
    "heavy": lambda generator: 0.03 * generator.standard_t(1.5),
    # Every eighth block takes five times as long.
    "outliers": lambda generator: generator.normal(0, 0.05) + (log(5) if generator.random() < 1 / 8 else 0.0),
    "none": lambda _generator: 0.0,
}


def rounds_of(seed, ratio, noise="normal", drift=0.0, clock=0.0, count=12) -> list[Round]:
    """Rounds of calls that take 1 ms in base, in the order in which the gate runs them.

    The logarithm of all times grows by ``drift`` from each block to the next. ``clock`` is the standard deviation of a
    noise of the core's clock: 0.6 times the noise is added to the logarithm of a call's time, and the noise itself to
    that of the reference's time.
    """
    generator = np.random.default_rng(seed)
    rounds = []
    for number in range(count):
        blocks: dict[str, list[Block]] = {side: [] for side in SIDES}
        for place, side in enumerate(order_of(number), 6 * number):
            speed = generator.normal(0, clock)
            slower = NOISES[noise](generator) + drift * place + 0.6 * speed
            seconds = 1e-3 * (1.0 if side == "base" else ratio) * np.exp(slower)
            blocks[side].append(Block(float(seconds), float(2e-5 * np.exp(speed))))
        rounds.append(blocks)
    return rounds


def interval(rounds: list[Round], base: str = "base", head: str = "head") -> Interval:
    found = interval_of(log_ratios(rounds, base, head, clock_share(rounds)))
    assert found is not None
    return found


def with_references(rounds: list[Round], reference_of) -> list[Round]:
    """The rounds with other references."""
    return [{s: [Block(b.seconds, reference_of(s, b)) for b in each[s]] for s in each} for each in rounds]


@pytest.mark.parametrize(("noise", "ratio"), [("normal", 1.0), ("heavy", 1.2), ("outliers", 0.8)])
def test_the_interval_holds_the_ratio_as_often_as_it_says(noise, ratio):
    count = 60
    intervals = [interval(rounds_of(seed, ratio, noise)) for seed in range(count)]
    # 57 of 60 intervals, 95 %, are expected to contain the ratio. With other seeds, 50 or fewer would contain it about
    # once in thousands of runs.
    assert sum(each.lower <= ratio <= each.upper for each in intervals) > 50
    assert np.median([each.ratio for each in intervals]) == pytest.approx(ratio, rel=0.02)
    # Most intervals show a slowdown if there is one, and none shows one otherwise.
    are_slower = [each.lower > 1.1 for each in intervals]
    assert sum(are_slower) > 0.75 * count if ratio > 1.1 else sum(are_slower) == 0


def test_a_drift_and_two_wild_rounds_change_no_ratio():
    for drift in (-0.02, 0.02, 0.2):
        # With these drifts, the last block takes 1/4, 4 times and more than a million times as long as the first.
        rounds = rounds_of(2, 1.2, "none", drift)
        found = interval(rounds)
        assert (found.lower, found.ratio, found.upper) == pytest.approx((1.2, 1.2, 1.2))
        assert interval(rounds, "head", "control").ratio == pytest.approx(1.0)
    quiet = rounds_of(3, 1.0)
    wild: list[Round] = [{**each, "head": [Block(1.0, 2e-5)] * 2} for each in quiet[:2]]
    assert interval(wild + quiet[2:]).upper < 1.1
    assert interval(wild + quiet[2:]).ratio == pytest.approx(interval(quiet).ratio, rel=0.03)


def test_six_rounds_are_enough_and_fewer_have_no_interval():
    assert [interval_of([0.1] * count) for count in range(6)] == [None] * 6
    ratios = [log(ratio) for ratio in (1.1, 1.2, 1.3, 1.4, 1.5, 1.6)]
    found = interval_of(ratios)
    assert found is not None
    assert (found.lower, found.ratio, found.upper) == pytest.approx((1.1, np.sqrt(1.3 * 1.4), 1.6))
    assert interval_of(ratios, 0.99) is None


def test_changes_of_the_core_speed_are_removed():
    rounds = rounds_of(4, 1.2, clock=0.3)
    assert clock_share(rounds) == pytest.approx(0.6, abs=0.1)
    found, blind = interval(rounds), interval(with_references(rounds, lambda _side, _block: 2e-5))
    assert found.lower > 1.1
    assert blind.upper / blind.lower > 2 * (found.upper / found.lower - 1) + 1


def test_a_reference_that_explains_nothing_or_that_a_side_slows_down_is_not_used():
    """If a commit evicts the data of the reference from the cache, the reference must not be used."""
    speeds = np.random.default_rng(5)
    rounds = with_references(rounds_of(5, 1.0, "none"), lambda _side, _block: 2e-5 * np.exp(speeds.normal(0, 0.3)))
    assert clock_share(rounds) == 0
    assert interval(rounds) == Interval(1.0, 1.0, 1.0)
    rounds = rounds_of(6, 1.2, clock=0.1)
    assert clock_share(rounds) > 0.4
    for slower in SIDES:
        slow = with_references(rounds, lambda side, b, slower=slower: b.reference * (1.5 if side == slower else 1))
        assert clock_share(slow) == 0
        assert interval(slow).ratio == pytest.approx(1.2, rel=0.1)


def test_seconds_are_shown_in_the_unit_that_suits_them():
    seconds = (0.0, 4.56e-7, 1.5e-6, 9.99e-4, 9.996e-4, 0.0123, 0.9996, 1.5, 1234.6)
    shown = ["0 us", "0.456 us", "1.5 us", "999 us", "1 ms", "12.3 ms", "1 s", "1.5 s", "1235 s"]
    assert [shown_seconds(each) for each in seconds] == shown


def test_samples_are_taken_in_turn_for_the_given_time():
    now, order = [0.0], []

    def sleep(seconds):
        now[0] += seconds

    def sample(name, seconds, values):
        order.append(name)
        sleep(seconds)
        return next(values)

    values = {"a": iter([3.0, 1, 2]), "b": iter([9.0, 9, 1]), "c": iter([5.0, 6, 7])}
    samples = {name: partial(sample, name, 1.0, each) for name, each in values.items()}
    assert timing.interleaved_medians(samples, timing.Effort(3, 0, 0, 0.5), lambda: now[0], sleep) == (
        {"a": 2, "b": 9, "c": 6}
    )
    assert ("".join(order), now) == ("abc" + "acb" + "cab", [9 * 1.5])
    # Five samples of 0.3 seconds take 1.5 seconds.
    sample_of_one = {"d": partial(sample, "d", 0.3, repeat(1.0))}
    timing.interleaved_medians(sample_of_one, timing.Effort(2, 1.5, 0, 0), lambda: now[0], sleep)
    assert order.count("d") == 5
    # Short calls are timed in loops.
    number = timing.calls_per_sample(lambda: sleep(1e-6), 2e-3, lambda: now[0])
    assert 2_000 <= number <= 8_000
    assert timing.sample_of(lambda: sleep(1e-6), number, lambda: now[0])() == pytest.approx(1e-6)
    assert timing.calls_per_sample(lambda: sleep(1.0), 2e-3, lambda: now[0]) == 1
    with timing.without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()
