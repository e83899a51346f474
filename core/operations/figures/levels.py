"""Compares the last hour and the last days with warning levels and critical levels; returns findings on unusual
figures.

The levels are in docs/specification.md, "Figures". If there are too few cases, no finding is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from core.errors import Category
from core.operations.doctor.findings import fine, wrong
from core.operations.figures.daily import Day
from core.operations.figures.figures import Figures, together
from core.operations.records import Finding
from core.resilience.health import HealthState

LEAST = 10
"""Minimum number of runs or calls in an hour for judging a share of them."""
LEAST_SLOW = 3
LEAST_OF_DAY, LEAST_OF_WEEK = 10, 30
"""Minimum number of answers for calculating a median."""
TIMES_THE_WEEK = 2.0
GROWN_SHARE, GROWN_BYTES = 0.25, 512 * 1024**2
"""Growth of the data in a day that is reported; both values must be exceeded."""
GIGABYTE = 1024**3


@dataclass(frozen=True)
class Level:
    """The values above which something is a warning, and above which it is critical."""

    warning: float
    critical: float

    def state(self, value: float) -> HealthState:
        return "red" if value > self.critical else "amber" if value > self.warning else "green"


FAILED = Level(0.05, 0.15)
SLOW = Level(30.0, 60.0)
FELL_BACK = Level(0.20, 0.40)
LOOPED = Level(1, 5)
OUT_OF_MEMORY = Level(0, 2)


def unusual(hour: Figures, days: Sequence[Day], today: str) -> list[Finding]:
    """Findings; ``days`` are the totals of all users, the earliest first. Without a problem there
    is one good finding."""
    now = next((each for each in days if each.day == today), Day(day=today))
    before = [each for each in days if each.day < today][-7:]
    found = [*_failing(hour), *_slow(hour), *_falling_back(hour), *_looping(hour), *_out_of_memory(now)]
    found += [*_slower_than_usual(now, before), *_growing(now, before)]
    return found or [fine("figures")]


def _failing(hour: Figures) -> Iterator[Finding]:
    ends = hour.of("outcomes")
    answered, failed = ends.get("answered", 0), ends.get("failed", 0)
    yield from _share("answers_failing", FAILED, failed, answered + failed)
    calls = hour.of("tool_calls")
    failures = sum(calls.get(category, 0) for category in get_args(Category))
    yield from _share("tools_failing", FAILED, failures, calls.get("ok", 0) + failures)


def _falling_back(hour: Figures) -> Iterator[Finding]:
    """Findings on answers that were quoted because the model failed, and on tools that were replaced by a fallback."""
    calls = sum(hour.of("tools").values())
    instead = hour.of("fallbacks").get("model", 0) + hour.of("tool_calls").get("fell_back", 0)
    yield from _share("falling_back", FELL_BACK, instead, sum(hour.of("answers").values()) + calls)


def _share(warning: str, level: Level, cases: float, of: float) -> Iterator[Finding]:
    if of >= LEAST:
        told = {"cases": int(cases), "count": int(of), "share": round(100 * cases / of)}
        yield from _beyond(warning, level, cases / of, **told)


def _slow(hour: Figures) -> Iterator[Finding]:
    whole = hour.time_of("answer:whole")
    if whole.count >= LEAST_SLOW:
        yield from _beyond("answers_slow", SLOW, whole.mean, seconds=round(whole.mean), count=whole.count)


def _looping(hour: Figures) -> Iterator[Finding]:
    loops = hour.of("tool_calls").get("looped", 0)
    yield from _beyond("tools_looping", LOOPED, loops, count=int(loops))


def _out_of_memory(today: Day) -> Iterator[Finding]:
    times = sum(today.figures.of("memory").values())
    yield from _beyond("out_of_memory", OUT_OF_MEMORY, times, count=int(times))


def _slower_than_usual(today: Day, before: Sequence[Day]) -> Iterator[Finding]:
    now = today.figures.time_of("answer:whole")
    week = together(each.figures for each in before).time_of("answer:whole")
    if now.count < LEAST_OF_DAY or week.count < LEAST_OF_WEEK:
        return
    median, usual = now.quantile(0.5), week.quantile(0.5)
    if median > TIMES_THE_WEEK * usual:
        yield wrong("figures", "slower_than_usual", seconds=round(median, 1), usual=round(usual, 1))


def _growing(today: Day, before: Sequence[Day]) -> Iterator[Finding]:
    last = next((each for each in reversed(before) if each.bytes is not None), None)
    if last is None or last.bytes is None or today.bytes is None:
        return
    grown = today.bytes - last.bytes
    if grown > GROWN_BYTES and grown > GROWN_SHARE * last.bytes:
        told = {"grown": round(grown / GIGABYTE, 1), "total": round(today.bytes / GIGABYTE, 1), "day": last.day}
        yield wrong("figures", "storage_growing", **told)


def _beyond(warning: str, level: Level, value: float, **told: float) -> Iterator[Finding]:
    state = level.state(value)
    if state != "green":
        yield wrong("figures", warning, **told).model_copy(update={"state": state})
