"""Extracts the findings of one section on request: *a section* → quotes, concepts, insights, terms.

It makes one call, with as much of the section as fits. Only the answer is cached, so that the same section needs only
one call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue

from core.errors import fail
from core.language.tokens import count_tokens
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.prompt import Suspicious
from core.library.intelligence.parts import is_prose, parts_of
from core.library.intelligence.prompt import Entry, entries_of, prompt_of
from core.library.intelligence.reading import ModelReader
from core.library.intelligence.records import Piece, PieceKind, SectionContent
from core.library.intelligence.verification import Borne, Refuted, quoted, stated, termed
from core.memory.items.writing import MemoryItems
from core.models.meter import paid_by
from core.setting_groups import BookIntelligence
from core.store.items import MemoryItem

TEMPLATE = "content_extraction"
MOST = 8
"""Maximum number of findings of each kind."""
LONGEST_CONCEPT = 160
"""Maximum length of a concept in characters."""
ROOM_FOR_ANSWER = 2_000
"""Number of tokens in the context window that are reserved for the answer."""
MARGIN = 0.1


class _Answer(BaseModel):
    quotes: list[JsonValue] = []
    concepts: list[JsonValue] = []
    insights: list[JsonValue] = []
    technical_terms: list[JsonValue] = []

    def by_kind(self) -> dict[PieceKind, list[JsonValue]]:
        return {
            "quote": self.quotes,
            "concept": self.concepts,
            "insight": self.insights,
            "term": self.technical_terms,
        }


@dataclass
class SectionReader:
    """Reads one section. ``suspicious`` and ``refuted`` are the same as for ``PartReader``."""

    _catalogue: Catalogue
    _contents: Contents
    _items: MemoryItems
    _model: ModelReader
    _suspicious: Suspicious
    _refuted: Refuted
    _settings: BookIntelligence

    @property
    def offered(self) -> bool:
        return self._settings.sections

    async def read(self, user_id: str, document_id: str, section: int | None = None) -> SectionContent:
        """The findings of the section at this position in the outline (from 0); without a section, of the beginning of
        the document.

        Raises:
            PalimpsestError: there is no such document or section, it has no body text, this feature is off, or the
            model fails or gives an unusable answer.
        """
        if not self.offered:
            raise fail("validation", "library.intelligence.sections_off")
        document = await self._catalogue.readable(user_id, document_id)
        passages = [item for item in await self._passages(document.user_id, document_id, section) if is_prose(item)]
        if not passages:
            raise fail("validation", "library.intelligence.no_prose")
        rules = self._model.rules(TEMPLATE, most=MOST)
        room = int(await self._model.window() * (1 - MARGIN)) - count_tokens(rules) - ROOM_FOR_ANSWER
        part = parts_of(passages, max(1, min(room, self._settings.part_tokens)))[0]
        prompt = prompt_of(rules, document.metadata.title, part)
        with paid_by(user_id):
            answer = await self._model.answer(document, prompt, _Answer)
        if answer is None:
            raise fail("server", "library.intelligence.section_unusable")
        content = await asyncio.to_thread(self._borne_out, answer, part)
        return content.model_copy(update={"read": len(part), "of": len(passages)})

    async def _passages(self, user_id: str, document_id: str, section: int | None) -> list[MemoryItem]:
        passages = await self._items.of_document(user_id, document_id)
        if section is None:
            return passages
        sections = (await self._contents.outline(user_id, document_id)).sections
        if not 0 <= section < len(sections):
            raise fail("not_found", "library.intelligence.no_section")
        chosen = sections[section]
        return [
            item
            for item in passages
            if (book := item.source.book) and book.start < chosen.end and book.end > chosen.start
        ]

    def _borne_out(self, answer: _Answer, part: Sequence[MemoryItem]) -> SectionContent:
        content = SectionContent()
        seen: set[tuple[PieceKind, str]] = set()
        for kind, given in answer.by_kind().items():
            for entry in entries_of(given[:MOST]):
                borne = self._found(kind, entry, part)
                if borne is None:
                    content.refused += 1
                elif (kind, borne.text) not in seen:
                    seen.add((kind, borne.text))
                    book = borne.passage.source.book
                    page = book.page if book else None
                    content.pieces.append(Piece(kind=kind, text=borne.text, item_id=borne.passage.id, page=page))
        return content

    def _found(self, kind: PieceKind, entry: Entry, part: Sequence[MemoryItem]) -> Borne | None:
        match kind:
            case "quote":
                return quoted(entry, part, self._suspicious)
            case "term":
                return termed(entry, part, self._suspicious)
            case "concept":
                return stated(entry, part, self._suspicious, self._refuted, longest=LONGEST_CONCEPT, anywhere=True)
            case "insight":
                return stated(entry, part, self._suspicious, self._refuted, anywhere=True)
