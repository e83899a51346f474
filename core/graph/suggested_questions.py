"""Suggests follow-up questions below a finished answer: *user and run* → at most two questions that were tried before.

The candidates are a model's questions, the same question about other documents, and questions about what else the cited
documents state. They are tried while someone waits for them, after the answer is complete, and kept in this process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.errors import PalimpsestError
from core.events import Response, Source, Sources, Suggested
from core.graph.starter_questions import Tried, state_of
from core.language.detection import detect
from core.language.normalisation import fold
from core.library.library import Library
from core.library.records import Document
from core.lru_cache import LruCache
from core.review.actions.table_questions import PastQuestions
from core.review.questions.candidate import CandidateQuestion
from core.review.questions.document_names import document_names
from core.review.questions.document_questions import DocumentContent, document_questions
from core.review.questions.neighbours import same_elsewhere
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.words import Language

log = logging.getLogger(__name__)

MOST = 2
"""Maximum number of questions suggested."""
MOST_TRIED = 10
"""Maximum number of questions that are tried about one answer."""
MOST_DOCUMENTS = 2
"""Maximum number of cited documents that questions are made from."""
MOST_OF_DOCUMENT, MOST_ELSEWHERE = 8, 3
"""Maximum number of candidates from one cited document, and of the same question about others."""
MOST_KEPT = 500
"""Answers whose questions are kept."""
WRITTEN = ("extractive", "generated")

Found = Callable[[str, CandidateQuestion], Awaitable[bool]]


@dataclass
class _Work:
    """The trials for one answer, and the number of callers that wait for them."""

    run_id: str
    task: asyncio.Task[list[str]]
    waiting: int = 0


class SuggestedQuestions:
    """Suggests questions. One answer of a user is worked on at a time; a newer one takes the place of an older one."""

    def __init__(self, library: Library, conversations: Conversations, ledger: RunLedger, found: Found) -> None:
        self._library = library
        self._conversations = conversations
        self._ledger = ledger
        self._found = found
        self._kept: LruCache[tuple[str, str], Tried] = LruCache(MOST_KEPT)
        self._working: dict[str, _Work] = {}

    async def of(self, user_id: str, run_id: str) -> list[str]:
        """Returns the questions after they were tried; none if a newer answer took the place of this one. The caller
        checks that the run is the user's. The trials end when nobody waits for them."""
        documents = [each for each in await self._library.find(user_id) if each.is_stored]
        kept = self._kept.use((user_id, run_id))
        if kept and kept.state == state_of(documents):
            return list(kept.questions)
        work = self._working.get(user_id)
        if work is None or work.run_id != run_id:
            if work:
                work.task.cancel()
            work = _Work(run_id, asyncio.create_task(self._tried(user_id, run_id, documents)))
            self._working[user_id] = work
        return await self._result(user_id, work)

    async def _result(self, user_id: str, work: _Work) -> list[str]:
        work.waiting += 1
        try:
            return list(await asyncio.shield(work.task))
        except asyncio.CancelledError:
            if work.task.cancelled():
                return []
            raise
        finally:
            work.waiting -= 1
            if not work.waiting:
                work.task.cancel()
                if self._working.get(user_id) is work:
                    del self._working[user_id]

    async def _tried(self, user_id: str, run_id: str, documents: Sequence[Document]) -> list[str]:
        found: list[str] = []
        tried = 0
        try:
            async for candidate in self._candidates(user_id, run_id, documents):
                tried += 1
                if await self._found(user_id, candidate):
                    found.append(candidate.text)
                if len(found) == MOST or tried == MOST_TRIED:
                    break
        except Exception:
            log.warning("no follow-up question was tried", exc_info=True)
        self._kept[user_id, run_id] = Tried(state_of(documents), tuple(found))
        return found

    async def _candidates(
        self, user_id: str, run_id: str, documents: Sequence[Document]
    ) -> AsyncIterator[CandidateQuestion]:
        """Yields candidates that differ from what was asked: the model's, those about other documents, and those of the
        cited documents in turn."""
        response, cited, by_model = await self._answer(user_id, run_id)
        if response is None or response.kind not in WRITTEN or (response.answer and response.answer.data):
            return
        asked = await self._asked(user_id, run_id)
        language = detect(asked[-1]) if asked else response.language
        seen = {_key(each) for each in asked}
        names = document_names(documents, language)
        known = {each.id: each for each in documents}
        own = [known[each] for each in cited if each in known]
        about = [[CandidateQuestion(text, "", text) for text in by_model]]
        if asked and own:
            about.append(list(islice(same_elsewhere(asked[-1], own[0], documents, names), MOST_ELSEWHERE)))
        past = PastQuestions.of([*asked, response.text])
        for document in own[:MOST_DOCUMENTS]:
            about.append(await self._about(user_id, document, names.get(document.id, ""), language, past))
        for candidate in _in_turn(about):
            if _key(candidate.text) not in seen:
                seen.add(_key(candidate.text))
                yield candidate

    async def _answer(self, user_id: str, run_id: str) -> tuple[Response | None, list[str], list[str]]:
        """Returns the answer, the documents that it cites, the first one first, and the model's questions."""
        response: Response | None = None
        sources: list[Source] = []
        by_model: list[str] = []
        for entry in await self._ledger.entries(user_id, run_id):
            match entry.event:
                case Response():
                    response = entry.event
                case Sources(sources=given):
                    sources = given
                case Suggested(candidates=questions):
                    by_model = questions
        return response, _cited(response, sources) if response else [], by_model

    async def _asked(self, user_id: str, run_id: str) -> list[str]:
        """Returns the questions of the conversation, that of the run last."""
        message = await self._conversations.of_run(user_id, run_id)
        if message is None:
            return []
        turns = await self._conversations.turns(user_id, message.conversation_id)
        own = [each.asked.text for each in turns if each.asked.run_id == run_id]
        return [*(each.asked.text for each in turns if each.asked.run_id != run_id), *own]

    async def _about(
        self, user_id: str, document: Document, name: str, language: Language, past: PastQuestions
    ) -> list[CandidateQuestion]:
        if not name:
            return []
        try:
            tables = await self._library.tables(user_id, document.id)
            passages = await self._library.chunks(user_id, document.id)
        except PalimpsestError:
            log.info("no question was made of a document that cannot be read")
            return []
        made = document_questions(DocumentContent(document, tables, passages), name, language, past)
        return await asyncio.to_thread(lambda: list(islice(made, MOST_OF_DOCUMENT)))


def _cited(response: Response, sources: Sequence[Source]) -> list[str]:
    """Returns the ids of the cited documents in the order of their citations."""
    cells = [cell.document_id for cell in response.answer.cells] if response.answer else []
    by_number = {source.number: source.document_id for source in sources if source.kind == "document"}
    quoted = [by_number.get(quote.number, "") for quote in response.quotes]
    return [each for each in dict.fromkeys([*cells, *quoted, *by_number.values()]) if each]


def _key(question: str) -> str:
    return fold(question).rstrip("?؟ ")


def _in_turn(about: Sequence[Sequence[CandidateQuestion]]) -> Iterator[CandidateQuestion]:
    for place in range(max(map(len, about), default=0)):
        for each in about:
            if place < len(each):
                yield each[place]
