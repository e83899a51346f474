"""Actions on documents for programs. Turns document names and a request into a question with its action selected, and
returns the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from core.errors import PalimpsestError
from core.ids import is_id
from core.library.records import Document
from core.messages import message
from core.setting_groups import ModeName
from core.words import Language
from pages.actions import Blank, Handlers, Id, ProgramCall, Reply, Tool, action
from pages.answer_given import AnswerGiven
from pages.handlers.chat import Question
from pages.handlers.runs import Runs

Ordered = Literal["summarize", "compare", "audit"]
Named = Annotated[str, Field(min_length=1, max_length=300)]

STEP = 5.0
"""Seconds between two checks whether a text has been read, if no notification arrives."""

SUMMARIZE = (
    "Summarize whole documents in the library, each given by its id or title. `about` narrows the summary to a "
    "subject. The answer has citations like those of ask."
)
COMPARE = (
    "Compare two or more documents, each given by its id or title. Returns a table of themes, what agrees and what "
    "differs, with citations. `about` says what to compare."
)
AUDIT = (
    "Check a text clause by clause against documents in the library, each given by its id or title. Returns which "
    "clauses comply, which conflict and which the documents do not cover, with the deciding passage and a severity."
)


class Order(ProgramCall):
    """A request for an action on documents. ``documents``: documents by id or name, or a document set by its name;
    ``about``: the topic, if not everything is meant."""

    documents: list[Named] = Field(min_length=1, max_length=50)
    about: str = Field("", max_length=2_000)
    conversation_id: Annotated[Id | None, Blank] = None
    mode: ModeName = "enhanced"


class AuditOrder(ProgramCall):
    """The ``text`` to check, and the documents to check it against."""

    text: str = Field(min_length=1, max_length=200_000)
    documents: list[Named] = Field(min_length=1, max_length=50)
    conversation_id: Annotated[Id | None, Blank] = None
    mode: ModeName = "enhanced"


class Orders(Handlers):
    """The actions summarize, compare and audit; on the page, the user selects them with a tag in the message box."""

    @action(endpoint="summarize", tool=Tool("summarize", AnswerGiven, SUMMARIZE), scope="ask")
    def summarize(self, user_id: str, call: Order) -> AsyncGenerator[Reply]:
        """Summarize documents. Yields the same replies as ``/ask``."""
        return self._done(user_id, call, "summarize", call.about)

    @action(endpoint="compare", tool=Tool("compare", AnswerGiven, COMPARE), scope="ask")
    def compare(self, user_id: str, call: Order) -> AsyncGenerator[Reply]:
        """Compare documents. Yields the same replies as ``/ask``."""
        return self._done(user_id, call, "compare", call.about)

    @action(endpoint="audit", tool=Tool("audit", AnswerGiven, AUDIT), scope="ask")
    def audit(self, user_id: str, call: AuditOrder) -> AsyncGenerator[Reply]:
        """Check a text against documents. Yields the same replies as ``/ask``. A long text is attached to the
        conversation."""
        return self._done(user_id, call, "audit", call.text)

    async def _done(
        self, user_id: str, call: Order | AuditOrder, ordered: Ordered, words: str
    ) -> AsyncGenerator[Reply]:
        named = ", ".join([await self._mention(user_id, each) for each in call.documents])
        text, conversation_id = _in_words(ordered, named, words, call.ui), call.conversation_id
        if ordered == "audit" and len(text) > self._workbench.settings.limits.question_characters:
            conversation_id = await self._attached(user_id, words, conversation_id)
            text = _in_words("audit", named, "", call.ui)
        kept = call.model_dump(include={"mode", "program", "ui"})
        question = Question.model_validate(
            {"question": text, "conversation_id": conversation_id, "action": ordered, **kept}
        )
        async with aclosing(Runs(self._workbench, self._identity).ask(user_id, question)) as answers:
            async for answer in answers:
                yield answer

    async def _mention(self, user_id: str, named: str) -> str:
        """Writes a mention as a user would: by id if only one document matches, otherwise by name; then the run
        may ask the user which one is meant. Raises ``PalimpsestError`` if no document has the id."""
        if is_id(named, "doc"):
            return _by_id(await self._workbench.library.get(user_id, named))
        wanted, found = named.casefold().strip(), await self._workbench.library.find(user_id)
        alike = [each for each in found if wanted in _names(each)]
        alike = alike or await self._workbench.library.find(user_id, named)
        if len(alike) == 1:
            return _by_id(alike[0])
        sets = {each.name.casefold(): each.name for each in await self._workbench.sets.all(user_id)}
        return f'@set:"{sets[wanted]}"' if wanted in sets else " ".join(named.split())

    async def _attached(self, user_id: str, text: str, conversation_id: str | None) -> str:
        """The conversation to which the text is attached, if it is too long for a question."""
        name = message("pages.orders.text_file").to("en")
        if conversation_id is None:
            conversation_id = (await self._workbench.conversations.start(user_id, name)).id
        else:
            await self._workbench.conversations.get(user_id, conversation_id)
        path = await asyncio.to_thread(self._workbench.uploads.written, user_id, "text", text.encode())
        submission = await self._workbench.library.submit(
            user_id, path, f"{name}.txt", scope=conversation_id, choice="keep_both", move=True
        )
        await self._read(user_id, submission.document.id)
        return conversation_id

    async def _read(self, user_id: str, document_id: str) -> None:
        """Waits until the document's text has been read, as long as a question would wait. If it could not be read,
        raises the reason."""
        ledger, library = self._workbench.ledger, self._workbench.library
        async with asyncio.timeout(self._workbench.settings.deadlines.wait_at_most):
            while True:
                seen = ledger.version_of(user_id)
                document = await library.get(user_id, document_id)
                if document.problem:
                    raise PalimpsestError(document.problem)
                if document.is_stored:
                    return
                await ledger.wait_for_user(user_id, seen, STEP)


def _names(document: Document) -> set[str]:
    file = Path(document.filename)
    return {document.metadata.title.casefold(), file.name.casefold(), file.stem.casefold()}


def _by_id(document: Document) -> str:
    title = " ".join(document.metadata.title.replace("[", "(").replace("]", ")").split())
    return f"@[{title}]({document.id})"


def _in_words(ordered: Ordered, documents: str, words: str, language: Language) -> str:
    """The request as a user would write it in the message box."""
    if words:
        return message(f"pages.orders.{ordered}_with", documents=documents, words=words.strip()).to(language)
    return message(f"pages.orders.{ordered}_plain", documents=documents).to(language)
