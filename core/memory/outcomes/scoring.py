"""Calculates scores from outcomes, with pure functions (docs/specification.md, "Outcomes").

Wilson's lower bound is displayed. Ranking uses a shrunk mean instead, because the bound would rank a memory that
succeeded in three of three uses (.44) below one that was never used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from core.setting_groups import Memory
from core.store.items import Outcome, Quality, Stats

Z = 1.959964
"""The normal quantile for 95 % confidence."""
PRIOR_STRENGTH = 2.0
"""Number of assumed trials with a success rate of one half that are added to the real ones."""
PARTIAL = 0.5
"""Weight of the outcome *partial* in a mean."""


def wilson(successes: float, trials: float) -> float:
    """Lower bound of the success rate, 0..1 (Wilson 1927); 0 without trials."""
    if trials <= 0:
        return 0.0
    rate = successes / trials
    centre = rate + Z * Z / (2 * trials)
    margin = Z * math.sqrt((rate * (1 - rate) + Z * Z / (4 * trials)) / trials)
    return max(0.0, (centre - margin) / (1 + Z * Z / trials))


def shrunk_mean(successes: float, trials: float) -> float:
    """The success rate with ``PRIOR_STRENGTH`` assumed trials at one half, 0..1."""
    return (successes + PRIOR_STRENGTH / 2) / (trials + PRIOR_STRENGTH)


def delta(outcome: Outcome, settings: Memory) -> float:
    """What an outcome adds to a score."""
    return {"worked": settings.worked, "partial": settings.partial, "failed": settings.failed, "unknown": 0.0}[outcome]


def score_after(score: float, outcome: Outcome, settings: Memory) -> float:
    """``score`` after one outcome, within 0..1, rounded to 3 places."""
    return round(min(1.0, max(0.0, score + delta(outcome, settings))), 3)


def replayed(stats: Stats, outcomes: Iterable[Outcome], settings: Memory) -> Stats:
    """``stats`` recomputed from an item's effective outcomes, in order of time.

    A score is always recomputed from its initial value, so an outcome that was replaced has no effect, and a repeated
    write after a crash changes nothing. The outcome ``unknown`` is counted but is not a use.
    """
    replayed_outcomes = list(outcomes)
    counts = {name: replayed_outcomes.count(name) for name in ("worked", "failed", "partial", "unknown")}
    score = stats.initial_score
    for outcome in replayed_outcomes:
        score = score_after(score, outcome, settings)
    uses = len(replayed_outcomes) - counts["unknown"]
    decided = counts["worked"] + counts["failed"]
    return stats.model_copy(
        update={
            "uses": uses,
            "worked_count": counts["worked"],
            "failed_count": counts["failed"],
            "partial_count": counts["partial"],
            "unknown_count": counts["unknown"],
            "success_rate": counts["worked"] / decided if decided else 0.5,
            "wilson_score": wilson(counts["worked"] + PARTIAL * counts["partial"], uses),
            "score": score,
            "last_outcome": replayed_outcomes[-1] if replayed_outcomes else None,
        }
    )


def quality(importance: float, confidence: float, mentioned: int = 1) -> Quality:
    """A bank item's quality: ``quality_score = importance × confidence``."""
    return Quality(
        importance=importance,
        confidence=confidence,
        mentioned_count=mentioned,
        quality_score=round(importance * confidence, 6),
    )
