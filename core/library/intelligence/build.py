"""Builds the extraction of findings: *catalogue, items, models* → the service, its worker and its queue."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import PalimpsestError
from core.ids import NewId
from core.library.contextual.cache import ContextCache
from core.library.contextual.prompt import Suspicious
from core.library.ingestion import Shared
from core.library.intelligence.book_intelligence import BookIntelligence
from core.library.intelligence.extraction import ExtractionWorker
from core.library.intelligence.giving_way import GivingWay, Questions
from core.library.intelligence.reading import ModelReader, PartReader
from core.library.intelligence.section_content import SectionReader
from core.library.intelligence.verification import Refuted
from core.library.viewing.viewer import Viewer
from core.models.chat import ChatModels
from core.models.structured import PurposeModel
from core.resilience.dependencies import CircuitBreaker, Dependency, Observer
from core.runs.jobs import JobQueue
from core.store.items import MemoryItem


def build_intelligence(
    shared: Shared,
    cache: ContextCache,
    viewer: Viewer,
    queue: JobQueue,
    models: ChatModels,
    questions: Questions,
    wake: Callable[[], None],
    observe: Observer,
    suspicious: Suspicious,
    refuted: Refuted,
    new_id: NewId,
    ready_made: frozenset[str],
) -> tuple[BookIntelligence, SectionReader, ExtractionWorker]:
    """``wake`` is called when items wait for a vector. The other parameters are described where they are used."""
    chosen = PurposeModel(models, None, "books")
    catalogue, items, contents, ledger, clock, settings = shared

    def alone() -> bool:
        return models.provider_of(chosen.id) == "own"

    def bounded(name: str, seconds: float) -> Dependency:
        return Dependency(name, seconds, CircuitBreaker.of(settings.breakers), observe)

    def reader_of(name: str, seconds: float) -> ModelReader:
        return ModelReader(cache, chosen, bounded(name, seconds), GivingWay(questions, alone), settings)

    async def page_of(passage: MemoryItem, quote: str) -> int | None:
        try:
            place = await viewer.place(passage.user_id, passage.document_id or "", item_id=passage.id, quote=quote)
        except PalimpsestError:
            return None
        return place.page if place.found == "quote" else None

    model = reader_of("Reading books out", settings.deadlines.books)
    parts = PartReader(model, suspicious, refuted, page_of)
    books = BookIntelligence(
        catalogue, items, ledger, queue, model, parts, chosen.configured, clock, new_id, settings.books, ready_made
    )
    asked = reader_of("Reading a section out", settings.deadlines.section)
    sections = SectionReader(catalogue, contents, items, asked, suspicious, refuted, settings.books)
    return books, sections, ExtractionWorker(*shared, model, parts, wake)
