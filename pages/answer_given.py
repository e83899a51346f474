"""An answer as programs are given it: a run's view -> text, numbered sources, what it waits for, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, model_validator

from core.errors import Problem
from core.events import InterruptKind, RunOutcome
from core.records.answer import cited_numbers
from core.words import Language
from viz.labels import label
from viz.neutral_markdown import neutral_markdown


class CitedPassage(BaseModel):
    """``item_id`` is what ``read_passage`` takes, ``table`` the number that ``read_table`` takes."""

    item_id: str
    page: int | None = None
    section: str | None = None
    table: int | None = None


class CitedSource(BaseModel):
    """``number`` is the N of [N] in the text; of a page of the web ``url`` is its address."""

    number: int
    document_id: str
    title: str
    filename: str
    url: str = ""
    passages: list[CitedPassage] = []


class Quoted(BaseModel):
    """A sentence of a passage, word for word."""

    number: int
    item_id: str
    text: str


class Offered(BaseModel):
    """One answer to a question that is asked back."""

    id: str
    label: str
    hint: str = ""


class AskedBack(BaseModel):
    """The run waits for an answer to this: choices by their ids (``several``: more than one), or words where
    ``allows_text``. The tool ``answer`` takes it."""

    interrupt_id: str
    kind: InterruptKind
    question: str
    choices: list[Offered] = []
    allows_text: bool = False
    several: bool = False


class Trouble(BaseModel):
    """What happened, why, and what to do."""

    what: str
    why: str
    remedy: str


class AnswerGiven(BaseModel):
    """``outcome`` is nothing while the run goes on or waits with an ``interrupt``; ``confidence`` how sure the answer
    is of itself, nothing where it claims nothing. ``message_id`` is what ``record_feedback`` takes."""

    conversation_id: str
    run_id: str
    message_id: str
    outcome: RunOutcome | None = None
    kind: str | None = None
    language: Language = "en"
    text: str = ""
    confidence: str | None = None
    sources: list[CitedSource] = []
    quotes: list[Quoted] = []
    notices: list[str] = []
    suggestions: list[str] = []
    interrupt: AskedBack | None = None
    problem: Trouble | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_its_language(cls, given: dict[str, Any]) -> dict[str, Any]:
        """A run keeps what went wrong in every language."""
        problem = given.get("problem")
        if not problem or "category" not in problem:
            return given
        return {**given, "problem": Problem.model_validate(problem).told(given["language"])}

    def told(self) -> str:
        """As a model or a person reads it: the text, its sources, what is asked back."""
        parts = [self.text.strip(), *map(neutral_markdown, self.notices)]
        if cited := self._cited:
            parts.append("\n".join([f"{label('sources', self.language)}:", *map(self._source, cited)]))
        if self.interrupt:
            parts.append("\n".join(_asked(self.interrupt, self.run_id)))
        if self.problem:
            parts.append(f"{self.problem.what} {self.problem.why} {self.problem.remedy}")
        return "\n\n".join(part for part in parts if part)

    @property
    def _cited(self) -> list[CitedSource]:
        numbers = cited_numbers(self.text) | {quote.number for quote in self.quotes}
        return [source for source in self.sources if source.number in numbers]

    def _source(self, source: CitedSource) -> str:
        pages = list(dict.fromkeys(each.page for each in source.passages if each.page))
        where = f", {label('page', self.language)} {', '.join(map(str, pages))}" if pages else ""
        title = neutral_markdown(" ".join(source.title.split()))
        return f"[{source.number}] {title}{where} ({source.url or source.document_id})"


def _asked(asked: AskedBack, run_id: str) -> Iterator[str]:
    yield neutral_markdown(asked.question)
    for choice in asked.choices:
        yield neutral_markdown(f"- {choice.label}{f' ({choice.hint})' if choice.hint else ''}: {choice.id}")
    yield f"(run_id: {run_id}, interrupt_id: {asked.interrupt_id})"
