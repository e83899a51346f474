"""Renders a run's progress: events → lines that show its steps."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from core.events import (
    Answered,
    Event,
    Interrupted,
    RunCreated,
    Sources,
    StepCreated,
    StepDetail,
    StepStatus,
)
from core.words import Language
from viz.labels import label
from viz.templating import render


@dataclass
class Line:
    """A displayed step of a run."""

    label: str
    status: str
    detail: str = ""
    milliseconds: float | None = None
    skipped: str = ""
    done: int | None = None
    total: int | None = None
    children: list[Line] = field(default_factory=list)


@dataclass
class TraceView:
    """Builds the list of steps from events; ``language`` is the question's language."""

    language: Language = "en"
    lines: dict[str, Line] = field(default_factory=dict)
    roots: list[Line] = field(default_factory=list)
    passages: int = 0
    documents: int = 0
    waiting: bool = False

    def fold(self, event: Event) -> None:
        match event:
            case RunCreated():
                self.language = event.language
            case StepCreated():
                self._open(event)
            case StepStatus() if event.step_id in self.lines:
                self._close_line(event)
            case StepDetail() if event.step_id in self.lines:
                line = self.lines[event.step_id]
                line.detail, line.done, line.total = event.detail.to(self.language), event.done, event.total
            case Sources():
                self.documents = len({source.document_id for source in event.sources})
                self.passages = sum(len(source.passages) for source in event.sources)
            case Interrupted():
                self.waiting = True
            case Answered():
                self.waiting = False

    def _open(self, event: StepCreated) -> None:
        line = Line(event.label.to(self.language), event.status)
        parent = self.lines.get(event.parent_id or "")
        (parent.children if parent else self.roots).append(line)
        self.lines[event.step_id] = line

    def _close_line(self, event: StepStatus) -> None:
        line = self.lines[event.step_id]
        line.status, line.milliseconds = event.status, event.milliseconds
        line.skipped = event.skipped.to(self.language) if event.skipped else ""

    @property
    def current(self) -> Line | None:
        """The innermost running step, or else the newest."""
        running = [line for line in self.lines.values() if line.status == "running"]
        newest = list(self.lines.values())
        return running[-1] if running else (newest[-1] if newest else None)

    @property
    def seconds(self) -> float:
        return sum(line.milliseconds or 0.0 for line in self.roots) / 1000

    def live_text(self) -> str:
        """The single line shown while a run is active: the current step and its detail."""
        if self.waiting:
            return label("waits_for_you", self.language)
        line = self.current
        if line is None:
            return ""
        return f"{line.label} · {line.detail}" if line.detail else line.label

    def html(self) -> Markup:
        return render("trace", view=self, language=self.language)
