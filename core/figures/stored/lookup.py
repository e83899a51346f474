"""Looks up stored figures: *measure, entities, periods, segment* → figures, best first. Reads no tables."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz import fuzz, process

from core.errors import PalimpsestError
from core.figures.quarters import OwnQuarter, as_in_tables
from core.figures.stored.block import FigureBlock
from core.figures.stored.figure_store import FigureEntry, FigureStore
from core.figures.stored.records import FigureMatch, FigureQuery, StoredFigure
from core.figures.stored.scoring import Phrase, ScoredCell, phrase_of, score
from core.language.normalisation import fold
from core.library.catalogue import Catalogue
from core.library.identity.names import period_keys
from core.library.records import Document
from core.question.stems import stems
from core.store.items import LIBRARY

MOST_DOCUMENTS = 100
"""Maximum number of documents whose figures one lookup scores; those that contain most words of the lookup come first,
newest first."""
_LEAST_SHARE = 0.5
"""Share of the words of a lookup that the figures of a document must contain, compared with the best document."""
_LEAST_ALIKE, _LEAST_LETTERS = 84.0, 4

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class _Candidate:
    """A document to score; ``phrase`` requires the words of an entity if the document is not by it."""

    document: Document
    entry: FigureEntry
    phrase: Phrase

    @property
    def share(self) -> float:
        """The share of the phrase's words that the document's figures contain; all if they have a measure that the
        phrase names."""
        if any(key in self.entry.measures for key, _ in self.phrase.measures):
            return 1.0
        words = self.phrase.stems
        return sum(stem in self.entry.stems for stem in words) / len(words) if words else 0.0


class StoredFigures:
    """Implements ``FigureLookup`` over the stored figures.

    >>> query = FigureQuery(measure="operating income", entities=("Acme",), periods=("2022",))
    >>> run(workbench.figures.find("ada", query))
    []
    """

    def __init__(self, store: FigureStore, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue

    async def find(self, user_id: str, query: FigureQuery) -> Sequence[FigureMatch]:
        """Returns the matches, best first, at most ``query.limit``; of equal matches, the newest period first."""
        phrase = phrase_of(query.measure, query.segment)
        documents = await self._documents(user_id, query)
        entries = await self._entries(documents)
        chosen = _chosen(documents, entries, query, phrase)
        loaded = [(each, await self._block(each.document, each.entry)) for each in chosen]
        scored = [(each, block) for each, block in loaded if block is not None]
        return await asyncio.to_thread(_matches, scored, query)

    async def of_document(self, user_id: str, document_id: str) -> Sequence[StoredFigure]:
        """Returns all figures of a document in reading order; none if they are not stored yet, or if there is no such
        document."""
        try:
            document = await self._catalogue.readable(user_id, document_id)
        except PalimpsestError:
            return []
        entry = await self._store.entry(document.user_id, document_id)
        block = await self._block(document, entry) if entry else None
        if block is None:
            return []
        return await asyncio.to_thread(lambda: [block.figure(document, cell) for cell in range(block.count)])

    async def read_ahead(self, documents: Sequence[Document], idle: Callable[[], Awaitable[None]]) -> None:
        """Loads the figures of ``documents`` (of any user) ahead of time, each when the process is ``idle``, so that
        the first lookup need not wait."""
        for document in documents:
            entry = await self._store.entry(document.user_id, document.id)
            if entry is None or self._store.has_block(document.user_id, document.id, entry.stamp):
                continue
            await idle()
            await self._block(document, entry)

    async def _documents(self, user_id: str, query: FigureQuery) -> list[Document]:
        seen = await self._catalogue.seen(user_id)
        if query.document_ids is not None:
            return [each for each in seen if each.id in query.document_ids]
        return [each for each in seen if each.scope in (LIBRARY, query.conversation_id)]

    async def _entries(self, documents: Sequence[Document]) -> dict[str, FigureEntry]:
        owners = dict.fromkeys(document.user_id for document in documents)
        return {each.document_id: each for owner in owners for each in await self._store.entries(owner)}

    async def _block(self, document: Document, entry: FigureEntry) -> FigureBlock | None:
        return await self._store.block(document.user_id, document.id, entry.stamp)


def _chosen(
    documents: Sequence[Document], entries: dict[str, FigureEntry], query: FigureQuery, phrase: Phrase
) -> list[_Candidate]:
    """Returns the documents to score, best first."""
    there = [(document, entries[document.id]) for document in documents if document.id in entries]
    spelled = _respelled(phrase, [entry for _, entry in there])
    found = []
    for document, entry in there:
        required = _required(document, query.entities)
        has_segment = spelled.initials in entry.stems or all(stem in entry.stems for stem in spelled.segment_stems)
        if has_segment and all(stem in entry.stems for stem in required):
            found.append(_Candidate(document, entry, replace(spelled, required=required)))
    best = max((each.share for each in found), default=0.0)
    kept = [each for each in found if each.share and each.share >= _LEAST_SHARE * best]
    return sorted(kept, key=lambda each: -each.share)[:MOST_DOCUMENTS]


def _required(document: Document, entities: Sequence[str]) -> tuple[str, ...]:
    """Returns the words that a figure must have, because the document is not by one of ``entities``: a table may
    compare companies."""
    if not entities:
        return ()
    metadata = document.metadata
    known = [name for each in metadata.organisations for name in (each.name, *each.aliases)]
    own = [_spaced(name) for name in known or (metadata.title, document.filename)]
    if any(one in other or other in one for one in own for other in map(_spaced, entities)):
        return ()
    return stems(entities[0])


@lru_cache(maxsize=16_384)
def _spaced(name: str) -> str:
    """Returns the words of a name between spaces, so that only whole words are found in it."""
    return f" {' '.join(_WORD.findall(fold(name)))} "


def _respelled(phrase: Phrase, entries: Sequence[FigureEntry]) -> Phrase:
    """Returns the phrase with the closest known word for each word that no document has."""
    unknown = [
        stem
        for stem in phrase.stems
        if len(stem) >= _LEAST_LETTERS and not stem.isdigit() and not any(stem in entry.stems for entry in entries)
    ]
    if not unknown:
        return phrase
    known = {other for entry in entries for other in entry.stems if len(other) >= _LEAST_LETTERS}
    alike = []
    for stem in unknown:
        among = [other for other in known if other[0] == stem[0]]
        if found := process.extractOne(stem, among, scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE):
            alike.append((stem, str(found[0])))
    return replace(phrase, alike=tuple(alike))


def _as_printed(periods: Sequence[str], document: Document, block: FigureBlock) -> tuple[str, ...]:
    """Returns the keys by which the tables of a document are stored for the quarters that ``periods`` name as the
    document does. They differ if the tables print the last days of quarters of a fiscal year."""
    known = set(block.periods.values())
    own = OwnQuarter.of(document.metadata.periods)
    if own is None or not own.is_printed_by_day(known):
        return tuple(periods)
    return tuple(as_in_tables(asked, own.key, own.end) for asked in periods)


def _matches(candidates: Sequence[tuple[_Candidate, FigureBlock]], query: FigureQuery) -> list[FigureMatch]:
    found: list[tuple[ScoredCell, _Candidate, FigureBlock]] = []
    for candidate, block in candidates:
        names = tuple(sorted(period_keys(candidate.document)))
        asked = _as_printed(query.periods, candidate.document, block)
        for hit in score(block, candidate.phrase, asked, names, query.limit):
            found.append((hit, candidate, block))
    found.sort(key=lambda each: (-each[0].order, each[0].age))
    return [
        FigureMatch(figure=block.figure(candidate.document, hit.cell), score=hit.score)
        for hit, candidate, block in found[: query.limit]
    ]
