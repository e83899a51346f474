"""Answers a question about one named document from the whole document, without a model: *state* → line and sources.

A search finds a few passages of a document; a question that names its document is compared with all of it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.answering.prose.certainty import FOUND
from core.answering.prose.document_answer import DocumentAnswer, answer_from_document
from core.errors import PalimpsestError
from core.events import Source
from core.figures.records import Candidate, TextEvidence
from core.graph.answering.evidence import asked_question, origin_of, similarity
from core.graph.answering.past_outcomes import PastOutcomes
from core.graph.answering.yes_no import yes_no_answer
from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.mentions import without_mentions
from core.library.records import Document
from core.messages import message
from core.resilience.dependencies import Deadline

log = logging.getLogger(__name__)

SECONDS = 1.2
"""Maximum seconds for comparing embeddings."""
KEPT_FROM = 0.6
"""Certainty from which a line that the tables or the found passages gave is kept."""
_NEAREST = message("graph.first_line.nearest")


@dataclass(frozen=True)
class NamedDocument:
    """What the named document gives: its best line, or that nothing in it bears on the question; with the sources,
    which include the document."""

    line: Candidate | None
    bears: bool
    sources: list[Source]


async def from_named_document(services: Services, state: State, first: Candidate | None) -> NamedDocument | None:
    """Returns what the one document that the question names gives; ``None`` if it names none or several, if it cannot
    be read, or if ``first`` is certain enough."""
    named = state["asked"].document_ids or []
    if len(set(named)) != 1 or (first is not None and first.sureness >= KEPT_FROM):
        return None
    document = (await services.turn.by_id(state)).get(named[0])
    if document is None or _is_figure_of_a_table(first):
        return None
    try:
        chunks = await services.library.chunks(state["asked"].user_id, document.id)
    except PalimpsestError:
        log.warning("the passages of a named document could not be read", exc_info=True)
        return None
    sources = _with_document(state["found"].sources, document)
    origin = origin_of(next(each for each in sources if each.document_id == document.id), document)
    failed = PastOutcomes.of(state["found"].sources).failed
    passages = [
        TextEvidence(origin, chunk.id, chunk.text, tuple(book.path), book.page, is_table=book.table is not None)
        for chunk in chunks
        if (book := chunk.source.book) is not None and book.role != "contents" and chunk.id not in failed
    ]
    question = asked_question(state)
    question = question.about(
        focus=without_mentions(question.focus).strip() or question.focus,
        entities=question.entities,
        periods=question.periods,
    )
    found = await answer_from_document(question, passages, similarity(services.embeddings, Deadline(SECONDS)))
    line = _first_candidate(found)
    if line is not None:
        line = _with_state(yes_no_answer(question, line))
    return NamedDocument(line, found.bears, sources)


def _is_figure_of_a_table(first: Candidate | None) -> bool:
    """Returns whether a line gives a figure of a table, which sentences do not replace."""
    return (
        first is not None
        and first.answer.kind in ("figure", "calculation")
        and first.answer.decided
        and any(cell.table is not None for cell in first.answer.cells)
    )


def _first_candidate(found: DocumentAnswer) -> Candidate | None:
    return found.candidates[0] if found.bears and found.candidates else None


def _with_state(line: Candidate) -> Candidate:
    """Returns the line without a warning if it may be *Found*, or else as the closest match."""
    if line.sureness >= FOUND:
        return line.doubted(None)
    return line.doubted(_NEAREST)


def _with_document(sources: list[Source], document: Document) -> list[Source]:
    if any(each.document_id == document.id for each in sources):
        return list(sources)
    number = max((each.number for each in sources), default=0) + 1
    title = document.metadata.title or document.filename
    source = Source(
        number=number, document_id=document.id, title=title, filename=document.filename, score=1.0, passages=[]
    )
    return [*sources, source]
