"""Slows down password guessing: calculates how long to wait before the next attempt.

A pause applies to a name as typed from one address, so that an attacker cannot lock out other users. After five
failures in a row the pause is one second; it doubles with each further failure, up to a quarter of an hour. Pauses are
stored only in this process.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.clock import Clock
from core.errors import PalimpsestError, problem_of
from core.lru_cache import LruCache

FREE = 5
LONGEST_SECONDS = 900.0
FORGOTTEN_SECONDS = 3600.0
MOST = 20_000
"""Maximum number of pairs of name and address in memory; the least recently used is dropped first."""


class PausedError(PalimpsestError):
    """Sign-in is paused; try again after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds + 0.5))
        super().__init__(problem_of("rate_limit", "accounts.paused", seconds=self.seconds))


@dataclass
class _Tries:
    failures: int = 0
    until: float = 0.0
    latest: float = 0.0


class Pauses:
    """Counts attempts to sign in. An attempt counts as failed until it succeeds, so parallel attempts have no
    advantage."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tries: LruCache[tuple[str, str], _Tries] = LruCache(MOST)

    def begin(self, name: str, address: str) -> int:
        """Record an attempt; returns how many have failed in a row, including this one. Raises ``PausedError``."""
        now, key = self._clock(), (name, address)
        tries = self._tries.get(key)
        if tries is None or now - tries.latest > FORGOTTEN_SECONDS:
            tries = _Tries()
        if now < tries.until:
            raise PausedError(tries.until - now)
        tries.failures += 1
        tries.latest = now
        if tries.failures >= FREE:
            tries.until = now + min(2.0 ** (tries.failures - FREE), LONGEST_SECONDS)
        self._tries[key] = tries
        return tries.failures

    def succeeded(self, name: str, address: str) -> None:
        self._tries.pop((name, address), None)
