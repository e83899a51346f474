"""Indexes a catalogue for search: each data set's words, synonym groups and category, and each word's data sets."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.language.phrases import words
from core.tools.datagov.decomposition import Unit
from core.tools.datagov.places_in_text import is_everywhere, places_in
from core.tools.datagov.records import Dataset, Resource, ResourceMap
from core.tools.datagov.text import Text, text_of
from core.tools.datagov.word_groups import domain_of

_LONGEST_NOTES = 600
"""Number of characters of a data set's description that are indexed: later text names too many unrelated things."""


@dataclass(frozen=True)
class IndexedResource:
    resource: Resource
    title: Text
    columns: Text


@dataclass(frozen=True)
class IndexedDataset:
    """An indexed data set. ``everything`` is all its text; ``places`` are keys of the places it covers, empty if it
    covers the whole country."""

    dataset: Dataset
    title: Text
    tags: Text
    everything: Text
    resources: tuple[IndexedResource, ...]
    places: frozenset[str]
    category: str


@dataclass
class CatalogueIndex:
    """The index. ``holders``: word key → indices in ``datasets`` of the data sets with that word; ``categories`` maps
    each category in the same way."""

    datasets: list[IndexedDataset]
    holders: dict[str, set[int]]
    naming: dict[int, set[int]]
    categories: dict[str, list[int]]

    def holding(self, unit: Unit, *, grouped: bool = True) -> set[int]:
        """The data sets that contain ``unit`` as a whole, or a synonym of the whole unit."""
        found = {place for group in unit.groups if grouped for place in self.naming.get(group, ())}
        by_word = [{place for key in keys for place in self.holders.get(key, ())} for keys in unit.keys]
        return found | set.intersection(*by_word)

    def touching(self, unit: Unit) -> set[int]:
        """The data sets that contain a synonym of some words within ``unit``."""
        return {place for group in unit.parts for place in self.naming.get(group, ())}

    def rarity(self, held: int) -> float:
        """How informative a word is if ``held`` data sets contain it, 0..1; a word in no data set is the most
        informative."""
        total = len(self.datasets) + 1
        return math.log(total / (held + 0.5)) / math.log(total / 0.5)


def index_of(catalogue: ResourceMap) -> CatalogueIndex:
    """Build the index. This takes about a second for a thousand data sets, so call it in a thread."""
    datasets = [_indexed(each) for each in catalogue.datasets]
    holders: defaultdict[str, set[int]] = defaultdict(set)
    naming: defaultdict[int, set[int]] = defaultdict(set)
    categories: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(datasets):
        for key in each.everything.keys:
            holders[key].add(place)
        for group in each.everything.groups:
            naming[group].add(place)
        categories[each.category].append(place)
    return CatalogueIndex(datasets, dict(holders), dict(naming), dict(categories))


def _indexed(dataset: Dataset) -> IndexedDataset:
    notes = dataset.notes[:_LONGEST_NOTES]
    resources = tuple(
        IndexedResource(each, text_of(each.title), text_of(*(column.name for column in each.columns or [])))
        for each in dataset.resources
    )
    columns = [column.name for each in dataset.resources for column in each.columns or []]
    titles = [each.title for each in dataset.resources]
    title, tags = text_of(dataset.title, dataset.name.replace("-", " ")), text_of(*dataset.tags)
    return IndexedDataset(
        dataset=dataset,
        title=title,
        tags=tags,
        everything=text_of(
            dataset.title, dataset.name.replace("-", " "), notes, dataset.publisher, *dataset.tags, *dataset.groups,
            *titles, *columns,
        ),
        resources=resources,
        places=_places(dataset.title, dataset.publisher),
        category=category_of([(title.groups, 3), (tags.groups, 2), (text_of(notes, dataset.publisher).groups, 1)]),
    )  # fmt: skip


def _places(*texts: str) -> frozenset[str]:
    found = (match.place for text in texts for match in places_in(words(text)))
    return frozenset(place.key for place in found if not is_everywhere(place))


def category_of(said: Iterable[tuple[Iterable[int], int]]) -> str:
    """The domain to which most of the names belong; empty if none is known."""
    counts: Counter[str] = Counter()
    for groups, weight in said:
        for group in groups:
            counts[domain_of(group)] += weight
    return max(sorted(counts), key=lambda domain: counts[domain], default="")
