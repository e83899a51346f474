"""Computes durations and counts of runs from their events, only in memory.

The time that a user takes to reply to a run does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.events import (
    Answered,
    AssistantDelta,
    Event,
    Failure,
    Interrupted,
    Remembered,
    Response,
    RunCompleted,
    RunCreated,
    RunKind,
    Sources,
    StepStatus,
)
from core.lru_cache import LruCache
from core.operations.figures.figures import Figures
from core.records.spent import Spent
from core.runs.records import Run

OUTCOMES: dict[RunKind, str] = {"question": "outcomes", "ingestion": "readings"}
"""The count of each kind of run: an upload that fails is no failed answer."""
MOST_UNDER_WAY = 4_096
"""Maximum number of runs that are measured at the same time; above it, the durations of the oldest are lost."""


@dataclass
class _UnderWay:
    """A run in progress; ``worked``: seconds of work before it last began to wait for its user."""

    since: float
    worked: float = 0.0
    heard: bool = False
    spoke: bool = False

    def seconds(self, at: float) -> float:
        return self.worked + at - self.since


class RunCounting:
    """Observes all runs; ``taken`` returns the figures collected since its last call."""

    def __init__(self) -> None:
        self._runs: LruCache[str, _UnderWay] = LruCache(MOST_UNDER_WAY)
        self._since: dict[str, Figures] = {}

    def taken(self) -> dict[str, Figures]:
        """Figures by user id."""
        taken, self._since = self._since, {}
        return taken

    def waiting(self) -> list[Figures]:
        """The figures that the next ``taken`` will return."""
        return list(self._since.values())

    def heard(self, run: Run, events: Sequence[Event], at: float) -> None:
        """Count ``events`` of ``run``, which were written at the given time (epoch seconds)."""
        figures = self._since.setdefault(run.user_id, Figures())
        for event in events:
            if run.kind == "question":
                self._follow(run, event, at, figures)
            if isinstance(event, RunCompleted):
                figures.count(f"{OUTCOMES[run.kind]}:{event.outcome}")
            _count(event, figures)

    def _follow(self, run: Run, event: Event, at: float, figures: Figures) -> None:
        """Measure the time from a question to its first event, its first words, and its end."""
        if isinstance(event, RunCreated):
            self._begin(run.id, run.created_at)
            return
        if isinstance(event, Answered):
            known = self._runs.get(run.id)
            self._begin(run.id, at, worked=known.worked if known else 0.0, again=True)
            return
        known = self._runs.get(run.id)
        if known is None:
            return
        if not known.heard:
            known.heard = True
            figures.time("answer:first_event", known.seconds(at))
        if isinstance(event, AssistantDelta | Response) and not known.spoke:  # quotations are not streamed in deltas
            known.spoke = True
            figures.time("answer:first_token", known.seconds(at))
        elif isinstance(event, Interrupted):
            known.worked = known.seconds(at)
        elif isinstance(event, RunCompleted):
            del self._runs[run.id]
            if event.outcome == "answered":
                figures.time("answer:whole", known.seconds(at))

    def _begin(self, run_id: str, since: float, *, worked: float = 0.0, again: bool = False) -> None:
        self._runs[run_id] = _UnderWay(since, worked, heard=again)


def _count(event: Event, figures: Figures) -> None:
    """Count one event, for any user."""
    match event:
        case StepStatus(milliseconds=float(milliseconds), skipped=None):
            figures.time(f"stage:{event.step_id.rpartition('-')[2]}", milliseconds / 1000)
        case RunCreated(kind="question"):
            figures.count(f"language:{event.language}")
        case Response():
            figures.count(f"answers:{event.kind}")
            figures.count("fallbacks:model", event.instead)
        case Spent():
            _spend(event, figures)
        case Remembered() | Sources():
            _hit(event, figures)
        case Failure():
            figures.count(f"errors:{event.problem.category}")


def _hit(event: Remembered | Sources, figures: Figures) -> None:
    """Count an answer's sources by tier; document passages are counted only from its sources."""
    if isinstance(event, Sources):
        figures.count("tier_hits:books", sum(len(each.passages) for each in event.sources if each.kind == "document"))
        return
    for hit in event.meta.retrieval.search_position_map.by_position:
        figures.count(f"tier_hits:{hit.tier}", hit.tier != "books")


def _spend(event: Spent, figures: Figures) -> None:
    figures.count("model:calls", event.calls)
    figures.count("model:tokens_in", event.tokens_in)
    figures.count("model:tokens_out", event.tokens_out)
    figures.count("model:cost", event.cost)
