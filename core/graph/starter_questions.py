"""Suggests up to three starter questions from the documents in a user's library, which were tried before.

Questions about a user's own documents are tried in the background and offered only if they are answered as *Found*. The
questions of the samples are fixed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TypeVar

from core.errors import PalimpsestError
from core.language.normalisation import fold
from core.library.digest import digest
from core.library.library import Library
from core.library.records import Document
from core.library.samples import SampleQuestion, Samples
from core.library.tables.records import Table
from core.lru_cache import LruCache
from core.review.actions.question_templates import entry, named
from core.review.actions.table_questions import CitedTables, PastQuestions, entry_labels, row_questions, section_labels
from core.words import Language

log = logging.getLogger(__name__)

MOST = 3
"""Maximum number of questions suggested."""
MOST_DOCUMENTS = 12
"""Maximum number of documents that questions are made from: the newest of each kind in turn."""
MOST_OF_DOCUMENT = 4
"""Maximum number of questions that are tried about one document."""
MOST_TRIED = 20
"""Maximum number of questions that are tried in all."""
MOST_KEPT = 500
"""Libraries whose questions are kept."""
LONGEST_NAME = 60
"""Characters of a title in a question; a document with a longer title gets no question by its title."""

Item = TypeVar("Item")
LibraryState = frozenset[tuple[str, str, bool]]
Found = Callable[[str, str], Awaitable[bool]]
"""Maps a user and a question to whether it is answered as *Found*."""


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
        self._trying: dict[tuple[str, Language], asyncio.Task[None]] = {}

    async def of(self, user_id: str, documents: Sequence[Document], language: Language) -> list[str]:
        """Returns the questions; ``documents`` are those of the library, newest first."""
        if not self._digests:
            self._digests = await asyncio.to_thread(lambda: {digest(path): path.name for path in self._samples.paths})
        own = [each for each in documents if each.sha256 not in self._digests and each.is_stored]
        key, state = (user_id, language), frozenset((each.id, each.metadata.title, each.is_stored) for each in own)
        tried = self._tried.get(key)
        if own and (tried is None or tried.state != state) and key not in self._trying:
            self._trying[key] = asyncio.create_task(self._try(key, own, state))
        answered = tried.questions if tried and tried.state <= state else ()
        fixed = [each.text for each in self._answerable(documents, language)]
        return list(islice(dict.fromkeys([*answered, *fixed]), MOST))

    def is_trying(self, user_id: str, language: Language) -> bool:
        """Whether further questions may follow soon."""
        return (user_id, language) in self._trying

    async def stop(self) -> None:
        """End the trials."""
        for task in list(self._trying.values()):
            task.cancel()
        await asyncio.gather(*self._trying.values(), return_exceptions=True)

    def _answerable(self, documents: Sequence[Document], language: Language) -> list[SampleQuestion]:
        there = {self._digests.get(each.sha256) for each in documents}
        return [
            each for each in self._samples.questions if each.language == language and there.issuperset(each.documents)
        ]

    async def _try(self, key: tuple[str, Language], documents: Sequence[Document], state: LibraryState) -> None:
        user_id, language = key
        answered: list[str] = []
        try:
            found = [await self._about(user_id, each, language) for each in _of_each_kind(documents)]
            for question in islice(dict.fromkeys(_in_turn(found)), MOST_TRIED):
                if await self._found(user_id, question):
                    answered.append(question)
                if len(answered) == MOST:
                    break
            self._tried[key] = Tried(state, tuple(answered))
        except Exception:
            log.warning("starter questions were not tried", exc_info=True)
            self._tried[key] = Tried(state, ())
        finally:
            del self._trying[key]

    async def _about(self, user_id: str, document: Document, language: Language) -> list[str]:
        """Returns questions about the tables and sections of a document."""
        try:
            tables = await self._library.tables(user_id, document.id)
            outline = await self._library.outline(user_id, document.id)
        except PalimpsestError:
            log.info("no question was made of a document that cannot be read")
            return []
        titles = [each.title for each in outline.sections]
        made = partial(_questions, document, tables, titles, language)
        return await asyncio.to_thread(lambda: list(islice(made(), MOST_OF_DOCUMENT)))


def _of_each_kind(documents: Sequence[Document]) -> list[Document]:
    """Returns the newest document of each kind, then the second of each, and so on."""
    kinds: dict[str, list[Document]] = {}
    for each in documents:
        kinds.setdefault(each.metadata.kind, []).append(each)
    return list(islice(_in_turn(kinds.values()), MOST_DOCUMENTS))


def _questions(document: Document, tables: Sequence[Table], titles: Sequence[str], language: Language) -> Iterator[str]:
    """Yields questions about figures of several periods that have a common name, then about entries of a form and about
    sections."""
    held, nothing = CitedTables.of(document, tables), PastQuestions(frozenset(), frozenset())
    title = document.metadata.title
    name = named(held.organisation, held.kind, held.period, language) or (title if len(title) <= LONGEST_NAME else "")
    yield from row_questions(held, nothing, language, known=True)
    for label in chain(entry_labels(tables), section_labels(titles)):
        if name and fold(label) not in fold(name):
            yield entry(label, name, language)


def _in_turn(found: Iterable[Sequence[Item]]) -> Iterator[Item]:
    return (each for turn in zip_longest(*found) for each in turn if each is not None)
