"""Finds a direct answer without a model: takes evidence; returns candidates with table rows, most certain first."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from core.answering.disclosures.answers import answer_from_disclosures
from core.answering.disclosures.answers import is_sought as is_disclosure
from core.answering.prose.answer import answer_from_text
from core.answering.prose.document_units import is_unfinished
from core.answering.qualifiers import Background, doubted_by_qualifiers
from core.answering.selection import choose, figures_beside_words
from core.answering.stated_amounts import answer_from_amounts
from core.answering.stated_amounts import is_sought as is_amount
from core.errors import PalimpsestError
from core.events import Passage, Quote, Source
from core.figures.cells.answers import NAMED
from core.figures.compound import combined_candidate, parts_of
from core.figures.measures.answers import answer_from_statements
from core.figures.records import Candidate, Evidence, Similar, TextEvidence
from core.figures.segments.answers import answer_from_segments
from core.figures.tables.answers import answer_from_large_tables, answer_from_tables
from core.figures.tables.candidate_tables import by_labels
from core.figures.tables.confidence import HIGH
from core.figures.tables.scale_from_text import with_usual_scale
from core.figures.tables.totals import answer_from_counts
from core.graph.answering.evidence import GatheredEvidence, gather, similarity, whole_texts
from core.graph.answering.other_values import with_other_values
from core.graph.answering.past_outcomes import NOTHING, PastOutcomes
from core.graph.answering.yes_no import yes_no_answer
from core.graph.services import Services
from core.graph.state import State
from core.language.normalisation import fold
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.known_entities import REPORTS
from core.records.answer import Answer, CellReference, Sureness
from core.resilience.dependencies import Deadline
from core.resilience.worker_processes import WorkerDiedError, WorkerProcesses
from core.words import Words

log = logging.getLogger(__name__)

Whole = Callable[[], Awaitable[Sequence[TextEvidence]]]
"""Loads whole documents when they are needed."""

_WORD = re.compile(r"[^\W_]+")
_NOBODY_NAMED = message("graph.first_line.nobody_named")
_UNSURE = message("graph.first_line.unsure")
_ONE_SENTENCE = message("graph.first_line.one_sentence")
_NEAREST = message("graph.first_line.nearest")
_HELPED = message("graph.first_line.helped")
_FAILED = message("graph.first_line.failed")
_ONLY_NEAR = message("graph.first_line.only_near")
_CALCULATING = message("graph.first_line.calculating")
_FAILED_TO_CALCULATE = message("graph.first_line.failed_to_calculate")

PLANNED = 0.95
"""Certainty of the answers of a plan, whose cells are shown."""
LEAST = 0.15
"""Below this certainty there is no direct answer, only quotations."""
MEDIUM = 0.6
UNDOUBTED = 0.66
"""Below this certainty the answer carries a warning. The value is chosen so that at most one in twelve of all questions
gets a wrong answer without a warning."""
GUESSED = 0.5
"""Maximum certainty of a figure if the question names no company."""
SECONDS = 0.8
"""Maximum seconds for comparing embeddings; a whole answer may take 1.5 seconds."""


async def first_lines(
    services: Services, state: State, notice: Callable[[Words], None], *, figures_only: bool = False
) -> list[Candidate]:
    """Returns the candidates that are certain enough for a direct answer; none if the search for them fails, so that
    quotations are still shown. Loosely related passages are included, since a row, a column and a period are clear
    on their own.

    Args:
        notice: shows the user that a calculation was stopped.
        figures_only: returns only figures from tables, and stops at a certain one. It takes a fraction of the time, and
            a model finds the sentences of passages itself.
    """
    if state["found"].planned:
        return [Candidate(answer, PLANNED) for answer in state["found"].planned]
    if not state["found"].sources:
        return []
    try:
        gathered = await gather(services, state)
        tables = TableAnswers(services.workers, similarity(services.embeddings, Deadline(SECONDS)), notice)
        whole = None if figures_only else lambda: whole_texts(services, state, gathered)
        found = await _candidates(gathered, whole, tables)
    except Exception:
        log.warning("no first line was looked for", exc_info=True)
        return []
    failed = gathered.taught.failed
    found = [each for each in found if not only_repeats(gathered.question, each)]
    sure = [_doubted(_of_failed(each, failed)) for each in found if each.sureness >= LEAST]
    return await with_other_values(services, state, sure)


def only_repeats(question: AnalysedQuestion, candidate: Candidate) -> bool:
    """Returns whether an answer in words has only the question's own words: the year, if a month of it is asked for."""
    value = candidate.answer.value
    if candidate.answer.kind not in ("date", "span") or not isinstance(value, str) or len(question.named_periods) > 1:
        return False
    words = _WORD.findall(fold(value))
    return bool(words) and set(_WORD.findall(fold(question.text))).issuperset(words)


async def _candidates(gathered: GatheredEvidence, whole: Whole | None, tables: TableAnswers) -> list[Candidate]:
    """Returns candidates; for a question with several parts, combines the answers of the parts. Without ``whole``,
    only figures from tables count."""
    background = Background.of(gathered.evidence, gathered.statements)
    asked = parts_of(gathered.question.focus)
    questions = [replace(gathered.question, focus=part) for part in asked]
    found = [await _of_one(replace(gathered, question=each), whole, tables, background) for each in questions]
    if len(asked) == 1:
        return found[0]
    joint = combined_candidate([next((each for each in part if each.sureness >= LEAST), None) for part in found])
    return [joint] if joint else []


@dataclass
class TableAnswers:
    """Answers questions from tables: small ones in a thread, large ones (stored in blocks) in a worker process with a
    deadline."""

    workers: WorkerProcesses
    similar: Similar | None
    notice: Callable[[Words], None]
    is_stopped: bool = False

    async def of(self, question: AnalysedQuestion, evidence: Evidence) -> list[Candidate]:
        """Returns the candidates. If the calculation over large tables was stopped, returns only those from small
        tables."""
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
    gathered: GatheredEvidence, whole: Whole | None, tables: TableAnswers, background: Background
) -> list[Candidate]:
    question = gathered.question
    stated = await asyncio.to_thread(answer_from_statements, question, gathered.statements)
    parts = await asyncio.to_thread(answer_from_segments, question, gathered.statements)
    parts = parts or await asyncio.to_thread(answer_from_counts, question, gathered.statements)
    sure = any(each.sureness >= MEDIUM for each in (*parts, *stated))
    disclosed = [] if sure or whole is None else await _of_whole_texts(question, whole)
    settled = whole is None and any(each.sureness >= HIGH for each in (*parts, *stated))
    read = [] if settled else await tables.of(question, await asyncio.to_thread(_with_more_tables, gathered))
    read = [each for each in read if not (each.answer.kind == "span" and is_unfinished(str(each.answer.value)))]
    readable = gathered.taught.readable(gathered.evidence)
    written = await answer_from_text(question, readable, tables.similar) if whole else []
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


async def _of_whole_texts(question: AnalysedQuestion, whole: Whole) -> list[Candidate]:
    """Answers questions about disclosures and amounts from whole texts, since a search rarely finds all the passages
    that they need."""
    if not (is_disclosure(question) or is_amount(question.focus)):
        return []
    texts = await whole()
    return await asyncio.to_thread(
        lambda: [*answer_from_amounts(question, texts), *answer_from_disclosures(question, texts)]
    )


def _with_more_tables(gathered: GatheredEvidence) -> Evidence:
    """Returns the search evidence plus the tables whose labels match the question."""
    found = gathered.evidence
    by_name = by_labels(gathered.question, gathered.statements)
    known = {(each.origin.document_id, each.index): each for each in (*by_name, *found.tables)}
    best = {(each.origin.document_id, each.index): each.score for each in by_name}
    ranked = sorted(known, key=lambda key: -max(known[key].score, best.get(key, 0.0)))
    return replace(found, tables=with_usual_scale([known[key] for key in ranked], gathered.statements))


def _doubted(candidate: Candidate) -> Candidate:
    """Adds a warning to a candidate that is less certain than a reader would expect."""
    if candidate.sureness >= UNDOUBTED or candidate.answer.doubt is not None:
        return candidate
    return candidate.doubted(_UNSURE)


def _rests_on(candidate: Candidate, item_ids: Collection[str]) -> bool:
    return any(cell.item_id in item_ids for cell in candidate.answer.cells)


def _of_near(candidate: Candidate) -> Candidate:
    """Marks a candidate as a guess if only a loosely related passage supports it."""
    return candidate.doubted(candidate.answer.doubt or _ONLY_NEAR, GUESSED)


def _of_failed(candidate: Candidate, failed: Collection[str]) -> Candidate:
    """Adds a warning to a candidate whose passage failed to answer before. It is not dropped, since a figure still
    follows from its table."""
    return candidate.doubted(_FAILED) if _rests_on(candidate, failed) else candidate


def _of_one_sentence(candidate: Candidate) -> Candidate:
    """Adds a "please check" warning to an answer from a single sentence unless it is highly certain: long documents
    contain many similar sentences."""
    if candidate.sureness >= HIGH or candidate.answer.doubt is not None:
        return candidate
    return candidate.doubted(_ONE_SENTENCE)


def sentence_first(quote: Quote, taught: PastOutcomes = NOTHING) -> Answer:
    """Returns the nearest sentence as the answer if nothing was calculated; it claims no more than the sentence
    says."""
    helped, failed = quote.item_id in taught.answered, quote.item_id in taught.failed
    return Answer(
        kind="sentence",
        line=f"{quote.text} [{quote.number}]",
        value=quote.text,
        doubt=_HELPED if helped else _FAILED if failed else _NEAREST,
        decided=False,
    )


def _by_name_first(stated: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """Ranks a measure that the question names before rows that only share words with the question: for "operating
    margin", the row of operating income covers only half."""
    named = [each for each in stated if each.sureness >= MEDIUM]
    # A doubtful figure from a financial statement is usually the total, while the question asks for a part of it; so
    # more specific rows rank first.
    doubted = [replace(each, sureness=each.sureness / 2) for each in stated if each.sureness < MEDIUM]
    others = [*doubted, *chosen]
    return [*named, *sorted(others, key=lambda each: -each.sureness)]


def confidence_of(candidate: Candidate) -> Sureness:
    """Returns the confidence level; a candidate with a warning is never "high"."""
    if candidate.sureness >= HIGH and candidate.answer.doubt is None and candidate.answer.decided:
        return "high"
    return "medium" if candidate.sureness >= MEDIUM else "low"


def quotes_of(answer: Answer, sources: Sequence[Source]) -> list[Quote]:
    """Returns the rows of the answer's cells as quoted in the passages."""
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
    """Returns the passage line with the cell's row label (if any) and its printed value; a sentence is quoted
    unchanged."""
    if cell.table is None and cell.text and cell.text in passage.text:
        return cell.text
    lines = [line for line in passage.text.split("\n") if cell.text and cell.text in line]
    labelled = [line for line in lines if cell.label and cell.label in line]
    return next(iter(labelled or lines), None)
