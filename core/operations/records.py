"""What is told of the operation of the workbench: backups there are, a rebuilding index, what a doctor finds."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.errors import Problem
from core.events import RunKind
from core.memory.maintenance.reindex import ReindexState
from core.resilience.dependencies import State
from core.resilience.health import HealthState
from core.words import Words

MadeBy = Literal["backup", "scheduled", "received"]


class BackupFile(BaseModel):
    """A backup in the data directory. ``of``: whose it is, ``None`` for everyone's; ``by``: made by hand, made by the
    schedule, or brought from elsewhere."""

    name: str
    by: MadeBy
    of: str | None
    made_at: float
    bytes: int


class RebuildingState(BaseModel):
    """``active``: the index is being built anew now. ``last`` is what is known of this or the last time."""

    active: bool
    last: ReindexState | None


class Finding(BaseModel):
    """What one check found. ``warning`` names what is wrong, and the part of docs/troubleshooting.md that tells of it;
    nothing is wrong without one."""

    check: str
    name: Words
    warning: str | None = None
    state: HealthState = "green"
    what: Words
    why: Words | None = None
    remedy: Words | None = None


class RunError(BaseModel):
    """An error that ``user_id`` was told of by a run. ``subject``: its question, or the document that it read."""

    at: float
    user_id: str
    run_id: str
    kind: RunKind
    conversation_id: str | None
    subject: str
    problem: Problem


class LoggedError(BaseModel):
    """What the log of this process was told, and in which run, where it was in one."""

    at: float
    module: str
    text: str
    run_id: str | None


class UnderWay(BaseModel):
    """``about``: the id of a document, or a question. ``waits``: nobody works on it yet, or it waits for its person."""

    kind: str
    user_id: str
    about: str
    since: float
    waits: bool


class Called(BaseModel):
    """What is called outside, since the start, in milliseconds. ``breaker``: whether it is left alone now."""

    name: Words
    breaker: State
    calls: int
    failed: int
    refused: int
    last: float
    p50: float
    p95: float


class FeatureRow(BaseModel):
    """``fixed``: the environment says so. ``notice``: it went off by itself."""

    name: str
    title: Words
    hides: Words
    setting: str
    on: bool
    fixed: bool
    notice: Words | None
