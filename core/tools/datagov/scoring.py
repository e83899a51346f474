"""Scores how well a resource answers a question: by its subject first, then by other criteria (docs/specification.md,
"Open data").

Each part has a maximum, and the parts about the subject must together reach a minimum: a data set that shares only a
place with the question is no answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel

from core.language.vocabulary import file_of
from core.tools.datagov.column_kinds import PLACES, serves
from core.tools.datagov.decomposition import AskedData, is_weak
from core.tools.datagov.index import CatalogueIndex, IndexedDataset, IndexedResource
from core.tools.datagov.places_in_text import places_in
from core.tools.datagov.text import Text, covered, strength

TITLE, TAGS, OTHER_NAMES, KEYWORDS = 0.40, 0.20, 0.15, 0.25
"""Maximum scores of the parts about the subject."""
PLACE, FORMAT = 0.10, 0.15
"""Maximum scores of the place and of the file format."""
FORMAT_IN_ORDER = 0.25
"""Share of the format score that counts when data sets are ordered."""
FLOOR = 0.15
"""Minimum sum of the scores of the parts about the subject."""
HIGH, MEDIUM = 0.6, 0.35
LACKING = 0.7
"""Factor on a score if a requested column is known to be absent."""

MEANING = 0.08
"""Score for each standard deviation by which a data set's meaning is closer to the question than the mean of all data
sets; it only orders data sets."""
OUTSTANDING = 4.0
"""Number of standard deviations from which a data set is a candidate without a shared word. Both were chosen on the
questions of the benchmark's earlier draws."""

STEEPNESS = 1.5
"""Exponent on the covered share of the subject: covering half of it gives less than half the score."""
BREADTH = 0.5
"""Weight of a title that names other things besides the whole subject, relative to one that names only the subject."""
RESOURCE_TITLE = 0.9
"""Weight of a file's title, relative to its data set's."""
UNHEARD = 0.6
"""Weight of a question word that no data set contains: it may be the subject or only phrasing."""

Confidence = Literal["high", "medium", "low"]


class Breakdown(BaseModel):
    """Each part's score. ``lacking`` is the deduction for a missing column, ``meaning`` the part by embeddings."""

    title: float = 0.0
    tags: float = 0.0
    other_names: float = 0.0
    keywords: float = 0.0
    place: float = 0.0
    format: float = 0.0
    lacking: float = 0.0
    meaning: float = 0.0

    @property
    def subject(self) -> float:
        return self.title + self.tags + self.other_names + self.keywords

    @property
    def precedence(self) -> float:
        """The value by which data sets are ordered; a file's format counts less there, because it says little about the
        subject."""
        return self.subject + self.place + FORMAT_IN_ORDER * self.format + self.lacking + self.meaning

    @property
    def total(self) -> float:
        return max(0.0, min(1.0, self.subject + self.place + self.format) + self.lacking)


_formats = file_of("datagov/formats", dict[str, float])


def format_score(name: str) -> float:
    """Score of a file format, 0..0.15: higher for formats whose rows are easier to read."""
    return _formats().get(name.upper(), 0.0)


def confidence_of(score: float) -> Confidence:
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"


class Scorer:
    """Scores the resources of one catalogue for one question.

    Args:
        grouped: whether synonyms count; without them, only the words themselves.
    """

    def __init__(self, index: CatalogueIndex, asked: AskedData, *, grouped: bool = True) -> None:
        self._index = index
        self._asked = asked
        self._grouped = grouped
        holding = [index.holding(unit, grouped=grouped) for unit in asked.subject]
        self._weights = [
            unit.weight * (index.rarity(len(held)) if held else UNHEARD)
            for unit, held in zip(asked.subject, holding, strict=True)
        ]
        self._whole = sum(self._weights)
        touching = [index.touching(unit) for unit in asked.subject] if grouped else []
        self.candidates = sorted(set().union(*holding, *touching))
        self._place_keys = frozenset(place.key for place in asked.places)

    def is_elsewhere(self, dataset: IndexedDataset) -> bool:
        """Whether the data set covers another place than the one in the question."""
        return bool(self._place_keys and dataset.places and not dataset.places & self._place_keys)

    def score(self, dataset: IndexedDataset, one: IndexedResource | None) -> Breakdown:
        """The score of a data set with ``one`` of its resources (``None`` if the data set has no resource)."""
        parts = Breakdown(
            title=TITLE * self._titles(dataset, one),
            tags=TAGS * self._share(dataset.tags),
            other_names=OTHER_NAMES * self._named_share(dataset) if self._grouped else 0.0,
            keywords=KEYWORDS * self._share(dataset.everything),
            place=self._place(dataset),
            format=format_score(one.resource.format) if one else 0.0,
        )
        if self._lacks_a_column(dataset, one):
            parts.lacking = -(1 - LACKING) * parts.total
        return parts

    def _titles(self, dataset: IndexedDataset, one: IndexedResource | None) -> float:
        best = self._title(dataset.title)
        return max(best, RESOURCE_TITLE * self._title(one.title)) if one else best

    def _title(self, title: Text) -> float:
        """The title's score: how much of the question the title covers, and how much of the title the question
        covers."""
        share = self._share(title)
        if not share:
            return 0.0
        weak = {place for place in title.telling if is_weak(title.words[place])}
        own = title.telling - self._place_words(title) - weak
        said = covered(self._asked.subject, title, grouped=self._grouped)
        exact = len(said & own) / len(own) if own else 1.0
        return share * (BREADTH + (1 - BREADTH) * exact)

    def _place_words(self, title: Text) -> frozenset[int]:
        if not self._place_keys:
            return frozenset()
        found = [each for each in places_in(title.words) if each.place.key in self._place_keys]
        return frozenset(place for each in found for place in range(each.start, each.end))

    def _share(self, text: Text) -> float:
        """How much of the subject ``text`` covers, by the weight of its units; small shares count less than
        proportionally."""
        return self._steep(strength(unit, text, grouped=self._grouped) for unit in self._asked.subject)

    def _named_share(self, dataset: IndexedDataset) -> float:
        """How much of the subject the title and tags cover, including synonyms."""
        groups = dataset.title.groups | dataset.tags.groups
        return self._steep(bool(unit.groups & groups) for unit in self._asked.subject)

    def _steep(self, said: Iterable[float]) -> float:
        if not self._whole:
            return 0.0
        weighed = sum(weight * each for weight, each in zip(self._weights, said, strict=True))
        return float((weighed / self._whole) ** STEEPNESS)

    def _place(self, dataset: IndexedDataset) -> float:
        """The score for the place. If the question names no place, a data set on a single place scores lower."""
        if dataset.places & self._place_keys:
            return PLACE
        return -PLACE if dataset.places else 0.0

    def _lacks_a_column(self, dataset: IndexedDataset, one: IndexedResource | None) -> bool:
        """Whether a requested column, or a column to filter by place, is missing. An unknown column does not count as
        missing."""
        columns = one.resource.columns if one else None
        if columns is None:
            return False
        kinds = [column.kind for column in columns]
        if self._place_keys and not dataset.places and not any(kind in PLACES for kind in kinds):
            return True
        return any(not serves(kind, kinds) for kind in self._asked.columns)
