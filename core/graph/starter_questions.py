"""Suggests up to three starter questions based on the documents in a user's library."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from itertools import islice, zip_longest

from core.errors import PalimpsestError
from core.library.digest import digest
from core.library.library import Library
from core.library.records import Document
from core.library.samples import SampleQuestion, Samples
from core.question.known_entities import REPORTS
from core.review.actions.table_questions import CitedTables, PastQuestions, row_questions
from core.words import Language

log = logging.getLogger(__name__)

MOST = 3
"""Maximum number of questions suggested, and of documents read for them."""


class StarterQuestions:
    """Suggests starter questions: fixed ones for sample documents; for reports, questions about figures in their
    financial statements."""

    def __init__(self, library: Library, samples: Samples) -> None:
        self._library = library
        self._samples = samples
        self._digests: Mapping[str, str] = {}

    async def of(self, user_id: str, documents: Sequence[Document], language: Language) -> list[str]:
        """Returns the questions; ``documents`` are those of the library, newest first."""
        if not self._digests:
            self._digests = await asyncio.to_thread(lambda: {digest(path): path.name for path in self._samples.paths})
        own = [each.text for each in self._answerable(documents, language)]
        reports = [each for each in documents if each.metadata.kind in REPORTS and each.sha256 not in self._digests]
        found = [await self._of_report(user_id, each, language) for each in reports[:MOST]]
        turns = (question for turn in zip_longest(*found) for question in turn if question)
        return list(islice(dict.fromkeys([*own, *turns]), MOST))

    def _answerable(self, documents: Sequence[Document], language: Language) -> list[SampleQuestion]:
        there = {self._digests.get(each.sha256) for each in documents}
        return [
            each for each in self._samples.questions if each.language == language and there.issuperset(each.documents)
        ]

    async def _of_report(self, user_id: str, document: Document, language: Language) -> list[str]:
        try:
            tables = await self._library.tables(user_id, document.id)
        except PalimpsestError:
            log.info("no question was made of a document whose tables cannot be read")
            return []
        held, nothing = CitedTables.of(document, tables), PastQuestions(frozenset(), frozenset())
        return await asyncio.to_thread(lambda: list(islice(row_questions(held, nothing, language, known=True), MOST)))
