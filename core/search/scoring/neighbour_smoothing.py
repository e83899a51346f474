"""Raises passage scores by context: the document or conversation they are in (their episode), and neighbours.

The passage with the answer is often worded less like the question than the one before it, which names the subject. So
each passage's score moves towards the best of its episode, and towards better neighbours. The score of an episode's
best passage does not change, so the first hit stays first, and so does the order of episodes by their best passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

EPISODE = 0.4
NEIGHBOURS = 0.1


def smooth_by_neighbours(candidates: Sequence[ScoredHit]) -> None:
    """Sets ``company`` of every candidate in place: the bonus from its context, to be added to ``fused``."""
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
