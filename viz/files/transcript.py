"""Exports a conversation: as versioned data, or as Markdown to read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, Field

from core.graph.interrupts import Request
from core.records.answer import Answer, cited_numbers
from core.records.data_answer import DataAnswer
from core.records.subject_matter import Chip
from core.words import Language
from viz.labels import label
from viz.neutral_markdown import addresses_of, neutral_markdown


class Cited(BaseModel):
    """A passage among an answer's sources; for a web page, ``section`` is the page's date."""

    text: str
    page: int | None = None
    section: str | None = None


class CitedSource(BaseModel):
    number: int
    title: str
    filename: str
    url: str = ""
    passages: list[Cited]
    data: DataAnswer | None = None


class AskedBack(BaseModel):
    """PalAssist's question, and the user's choice or text; ``answer`` is empty if the user cancelled."""

    question: str
    answer: str = ""


class Pending(Request):
    """A question that waits for the user's reply: its run, its id and the ids of its choices."""

    run_id: str
    interrupt_id: str


class Turn(BaseModel):
    """A question and its answer. ``outcome`` is how the run ended, ``feedback`` the user's rating; ``searched`` are the
    chips that show how the question was understood.

    ``answer_data`` is the answer's first line as data, with value, scale, unit, period, cells and calculation;
    ``results`` are the results of queries that the answer cites and does not print, as Markdown. ``pending`` is the
    question that waits for the user's reply. An edited question is one of several ``versions``, counted from 1.
    ``section`` is the answer with its sources as Markdown, in the form of a single answer's file; it is no data.
    """

    question: str
    asked_at: datetime
    mode: str | None = None
    version: int = 1
    versions: int = 1
    asked_back: list[AskedBack] = []
    pending: Pending | None = None
    kind: str | None = None
    searched: list[Chip] = []
    answer: str = ""
    answer_data: Answer | None = None
    results: list[str] = []
    language: Language = "en"
    state: str | None = None
    model: str | None = None
    tokens: int = 0
    cost: float | None = None
    sources: list[CitedSource] = []
    outcome: str | None = None
    problem: str = ""
    feedback: str | None = None
    section: str = Field("", exclude=True)


class Transcript(BaseModel):
    """A conversation; ``schema_version`` changes when readers of the earlier version would misread it."""

    schema_version: Literal["palimpsest.conversation.v1"] = "palimpsest.conversation.v1"
    id: str
    title: str
    created_at: datetime
    turns: list[Turn]


def when(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def markdown(transcript: Transcript, language: Language) -> str:
    """Questions, each with its answer and sources as in the file of a single answer."""
    head = [f"# {_one_line(transcript.title)}", f"{transcript.created_at:%Y-%m-%d}"]
    whole = "\n\n".join([*head, *(_turn(turn, language) for turn in transcript.turns)]) + "\n"
    return neutral_markdown(whole, addresses_of([source for turn in transcript.turns for source in _cited(turn)]))


def _turn(turn: Turn, language: Language) -> str:
    parts = [f"## {_one_line(turn.question)}", f"*{turn.asked_at:%Y-%m-%d %H:%M} UTC*"]
    if turn.versions > 1:
        parts.append(f"*{label('version', language, number=turn.version, count=turn.versions)}*")
    parts += [f"> **{_one_line(each.question)}** {_one_line(each.answer)}" for each in turn.asked_back]
    if turn.searched:
        parts.append(f"*{label('searched', language)}: {' · '.join(_one_line(chip.label) for chip in turn.searched)}*")
    if turn.pending:
        parts.append(_pending(turn.pending))
    parts.append(turn.section or turn.answer or turn.problem or ("" if turn.pending else label("stopped", language)))
    if turn.feedback:
        parts.append(f"*{label('how_did_it_do', language)} {label('outcome_' + turn.feedback, language)}*")
    return "\n\n".join(part for part in parts if part)


def _pending(asked: Pending) -> str:
    """The question that is open, with its choices and their ids."""
    steps = [f"{number}. {_one_line(step.text)} (`{step.id}`)" for number, step in enumerate(asked.steps, start=1)]
    choices = [
        f"- {' · '.join(part for part in (_one_line(each.label), _one_line(each.hint)) if part)} (`{each.id}`)"
        for each in asked.choices
    ]
    head = f"> **{_one_line(asked.question)}** (`{asked.interrupt_id}`)"
    return "\n\n".join(["\n".join(lines) for lines in ([head], steps, choices) if lines])


def _cited(turn: Turn) -> list[CitedSource]:
    numbers = cited_numbers(turn.answer)
    return [source for source in turn.sources if source.number in numbers]


def _one_line(text: str) -> str:
    return " ".join(text.split())
