"""Gathers an answer's evidence: takes the found sources; returns question, passages, tables and whole statements."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import PalimpsestError
from core.events import Passage, Source
from core.figures.quarters import OwnQuarter
from core.figures.records import Evidence, Origin, Similar, TableEvidence, TextEvidence
from core.graph.answering.past_outcomes import NOTHING, PastOutcomes
from core.graph.services import Services
from core.graph.state import State, question_of
from core.library.identity.names import period_keys
from core.library.records import Document
from core.library.tables.records import Table
from core.models.embeddings import Embeddings
from core.question.analysed import AnalysedQuestion
from core.question.source_phrase import without_quoted_titles, without_source
from core.resilience.dependencies import Deadline
from core.search.documents.without_outcomes import without_outcomes
from core.store.items import Book

log = logging.getLogger(__name__)

MOST_WHOLE = 4
"""Number of documents whose tables are all searched: the first ones in source order."""
MOST_ALIKE = 48
"""Maximum number of texts compared by embeddings for one answer: about a quarter of a second."""


@dataclass(frozen=True)
class GatheredEvidence:
    """The evidence for an answer.

    ``statements`` are all tables of the first documents, best document first. ``evidence`` is what the search found;
    ``near`` are the passages in it that are only loosely related. ``taught`` is user feedback on the passages.
    """

    question: AnalysedQuestion
    evidence: Evidence
    statements: tuple[TableEvidence, ...] = ()
    near: tuple[Passage, ...] = ()
    taught: PastOutcomes = NOTHING


async def gather(services: Services, state: State) -> GatheredEvidence:
    """Gathers evidence from the documents in ``state["found"].sources``; web sources have no tables."""
    sources = without_outcomes([each for each in state["found"].sources if each.kind == "document"])
    known = await services.turn.by_id(state)
    best = max((passage.score for source in sources for passage in source.passages), default=0.0)
    texts: list[TextEvidence] = []
    shown: list[TableEvidence] = []
    whole: list[TableEvidence] = []
    question = _question(state, sources, known)
    for place, source in enumerate(sources):
        document = known.get(source.document_id)
        origin = origin_of(source, document)
        if not origin.may_be_by(question.entities):
            continue
        texts += [_passage_evidence(origin, passage, best) for passage in source.passages]
        if document is None:
            continue
        read = await services.tables.get(state["asked"].user_id, document)
        those = _tables(origin, source.passages, read, best)
        shown += [each for each in those if each.item_id]
        whole += those if place < MOST_WHOLE else []
    return GatheredEvidence(
        question,
        Evidence(
            tuple(sorted(shown, key=lambda each: -each.score)), tuple(sorted(texts, key=lambda each: -each.score))
        ),
        tuple(whole),
        tuple(passage for source in sources for passage in source.passages if passage.near),
        PastOutcomes.of(state["found"].sources),
    )


async def whole_texts(services: Services, state: State, gathered: GatheredEvidence) -> tuple[TextEvidence, ...]:
    """Returns all passages, in reading order, of the documents whose tables were searched."""
    origins = {each.origin.document_id: each.origin for each in gathered.evidence.texts}
    found: list[TextEvidence] = []
    for source in [each for each in state["found"].sources if each.document_id in origins][:MOST_WHOLE]:
        try:
            chunks = await services.library.chunks(state["asked"].user_id, source.document_id)
        except PalimpsestError:
            log.warning("the passages of a document could not be read", exc_info=True)
            continue
        origin = origins[source.document_id]
        found += [_item_evidence(origin, chunk.id, chunk.text, chunk.source.book) for chunk in chunks]
    return tuple(found)


def _item_evidence(origin: Origin, item_id: str, text: str, book: Book | None) -> TextEvidence:
    path, page = (tuple(book.path), book.page) if book else ((), None)
    return TextEvidence(origin, item_id, text, path, page, is_table=book is not None and book.table is not None)


def origin_of(source: Source, document: Document | None) -> Origin:
    """Returns the metadata of a source's document."""
    if document is None:
        return Origin(source.number, source.document_id, source.title, source.filename)
    organisations = document.metadata.organisations
    return Origin(
        number=source.number,
        document_id=source.document_id,
        title=source.title,
        filename=source.filename,
        kind=document.metadata.kind,
        names=tuple(dict.fromkeys(name for each in organisations for name in (each.name, *each.aliases))),
        periods=tuple(sorted(period_keys(document))),
        quarter=OwnQuarter.of(document.metadata.periods),
    )


def similarity(embeddings: Embeddings | None, deadline: Deadline) -> Similar | None:
    """Returns a function for embedding similarity that stops at ``deadline``; texts not compared in time score 0."""
    if embeddings is None:
        return None
    strength = embeddings.identity.calibration.strength

    async def similar(phrase: str, texts: Sequence[str]) -> list[float]:
        alike = [0.0] * len(texts)
        try:
            async with asyncio.timeout(deadline.remaining()):
                vectors = await embeddings.embed_passages(list(texts[:MOST_ALIKE]))
                query = await embeddings.embed_query(phrase)
            alike[: len(vectors)] = [strength(cosine) for cosine in (vectors @ query).tolist()]
        except Exception as error:
            log.info("meanings were not compared: %s", type(error).__name__)
        return alike

    return similar


def asked_question(state: State) -> AnalysedQuestion:
    """Builds the question with the organisations and periods used in the search, and with the user's wishes about the
    form of all answers."""
    question = question_of(state)
    searched = state["found"].searched
    chips = searched.chips if searched else []
    named = dict.fromkeys(each.label for each in chips if each.kind == "organisation")
    periods = [each.name for each in chips if each.kind == "period" and each.meant != "guessed"]
    asked = [each.key for each in question.named_periods]
    wished = " ".join([question.text, *reversed(state.get("wishes", []))])
    return replace(question, text=wished).about(
        focus=question.focus, entities=tuple(named), periods=tuple(dict.fromkeys(periods or asked))
    )


def _question(state: State, sources: Sequence[Source], known: dict[str, Document]) -> AnalysedQuestion:
    """Builds the question. If it names no organisation and all documents have the same one, uses that."""
    question = asked_question(state)
    documents = [known[source.document_id] for source in sources if source.document_id in known]
    owners = {next((each.name for each in document.metadata.organisations), "") for document in documents}
    return question.about(
        focus=without_source(
            without_quoted_titles(question.focus, [each.metadata.title for each in documents]),
            map(_called, documents[:1]),
        ),
        entities=question.entities or (tuple(filter(None, owners)) if len(owners) == 1 else ()),
        periods=question.periods,
    )


def _called(document: Document) -> str:
    """Returns a document's title and filename without the names of its organisations, since those are what the question
    is about."""
    name = f"{document.metadata.title} {document.metadata.kind} {Path(document.filename).stem}"
    owners = {word for each in document.metadata.organisations for word in each.name.lower().split()}
    return " ".join(word for word in re.split(r"[\s_\-·]+", name) if word.lower() not in owners)


def _passage_evidence(origin: Origin, passage: Passage, best: float) -> TextEvidence:
    return TextEvidence(
        origin=origin,
        item_id=passage.item_id,
        text=passage.text,
        path=(passage.section,) if passage.section else (),
        page=passage.page,
        score=passage.score / best if best > 0 else 0.0,
        is_table=passage.table is not None,
    )


def _tables(origin: Origin, passages: Sequence[Passage], tables: Sequence[Table], best: float) -> list[TableEvidence]:
    """Returns all ``tables`` of a document; each gets the id and score of the passage that shows its rows, if one was
    found."""
    shown: dict[int, Passage] = {}
    for passage in passages:
        if passage.table is not None and passage.score > shown.get(passage.table, _NONE).score:
            shown[passage.table] = passage
    found = []
    for index, table in enumerate(tables):
        passage = shown.get(index, _NONE)
        score = passage.score / best if best > 0 else 0.0
        path = (passage.section,) if passage.section else ()
        found.append(TableEvidence(origin, index, table, passage.item_id, path, max(0.0, score)))
    return found


_NONE = Passage(item_id="", text="", score=-1.0)
