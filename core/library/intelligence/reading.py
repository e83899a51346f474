"""Has a model read one part of a document: *a document, some passages* → the findings that the passages support."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from core.library.contextual.cache import ContextCache
from core.library.contextual.prefixes import written_by
from core.library.contextual.prompt import Suspicious
from core.library.intelligence.findings import Finding
from core.library.intelligence.giving_way import GivingWay
from core.library.intelligence.prompt import MOST, Answer, Entry, entries_of, prompt_of
from core.library.intelligence.verification import Borne, Refuted, quoted, stated
from core.library.records import Document
from core.models.structured import Prompt, PurposeModel, Schema, parse_answer
from core.prompts.templates import Prompts
from core.records.findings import CATEGORIES, FINDINGS, FindingKind
from core.resilience.dependencies import Dependency
from core.settings import Settings
from core.store.items import MemoryItem

TEMPLATE = "book_extraction"
MOST_WRITTEN = 16_000
"""Maximum length of an answer in characters; a good answer has a few thousand."""

PageOf = Callable[[MemoryItem, str], Awaitable[int | None]]
"""A function that returns the page of words in a passage."""


@dataclass
class PartFindings:
    """The findings of one part; ``refused`` counts the model's statements that the text does not support."""

    findings: list[Finding] = field(default_factory=list)
    refused: int = 0


class ModelReader:
    """Calls the model; answers to an identical prompt come from the cache."""

    def __init__(
        self, cache: ContextCache, model: PurposeModel, dependency: Dependency, way: GivingWay, settings: Settings
    ) -> None:
        self._cache = cache
        self._model = model
        self._dependency = dependency
        self._way = way
        self._prompts = Prompts(settings.folder / "prompts")

    @property
    def id(self) -> str:
        """``provider:name`` of the model. Raises ``PalimpsestError`` when there is none."""
        return self._model.id

    def rules(self, template: str, **values: object) -> str:
        return self._prompts.render(template, **values)

    async def window(self) -> int:
        """The context window in tokens. Raises ``PalimpsestError`` when there is no model."""
        return await self._model.window()

    async def answer(self, document: Document, prompt: Prompt, schema: type[Schema]) -> Schema | None:
        """The model's answer; ``None`` if it cannot be used. Raises ``PalimpsestError``: the model fails, or its
        circuit breaker is open."""
        whose = (document.user_id, document.id, self._model.id, f"{prompt.system}\0{prompt.user}")
        known = await self._cache.recall_answer(*whose)
        answer = parse_answer(await self._ask(prompt, schema) if known is None else known, schema)
        if answer is not None and known is None:
            await self._cache.remember_answer(*whose, answer.model_dump_json(by_alias=True))
        return answer

    async def _ask(self, prompt: Prompt, schema: type[Schema]) -> str:
        model = self._model.in_form(schema)
        await self._model.ready()
        return await self._way.make(lambda: self._dependency.attempt(lambda: written_by(model, prompt, MOST_WRITTEN)))


class PartReader:
    """Extracts findings from one part. ``suspicious`` checks whether a text was written by a model that followed
    instructions in what it read; ``refuted`` whether a passage contradicts a statement."""

    def __init__(self, model: ModelReader, suspicious: Suspicious, refuted: Refuted, page_of: PageOf) -> None:
        self._model = model
        self._suspicious = suspicious
        self._refuted = refuted
        self._page_of = page_of

    def rules(self) -> str:
        """The system prompt for every part."""
        return self._model.rules(TEMPLATE, most=MOST, categories=list(CATEGORIES))

    async def read(self, document: Document, passages: Sequence[MemoryItem]) -> PartFindings | None:
        """The part's findings; ``None`` if the answer cannot be used. Raises ``PalimpsestError`` as
        ``ModelReader.answer`` does."""
        prompt = prompt_of(self.rules(), document.metadata.title, passages)
        answer = await self._model.answer(document, prompt, Answer)
        return None if answer is None else await self._findings(answer, passages)

    async def _findings(self, answer: Answer, passages: Sequence[MemoryItem]) -> PartFindings:
        result = PartFindings()
        for kind in FINDINGS:
            for entry in entries_of(answer.of(kind)):
                borne = await asyncio.to_thread(self._borne_out, kind, entry, passages)
                if borne is None:
                    result.refused += 1
                    continue
                page = await self._page(kind, borne)
                result.findings.append(Finding(kind, borne.text, borne.passage, entry.category, page))
        return result

    def _borne_out(self, kind: FindingKind, entry: Entry, passages: Sequence[MemoryItem]) -> Borne | None:
        if kind == "quote":
            return quoted(entry, passages, self._suspicious)
        return stated(entry, passages, self._suspicious, self._refuted)

    async def _page(self, kind: FindingKind, borne: Borne) -> int | None:
        """The page of a quote in a passage that spans several pages; otherwise the passage's own page applies."""
        book = borne.passage.source.book
        if kind != "quote" or book is None or book.page is None or book.page_end in (None, book.page):
            return None
        return await self._page_of(borne.passage, borne.text)
