"""What is kept of runs, of conversations and of their messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.events import RunKind, RunOutcome
from core.words import Language


class Run(BaseModel, populate_by_name=True):
    """``outcome`` is ``None`` while it runs; ``lease_until`` is renewed by the process that runs it.

    A *waiting* run has asked back (``waiting_for`` is the id of its question): no process runs it, and it keeps until
    somebody answers or cancels.
    """

    id: str = Field(alias="_id")
    user_id: str
    kind: RunKind
    subject: str
    conversation_id: str | None = None
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
    """``title_by`` says who named it: a person's name for it is never overwritten."""

    id: str = Field(alias="_id")
    user_id: str
    title: str
    title_by: Literal["first_words", "model", "person"] = "first_words"
    messages: int = 0
    created_at: float
    updated_at: float
    deleted_at: float | None = None
    version: int = 0


class Message(BaseModel, populate_by_name=True):
    """``run_id`` is the run that answers; an assistant's message is drawn from that run's events, so it has no text.

    ``follows`` is the run whose partial answer it completes.
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
    created_at: float


@dataclass(frozen=True)
class Hit:
    """A conversation that was searched for; ``question`` is the one that holds the words, if the title does not."""

    conversation: Conversation
    question: str = ""


@dataclass(frozen=True)
class AcceptedQuestion:
    """``question`` is the text as it was taken, without invisible characters."""

    conversation: Conversation
    run_id: str
    message_id: str
    question: str
    language: Language
