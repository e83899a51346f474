"""The Chat tab: conversations, the message thread, the message box and the evidence panel."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

from markupsafe import Markup
from pydantic import BaseModel, Field, JsonValue

from core.events import Passage, Source
from core.library.records import RemovedDocument
from core.memory.items.records import AnswerRecord
from core.messages import message as worded
from core.records.interrupts import PlanStep
from core.runs.records import AcceptedQuestion, Ask, Message, Turn
from core.setting_groups import ModeName
from core.words import Language, Words
from core.workbench import Workbench
from pages.actions import Blank, Call, Chosen, Handlers, Id, OneRun, ProgramCall, Reply, Search, action, alias
from pages.handlers.conversations import entry
from pages.handlers.offers import show_decisions
from pages.handlers.passages import passage_of
from pages.run_view import RunView
from viz.cited_passage import cited_passage, table_passage, with_other_passages
from viz.data_source import data_source
from viz.files.answer import answer_markdown
from viz.files.rich_text import to_rich_text
from viz.found_table import found_card
from viz.passage import passage as passage_card
from viz.passage import passage_preview, web_page

RESULT = "set_"
"""Beginning of the id of a passage that is the result of a query over a dataset."""


class Mention(Search):
    """The letters typed after ``@``, with which a name begins."""

    conversation_id: Id | None = None


class Question(ProgramCall):
    """A question and its options. ``without``: keys of chips in an earlier answer's ``searched``; these chips are
    ignored for this question. ``replaces``: the run of an earlier question in the conversation, which this one
    replaces."""

    text: Annotated[str, alias("question", "text")]
    conversation_id: Annotated[Id | None, Blank] = None
    mode: ModeName = "enhanced"
    model: Annotated[str | None, Blank] = None
    action: Annotated[Literal["inquire", "summarize", "compare", "audit"] | None, Blank] = None
    web: bool = False
    without: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=20)
    replaces: Annotated[Id | None, Blank] = None

    def as_ask(self) -> Ask:
        return Ask(
            question=self.text,
            conversation_id=self.conversation_id,
            mode=self.mode,
            model=self.model,
            action=self.action,
            web=self.web,
            without=tuple(self.without),
            replaces=self.replaces or "",
        )


class KeptStep(BaseModel):
    """A step of a plan to keep; a ``text`` replaces the step's own."""

    id: Annotated[str, Field(max_length=200)]
    text: str = ""


class Answer(ProgramCall):
    """The reply to a run's question to the user: choices, typed words, the steps of a plan to keep, or ``cancel``."""

    run_id: Id
    interrupt_id: Id
    choice_ids: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=300)
    text: str = ""
    steps: list[KeptStep] = Field([], max_length=50)
    cancel: bool = False


class AskedCell(BaseModel):
    """A cell of a document's table; row and column are counted from 0."""

    table: int = Field(ge=0)
    row: int = Field(ge=0)
    column: int = Field(ge=0)


class Evidence(Call):
    """A run's citation (``number``) or one of its passages (``item_id``). ``cell`` is the table cell to highlight."""

    run_id: Id
    number: int | None = None
    item_id: Id | None = None
    quote: str = Field("", max_length=20_000)
    cell: AskedCell | None = None


class Chat(Handlers):
    """Actions that the script of the Chat tab can call."""

    @action("chat", scope="read")
    async def open_conversation(self, user_id: str, call: Chosen) -> Reply:
        """A conversation with its messages as HTML, in their current versions, and its active run."""
        conversation = await self._workbench.conversations.get(user_id, call.id)
        turns = await self._workbench.conversations.turns(user_id, call.id)
        said = await self._workbench.memory.answers(user_id, [each.id for turn in turns for each in turn.answers])
        return {
            "conversation": entry(conversation),
            "messages": await _rows(self._workbench, turns, said),
            "scoring_enforced": self._workbench.settings.memory.enforce_scoring,
        }

    @action("chat", scope="ask")
    async def ask(self, user_id: str, call: Question) -> Reply:
        """Start a run. Its events are sent over the live stream."""
        asked = await self.begin(user_id, call)
        return {
            "conversation": entry(asked.conversation),
            "run": asked.run_id,
            "message": asked.message_id,
            "question": asked.question,
            "language": asked.language,
        }

    async def begin(self, user_id: str, call: Question) -> AcceptedQuestion:
        """Start a run without the live stream: the caller reads its events in another way."""
        return await self._workbench.answer(user_id, call.as_ask())

    @action("chat", endpoint="choose_version", scope="ask")
    async def choose_version(self, user_id: str, call: OneRun) -> Reply:
        """Go back to another version of an edited question: the conversation goes on from there."""
        return entry(await self._workbench.choose_version(user_id, call.id))

    @action("chat", endpoint="cancel_run", scope="ask")
    async def stop(self, user_id: str, call: OneRun) -> Reply:
        """Stop an answer that is being written. The text so far is kept."""
        await self._workbench.cancel(user_id, call.id)
        return {"cancelled": call.id}

    @action("chat", endpoint="answer_now", scope="ask")
    async def answer_now(self, user_id: str, call: OneRun) -> Reply:
        """Answer now from the documents that are ready (the full answer follows automatically), or from what tools have
        found."""
        await self._workbench.answer_now(user_id, call.id)
        return {"answered_now": call.id}

    @action("chat", scope="ask")
    async def resume(self, user_id: str, call: Answer) -> Reply:
        """Reply to PalAssist's question. The same run continues over the live stream."""
        if call.cancel:
            await self._workbench.resume(user_id, call.run_id, call.interrupt_id, None)
        else:
            steps = [PlanStep(id=step.id, text=step.text) for step in call.steps]
            await self._workbench.reply(user_id, call.run_id, call.interrupt_id, call.choice_ids, call.text, steps)
        return {}

    @action("chat", endpoint="mentionable", scope="read")
    async def mentionable(self, user_id: str, call: Mention) -> Reply:
        """Documents and document sets that can be mentioned with ``@``."""
        found = await self._workbench.mentions.starting(user_id, call.search, call.conversation_id)
        return {"mentions": [each.model_dump(exclude_none=True) for each in found]}

    @action("chat", scope="read")
    async def evidence(self, user_id: str, call: Evidence) -> Reply:
        """The cited passage with the text around it."""
        return {"html": await _evidence(self._workbench, user_id, call, call.ui)}

    @action("chat", endpoint="answer_text", scope="read")
    async def answer_text(self, user_id: str, call: OneRun) -> Reply:
        """An answer to copy: as Markdown and as HTML, with its sources and the pages of the cited cells."""
        await self._workbench.run(user_id, call.id)
        view = RunView.of(call.id, "", await self._workbench.ledger.entries(user_id, call.id))
        text = answer_markdown(view)
        return {"markdown": text, "html": to_rich_text(text, view.trace.language)}

    @action("chat", scope="read")
    async def preview(self, user_id: str, call: Evidence) -> Reply:
        """The text around a citation's evidence, as stored with the run."""
        view, source, chosen, quote = await _cited(self._workbench, user_id, call)
        if source is None or chosen is None:
            return {"html": ""}
        return {"html": str(passage_preview(source, chosen, quote, view.passage_labels, call.ui))}

    def _web_needs(self) -> Words:
        if not self._workbench.settings.web_enabled:
            return worded("operations.features.is_off.remedy")
        return worded("tools.web.needs_key.remedy")

    @action("chat", endpoint="starters", scope="read")
    async def starters(self, user_id: str, call: Call) -> Reply:
        """Suggested questions for an empty conversation."""
        documents = await self._workbench.library.find(user_id)
        return {
            "documents": len(documents),
            "questions": [*await self._workbench.starters.of(user_id, documents, call.ui)],
            "more_follow": self._workbench.starters.is_trying(user_id, call.ui),
            "scoring_enforced": self._workbench.settings.memory.enforce_scoring,
            "web": {
                "ready": self._workbench.tools.searches_web,
                "needs": self._web_needs().to(call.ui),
            },
            "models": [{"id": choice.id, "label": choice.label} for choice in self._workbench.models.available()],
        }


async def _rows(workbench: Workbench, turns: Sequence[Turn], said: dict[str, AnswerRecord]) -> list[JsonValue]:
    """The messages in order, each question with its versions."""
    versions = {turn.asked.id: list(turn.versions) for turn in turns}
    messages = sorted((each for turn in turns for each in (turn.asked, *turn.answers)), key=lambda each: each.order)
    return [
        {**await _drawn(workbench, each, said.get(each.id)), "versions": [*versions.get(each.id, [])]}
        for each in messages
    ]


async def _drawn(workbench: Workbench, message: Message, said: AnswerRecord | None) -> Reply:
    drawn: Reply = {"id": message.id, "role": message.role, "language": message.language, "run": message.run_id}
    drawn["follows"] = message.follows
    if message.role == "user":
        return {**drawn, "text": message.text}
    entries = await workbench.ledger.entries(message.user_id, message.run_id or "")
    view = RunView.of(message.run_id or "", message.id, entries)
    await show_decisions(workbench, message.user_id, view)
    return {
        **drawn,
        "running": view.outcome is None,
        "html": view.html(said.outcome if said else None) if view.outcome else "",
    }


async def _cited(
    workbench: Workbench, user_id: str, call: Evidence
) -> tuple[RunView, Source | None, Passage | None, str]:
    """The run, and the passage that the requested citation refers to."""
    await workbench.run(user_id, call.run_id)
    view = RunView.of(call.run_id, "", await workbench.ledger.entries(user_id, call.run_id))
    source, chosen, quote = cited_passage(view.sources, call.number, call.item_id, call.quote)
    return view, with_other_passages(source, view.sources) if source else None, chosen, quote


async def _evidence(workbench: Workbench, user_id: str, call: Evidence, language: Language) -> str:
    view, source, chosen, quote = await _cited(workbench, user_id, call)
    call = call.model_copy(update={"cell": call.cell or _cell_of(source)})
    if source and chosen and source.kind == "web":
        return str(web_page(source, chosen, quote, language))
    if source and chosen and source.kind in ("tool", "conversation", "memory"):
        return str(found_card(source, chosen, quote, call.run_id, language))
    if source and chosen and source.kind == "document" and (source.table or source.data):
        departure = await workbench.library.departure(user_id, source.document_id)
        return str(data_source(source, chosen, departure, language))
    if source and chosen and (not chosen.item_id or chosen.item_id.startswith(RESULT)):
        # Rows of a long table, or a result in an old answer: the answer keeps their text.
        return str(found_card(source, chosen, quote, call.run_id, language))
    gone = await workbench.library.departure(user_id, source.document_id) if source and chosen else None
    if source and chosen and gone:
        return str(_of_gone(source, chosen, gone, quote, language))
    if source and call.cell and (chosen is None or chosen.table != call.cell.table):
        # The cell's table is not always among the search results.
        rows = await workbench.library.passages_of_table(user_id, source.document_id, call.cell.table)
        telling = await asyncio.to_thread(table_passage, rows, call.quote)
        chosen, quote = telling or (chosen, quote)
    found = await passage_of(workbench, user_id, chosen.item_id if chosen else call.item_id or "")
    return str(
        passage_card(
            source=source,
            chosen=chosen,
            **found.model_dump(exclude={"table", "origin"}),
            origin=found.origin,
            quote=quote,
            language=language,
            labels=view.passage_labels,
            cell=(call.cell.table, call.cell.row, call.cell.column) if call.cell else None,
        )
    )


def _cell_of(source: Source | None) -> AskedCell | None:
    """The cell of a row that was found in a document's tables."""
    cell = source.cell if source else None
    if cell is None or cell.table is None or cell.row is None or cell.column is None:
        return None
    return AskedCell(table=cell.table, row=cell.row, column=cell.column)


def _of_gone(source: Source, chosen: Passage, gone: RemovedDocument, quote: str, language: Language) -> Markup:
    """The card for a document that was deleted or replaced, from the quotation stored with the run."""
    return passage_card(
        source=source,
        chosen=chosen,
        title=source.title,
        filename=source.filename,
        document_id=source.document_id,
        text=chosen.text,
        page=chosen.page,
        section=chosen.section,
        quote=quote,
        language=language,
        departure=gone,
    )
