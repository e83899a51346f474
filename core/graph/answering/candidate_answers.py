"""Answers a question from each of several documents without a model, so that the user sees what choosing changes."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.prose.certainty import FOUND
from core.figures.records import Candidate
from core.graph.answering.first_line import first_lines
from core.graph.answering.named_document import from_named_document
from core.graph.services import Services
from core.graph.state import Asked, Found, State, question_of
from core.graph.understanding.mentions import without_mentions
from core.language.normalisation import fold
from core.records.answer import CITATION, Answer
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery
from core.words import Words

log = logging.getLogger(__name__)

MOST = 8
"""Maximum number of documents that are asked."""
SECONDS = 2.5
"""Maximum seconds for the answers of all documents; the documents that are not ready then have none."""
FAIR = 0.6
"""Certainty from which an answer is compared, and shown on a choice; below it, only if another document confirms it."""
LONGEST = 90
"""Maximum characters of an answer on a choice."""
MIRRORED = 0.6
"""Minimum share of common words of two sentences that say the same of two documents, numbers left aside."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True)
class CandidateAnswer:
    """What one document answers: ``text`` is its short answer, empty if it gives none, and ``sureness`` how certain it
    is; ``place`` is the row label or sentence that gives it; ``score`` is that of its best passage."""

    document_id: str
    text: str = ""
    sureness: float = 0.0
    score: float = 0.0
    place: str = ""

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))

    def mirrors(self, other: CandidateAnswer) -> bool:
        """Returns whether another document answers in the same row or in nearly the same sentence."""
        ours, theirs = _words(self.place), _words(other.place)
        return bool(ours & theirs) and len(ours & theirs) >= MIRRORED * max(len(ours), len(theirs))


async def candidate_answers(services: Services, state: State, document_ids: Sequence[str]) -> list[CandidateAnswer]:
    """Returns the answers of the documents, in their order; without an answer where there is none in time."""
    tasks = [asyncio.create_task(_answer_of(services, state, each)) for each in document_ids[:MOST]]
    if not tasks:
        return []
    done, late = await asyncio.wait(tasks, timeout=SECONDS)
    for task in late:
        task.cancel()
    found = {task.result().document_id: task.result() for task in done}
    return [found.get(each, CandidateAnswer(each)) for each in document_ids]


def trusted(answers: Sequence[CandidateAnswer]) -> list[CandidateAnswer]:
    """Returns the answers that are fairly certain, or that another document confirms by answering in the same
    place."""
    given = [each for each in answers if each.text]
    return [
        each
        for each in given
        if each.sureness >= FAIR or any(each.mirrors(other) for other in given if other is not each)
    ]


def differ(answers: Sequence[CandidateAnswer]) -> bool:
    """Returns whether at least two documents answer, and not the same: other numbers, or other words."""
    known = trusted(answers)
    return len({each.numbers for each in known if each.numbers}) > 1 or len({fold(each.text) for each in known}) > 1


def agree(answers: Sequence[CandidateAnswer]) -> bool:
    """Returns whether all documents answer, and all the same."""
    return len({fold(each.text) for each in answers}) == 1 and all(each.text for each in answers)


async def _answer_of(services: Services, state: State, document_id: str) -> CandidateAnswer:
    """Answers from one document; a failure counts as no answer, since the user can still choose."""
    asked = question_of(state)
    query = DocumentQuery(
        user_id=state["asked"].user_id,
        text=without_mentions(asked.text),
        known=await services.turn.known(state),
        mode="quick",
        conversation_id=state["asked"].conversation_id,
        document_ids=[document_id],
    )
    try:
        found = await services.documents.find(query, Deadline(SECONDS))
        firm = firmly_accepted(found.sources)
        read: State = {
            **state,
            "asked": state["asked"] | Asked(question=asked.naming([document_id])),
            "found": Found(sources=firm, confidence=found.confidence).complete(),
        }
        lines = await first_lines(services, read, _unsaid) if firm else []
        if not any(each.answer.decided for each in lines):
            whole = await from_named_document(services, read, None)
            lines = [whole.line] if whole and whole.line and whole.line.sureness >= FOUND else []
    except Exception:
        log.warning("a candidate was not asked", exc_info=True)
        return CandidateAnswer(document_id)
    score = max((each.score for each in firm), default=0.0)
    for line in lines:
        if line.answer.decided and (text := _short(line.answer)):
            return CandidateAnswer(document_id, text, line.sureness, score, _place(line))
    return CandidateAnswer(document_id, score=score)


def _place(line: Candidate) -> str:
    cell = next(iter(line.answer.cells), None)
    return "" if cell is None else cell.label or cell.text


def _words(place: str) -> frozenset[str]:
    return frozenset(word for word in fold(place).split() if not _NUMBER.search(word))


def _short(answer: Answer) -> str:
    """Returns an answer's words, its number as printed in its cell, or its line; a long one is cut."""
    words = answer.value if isinstance(answer.value, str) and answer.kind != "choice" else ""
    printed = answer.cells[0].text if len(answer.cells) == 1 and answer.kind == "figure" else ""
    line = CITATION.sub("", answer.line).strip()
    known = [text for text in (words, printed, line) if text]
    return next((text for text in known if len(text) <= LONGEST), _cut(known[0]) if known else "")


def _cut(text: str) -> str:
    return f"{text[:LONGEST].rsplit(' ', 1)[0]} …"


def _unsaid(_: Words) -> None:
    """Leaves out notices about a calculation that was stopped."""
