"""Holds a user's graph and the texts that wait to be read, updated from texts and their mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.knowledge.catalogue import Catalogue
from core.knowledge.content_graph import ContentGraph, Source
from core.knowledge.content_store import Stamp
from core.knowledge.records import RULES, Mention
from core.store.items import MemoryItem


@dataclass
class SyncedGraph:
    """A user's graph and its texts that wait to be read."""

    catalogue: Catalogue
    content: ContentGraph = field(default_factory=ContentGraph)
    pending: dict[str, Source] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    """Passages of documents that belong to a conversation: they exist, but are not in the graph."""
    stamp: Stamp | None = None
    names: frozenset[str] | None = None
    """Names of the companies that were known when a passage was last read."""

    @property
    def known(self) -> set[str]:
        return self.content.sources.keys() | self.pending.keys() | self.private

    @property
    def version(self) -> int:
        return self.content.version

    def knows(self, fresh: Source) -> bool:
        """Whether ``fresh`` is unchanged, ignoring its extracted concepts."""
        old = self.content.sources.get(fresh.item_id)
        return old is not None and old == replace(
            fresh,
            fingerprint=old.fingerprint,
            concepts=old.concepts,
            pairs=old.pairs,
            relations=old.relations,
            stated=old.stated,
        )

    def still_waits_for(self, item: MemoryItem) -> bool:
        """Whether ``item`` has not changed and still waits to be read."""
        waiting = self.pending.get(item.id)
        return waiting is not None and waiting.updated_at == item.timestamps.updated_at

    def drop(self, item_id: str) -> None:
        self.content.remove(item_id)
        self.pending.pop(item_id, None)
        self.private.discard(item_id)

    def count(self, sources: Sequence[tuple[Source, bool]]) -> None:
        """Add each text that was read to the graph; the others wait to be read."""
        for source, is_read in sources:
            if is_read:
                self.content.put(source)
                self.pending.pop(source.item_id, None)
            else:
                self.content.remove(source.item_id)
                self.pending[source.item_id] = source


def current_source(source: Source, mention: Mention | None, texts: dict[str, str]) -> tuple[Source, bool]:
    """The text with the concepts from its mention record, and whether that record matches the text's current
    version."""
    if mention is None or mention.rules != RULES:
        return source, False
    if source.item_id in texts and texts[source.item_id] != mention.fingerprint:
        return source, False
    return source.naming(mention), True


def is_doubtful(source: Source, mention: Mention | None) -> bool:
    """Whether the text itself must be read to decide if the mention record matches it."""
    return mention is not None and mention.seen != source.updated_at
