"""Defines the operation pages' records: backups, an index rebuild, findings, errors, work in progress."""

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
    """A backup in the data directory. ``of``: whose data it has, ``None`` for all users. ``by``: whether it was made by
    hand, by the schedule, or uploaded."""

    name: str
    by: MadeBy
    of: str | None
    made_at: float
    bytes: int


class RebuildingState(BaseModel):
    """An index rebuild; ``active``: it is running now. ``last`` is the current or latest run's state."""

    active: bool
    last: ReindexState | None


class Finding(BaseModel):
    """One check's result. ``warning`` names the problem and is its heading in docs/troubleshooting.md; if it is empty,
    there is no problem."""

    check: str
    name: Words
    warning: str | None = None
    state: HealthState = "green"
    what: Words
    why: Words | None = None
    remedy: Words | None = None


class RunError(BaseModel):
    """An error that a run showed to ``user_id``. ``subject``: its question, or the document that it read."""

    at: float
    user_id: str
    run_id: str
    kind: RunKind
    conversation_id: str | None
    subject: str
    problem: Problem


class LoggedError(BaseModel):
    """A logged error of this process; ``run`` is the run in which it occurred, if any."""

    at: float
    module: str
    text: str
    run_id: str | None


class UnderWay(BaseModel):
    """Work in progress. ``about``: a document's id, or a question. ``waits``: it has not started, or waits for the
    user's reply."""

    kind: str
    user_id: str
    about: str
    since: float
    waits: bool


class Called(BaseModel):
    """External calls of one kind since the start, with times in milliseconds. ``breaker``: whether they are paused
    now."""

    name: Words
    breaker: State
    calls: int
    failed: int
    refused: int
    last: float
    p50: float
    p95: float


class FeatureRow(BaseModel):
    """A feature, as the page shows it. ``fixed``: an environment variable sets it. ``notice``: why it was switched off
    automatically."""

    name: str
    title: Words
    hides: Words
    setting: str
    on: bool
    fixed: bool
    notice: Words | None
