"""Answers a question about one named document from the whole document, without a model: *state* → line and sources.

A search finds a few passages of a document; a question that names its document is compared with all of it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.prose.certainty import FOUND
from core.answering.prose.document_answer import DocumentAnswer, answer_from_document
from core.answering.prose.features import GROUPS
from core.answering.prose.question import read_question
from core.errors import PalimpsestError
from core.events import Source
from core.figures.records import Candidate, TextEvidence
from core.graph.answering.evidence import asked_question, origin_of, similarity
from core.graph.answering.first_line import MEDIUM
from core.graph.answering.past_outcomes import PastOutcomes
from core.graph.answering.yes_no import stated_yes, yes_no_answer
from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.documents.records import VisibleDocument
from core.graph.understanding.documents.reference_phrase import without_reference
from core.graph.understanding.mentions import without_mentions
from core.library.records import Document
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.known_entities import REPORTS
from core.question.source_phrase import without_quoted_titles
from core.resilience.dependencies import Deadline

log = logging.getLogger(__name__)

SECONDS = 1.2
"""Maximum seconds for comparing embeddings."""
MOST_PASSAGES = 200
"""Maximum number of passages of a document that is compared as a whole; longer ones would take seconds."""
_NEAREST = message("graph.first_line.nearest")


@dataclass(frozen=True)
class NamedDocument:
    """What the named document gives: its best line, or that nothing in it may answer the question; with the sources,
    which include the document."""

    line: Candidate | None
    bears: bool
    sources: list[Source]


async def from_named_document(services: Services, state: State, first: Candidate | None) -> NamedDocument | None:
    """Returns what the one document that the question names gives, or the only document if nothing else gave a line;
    ``None`` if there are several, if it cannot be read, or if ``first`` is certain enough."""
    known = await services.turn.by_id(state)
    named, question = _named(state), _question(state, [each.metadata.title for each in known.values()])
    if not named and len(known) == 1 and first is None:
        named = list(known)
    if len(named) != 1 or named[0] not in known:
        return None
    document = known[named[0]]
    focus = without_reference(question.focus, VisibleDocument.of(document))
    question = question.about(focus=focus, entities=question.entities, periods=question.periods)
    if _is_certain(question, document, first):
        return None
    try:
        chunks = await services.library.chunks(state["asked"].user_id, document.id)
    except PalimpsestError:
        log.warning("the passages of a named document could not be read", exc_info=True)
        return None
    if len(chunks) > MOST_PASSAGES:
        return None
    sources = _with_document(state["found"].sources, document)
    origin = origin_of(next(each for each in sources if each.document_id == document.id), document)
    failed = PastOutcomes.of(state["found"].sources).failed
    passages = [
        TextEvidence(origin, chunk.id, chunk.text, tuple(book.path), book.page, is_table=book.table is not None)
        for chunk in chunks
        if (book := chunk.source.book) is not None and book.role != "contents" and chunk.id not in failed
    ]
    found = await answer_from_document(question, passages, similarity(services.embeddings, Deadline(SECONDS)))
    line = _first_candidate(found)
    if line is not None:
        line = _with_state(stated_yes(question, yes_no_answer(question, line)))
    return NamedDocument(line, found.bears, sources)


async def names_document(services: Services, state: State) -> bool:
    """Returns whether the question names one document, and is in its language."""
    named = _named(state)
    document = (await services.turn.by_id(state)).get(named[0]) if len(named) == 1 else None
    return document is not None and document.metadata.language in (state["asked"].question_language, "mixed", "other")


def _named(state: State) -> list[str]:
    """Returns the documents that the user chose or named, or that the search was bound to by name."""
    chosen = state["asked"].document_ids
    if chosen:
        return list(dict.fromkeys(chosen))
    searched = state["found"].searched
    chips = [chip for chip in searched.chips if chip.kind == "document" and chip.binds] if searched else []
    return list(dict.fromkeys(each for chip in chips for each in chip.document_ids))


def _question(state: State, titles: Sequence[str]) -> AnalysedQuestion:
    question = asked_question(state)
    focus = without_quoted_titles(without_mentions(question.focus), titles).strip() or question.focus
    return question.about(focus=focus, entities=question.entities, periods=question.periods)


def _is_certain(question: AnalysedQuestion, document: Document, first: Candidate | None) -> bool:
    """Returns whether a line is kept: it is *Found*, or it gives a figure of a table that the question asks for. For a
    financial report, whose lines have rules for its kind, a medium certainty is enough."""
    if first is None or not first.answer.decided:
        return False
    if document.metadata.kind in REPORTS and first.sureness >= MEDIUM:
        return True
    if first.sureness >= FOUND and first.answer.doubt is None:
        return True
    figure = first.answer.kind not in ("sentence", "span", "spans") and any(
        cell.table is not None for cell in first.answer.cells
    )
    asked = read_question(question.focus, question.language).kinds[0]
    return figure and asked in GROUPS["figures"]


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
