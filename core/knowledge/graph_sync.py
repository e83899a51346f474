"""Updates the content graphs when the texts that they are extracted from change.

There is no queue of texts to read: a text must be read if it exists in the record store and there is no mention record
for its current version. So nothing is lost if a process stops between a write and the graph update, and reading a text
twice has no effect. Before every access, the record store is asked whether a text was added, changed or removed by any
process, so no reader sees an edge whose text has been removed.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from core.batches import batches
from core.clock import Clock
from core.knowledge.catalogue import Catalogue
from core.knowledge.content_graph import Source
from core.knowledge.content_store import ContentStore, Stamp, fingerprint
from core.knowledge.document_reading import DocumentReading, defined_where, read_by_rules
from core.knowledge.extraction.entities import Extracted
from core.knowledge.extraction.known_entities import Known, names_in
from core.knowledge.records import RULES, ConceptRow, Mention, Relation, mention_id
from core.knowledge.synced_graph import SyncedGraph, current_source, is_doubtful
from core.lru_cache import LruCache
from core.models.meter import paid_by
from core.runs.changes import Changes
from core.runs.scheduler import Idle
from core.runs.shared_round import EVERYONE
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

BATCH = 32
"""Number of texts read before other tasks may run."""
EVERYTHING = 1_800.0
"""Seconds between two checks of all users' texts."""
MOST_USERS = 16
"""Maximum number of graphs kept in memory."""
LOOKS = 3
"""Number of checks for changes after which all texts are compared."""


class MentionReader(Protocol):
    """Reads a text with a model, more accurately than the rules; it receives the rules' result."""

    async def read(self, text: str, by_rules: Extracted) -> Extracted: ...


@dataclass
class GraphSync:
    """Keeps users' content graphs up to date: readers call ``of``, workers that read texts call ``read_in``."""

    _store: ContentStore
    _clock: Clock
    _reader: MentionReader | None = None
    _idle: Idle | None = None
    _changes: Changes = field(default_factory=Changes)

    def __post_init__(self) -> None:
        self._grown: LruCache[str, SyncedGraph] = LruCache(MOST_USERS)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._words = DocumentReading(self._store)
        self._dirty: set[str] = set()
        self._noticed: set[str] = set()
        self._all_read_at: float | None = None
        self._reading = asyncio.Lock()
        """A lock held while recently written texts are read, so that a second caller waits for the first."""

    async def ensure(self) -> None:
        await self._store.ensure()

    def touched(self, user_id: str) -> None:
        """Note that a text of this user was written."""
        self._dirty.add(user_id)
        self._noticed.add(user_id)
        self._changes.notify(user_id)

    @asynccontextmanager
    async def held(self, user_id: str) -> AsyncIterator[SyncedGraph]:
        """The current graph. It does not change while it is held, so a thread may read it."""
        async with self._locks[user_id]:
            yield await self._fresh(user_id)

    async def of(self, user_id: str) -> SyncedGraph:
        """The current graph, to be read before the next ``await``."""
        async with self.held(user_id) as grown:
            return grown

    async def read_in(self, user_id: str, limit: int | None = None) -> int:
        """Read at most ``limit`` of the texts that wait; returns how many were read."""
        done = 0
        while limit is None or done < limit:
            if self._idle is not None:
                await self._idle()
            async with self.held(user_id) as grown:
                size = BATCH if limit is None else min(BATCH, limit - done)
                waiting = list(grown.pending)[:size]
            read = await self._read_items(grown, user_id, waiting) if waiting else 0
            done += read
            if not read or not grown.pending:
                break
        return done

    async def read_noticed(self) -> int:
        """Read the waiting texts of users whose texts were written in this process; returns how many were read."""
        done = 0
        async with self._reading:
            for user_id in sorted(self._noticed):
                self._noticed.discard(user_id)
                try:
                    done += await self.read_in(user_id)
                except BaseException:
                    self._noticed.add(user_id)
                    raise
        return done

    def take_due(self) -> str | None:
        """The user whose texts to read next: one whose texts were written, or from time to time ``EVERYONE``, which
        also covers texts that other processes left unread. ``None`` if nothing is due."""
        now = self._clock()
        if self._all_read_at is None or now - self._all_read_at >= EVERYTHING:
            self._all_read_at = now
            return EVERYONE
        whose = min(self._noticed, default=None)
        self._noticed.discard(whose or EVERYONE)
        return whose

    def give_back(self, whose: str) -> None:
        """Mark a user from :meth:`take_due` as due again, because the texts were not read."""
        if whose != EVERYONE:
            self._noticed.add(whose)

    async def read(self, whose: str) -> None:
        async with self._reading:
            await (self.read_all() if whose == EVERYONE else self.read_in(whose))

    async def read_all(self) -> int:
        """Read the waiting texts of all users (maintenance), and delete concepts that no text names any more."""
        done = 0
        for user_id in await self._store.users():
            done += await self.read_in(user_id)
            await self.sweep(user_id)
        return done

    async def sweep(self, user_id: str) -> int:
        """Delete mentions of removed texts, and concepts that nothing names; returns how many of both."""
        async with self._locks[user_id]:
            grown = await self._fresh(user_id)
            alive = grown.content.sources.keys() | grown.pending.keys()
            stale = [each for each, item_id in await self._store.mentioned(user_id) if item_id not in alive]
            named = set(grown.content.naming)
            orphans = [] if grown.pending else [each for each in grown.catalogue.rows if each not in named]
            await self._store.forget(user_id, stale, orphans)
            if orphans:
                kept = [row for row in grown.catalogue.rows.values() if row.id in named]
                grown.catalogue = Catalogue(user_id, kept)
            return len(stale) + len(orphans)

    # -- following the record store --------------------------------------------------------

    async def _fresh(self, user_id: str) -> SyncedGraph:
        dirty = user_id in self._dirty
        self._dirty.discard(user_id)
        grown = self._grown.get(user_id)
        try:
            stamp = await self._store.stamp(user_id)
            if grown is None:
                grown = await self._loaded(user_id)
            elif dirty or stamp != grown.stamp:
                stamp = await self._take_in_changes(user_id, grown, stamp)
            elif grown.pending and self._store.is_shared:
                await self._take_in_what_others_read(user_id, grown)
        except BaseException:
            self._dirty.add(user_id)
            raise
        grown.stamp = stamp
        self._grown[user_id] = grown  # applies also if another user's graph has displaced this one from the cache
        return grown

    async def _loaded(self, user_id: str) -> SyncedGraph:
        by_item = {mention.item_id: mention for mention in await self._store.mentions(user_id)}
        grown = SyncedGraph(Catalogue(user_id, _still_named(await self._store.concepts(user_id), by_item.values())))
        alive, private, _ = await self._store.sources(user_id)
        grown.private = set(private)
        await self._take_in(user_id, grown, alive, by_item)
        return grown

    async def _take_in_changes(self, user_id: str, grown: SyncedGraph, stamp: Stamp) -> Stamp:
        """Apply all changes since the last call, including texts that another process has read; returns the graph's new
        stamp."""
        changed, stamp = await self._changed(user_id, grown, stamp)
        # Only the next batch of waiting texts is looked up; results of other processes for the rest are found later.
        waiting = dict(list(grown.pending.items())[:BATCH])
        wanted = {**waiting, **{each.item_id: each for each in changed}}
        if wanted:
            mentions = await self._store.mentions(user_id, list(wanted))
            await self._take_in(user_id, grown, list(wanted.values()), {each.item_id: each for each in mentions})
        return stamp

    async def _take_in_what_others_read(self, user_id: str, grown: SyncedGraph) -> None:
        """Load mentions that other processes have written. Reading a text does not change it, so the stamp does not
        show this."""
        before = math.inf
        while grown.pending and len(grown.pending) < before:
            before = len(grown.pending)
            waiting = dict(list(grown.pending.items())[:BATCH])
            mentions = await self._store.mentions(user_id, list(waiting))
            read = {each.item_id: each for each in mentions}
            await self._take_in(user_id, grown, [waiting[each] for each in read], read)

    async def _changed(self, user_id: str, grown: SyncedGraph, stamp: Stamp) -> tuple[list[Source], Stamp]:
        """Texts that were added or changed, and the stamp from before the search. If the number of texts differs from
        the record store's, some may have changed during the count, so it is repeated before all texts are compared."""
        changed: dict[str, Source] = {}
        for _ in range(LOOKS):
            quiet = self._store.quiet(grown.stamp, stamp, self._clock())
            found, private, gone = await self._store.sources(user_id, grown.stamp, quiet)
            for item_id in (*gone, *private):
                grown.drop(item_id)
                changed.pop(item_id, None)
            grown.private |= set(private)
            changed |= {each.item_id: each for each in found if not grown.knows(each)}
            known, before = len(grown.known | changed.keys()), stamp
            if known == before.living:
                return list(changed.values()), before
            stamp = await self._store.stamp(user_id)
            if known == stamp.living:
                return list(changed.values()), before
        return [*changed.values(), *await self._counted_again(user_id, grown, list(changed.values()))], stamp

    async def _counted_again(self, user_id: str, grown: SyncedGraph, changed: Sequence[Source]) -> list[Source]:
        """Compare with all existing texts in the record store; used when texts were added or removed without a newer
        time."""
        found, private, _ = await self._store.sources(user_id)
        alive = {each.item_id: each for each in found}
        for item_id in grown.known - alive.keys():
            grown.drop(item_id)
        grown.private = set(private)
        fresh = alive.keys() - grown.known - {each.item_id for each in changed}
        return [alive[item_id] for item_id in sorted(fresh)]

    async def _take_in(
        self, user_id: str, grown: SyncedGraph, sources: Sequence[Source], mentions: dict[str, Mention]
    ) -> None:
        """Add the texts to the graph whose mention record matches their current version; the others wait to be read."""
        doubtful = [each.item_id for each in sources if is_doubtful(each, mentions.get(each.item_id))]
        texts = {item.id: fingerprint(item.text) for item in await self._store.items(user_id, doubtful)}
        current = [mention for mention in mentions.values() if mention.rules == RULES]
        unknown = {name for mention in current for name in mention.concepts} - grown.catalogue.rows.keys()
        if unknown:
            # The process that read them may also have found new spellings of known concepts.
            named = sorted({name for mention in current for name in mention.concepts})
            for row in await self._store.concepts(user_id, named):
                grown.catalogue.put(row)
        grown.private -= {source.item_id for source in sources}
        counted = [current_source(source, mentions.get(source.item_id), texts) for source in sources]
        for batch in batches(counted, BATCH):
            grown.count(batch)
            await asyncio.sleep(0)

    # -- reading texts ---------------------------------------------------------------------

    async def _read_items(self, grown: SyncedGraph, user_id: str, item_ids: Sequence[str]) -> int:
        """Read these texts and add them to the graph, unless they were changed or removed; returns how many were added.
        Readers do not wait for this."""
        items = await self._store.items(user_id, item_ids)
        known = Known()
        if any(item.tier == "books" for item in items):
            known = await self._store.known(user_id)
            await self._read_again(grown, user_id, known)
        defined = defined_where(grown, items)
        words = await self._words.of(user_id, items, known)
        found = await asyncio.to_thread(read_by_rules, items, known, defined, words)
        better = [
            await self._read_better(item, each) if item.tier != "books" else each
            for item, each in zip(items, found, strict=True)
        ]
        async with self._locks[user_id]:
            # If a text changes while it is read, the mention record belongs to another version, and the next check
            # finds it.
            grown = self._grown.get(user_id) or await self._fresh(user_id)
            same = [(item, each) for item, each in zip(items, better, strict=True) if grown.still_waits_for(item)]
            rows: dict[str, ConceptRow] = {}
            mentions = [_mention(grown, item, each, rows, self._clock()) for item, each in same]
            try:
                await self._store.keep(user_id, list(rows.values()), mentions)
            except BaseException:
                # The catalogue of the discarded graph has concepts that the record store may not have.
                self._grown.pop(user_id, None)
                raise
            for mention in mentions:
                grown.content.put(grown.pending.pop(mention.item_id).naming(mention))
        self._changes.notify(user_id)
        return len(mentions)

    async def _read_again(self, grown: SyncedGraph, user_id: str, known: Known) -> None:
        """Mark passages to be read again if they name a company that was learned only from a later document."""
        before, grown.names = grown.names, known.written
        pattern = names_in(known.written - before) if before is not None else None
        if pattern is None:
            return
        read = [source for source in grown.content.sources.values() if source.tier == "books"]
        for batch in batches(read, BATCH):
            sources = {source.item_id: source for source in batch}
            naming = [item.id for item in await self._store.items(user_id, list(sources)) if pattern.search(item.text)]
            await self._store.forget(user_id, [mention_id(user_id, each) for each in naming], [])
            async with self.held(user_id) as grown:
                grown.pending |= {each: sources[each] for each in naming if each in grown.content.sources}

    async def _read_better(self, item: MemoryItem, by_rules: Extracted) -> Extracted:
        """The model's result if there is a model; the rules' result if it fails."""
        if self._reader is None:
            return by_rules
        try:
            with paid_by(item.user_id):
                return await self._reader.read(item.text, by_rules)
        except Exception:
            log.warning("a text was read by rules alone", exc_info=True)
            return by_rules


def _still_named(rows: Sequence[ConceptRow], mentions: Collection[Mention]) -> list[ConceptRow]:
    """The concepts without those that only earlier versions of the rules found: their spellings would attract new
    mentions."""
    if all(mention.rules == RULES for mention in mentions):
        return list(rows)
    named = {name for mention in mentions if mention.rules == RULES for name in mention.concepts}
    return [row for row in rows if row.id in named]


def _mention(
    grown: SyncedGraph, item: MemoryItem, found: Extracted, rows: dict[str, ConceptRow], now: float
) -> Mention:
    """What a text names, by concept ids; rows to be stored are added to ``rows``."""
    ids: list[str] = []
    places: list[int] = []
    for span in found.found:
        concept, row = grown.catalogue.resolve(span)
        if row is None and concept not in grown.content.naming:
            row = grown.catalogue.rows[concept]  # a cleanup may have deleted the concept's row
        if row is not None:
            rows[row.id] = row
        if concept not in ids:
            ids.append(concept)
        places.append(ids.index(concept))
    pairs = {tuple(sorted((places[one], places[other]))) for one, other in found.pairs}
    relations = [Relation(a=ids[places[one]], b=ids[places[other]], kind=kind) for one, other, kind in found.relations]
    return Mention(
        id=mention_id(item.user_id, item.id),
        user_id=item.user_id,
        item_id=item.id,
        tier=item.tier,
        document_id=item.document_id,
        fingerprint=fingerprint(item.text),
        seen=item.timestamps.updated_at,
        read_at=now,
        concepts=ids,
        pairs=sorted((one, other) for one, other in pairs if one != other),
        relations=relations,
        stated=[(places[one], places[other], reason) for one, other, reason in found.stated],
    )
