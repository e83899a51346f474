"""Suggests up to three starter questions from the documents in a user's library, which were tried before.

Questions about a user's own documents are tried in the background and offered only if they are answered as *Found*. The
questions of the samples are fixed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TypeVar

from core.errors import PalimpsestError
from core.library.digest import digest
from core.library.library import Library
from core.library.records import Document
from core.library.samples import SampleQuestion, Samples
from core.lru_cache import LruCache
from core.review.questions.candidate import CandidateQuestion
from core.review.questions.document_names import document_names
from core.review.questions.document_questions import DocumentContent, document_questions
from core.words import Language

log = logging.getLogger(__name__)

MOST = 3
"""Maximum number of questions suggested."""
MOST_DOCUMENTS = 12
"""Maximum number of documents that questions are made from: the newest of each kind in turn."""
MOST_OF_DOCUMENT = 5
"""Maximum number of questions that are tried about one document."""
MOST_TRIED = 36
"""Maximum number of questions that are tried in all."""
MOST_KEPT = 500
"""Libraries whose questions are kept."""

Item = TypeVar("Item")
LibraryState = frozenset[tuple[str, str, bool]]
Found = Callable[[str, CandidateQuestion], Awaitable[bool]]
"""Maps a user and a candidate to whether it is answered as *Found*."""


@dataclass(frozen=True)
class Tried:
    """The questions that were found to be answered, with the state of the library in which they were tried."""

    state: LibraryState
    questions: tuple[str, ...]


class StarterQuestions:
    """Suggests starter questions. It never waits for trials: they run in the background, once for each state of the
    library."""

    def __init__(self, library: Library, samples: Samples, found: Found) -> None:
        self._library = library
        self._samples = samples
        self._found = found
        self._digests: Mapping[str, str] = {}
        self._tried: LruCache[tuple[str, Language], Tried] = LruCache(MOST_KEPT)
        self._trying: dict[tuple[str, Language], tuple[LibraryState, asyncio.Task[None]]] = {}

    async def of(self, user_id: str, documents: Sequence[Document], language: Language) -> list[str]:
        """Returns the questions; ``documents`` are those of the library, newest first."""
        if not self._digests:
            self._digests = await asyncio.to_thread(lambda: {digest(path): path.name for path in self._samples.paths})
        # Before a document has its vectors, questions about it are answered with less certainty.
        read = [each for each in documents if each.is_stored and each.state == "completed"]
        own = [each for each in read if each.sha256 not in self._digests]
        key, state = (user_id, language), state_of(own)
        tried = self._tried.get(key)
        if own and (tried is None or tried.state != state):
            self._begin(key, own, state)
        answered = tried.questions if tried and tried.state <= state else ()
        fixed = [each.text for each in self._answerable(documents, language)]
        return list(islice(dict.fromkeys([*answered, *fixed]), MOST))

    def _begin(self, key: tuple[str, Language], own: Sequence[Document], state: LibraryState) -> None:
        """Starts the trials for a state of the library. Those that run go on if the library has only grown since, so
        that an upload of many documents does not begin them again and again; otherwise they end."""
        running = self._trying.get(key)
        if running and running[0] <= state:
            return
        if running:
            running[1].cancel()
        self._trying[key] = (state, asyncio.create_task(self._try(key, own, state)))

    def is_trying(self, user_id: str, language: Language) -> bool:
        """Whether further questions may follow soon."""
        return (user_id, language) in self._trying

    async def stop(self) -> None:
        """End the trials."""
        tasks = [task for _, task in self._trying.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _answerable(self, documents: Sequence[Document], language: Language) -> list[SampleQuestion]:
        there = {self._digests.get(each.sha256) for each in documents}
        return [
            each for each in self._samples.questions if each.language == language and there.issuperset(each.documents)
        ]

    async def _try(self, key: tuple[str, Language], documents: Sequence[Document], state: LibraryState) -> None:
        answered: list[str] = []
        try:
            async for candidate in self._candidates(key[0], documents, key[1]):
                if await self._found(key[0], candidate):
                    answered.append(candidate.text)
                    self._show(key, Tried(state, tuple(answered)))
                if len(answered) == MOST:
                    break
        except Exception:
            log.warning("starter questions were not tried", exc_info=True)
        finally:
            if self._trying.get(key, (None,))[0] == state:  # Otherwise the library has changed.
                self._tried[key] = Tried(state, tuple(answered))
                del self._trying[key]

    def _show(self, key: tuple[str, Language], found: Tried) -> None:
        """Shows what was found so far, unless more was found in a smaller library."""
        shown = self._tried.get(key)
        if shown is None or not shown.state <= found.state or len(found.questions) >= len(shown.questions):
            self._tried[key] = found

    async def _candidates(
        self, user_id: str, documents: Sequence[Document], language: Language
    ) -> AsyncGenerator[CandidateQuestion]:
        """Yields a candidate of each document, then a second of each, and so on; a document is read when its first is
        needed."""
        names = document_names(documents, language)
        chosen = [each for each in _of_each_kind(documents, language) if each.id in names]
        made: dict[str, list[CandidateQuestion]] = {}
        tried = 0
        for place in range(MOST_OF_DOCUMENT):
            for each in chosen:
                if each.id not in made:
                    made[each.id] = await self._about(user_id, each, names[each.id], language)
                if place < len(made[each.id]) and tried < MOST_TRIED:
                    tried += 1
                    yield made[each.id][place]

    async def _about(self, user_id: str, document: Document, name: str, language: Language) -> list[CandidateQuestion]:
        """Returns questions about what a document states."""
        try:
            tables = await self._library.tables(user_id, document.id)
            passages = await self._library.chunks(user_id, document.id)
        except PalimpsestError:
            log.info("no question was made of a document that cannot be read")
            return []
        made = document_questions(DocumentContent(document, tables, passages), name, language)
        return await asyncio.to_thread(lambda: list(islice(made, MOST_OF_DOCUMENT)))


def state_of(documents: Iterable[Document]) -> LibraryState:
    """Returns what the outcome of trials depends on: the documents, their titles, and whether they can be searched."""
    return frozenset((each.id, each.metadata.title, each.is_stored) for each in documents)


def _of_each_kind(documents: Sequence[Document], language: Language) -> list[Document]:
    """Returns the newest document of each kind, then the second of each, and so on; those in ``language`` first."""
    kinds: dict[str, list[Document]] = {}
    for each in documents:
        kinds.setdefault(each.metadata.kind, []).append(each)
    mixed = sorted(_in_turn(kinds.values()), key=lambda each: each.metadata.language not in (language, "mixed"))
    return mixed[:MOST_DOCUMENTS]


def _in_turn(found: Iterable[Sequence[Item]]) -> Iterator[Item]:
    return (each for turn in zip_longest(*found) for each in turn if each is not None)
