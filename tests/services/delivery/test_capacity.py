"""As many orders as `capacity.orders_of` admits to a window are delivered in it, whatever the traffic (RULE
window-advice). A simulation of working days, with fixed seeds."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean

import pytest
import simpy

from marketplace_app.limits import MINUTES_A_STOP
from marketplace_app.services.delivery import capacity

SEEDS = range(200)
WINDOW_MINUTES, WINDOWS_A_DAY = 120, 4
KEPT = Fraction(95, 100)
SHORTEST, USUAL, LONGEST = 6, 11, 19
"""Minutes of a stop: in the mean what the store expects of one."""


@dataclass
class Day:
    promised: int = 0
    kept: int = 0


def simulate(seed: int, drivers: int, places: int) -> Day:
    """A day on which all places of all windows are taken. Each driver gets their share of a window's orders as a run,
    and goes on to the next window when it is done; nobody else takes over what they do not manage."""
    rng, env, day = random.Random(seed), simpy.Environment(), Day()

    def drive(runs: list[int]) -> Iterator[simpy.Event]:
        for window, stops in enumerate(runs):
            yield env.timeout(max(0, window * WINDOW_MINUTES - env.now))
            for _ in range(stops):
                yield env.timeout(rng.triangular(SHORTEST, LONGEST, USUAL))
                day.promised += 1
                day.kept += env.now <= (window + 1) * WINDOW_MINUTES

    for driver in range(drivers):
        own_stops = len(range(driver, places, drivers))
        env.process(drive([own_stops] * WINDOWS_A_DAY))
    env.run()
    return day


def kept_share(drivers: int, places: int) -> tuple[Fraction, int]:
    """Of all seeds together; and how many orders were promised on each day."""
    days = [simulate(seed, drivers, places) for seed in SEEDS]
    return Fraction(sum(day.kept for day in days), sum(day.promised for day in days)), days[0].promised


def test_a_stop_of_the_simulation_takes_what_the_store_expects() -> None:
    assert mean((SHORTEST, USUAL, LONGEST)) == MINUTES_A_STOP


@pytest.mark.parametrize("drivers", [1, 3, 6])
def test_promises_are_kept_at_the_load_that_windows_admit(drivers: int) -> None:
    kept, _ = kept_share(drivers, capacity.orders_of(drivers, WINDOW_MINUTES))
    assert kept >= KEPT


@pytest.mark.parametrize(("drivers", "fewer"), [(3, 2), (6, 4)])
def test_with_a_third_fewer_drivers_the_offer_shrinks_and_promises_are_kept(drivers: int, fewer: int) -> None:
    _, promised = kept_share(drivers, capacity.orders_of(drivers, WINDOW_MINUTES))
    kept, promised_by_fewer = kept_share(fewer, capacity.orders_of(fewer, WINDOW_MINUTES))
    assert kept >= KEPT
    assert promised_by_fewer * 3 == promised * 2


def test_control_fewer_drivers_do_not_keep_what_more_had_promised() -> None:
    kept, _ = kept_share(2, capacity.orders_of(3, WINDOW_MINUTES))
    assert kept < KEPT


def test_control_a_window_planned_to_its_last_minute_breaks_promises() -> None:
    kept, _ = kept_share(3, 3 * WINDOW_MINUTES // MINUTES_A_STOP)
    assert kept < KEPT


@pytest.mark.parametrize(
    ("drivers", "minutes", "orders"), [(1, 120, 9), (2, 120, 18), (1, 60, 4), (3, 60, 12), (1, 13, 0), (0, 120, 0)]
)
def test_each_driver_does_whole_stops(drivers: int, minutes: int, orders: int) -> None:
    assert capacity.orders_of(drivers, minutes) == orders
