"""Holds a user's content graph in memory; all its counts are computed from the texts that exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest

import networkx as nx

from core.knowledge.records import Mention, Relation
from core.records.memory_meta import Tier


@dataclass(frozen=True, slots=True)
class Source:
    """A text in the graph. ``quality`` is importance × confidence of a memory bank fact, else ``None``."""

    item_id: str
    tier: Tier
    document_id: str | None
    conversation_id: str | None
    quality: float | None
    created_at: float
    updated_at: float
    fingerprint: str = ""
    concepts: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    relations: tuple[Relation, ...] = ()
    stated: tuple[tuple[str, str, str], ...] = ()
    """Two concepts and what the text says of them, from the first to the second."""

    def naming(self, mention: Mention) -> Source:
        """A copy with the concepts that ``mention`` lists."""
        names = mention.concepts
        return Source(
            self.item_id,
            self.tier,
            self.document_id,
            self.conversation_id,
            self.quality,
            self.created_at,
            self.updated_at,
            mention.fingerprint,
            tuple(names),
            tuple(_pair(names[one], names[other]) for one, other in mention.pairs if names[one] != names[other]),
            tuple(mention.relations),
            tuple((names[one], names[other], reason) for one, other, reason in mention.stated if one != other),
        )


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


@dataclass
class ContentGraph:
    """The content graph. The nodes of ``graph`` are concept ids; two concepts that occur together have an edge, whose
    attribute ``items`` has the ids of the texts."""

    sources: dict[str, Source] = field(default_factory=dict)
    naming: dict[str, dict[str, None]] = field(default_factory=dict)
    """The texts that name each concept."""
    graph: nx.Graph[str] = field(default_factory=nx.Graph)
    version: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    """For each concept, the graph version at which a text that names the concept was last added, changed or removed."""

    def put(self, source: Source) -> None:
        """Count a text, replacing its earlier version."""
        self.remove(source.item_id)
        self.sources[source.item_id] = source
        for concept in source.concepts:
            self.naming.setdefault(concept, {})[source.item_id] = None
            self.graph.add_node(concept)
        for one, other in source.pairs:
            self.joined(one, other)[source.item_id] = None
        self._count(source)

    def remove(self, item_id: str) -> None:
        """Remove a text, and the concepts and edges that only this text contained."""
        source = self.sources.pop(item_id, None)
        if source is None:
            return
        for one, other in source.pairs:
            if self.graph.has_edge(one, other):
                items = self.joined(one, other)
                items.pop(item_id, None)
                if not items:
                    self.graph.remove_edge(one, other)
        for concept in source.concepts:
            naming = self.naming.get(concept, {})
            naming.pop(item_id, None)
            if not naming:
                self.naming.pop(concept, None)
                if concept in self.graph:
                    self.graph.remove_node(concept)
        self._count(source)

    def _count(self, source: Source) -> None:
        self.version += 1
        self.changed.update(dict.fromkeys(source.concepts, self.version))

    def joined(self, one: str, other: str) -> dict[str, None]:
        """The texts in which the two concepts occur together."""
        found: dict[str, dict[str, None]] | None = self.graph.get_edge_data(one, other)
        if found is None:
            found = {"items": {}}
            self.graph.add_edge(one, other, **found)
        return found["items"]

    def mentions(self, concept: str) -> int:
        return len(self.naming.get(concept, ()))

    def texts(self, concept: str) -> list[Source]:
        """The texts that name the concept, the newest first."""
        return self.newest(self.naming.get(concept, ()))

    def newest(self, item_ids: Iterable[str]) -> list[Source]:
        found = [self.sources[each] for each in item_ids if each in self.sources]
        return sorted(found, key=lambda source: (-source.created_at, source.item_id))

    def latest(self, item_ids: Iterable[str], most: int) -> list[str]:
        """Ids of the newest texts that name the concept."""
        return nlargest(most, item_ids, key=lambda item: self.sources[item].created_at)

    def together(self, one: str, other: str) -> list[Source]:
        """The texts that name both concepts."""
        first, second = self.naming.get(one, {}), self.naming.get(other, {})
        return [self.sources[each] for each in first.keys() & second.keys()]

    def avg_quality(self, concept: str) -> float:
        """Σ importance × confidence / mentions, over the memory bank facts that name the concept; 0 if there are
        none."""
        sources = (self.sources[each] for each in self.naming.get(concept, ()))
        known = [source.quality for source in sources if source.quality is not None]
        return sum(known) / len(known) if known else 0.0

    def relations(self) -> list[tuple[Relation, str]]:
        """Relations that a model found between two concepts, each with the id of its text."""
        return [(relation, source.item_id) for source in self.sources.values() for relation in source.relations]
