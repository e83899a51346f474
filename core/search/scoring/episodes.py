"""A memory is found by itself, by its neighbourhood and by its episode.

A turn of a conversation seldom names what it is about: the one before it did, or the session did. So each candidate
is judged by the words of its neighbourhood (neighbours count half, the next ones a quarter), by how much of the
question its neighbourhood and its episode hold, by meaning, its own and its episode's best, by whether the question
names its speaker or its date, and by what kind of text it is: texts that ask tell less, longer ones tell more. The
best of an episode leads the rest of it, because an answer is often gathered from several episodes. What stands alone
is its own neighbourhood and its own episode.

The weights were fitted on conversations, to find the turns that answer and their sessions (``python -m
benchmarks.locomo`` fits them anew on four of five and reports the fifth). Passages of documents are searched without
this: their texts are long and name their subject.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from core.language.entities.dates import DateReading, dates_in
from core.language.matching import lexical_strengths
from core.language.normalisation import fold
from core.search.query.analysis import Analysis
from core.search.request import ScoredHit
from core.store.items import ItemText, MemoryItem

Counts = Callable[[ItemText], Counter[str]]
Matrix = NDArray[np.float64]

BESIDE = {-2: 0.25, -1: 0.5, 1: 0.5, 2: 0.25}
"""What the words of neighbours count, by their distance."""
BEST = 3
"""Candidates of an episode whose meaning speaks for it."""

WEIGHTS: dict[str, float] = {
    "words": 3.4,
    "coverage": 1.5,
    "episode_coverage": 0.7,
    "asked_before": 1.2,
    "meaning": 4.0,
    "episode_meaning": 6.7,
    "asks": -1.0,
    "length": 2.7,
    "speaker": 1.2,
    "date": 5.2,
}
LEAD = 0.3
"""What the best candidate of an episode is given beyond its weights."""
_MOST = sum(weight for weight in WEIGHTS.values() if weight > 0) + LEAD

_NAMED = DateReading(("month_day", "day_month", "month_year", "month"), alone="led")


class Episodes:
    """The neighbourhood of candidates; ``around`` are neighbours that are no candidates themselves."""

    def __init__(self, candidates: Sequence[ScoredHit], around: Sequence[ItemText], counts: Counts) -> None:
        self._counts: dict[tuple[str, int], Counter[str]] = {}
        self._texts: dict[tuple[str, int], str] = {}
        for item in [*around, *(each.item for each in candidates)]:
            if item.place.episode is not None:
                place = (item.place.episode, item.place.order)
                self._counts[place] = counts(item)
                self._texts[place] = item.text
        self._of = counts

    def window(self, item: MemoryItem, terms: Sequence[str]) -> tuple[Counter[str], float]:
        """Term frequencies of ``terms`` in the neighbourhood, its own counted whole, and the length of all of it."""
        shares = [(1.0, self._of(item)), *self._beside(item)]
        found = {term: sum(share * words.get(term, 0) for share, words in shares) for term in terms}
        held = Counter({term: count for term, count in found.items() if count})
        return held, sum(share * words.total() for share, words in shares)

    def _beside(self, item: MemoryItem) -> list[tuple[float, Counter[str]]]:
        episode, order = item.place.episode, item.place.order
        if episode is None:
            return []
        near = ((share, self._counts.get((episode, order + step))) for step, share in BESIDE.items())
        return [(share, words) for share, words in near if words]

    def question_before(self, item: MemoryItem) -> Counter[str]:
        """The words of the text just before, when it asks something; else none."""
        place = (item.place.episode or "", item.place.order - 1)
        return self._counts[place] if is_question(self._texts.get(place, "")) else Counter()


def is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "؟"))


def features(analysis: Analysis, candidates: Sequence[ScoredHit], episodes: Episodes) -> dict[str, Matrix]:
    """What is known of each candidate, by the names of ``WEIGHTS``; each about 0..1, shape (candidates,)."""
    terms = [term for term in analysis.terms if not term.startswith("@")]
    near = [episodes.window(each.item, terms) for each in candidates]
    windows, lengths = [held for held, _ in near], [length for _, length in near]
    coverage = _coverage(terms, windows)
    meaning = _rescaled(np.array([each.cosine if each.cosine is not None else -1.0 for each in candidates]))
    asked = [episodes.question_before(each.item) for each in candidates]
    return {
        "words": _rescaled(np.array(lexical_strengths(terms, windows, lengths))),
        "coverage": coverage,
        "episode_coverage": _of_episodes(candidates, windows, terms, coverage),
        "asked_before": _rescaled(np.array(lexical_strengths(terms, asked))),
        "meaning": meaning,
        "episode_meaning": _best_of_episodes(candidates, meaning),
        "asks": np.array([float(is_question(each.item.text)) for each in candidates]),
        "length": _lengths(candidates),
        "speaker": _speakers(analysis.text, candidates),
        "date": _month_matches(analysis.text, candidates),
    }


def fuse_episodes(analysis: Analysis, candidates: Sequence[ScoredHit], episodes: Episodes) -> None:
    """Set ``fused`` of every candidate in place, at most about 1."""
    if not candidates:
        return
    known = features(analysis, candidates, episodes)
    scores = sum((weight * known[name] for name, weight in WEIGHTS.items()), np.zeros(len(candidates)))
    led = with_lead(scores, [each.item.place.episode for each in candidates])
    for each, score in zip(candidates, led, strict=True):
        each.fused = max(0.0, float(score) / _MOST)


def with_lead(scores: Matrix, episodes: Sequence[str | None]) -> Matrix:
    """``scores``, the best of each episode raised by ``LEAD``, and what is in none; the first wins among equals."""
    led = scores.copy()
    seen: set[str] = set()
    for place in np.argsort(-scores, kind="stable"):
        episode = episodes[place]
        if episode is None or episode not in seen:
            led[place] += LEAD
        if episode is not None:
            seen.add(episode)
    return led


def _rescaled(values: Matrix) -> Matrix:
    """From 0, the least of the candidates, to 1, their best; values below zero are unknown and count as the least."""
    known = values[values >= 0]
    if not len(known) or known.max() == known.min():
        return np.zeros(len(values))
    spread: Matrix = np.clip((values - known.min()) / (known.max() - known.min()), 0.0, 1.0)
    return spread


def _coverage(terms: Sequence[str], texts: Sequence[Collection[str]]) -> Matrix:
    """The share of the question's terms that each text holds, rare terms counting more."""
    wanted = set(terms)
    held = Counter(term for text in texts for term in wanted if term in text)
    idf = {term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in held.items()}
    most = sum(idf.values()) or 1.0
    return np.array([sum(idf[term] for term in idf if term in text) / most for text in texts])


def _of_episodes(
    candidates: Sequence[ScoredHit], windows: Sequence[Counter[str]], terms: Sequence[str], own: Matrix
) -> Matrix:
    """The same of all that the candidates of an episode hold together."""
    together: dict[str, set[str]] = defaultdict(set)
    for each, window in zip(candidates, windows, strict=True):
        if each.item.place.episode is not None:
            together[each.item.place.episode].update(window)
    names = list(together)
    shares = dict(zip(names, _coverage(terms, [together[name] for name in names]), strict=True))
    return np.array(
        [shares.get(each.item.place.episode or "", alone) for each, alone in zip(candidates, own, strict=True)]
    )


def _best_of_episodes(candidates: Sequence[ScoredHit], meaning: Matrix) -> Matrix:
    """The mean of the best few of each episode."""
    groups: dict[str, list[float]] = defaultdict(list)
    for each, value in zip(candidates, meaning, strict=True):
        if each.item.place.episode is not None:
            groups[each.item.place.episode].append(float(value))
    means = {name: float(np.mean(sorted(values)[-BEST:])) for name, values in groups.items()}
    return np.array(
        [means.get(each.item.place.episode or "", own) for each, own in zip(candidates, meaning, strict=True)]
    )


def _lengths(candidates: Sequence[ScoredHit]) -> Matrix:
    """How much longer than its tier's candidates usually are: a chunk of a book is no better than a short fact."""
    lengths = np.array([math.log1p(len(each.item.text)) / 5 for each in candidates])
    tiers = np.array([each.item.tier for each in candidates])
    for tier in set(tiers.tolist()):
        lengths[tiers == tier] -= lengths[tiers == tier].mean()
    return lengths


def _speakers(question: str, candidates: Sequence[ScoredHit]) -> Matrix:
    """1 where the question names who speaks, unless it names all of them."""
    asked = fold(question)
    named = [bool(each.item.source.speaker and fold(each.item.source.speaker) in asked) for each in candidates]
    return np.array(named, dtype=np.float64) * (not all(named))


def _month_matches(question: str, candidates: Sequence[ScoredHit]) -> Matrix:
    """1 where the question names the month in which it was said."""
    named = {span.day.month for span in dates_in(question, _NAMED)}
    months = [datetime.fromtimestamp(each.item.timestamps.created_at, UTC).month for each in candidates]
    return np.array([float(month in named) for month in months])
