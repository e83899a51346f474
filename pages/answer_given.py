"""An answer for programs: converts a run's state to text, numbered sources, a question to the user, and the error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, model_validator

from core.errors import Problem
from core.events import RunOutcome
from core.records.answer import cited_numbers
from core.records.data_answer import DataAnswer
from core.records.interrupts import InterruptKind, PlanStep
from core.words import Language
from viz.labels import label
from viz.neutral_markdown import neutral_markdown


class CitedPassage(BaseModel):
    """A passage that the answer cites. ``item_id``: argument for ``read_passage``; ``table``: the table's number,
    counted from 0, the argument ``number`` of ``read_table``."""

    item_id: str
    page: int | None = None
    section: str | None = None
    table: int | None = None


class CitedSource(BaseModel):
    """A source of the answer. ``number``: the N of [N] in the text; ``url``: the address, only for a web page;
    ``data``: the result, only for a query over datasets."""

    number: int
    document_id: str
    title: str
    filename: str
    url: str = ""
    passages: list[CitedPassage] = []
    data: DataAnswer | None = None


class Quoted(BaseModel):
    """A sentence quoted from a passage, word for word."""

    number: int
    item_id: str
    text: str


class Offered(BaseModel):
    """One choice in a question to the user; ``samples``: values of the column that it names."""

    id: str
    label: str
    hint: str = ""
    samples: list[str] = []


class AskedBack(BaseModel):
    """The run's question to the user. The user selects choices by their ids (``several``: more than one may be
    selected), or replies with free text if ``allows_text``, or with the steps of a plan to keep, in ``steps``. Send the
    reply with the tool ``answer``."""

    interrupt_id: str
    kind: InterruptKind
    question: str
    choices: list[Offered] = []
    steps: list[PlanStep] = []
    allows_text: bool = False
    several: bool = False


class Trouble(BaseModel):
    """An error: what happened, why, and what to do."""

    what: str
    why: str
    remedy: str


class AnswerGiven(BaseModel):
    """An answer to a program. ``outcome``: how the run ended; empty while it is active or waits for a reply to its
    question in ``interrupt``. ``state``: *found*, *closest* (the closest match, please check) or *not_found*; empty if
    the answer claims nothing or a model wrote it. ``message_id``:
    argument for ``record_feedback``."""

    conversation_id: str
    run_id: str
    message_id: str
    outcome: RunOutcome | None = None
    kind: str | None = None
    language: Language = "en"
    text: str = ""
    state: str | None = None
    sources: list[CitedSource] = []
    quotes: list[Quoted] = []
    notices: list[str] = []
    suggestions: list[str] = []
    interrupt: AskedBack | None = None
    problem: Trouble | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_its_language(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Selects the error text in the answer's language: a run stores its error in every language."""
        problem = given.get("problem")
        if not problem or "category" not in problem:
            return given
        return {**given, "problem": Problem.model_validate(problem).told(given["language"])}

    def told(self) -> str:
        """The answer as text for a model or a user: the answer, its sources, the question to the user."""
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
    for step in asked.steps:
        yield neutral_markdown(f"{step.id}. {step.text}")
    for choice in asked.choices:
        hint = choice.hint or ", ".join(choice.samples)
        yield neutral_markdown(f"- {choice.label}{f' ({hint})' if hint else ''}: {choice.id}")
    yield f"(run_id: {run_id}, interrupt_id: {asked.interrupt_id})"
