"""The first line of an answer without a model: what was gathered → candidates, the surest first, and their rows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from core.answering.cells.answers import NAMED
from core.answering.disclosures.answers import answer_from_disclosures
from core.answering.disclosures.answers import is_sought as is_disclosure
from core.answering.measures.answers import answer_from_statements
from core.answering.prose.answer import answer_from_text
from core.answering.questions.compound import combined_candidate, parts_of
from core.answering.questions.qualifiers import Background, doubted_by_qualifiers
from core.answering.records import Candidate, Evidence, Question, Similar, TextEvidence
from core.answering.segments.answers import answer_from_segments
from core.answering.selection import choose, figures_beside_words
from core.answering.stated_amounts import answer_from_amounts
from core.answering.stated_amounts import is_sought as is_amount
from core.answering.tables.answers import answer_from_large_tables, answer_from_tables
from core.answering.tables.candidate_tables import by_labels
from core.answering.tables.confidence import HIGH
from core.answering.tables.scale_from_text import with_usual_scale
from core.answering.tables.totals import answer_from_counts
from core.errors import PalimpsestError
from core.events import Passage, Quote, Source
from core.graph.answering.evidence import GatheredEvidence, gather, similarity, whole_texts
from core.graph.answering.past_outcomes import NOTHING, PastOutcomes
from core.graph.answering.yes_no import yes_no_answer
from core.graph.services import Services
from core.graph.state import State
from core.messages import message
from core.records.answer import Answer, CellReference, Sureness
from core.resilience.dependencies import Deadline
from core.resilience.worker_processes import WorkerDiedError, WorkerProcesses
from core.search.query.known_entities import REPORTS
from core.words import Words

log = logging.getLogger(__name__)

Whole = Callable[[], Awaitable[Sequence[TextEvidence]]]
"""Reads whole documents, where it takes that."""

_NOBODY_NAMED = message("graph.first_line.nobody_named")
_UNSURE = message("graph.first_line.unsure")
_ONE_SENTENCE = message("graph.first_line.one_sentence")
_NEAREST = message("graph.first_line.nearest")
_HELPED = message("graph.first_line.helped")
_FAILED = message("graph.first_line.failed")
_ONLY_NEAR = message("graph.first_line.only_near")
_CALCULATING = message("graph.first_line.calculating")
_FAILED_TO_CALCULATE = message("graph.first_line.failed_to_calculate")

LEAST = 0.15
"""Below it nothing is said first: what was found is quoted and no more."""
MEDIUM = 0.6
UNDOUBTED = 0.66
"""Below it a doubt is said: of what stands without one, at most one in twelve of all questions may be wrong."""
GUESSED = 0.5
"""The most that is believed of a figure whose company was not named."""
SECONDS = 0.8
"""For comparing meanings, of the second and a half that a whole answer may take."""


async def first_lines(services: Services, state: State, notice: Callable[[Words], None]) -> list[Candidate]:
    """What an answer may say first: the candidates that are sure enough; none when looking for them fails, which is no
    reason to show no quotations. Passages that only come near count too: a row, a column and a period speak for
    themselves.

    Args:
        notice: says to the reader that a calculation was stopped.
    """
    if not state["sources"]:
        return []
    try:
        gathered = await gather(services, state)
        found = await _candidates(services, gathered, lambda: whole_texts(services, state, gathered), notice)
    except Exception:
        log.warning("no first line was looked for", exc_info=True)
        return []
    failed = gathered.taught.failed
    return [_doubted(_of_failed(each, failed)) for each in found if each.sureness >= LEAST]


async def _candidates(
    services: Services, gathered: GatheredEvidence, whole: Whole, notice: Callable[[Words], None]
) -> list[Candidate]:
    """Of a question that asks several things, their answers together."""
    similar = similarity(services.embeddings, Deadline(SECONDS))
    background = Background.of(gathered.evidence, gathered.statements)
    asked = parts_of(gathered.question.focus)
    questions = [replace(gathered.question, focus=part) for part in asked]
    tables = TableAnswers(services.workers, similar, notice)
    found = [await _of_one(replace(gathered, question=each), whole, tables, background) for each in questions]
    if len(asked) == 1:
        return found[0]
    joint = combined_candidate([next((each for each in part if each.sureness >= LEAST), None) for part in found])
    return [joint] if joint else []


@dataclass
class TableAnswers:
    """Answers from tables: small ones in a thread, packed ones in a worker process with a deadline."""

    workers: WorkerProcesses
    similar: Similar | None
    notice: Callable[[Words], None]
    is_stopped: bool = False

    async def of(self, question: Question, evidence: Evidence) -> list[Candidate]:
        """The candidates; those of small tables where the calculation over large ones was stopped."""
        small = replace(evidence, tables=tuple(each for each in evidence.tables if not each.table.blocks))
        if len(small.tables) == len(evidence.tables) or self.is_stopped:
            return await answer_from_tables(question, small, self.similar)
        periods = {each.origin.document_id: each.origin.periods for each in evidence.tables}
        try:
            return await self.workers.run(_CALCULATING, answer_from_large_tables, question, evidence, periods)
        except (PalimpsestError, WorkerDiedError) as error:
            self.is_stopped = True
            log.warning("nothing was worked out over a large table: %s", error)
            problem = error.problem if isinstance(error, PalimpsestError) else None
            self.notice(Words.joined([problem.what, problem.remedy]) if problem else _FAILED_TO_CALCULATE)
            return await answer_from_tables(question, small, self.similar)


async def _of_one(
    gathered: GatheredEvidence, whole: Whole, tables: TableAnswers, background: Background
) -> list[Candidate]:
    question = gathered.question
    stated = await asyncio.to_thread(answer_from_statements, question, gathered.statements)
    parts = await asyncio.to_thread(answer_from_segments, question, gathered.statements)
    parts = parts or await asyncio.to_thread(answer_from_counts, question, gathered.statements)
    sure = any(each.sureness >= MEDIUM for each in (*parts, *stated))
    disclosed = [] if sure else await _of_whole_texts(question, whole)
    read = await tables.of(question, await asyncio.to_thread(_with_more_tables, gathered))
    written = await answer_from_text(question, gathered.taught.readable(gathered.evidence), tables.similar)
    stated, read, written = await asyncio.to_thread(
        lambda: [
            [each if NAMED in each.reasons else doubted_by_qualifiers(question, each, background) for each in found]
            for found in (stated, read, written)
        ]
    )
    written = await asyncio.to_thread(lambda: [yes_no_answer(question, each) for each in written])
    near = {each.item_id for each in gathered.near}
    written = gathered.taught.answering(written, near)
    written = [_of_near(each) if _rests_on(each, near) else _of_one_sentence(each) for each in written]
    stated = figures_beside_words(question, stated)
    named = [each for each in read if NAMED in each.reasons]
    found = [*named, *_by_name_first([*parts, *stated, *disclosed], choose(question, read, written))]
    owners = {
        each.origin.names[:1] for each in gathered.statements if each.origin.names and each.origin.kind in REPORTS
    }
    if not question.entities and len(owners) > 1:
        found = [each.doubted(_NOBODY_NAMED, GUESSED) for each in found]
    return found


async def _of_whole_texts(question: Question, whole: Whole) -> list[Candidate]:
    """What is told in places that a search seldom finds together."""
    if not (is_disclosure(question) or is_amount(question.focus)):
        return []
    texts = await whole()
    return await asyncio.to_thread(
        lambda: [*answer_from_amounts(question, texts), *answer_from_disclosures(question, texts)]
    )


def _with_more_tables(gathered: GatheredEvidence) -> Evidence:
    """What the search found, and the tables whose labels say what is asked."""
    found = gathered.evidence
    by_name = by_labels(gathered.question, gathered.statements)
    known = {(each.origin.document_id, each.index): each for each in (*by_name, *found.tables)}
    best = {(each.origin.document_id, each.index): each.score for each in by_name}
    ranked = sorted(known, key=lambda key: -max(known[key].score, best.get(key, 0.0)))
    return replace(found, tables=with_usual_scale([known[key] for key in ranked], gathered.statements))


def _doubted(candidate: Candidate) -> Candidate:
    """What is more likely wrong than a reader would think says so."""
    if candidate.sureness >= UNDOUBTED or candidate.answer.doubt is not None:
        return candidate
    return candidate.doubted(_UNSURE)


def _rests_on(candidate: Candidate, item_ids: Collection[str]) -> bool:
    return any(cell.item_id in item_ids for cell in candidate.answer.cells)


def _of_near(candidate: Candidate) -> Candidate:
    """What only a passage says that is not close enough to be quoted as an answer is a guess."""
    return candidate.doubted(candidate.answer.doubt or _ONLY_NEAR, GUESSED)


def _of_failed(candidate: Candidate, failed: Collection[str]) -> Candidate:
    """A figure follows from its table whatever was said; that it was said is told."""
    return candidate.doubted(_FAILED) if _rests_on(candidate, failed) else candidate


def _of_one_sentence(candidate: Candidate) -> Candidate:
    """A long document says much that is like an answer: short of very sure, what one sentence says is to be checked."""
    if candidate.sureness >= HIGH or candidate.answer.doubt is not None:
        return candidate
    return candidate.doubted(_ONE_SENTENCE)


def sentence_first(quote: Quote, taught: PastOutcomes = NOTHING) -> Answer:
    """Where nothing was worked out: the sentence that comes nearest, which claims no more than it says."""
    helped, failed = quote.item_id in taught.answered, quote.item_id in taught.failed
    return Answer(
        kind="sentence",
        line=f"{quote.text} [{quote.number}]",
        value=quote.text,
        doubt=_HELPED if helped else _FAILED if failed else _NEAREST,
        decided=False,
    )


def _by_name_first(stated: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """A measure that the question calls by its name goes before rows that share words with it: of "operating margin"
    the row of operating income is half."""
    named = [each for each in stated if each.sureness >= MEDIUM]
    # What a statement says in doubt is mostly the whole of which a part was asked for: rows that say more go first.
    doubted = [replace(each, sureness=each.sureness / 2) for each in stated if each.sureness < MEDIUM]
    others = [*doubted, *chosen]
    return [*named, *sorted(others, key=lambda each: -each.sureness)]


def confidence_of(candidate: Candidate) -> Sureness:
    """How sure it is that this answers; what carries a doubt is never called high."""
    if candidate.sureness >= HIGH and candidate.answer.doubt is None and candidate.answer.decided:
        return "high"
    return "medium" if candidate.sureness >= MEDIUM else "low"


def quotes_of(answer: Answer, sources: Sequence[Source]) -> list[Quote]:
    """The rows that its cells stand in, as the passages have them."""
    passages = {passage.item_id: (source, passage) for source in sources for passage in source.passages}
    quotes: list[Quote] = []
    for cell in answer.cells:
        if cell.item_id not in passages:
            continue
        source, passage = passages[cell.item_id]
        line = _line_of(cell, passage)
        if line and not any(quote.item_id == cell.item_id and quote.text == line for quote in quotes):
            quotes.append(Quote(number=source.number, item_id=cell.item_id, text=line))
    return quotes


def _line_of(cell: CellReference, passage: Passage) -> str | None:
    """Begins with the row's label where it has one, and holds what is printed; a sentence is quoted as it stands."""
    if cell.table is None and cell.text and cell.text in passage.text:
        return cell.text
    lines = [line for line in passage.text.split("\n") if cell.text and cell.text in line]
    labelled = [line for line in lines if cell.label and cell.label in line]
    return next(iter(labelled or lines), None)
