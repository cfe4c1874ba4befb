"""Ratios of times that are made up: what was put in comes out, whatever the noise."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from benchmarks.regress._session import SIDES, order_of
from benchmarks.regress._statistics import Block, Interval, Round, clock_share, interval_of, log_ratios

Noise = Callable[[np.random.Generator], float]


def normal(generator: np.random.Generator) -> float:
    """5 % up and down."""
    return float(generator.normal(0, 0.05))


def heavy(generator: np.random.Generator) -> float:
    """So heavy a tail that there is no variance."""
    return float(0.03 * generator.standard_t(1.5))


def outliers(generator: np.random.Generator) -> float:
    """Every eighth block takes five times as long."""
    return normal(generator) + (log(5) if generator.random() < 1 / 8 else 0.0)


def rounds_of(
    generator: np.random.Generator, count: int, ratio: float, noise: Noise, drift: float = 0.0, clock: float = 0.0
) -> list[Round]:
    """Rounds of calls of 1 ms in base, in the order that the gate runs them.

    ``drift`` is by how much the logarithm of all times grows from a block to the next; ``clock`` the spread of the
    core's speed, which calls follow by 0.6, and the reference wholly.
    """
    factors = {"base": 1.0, "head": ratio, "control": ratio}
    rounds = []
    position = 0
    for number in range(count):
        blocks: dict[str, list[Block]] = {side: [] for side in SIDES}
        for side in order_of(number):
            speed = generator.normal(0, clock) if clock else 0.0
            seconds = 1e-3 * factors[side] * np.exp(noise(generator) + drift * position + 0.6 * speed)
            blocks[side].append(Block(float(seconds), float(2e-5 * np.exp(speed))))
            position += 1
        rounds.append(blocks)
    return rounds


def interval(rounds: list[Round], base: str = "base", head: str = "head") -> Interval:
    found = interval_of(log_ratios(rounds, base, head, clock_share(rounds)))
    assert found is not None
    return found


@pytest.mark.parametrize("noise", [normal, heavy, outliers])
@pytest.mark.parametrize("ratio", [0.8, 1.0, 1.2])
def test_the_interval_holds_the_ratio_as_often_as_it_says(noise, ratio):
    generator = np.random.default_rng(0)
    intervals = [interval(rounds_of(generator, 12, ratio, noise)) for _ in range(200)]
    # 95 % of 200 are 190; 180 or fewer would come about once in 5000 times.
    assert sum(each.lower <= ratio <= each.upper for each in intervals) > 180
    assert np.median([each.ratio for each in intervals]) == pytest.approx(ratio, rel=0.02)


@pytest.mark.parametrize("noise", [normal, heavy])
def test_a_known_shift_is_seen_and_no_shift_is_not(noise):
    generator = np.random.default_rng(1)
    slower = [interval(rounds_of(generator, 12, 1.2, noise)).lower > 1.1 for _ in range(200)]
    equal = [interval(rounds_of(generator, 12, 1.0, noise)).lower > 1.1 for _ in range(200)]
    assert sum(slower) > 150
    assert sum(equal) == 0


@pytest.mark.parametrize("drift", [-0.02, 0.02, 0.2])
def test_a_drift_takes_no_side(drift):
    # By the end, everything takes 5 times as long; by the last drift, more than a million times.
    rounds = rounds_of(np.random.default_rng(2), 12, 1.2, lambda _generator: 0.0, drift)
    found = interval(rounds)
    assert (found.lower, found.ratio, found.upper) == pytest.approx((1.2, 1.2, 1.2))
    control = interval(rounds, "head", "control")
    assert control.ratio == pytest.approx(1.0)


def test_two_wild_rounds_of_twelve_change_nothing():
    quiet = rounds_of(np.random.default_rng(3), 12, 1.0, normal)
    wild: list[Round] = [{**each, "head": [Block(1.0, 2e-5)] * 2} for each in quiet[:2]]
    with_wild, without = interval(wild + quiet[2:]), interval(quiet)
    assert with_wild.upper < 1.1
    assert with_wild.ratio == pytest.approx(without.ratio, rel=0.03)


@pytest.mark.parametrize("count", range(6))
def test_too_few_rounds_have_no_interval(count):
    assert interval_of([0.1] * count) is None


def test_six_rounds_are_enough():
    ratios = [log(ratio) for ratio in (1.1, 1.2, 1.3, 1.4, 1.5, 1.6)]
    found = interval_of(ratios)
    assert found is not None
    assert (found.lower, found.ratio, found.upper) == pytest.approx((1.1, np.sqrt(1.3 * 1.4), 1.6))
    assert interval_of(ratios, 0.99) is None


def test_what_the_core_does_is_taken_out():
    rounds = rounds_of(np.random.default_rng(4), 12, 1.2, normal, clock=0.3)
    assert clock_share(rounds) == pytest.approx(0.6, abs=0.1)
    found = interval(rounds)
    assert found.lower > 1.1
    unaware: list[Round] = [{side: [Block(b.seconds, 2e-5) for b in each[side]] for side in each} for each in rounds]
    assert clock_share(unaware) == 0
    blind = interval(unaware)
    assert blind.upper / blind.lower > 2 * (found.upper / found.lower - 1) + 1


def test_a_reference_that_explains_nothing_takes_nothing_out():
    generator = np.random.default_rng(5)
    rounds: list[Round] = [
        {side: [Block(1e-3, float(2e-5 * np.exp(generator.normal(0, 0.3)))) for _ in range(2)] for side in SIDES}
        for _ in range(12)
    ]
    assert clock_share(rounds) == 0
    assert interval(rounds) == Interval(1.0, 1.0, 1.0)


@pytest.mark.parametrize("slower", ["base", "head", "control"])
def test_a_reference_that_one_side_slows_down_excuses_nothing(slower):
    """A commit may evict what the reference needs: then it is no reference."""
    rounds = rounds_of(np.random.default_rng(6), 12, 1.2, normal, clock=0.1)
    assert clock_share(rounds) > 0.4
    slow: list[Round] = [
        {side: [Block(b.seconds, b.reference * (1.5 if side == slower else 1)) for b in each[side]] for side in each}
        for each in rounds
    ]
    assert clock_share(slow) == 0
    assert interval(slow).ratio == pytest.approx(1.2, rel=0.1)
