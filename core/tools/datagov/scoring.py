"""How well a resource answers: its subject first, then what else speaks for it (docs/specification.md, "Open data").

Each part has a ceiling, and the parts that are about the subject have to reach a floor together: what shares no more
with the question than a place is no answer.
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
"""Ceilings of the parts that are about the subject."""
PLACE, FORMAT = 0.10, 0.15
"""Ceilings of the others."""
FORMAT_IN_ORDER = 0.25
"""Share of the format's part that counts between sets, beside what they are about."""
FLOOR = 0.15
"""Of the parts that are about the subject, together."""
HIGH, MEDIUM = 0.6, 0.35
LACKING = 0.7
"""What is left of a score where a wanted column is known to be absent."""

STEEPNESS = 1.5
"""The power of a share: half of the subject is less than half an answer."""
BREADTH = 0.5
"""What a title that says the whole subject among many other things is worth beside one that says nothing else."""
RESOURCE_TITLE = 0.9
"""The title of a file beside that of its set."""
UNHEARD = 0.6
"""Weight of a word that no set of the catalogue holds: it may be what was meant, or how people talk."""

Confidence = Literal["high", "medium", "low"]


class Breakdown(BaseModel):
    """What each part gave. ``lacking`` is what a missing column took."""

    title: float = 0.0
    tags: float = 0.0
    other_names: float = 0.0
    keywords: float = 0.0
    place: float = 0.0
    format: float = 0.0
    lacking: float = 0.0

    @property
    def subject(self) -> float:
        return self.title + self.tags + self.other_names + self.keywords

    @property
    def precedence(self) -> float:
        """By what sets are ordered: how well rows can be taken out of a file says little of what it is about."""
        return self.subject + self.place + FORMAT_IN_ORDER * self.format + self.lacking

    @property
    def total(self) -> float:
        return max(0.0, min(1.0, self.subject + self.place + self.format) + self.lacking)


_formats = file_of("datagov/formats", dict[str, float])


def format_score(name: str) -> float:
    """0..0.15, the more the better rows can be taken out of such a file."""
    return _formats().get(name.upper(), 0.0)


def confidence_of(score: float) -> Confidence:
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"


class Scorer:
    """Scores the resources of one catalogue for one question.

    Args:
        grouped: whether what a thing is called otherwise counts; without, only the words themselves do.
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
        """Whether it is about another place than the one that was asked for."""
        return bool(self._place_keys and dataset.places and not dataset.places & self._place_keys)

    def score(self, dataset: IndexedDataset, one: IndexedResource | None) -> Breakdown:
        """``one`` of its resources, or none where it has none."""
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
        """What of the question a title says, and what of the title the question says."""
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
        """What ``text`` says of the subject, by the weight of its units; little of it is less than its share."""
        return self._steep(strength(unit, text, grouped=self._grouped) for unit in self._asked.subject)

    def _named_share(self, dataset: IndexedDataset) -> float:
        """What the title and the tags name of the subject, under whatever name."""
        groups = dataset.title.groups | dataset.tags.groups
        return self._steep(bool(unit.groups & groups) for unit in self._asked.subject)

    def _steep(self, said: Iterable[float]) -> float:
        if not self._whole:
            return 0.0
        weighed = sum(weight * each for weight, each in zip(self._weights, said, strict=True))
        return float((weighed / self._whole) ** STEEPNESS)

    def _place(self, dataset: IndexedDataset) -> float:
        """A set about the place that was asked for; one about a single place answers worse who asks about none."""
        if dataset.places & self._place_keys:
            return PLACE
        return -PLACE if dataset.places else 0.0

    def _lacks_a_column(self, dataset: IndexedDataset, one: IndexedResource | None) -> bool:
        """One that was asked for, or that rows could be narrowed down to the place by. An unknown column is not an
        absent one."""
        columns = one.resource.columns if one else None
        if columns is None:
            return False
        kinds = [column.kind for column in columns]
        if self._place_keys and not dataset.places and not any(kind in PLACES for kind in kinds):
            return True
        return any(not serves(kind, kinds) for kind in self._asked.columns)
