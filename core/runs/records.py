"""What is kept of a run."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.events import RunKind, RunOutcome
from core.words import Language


class Run(BaseModel):
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

    model_config = {"populate_by_name": True}
