"""Defines the stored records of runs, conversations and messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.events import Action, RunKind, RunOutcome
from core.records.subject_matter import Completed
from core.setting_groups import ModeName
from core.words import Language


class Run(BaseModel, populate_by_name=True):
    """A run. ``outcome`` is ``None`` while it is active; ``lease_until`` is renewed by the process that runs it.

    A *waiting* run has asked the user something (``waiting_for`` is the question's id): no process runs it, and it
    stays until a user answers or cancels. ``thread`` is the agent's thread, if it is not the conversation's first one.
    """

    id: str = Field(alias="_id")
    user_id: str
    kind: RunKind
    subject: str
    conversation_id: str | None = None
    thread: str | None = None
    language: Language = "en"
    state: Literal["running", "waiting", "ended"] = "running"
    waiting_for: str | None = None
    outcome: RunOutcome | None = None
    cancel_requested: bool = False
    answer_requested: bool = False
    lease_owner: str | None = None
    lease_until: float = 0.0
    created_at: float
    ended_at: float | None = None


class Conversation(BaseModel, populate_by_name=True):
    """A conversation. ``title_by`` is the author of the title: a person's title is never overwritten."""

    id: str = Field(alias="_id")
    user_id: str
    title: str
    title_by: Literal["first_words", "model", "person"] = "first_words"
    messages: int = 0
    created_at: float
    updated_at: float
    deleted_at: float | None = None
    version: int = 0


class TurnStart(BaseModel):
    """What the agent knew of the conversation before a turn, for asking it again with another question.

    ``number`` is the number of turns before it, ``documents`` are mentioned documents (title → id), ``recent`` those of
    the answer before. ``asked`` is the last searched question, of the documents ``asked_of``. ``digest`` summarises the
    turns up to number ``digested``.
    """

    number: int = 0
    documents: dict[str, str] = {}
    recent: list[str] = []
    asked: str = ""
    asked_of: list[str] = []
    digest: str = ""
    digested: int = 0
    wishes: list[str] = []
    queries: list[str] = []
    unsure: bool = False


class Message(BaseModel, populate_by_name=True):
    """A message. ``run_id`` is the run that answers; an assistant's message has no text, because it is built from that
    run's events.

    ``follows`` is the run whose partial answer it completes. Of a question, ``after`` is the run of the turn before it
    ("" for the first one, ``None`` for the message before); ``thread`` is the agent's thread, if it is not the
    conversation's first one; ``chosen_at`` is when the user went back to this version; see ``core.runs.versions``.
    """

    id: str = Field(alias="_id")
    user_id: str
    conversation_id: str
    order: int
    role: Literal["user", "assistant"]
    text: str = ""
    language: Language = "en"
    mode: str | None = None
    run_id: str | None = None
    follows: str | None = None
    after: str | None = None
    thread: str | None = None
    chosen_at: float | None = None
    start: TurnStart | None = None
    created_at: float


def run_of(message: Message) -> str:
    """The run of a message; the message's own id if it has none."""
    return message.run_id or message.id


@dataclass(frozen=True)
class Turn:
    """A question and its answers (a partial one may be followed by the full one). ``versions`` are the runs of all
    versions of the question, oldest first."""

    asked: Message
    answers: tuple[Message, ...]
    versions: tuple[str, ...]

    @property
    def run_id(self) -> str:
        return run_of(self.asked)


@dataclass(frozen=True)
class Hit:
    """A conversation found by a search; ``question`` is the one that contains the words, if the title does not."""

    conversation: Conversation
    question: str = ""


class Ask(BaseModel, frozen=True):
    """A question with the user's options; without a ``conversation_id`` it starts a new conversation.

    ``action`` and ``web`` are set if the user chose them. ``without`` are the keys of removed chips (search filters).
    The others are for a full answer, which starts automatically: ``follows`` is the run whose partial answer it
    completes, ``document_ids`` are the documents and ``completed`` the question in full of that run. ``replaces`` is
    the run of a turn of the conversation, of which the question is another version.
    """

    question: str
    conversation_id: str | None = None
    mode: ModeName = "enhanced"
    model: str | None = None
    action: Action | None = None
    web: bool = False
    without: tuple[str, ...] = ()
    document_ids: tuple[str, ...] | None = None
    completed: Completed | None = None
    follows: str = ""
    replaces: str = ""


@dataclass(frozen=True)
class AcceptedQuestion:
    """A question that was accepted; ``question`` is its text without invisible characters."""

    conversation: Conversation
    run_id: str
    message_id: str
    question: str
    language: Language
