"""Scores memories by their own text, by their neighbours and by their episode (the conversation they are from).

A message of a conversation rarely names its subject: an earlier message or another part of the conversation did. So
each candidate is scored by: the words of its neighbourhood (direct neighbours count half, the next ones a quarter); how
much of the question its neighbourhood and its episode contain; embeddings (its own and its episode's best); whether the
question names its speaker or its date; and its kind of text (questions score lower, longer texts higher). The best
candidate of an episode gets a bonus, since an answer often needs several episodes. A text without an episode is its own
neighbourhood and episode.

The weights were trained on conversations to find the messages with the answer and their sessions (``python -m
benchmarks.locomo`` trains them again on four of five parts of the data and reports the result on the fifth). Document
passages are searched without this: their texts are long and name their subject.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from core.language.entities.dates import DateReading, dates_in
from core.language.matching import frequencies, strengths
from core.language.normalisation import fold
from core.question.analysis import Analysis
from core.search.request import ScoredHit
from core.store.items import ItemText

Counts = Callable[[ItemText], Counter[str]]
Matrix = NDArray[np.float64]
Held = NDArray[np.bool_]

BESIDE = {-2: 0.25, -1: 0.5, 1: 0.5, 2: 0.25}
"""Weight of the neighbours' words, by distance."""
BEST = 3
"""Number of an episode's best candidates whose embedding scores are averaged for the episode."""

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
"""Bonus for the best candidate of an episode."""
_MOST = sum(weight for weight in WEIGHTS.values() if weight > 0) + LEAD

_NAMED = DateReading(("month_day", "day_month", "month_year", "month"), alone="led")


class Episodes:
    """The candidates with their neighbours; ``around`` are neighbours that are not candidates themselves."""

    def __init__(self, candidates: Sequence[ScoredHit], around: Sequence[ItemText], counts: Counts) -> None:
        own = [each.item for each in candidates]
        self._items = [*around, *own]
        self._counts = [counts(item) for item in self._items]
        rows = {(item.place.episode, item.place.order): row for row, item in enumerate(self._items)}
        nowhere = len(self._items)
        self._known: tuple[tuple[str, ...], Matrix, Matrix] | None = None
        self._own = np.arange(len(around), nowhere)
        self._beside = {
            step: np.array(
                [
                    rows.get((item.place.episode, item.place.order + step), nowhere)
                    if item.place.episode is not None
                    else nowhere
                    for item in own
                ],
                np.int64,
            )
            for step in BESIDE
        }

    def windows(self, terms: Sequence[str]) -> tuple[Matrix, Matrix]:
        """Returns, for each candidate, the frequencies of ``terms`` in its neighbourhood, its own text counted fully,
        shape (candidates, terms), and the neighbourhood's length."""
        found, lengths = self._counted(tuple(terms))
        window, length = found[self._own], lengths[self._own]
        for step, share in BESIDE.items():
            window = window + share * found[self._beside[step]]
            length = length + share * lengths[self._beside[step]]
        return window, length

    def questions_before(self, terms: Sequence[str]) -> tuple[Matrix, Matrix]:
        """Returns the frequencies of ``terms`` in the text just before each candidate, and its length, if that text is
        a question; otherwise zeros."""
        found, lengths = self._counted(tuple(terms))
        before = self._beside[-1].copy()
        for place, row in enumerate(before.tolist()):
            if row < len(self._items) and not is_question(self._items[row].text):
                before[place] = len(self._items)
        return found[before], lengths[before]

    def _counted(self, terms: tuple[str, ...]) -> tuple[Matrix, Matrix]:
        """Returns the term frequencies and lengths of all texts; the last row is zero."""
        if self._known is None or self._known[0] != terms:
            found = np.zeros((len(self._items) + 1, len(terms)))
            found[:-1] = frequencies(terms, self._counts)
            self._known = terms, found, np.array([*(each.total() for each in self._counts), 0.0])
        return self._known[1:]


def is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "؟"))


def features(analysis: Analysis, candidates: Sequence[ScoredHit], episodes: Episodes) -> dict[str, Matrix]:
    """Returns each candidate's features by the names of ``WEIGHTS``; each about 0..1, shape (candidates,)."""
    terms = [term for term in analysis.terms if not term.startswith("@")]
    distinct = list(dict.fromkeys(terms))
    windows, lengths = episodes.windows(distinct)
    coverage = _coverage(windows > 0)
    meaning = _rescaled(np.array([each.cosine if each.cosine is not None else -1.0 for each in candidates]))
    return {
        "words": _rescaled(strengths(terms, windows, lengths)),
        "coverage": coverage,
        "episode_coverage": _of_episodes(candidates, windows > 0, coverage),
        "asked_before": _rescaled(strengths(terms, *episodes.questions_before(distinct))),
        "meaning": meaning,
        "episode_meaning": _best_of_episodes(candidates, meaning),
        "asks": np.array([float(is_question(each.item.text)) for each in candidates]),
        "length": _lengths(candidates),
        "speaker": _speakers(analysis.text, candidates),
        "date": _month_matches(analysis.text, candidates),
    }


def fuse_episodes(analysis: Analysis, candidates: Sequence[ScoredHit], episodes: Episodes) -> None:
    """Sets ``fused`` of every candidate in place, at most about 1."""
    if not candidates:
        return
    known = features(analysis, candidates, episodes)
    scores = sum((weight * known[name] for name, weight in WEIGHTS.items()), np.zeros(len(candidates)))
    led = with_lead(scores, [each.item.place.episode for each in candidates])
    for each, score in zip(candidates, led, strict=True):
        each.fused = max(0.0, float(score) / _MOST)


def with_lead(scores: Matrix, episodes: Sequence[str | None]) -> Matrix:
    """Adds ``LEAD`` to the ``scores`` of each episode's best candidate (the first if several are equal) and of
    candidates without an episode."""
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
    """Rescales values to 0 (the lowest) to 1 (the best); negative values mean unknown and count as the lowest."""
    known = values[values >= 0]
    if not len(known) or known.max() == known.min():
        return np.zeros(len(values))
    spread: Matrix = np.clip((values - known.min()) / (known.max() - known.min()), 0.0, 1.0)
    return spread


def _coverage(held: Held) -> Matrix:
    """Returns the share of the question's terms that each text contains, with more weight for rare terms; ``held`` says
    which terms it contains, shape (texts, terms)."""
    count = len(held)
    idf = [math.log(1 + (count - some + 0.5) / (some + 0.5)) if some else 0.0 for some in held.sum(axis=0).tolist()]
    most = sum(idf) or 1.0
    shares = np.zeros(count)
    for column, rarity in enumerate(idf):
        shares += rarity * held[:, column]
    return shares / most


def _of_episodes(candidates: Sequence[ScoredHit], held: Held, own: Matrix) -> Matrix:
    """Returns, for each candidate, the share of the question's terms that its episode's candidates contain together;
    ``own`` for candidates without an episode."""
    names = list(dict.fromkeys(each.item.place.episode for each in candidates if each.item.place.episode is not None))
    places = {name: place for place, name in enumerate(names)}
    together = np.zeros((len(names), held.shape[1]), np.bool_)
    for each, holds in zip(candidates, held, strict=True):
        if each.item.place.episode is not None:
            together[places[each.item.place.episode]] |= holds
    shares = dict(zip(names, _coverage(together).tolist(), strict=True))
    return np.array(
        [shares.get(each.item.place.episode or "", alone) for each, alone in zip(candidates, own.tolist(), strict=True)]
    )


def _best_of_episodes(candidates: Sequence[ScoredHit], meaning: Matrix) -> Matrix:
    """Returns, for each candidate, the mean score of its episode's best candidates."""
    groups: dict[str, list[float]] = defaultdict(list)
    for each, value in zip(candidates, meaning.tolist(), strict=True):
        if each.item.place.episode is not None:
            groups[each.item.place.episode].append(value)
    best = {name: sorted(values)[-BEST:] for name, values in groups.items()}
    means = {name: sum(values) / len(values) for name, values in best.items()}
    return np.array(
        [means.get(each.item.place.episode or "", own) for each, own in zip(candidates, meaning.tolist(), strict=True)]
    )


def _lengths(candidates: Sequence[ScoredHit]) -> Matrix:
    """Returns how much longer each candidate is than the average of its tier: a long book passage is not better than a
    short fact."""
    lengths = np.array([math.log1p(len(each.item.text)) / 5 for each in candidates])
    tiers = np.array([each.item.tier for each in candidates])
    for tier in set(tiers.tolist()):
        lengths[tiers == tier] -= lengths[tiers == tier].mean()
    return lengths


def _speakers(question: str, candidates: Sequence[ScoredHit]) -> Matrix:
    """Returns 1 for candidates whose speaker the question names, unless it names all speakers."""
    asked = fold(question)
    named = [bool(each.item.source.speaker and fold(each.item.source.speaker) in asked) for each in candidates]
    return np.array(named, dtype=np.float64) * (not all(named))


def _month_matches(question: str, candidates: Sequence[ScoredHit]) -> Matrix:
    """Returns 1 for candidates whose month the question names."""
    named = {span.day.month for span in dates_in(question, _NAMED)}
    if not named:
        return np.zeros(len(candidates))
    months = [datetime.fromtimestamp(each.item.timestamps.created_at, UTC).month for each in candidates]
    return np.array([float(month in named) for month in months])
