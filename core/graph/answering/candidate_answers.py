"""Answers a question from each of several documents without a model, so that the user sees what choosing changes."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.graph.answering.first_line import first_lines
from core.graph.services import Services
from core.graph.state import Found, State, question_of
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
FAIR = 0.4
"""Certainty from which answers without numbers are compared, and from which an answer is shown on a choice."""
LONGEST = 60
"""Maximum characters of an answer on a choice."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True)
class CandidateAnswer:
    """What one document answers: ``text`` is its short answer, empty if it gives none, and ``sureness`` how certain it
    is; ``score`` is that of its best passage."""

    document_id: str
    text: str = ""
    sureness: float = 0.0
    score: float = 0.0

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))


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


def differ(answers: Sequence[CandidateAnswer]) -> bool:
    """Returns whether at least two documents answer, and not the same: other numbers, or with fair certainty other
    words."""
    fair = [each for each in answers if each.text and each.sureness >= FAIR]
    return len({each.numbers for each in answers if each.numbers}) > 1 or len({fold(each.text) for each in fair}) > 1


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
        read: State = {**state, "found": Found(sources=firm, confidence=found.confidence).complete()}
        lines = await first_lines(services, read, _unsaid) if firm else []
    except Exception:
        log.warning("a candidate was not asked", exc_info=True)
        return CandidateAnswer(document_id)
    score = max((each.score for each in firm), default=0.0)
    for line in lines:
        if line.answer.decided and (text := _short(line.answer)):
            return CandidateAnswer(document_id, text, line.sureness, score)
    return CandidateAnswer(document_id, score=score)


def _short(answer: Answer) -> str:
    """Returns an answer's words, its number as printed in its cell, or its line, whichever is short; or nothing."""
    words = answer.value if isinstance(answer.value, str) and answer.kind != "choice" else ""
    printed = answer.cells[0].text if len(answer.cells) == 1 and answer.kind == "figure" else ""
    line = CITATION.sub("", answer.line).strip()
    return next((text for text in (words, printed, line) if text and len(text) <= LONGEST), "")


def _unsaid(_: Words) -> None:
    """Leaves out notices about a calculation that was stopped."""
