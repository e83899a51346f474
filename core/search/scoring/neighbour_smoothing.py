"""What a passage's company says about it: its document, or conversation, and its neighbours there.

A passage that answers is often worded less like the question than the one before it, which names the thing. So each
passage moves towards the best of its episode, and towards its neighbours where they are better. The best passage of
an episode never moves, hence neither does the first hit nor the order of episodes by their best.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

EPISODE = 0.4
NEIGHBOURS = 0.1


def smooth_by_neighbours(candidates: Sequence[ScoredHit]) -> None:
    """Set ``company`` of every candidate in place: what its company adds to ``fused``."""
    best: dict[str, float] = {}
    places: dict[tuple[str, int], float] = {}
    for each in candidates:
        place = each.item.place
        if place.episode is not None:
            best[place.episode] = max(best.get(place.episode, 0.0), each.fused)
            places[place.episode, place.order] = each.fused
    for each in candidates:
        episode, order = each.item.place.episode, each.item.place.order
        if episode is not None:
            beside = [score for step in (-1, 1) if (score := places.get((episode, order + step))) is not None]
            lead = max(0.0, sum(beside) / len(beside) - each.fused) if beside else 0.0
            each.company = EPISODE * max(0.0, best[episode] - each.fused) + NEIGHBOURS * lead
