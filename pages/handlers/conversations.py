"""Actions on conversations in their list: search, rename, delete, restore, export."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.memory.items.records import AnswerRecord
from core.runs.records import Conversation, Hit, Message
from core.words import Language
from core.workbench import Workbench
from pages.actions import Chosen, Handlers, Reply, Search, action
from pages.run_view import RunView
from viz.answer import answer_state
from viz.files.answer import answer_section
from viz.files.data_markdown import results_markdown
from viz.files.transcript import AskedBack, Cited, CitedSource, Pending, Transcript, Turn, markdown, when

Format = Literal["markdown", "json"]
SNIPPET = 120


class Renamed(Chosen):
    """A conversation and its new title."""

    title: str = Field(max_length=10_000)


class Exported(Chosen):
    """``language``: language of the file; by default the caller's."""

    format: Format = "markdown"
    language: Language | None = None


class ConversationList(Handlers):
    """Actions that the list's script can call."""

    @action("chat", endpoint="list_conversations", scope="read")
    async def conversations(self, user_id: str, call: Search) -> Reply:
        """Conversation titles, newest first. In a search, ``question`` is a matching question of the conversation if
        the title does not match."""
        hits = await self._workbench.conversations.search(user_id, call.search)
        return {
            "conversations": [
                {**entry(hit.conversation), "question": hit.question, "snippet": _snippet(hit, call.search)}
                for hit in hits
            ]
        }

    @action("chat", endpoint="rename_conversation")
    async def rename_conversation(self, user_id: str, call: Renamed) -> Reply:
        """Set a conversation's title. A model will not replace it with its own title."""
        return entry(await self._workbench.conversations.rename(user_id, call.id, call.title))

    @action("chat", endpoint="delete_conversation", several=("chat",), noted="deleted")
    async def delete_conversation(self, user_id: str, call: Chosen) -> Reply:
        """Delete a conversation. For one minute, ``restore_conversation`` restores it."""
        return entry(await self._workbench.delete_conversation(user_id, call.id))

    @action("chat", endpoint="restore_conversation", several=("chat",), noted="restored")
    async def restore_conversation(self, user_id: str, call: Chosen) -> Reply:
        """Restore a deleted conversation."""
        return entry(await self._workbench.conversations.restore(user_id, call.id))

    @action(endpoint="pending_question", scope="read")
    async def pending_question(self, user_id: str, call: Chosen) -> Reply:
        """The question to the user that a conversation waits for, in ``pending``, with the ids of its choices; ``null``
        if there is none. Reply with ``/resume_run``."""
        await self._workbench.conversations.get(user_id, call.id)
        run = await self._workbench.ledger.active(user_id, call.id)
        asked = await self._workbench.ledger.pending(user_id, run.id) if run else None
        if run is None or asked is None:
            return {"pending": None}
        return {"pending": {"run_id": run.id, **asked.model_dump(mode="json", exclude={"type"})}}

    @action("chat", endpoint="export_conversation", scope="read", noted="exported")
    async def export_conversation(self, user_id: str, call: Exported) -> Reply:
        """Export a whole conversation as a file: Markdown, or JSON with a schema version."""
        transcript = await transcript_of(self._workbench, user_id, call.id)
        text = exported(transcript, call.format, call.language or call.ui)
        ending, kind = ("md", "text/markdown") if call.format == "markdown" else ("json", "application/json")
        return {
            "name": f"{transcript.title[:80]}.{ending}",
            "title": transcript.title,
            "text": text,
            "type": kind,
        }


def entry(conversation: Conversation) -> Reply:
    return {"id": conversation.id, "title": conversation.title, "updated_at": conversation.updated_at}


def exported(transcript: Transcript, format: Format, language: Language) -> str:
    return markdown(transcript, language) if format == "markdown" else transcript.model_dump_json(indent=2)


async def transcript_of(workbench: Workbench, user_id: str, conversation_id: str) -> Transcript:
    """The conversation as text for export. Raises ``PalimpsestError`` (not found)."""
    conversation = await workbench.conversations.get(user_id, conversation_id)
    turns = await workbench.conversations.turns(user_id, conversation_id)
    said = await workbench.memory.answers(user_id, [each.id for turn in turns for each in turn.answers])
    # The full answer replaces the partial answer that was given before it.
    written = [await _turn(workbench, turn.asked, turn.answers[-1] if turn.answers else None, said) for turn in turns]
    for turn, shown in zip(turns, written, strict=True):
        shown.version, shown.versions = turn.versions.index(turn.run_id) + 1, len(turn.versions)
    return Transcript(
        id=conversation.id, title=conversation.title, created_at=when(conversation.created_at), turns=written
    )


async def _turn(workbench: Workbench, asked: Message, answer: Message | None, said: dict[str, AnswerRecord]) -> Turn:
    run_id = (answer.run_id if answer else None) or asked.run_id or ""
    entries = await workbench.ledger.entries(asked.user_id, run_id)
    view = RunView.of(run_id, answer.id if answer else "", entries)
    response, record = view.response, said.get(answer.id) if answer else None
    return Turn(
        question=asked.text,
        asked_at=when(asked.created_at),
        mode=asked.mode,
        asked_back=[
            AskedBack(question=each.question_in_full, answer=each.answer_text) for each in view.exchanges if each.answer
        ],
        kind=response.kind if response else None,
        answer=view.neutral_text,
        section=answer_section(view),
        language=view.trace.language,
        answer_data=response.answer if response else None,
        results=results_markdown(response, view.sources) if response else [],
        searched=view.searched.chips if view.searched else [],
        state=answer_state(response, view.confidence, view.searched),
        model=response.model if response else None,
        tokens=view.spent.tokens_in + view.spent.tokens_out if view.spent else 0,
        cost=view.spent.cost if view.spent else None,
        sources=[
            CitedSource(
                passages=[
                    Cited(text=passage.text, page=passage.page, section=passage.section)
                    for passage in sorted(source.passages, key=lambda each: -each.score)
                ],
                data=source.data,
                **source.model_dump(include={"number", "title", "filename", "url"}),
            )
            for source in view.sources
        ],
        pending=_pending(view),
        outcome=view.outcome,
        problem=view.problem.what.to(view.trace.language) if view.problem else "",
        feedback=record.outcome if record else None,
    )


def _pending(view: RunView) -> Pending | None:
    """The question that the run has asked the user, with its id and its choices."""
    asked = view.pending
    return Pending(run_id=view.run_id, **asked.model_dump(exclude={"type"})) if asked else None


def _snippet(hit: Hit, search: str) -> str:
    """The part of the question around the searched words."""
    text = " ".join(hit.question.split())
    at = text.casefold().find(search.casefold().strip())
    start = max(0, at - SNIPPET // 3)
    cut = text[start : start + SNIPPET]
    return f"{'…' if start else ''}{cut}{'…' if start + SNIPPET < len(text) else ''}" if text else ""
