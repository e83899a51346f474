"""Prepared answers in the engine's format. They are stored in a data directory before its server starts, so that the
tests check only how answers are displayed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from core.events import (
    Event,
    Passage,
    Quote,
    Remembered,
    Response,
    RunCompleted,
    Searched,
    Sentence,
    Source,
    Sources,
    StepCreated,
    StepStatus,
    Suggested,
)
from core.records.answer import Answer, CellReference
from core.records.memory_meta import FeedbackMeta, KnownContext, KnownContextItem, MemoryMeta, RetrievalMeta
from core.records.subject_matter import Chip
from core.settings import Settings
from core.store.items import MemoryItem
from core.words import Language, Words
from core.workbench import Workbench

YEARS = ("2022", "2021", "2020", "2019", "2018")
ROWS = (
    ("Net cash provided by operating activities", "$4,862", "$4,317", "$4,026", "$3,871", "$3,655"),
    ("Purchases of property, plant and equipment", "(1,577)", "(1,420)", "(1,373)", "(1,311)", "(1,204)"),
    ("Dividends paid", "(912)", "(888)", "(861)", "(840)", "(822)"),
)
TELLING = "Operating cash flow rose because customers of the desalination plant paid sooner than in the year before."
TABLE_PAGE = 2


@dataclass(frozen=True)
class Report:
    """Ids of the report after it was read: its document, the passage with the table row, and the passage with the
    sentence."""

    document_id: str
    title: str
    filename: str
    row: Passage
    telling: Passage
    table: int
    line: int

    @property
    def quoted_row(self) -> str:
        return next(line for line in self.row.text.splitlines() if "Net cash provided" in line)

    def source(self, number: int = 1) -> Source:
        return Source(
            number=number,
            document_id=self.document_id,
            title=self.title,
            filename=self.filename,
            score=0.8,
            passages=[self.row, self.telling],
        )

    def cell(self, column: int = 0, *, row: int = 0) -> CellReference:
        return CellReference(
            number=1,
            document_id=self.document_id,
            item_id=self.row.item_id,
            table=self.table,
            row=self.line + row,
            column=column,
            label=ROWS[row][0],
            header=YEARS[column],
            text=ROWS[row][1 + column],
            value=float(ROWS[row][1 + column].strip("$()").replace(",", "")),
            scale=1e6,
            currency="USD",
            period=YEARS[column],
            page=TABLE_PAGE,
        )


def report(target: Path) -> Path:
    """A report of two pages: a description of events, and a table of five years."""
    canvas = Canvas(str(target), pagesize=letter)
    canvas.setTitle("Northwind Water annual report 2022")
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(72, 720, "Northwind Water Inc.")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 690, "Annual report for the fiscal year ended December 31, 2022")
    for place, words in enumerate((TELLING[:62], TELLING[62:])):
        canvas.drawString(72, 640 - 16 * place, words.strip())
    canvas.showPage()
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawString(72, 720, "Consolidated statements of cash flows (in millions)")
    canvas.setFont("Helvetica", 10)
    for place, year in enumerate(YEARS):
        canvas.drawRightString(340 + 55 * place, 690, year)
    for line, (label, *figures) in enumerate(ROWS):
        canvas.drawString(72, 668 - 18 * line, label)
        for place, figure in enumerate(figures):
            canvas.drawRightString(340 + 55 * place, 668 - 18 * line, figure)
    canvas.showPage()
    canvas.save()
    return target


async def read(workbench: Workbench, folder: Path) -> Report:
    """Reads the report into the library and returns its passages and its table."""
    given = await workbench.library.submit("local", report(folder / "northwind.pdf"), "northwind-water-2022.pdf")
    ends = time.monotonic() + 120
    while not (document := await workbench.library.get("local", given.document.id)).is_stored:
        assert time.monotonic() < ends, document.problem
        await asyncio.sleep(0.05)
    items = await workbench.retrieval.items.of_document("local", document.id)
    row = next(item for item in items if "Net cash provided" in item.text)
    telling = next(item for item in items if "desalination" in item.text)
    tables = await workbench.library.tables("local", document.id)
    number, line = next(
        (number, place)
        for number, table in enumerate(tables)
        for place, each in enumerate(table.rows)
        if each.label.startswith("Net cash provided")
    )
    return Report(
        document.id, document.metadata.title, document.filename, _passage(row), _passage(telling), number, line
    )


def _passage(item: MemoryItem) -> Passage:
    book = item.source.book
    assert book
    return Passage(
        item_id=item.id, text=item.text, page=book.page, section=book.section, score=0.8, dense_rank=1, dense=0.8
    )


def chips(*, guessed: bool = False) -> Searched:
    return Searched(
        chips=[
            Chip(kind="organisation", label="Northwind Water", text="Northwind", binds=True),
            Chip(kind="period", label="FY2022", meant="carried"),
            *([Chip(kind="metric", label="Operating cash flow", meant="guessed")] if guessed else []),
        ],
        confidence=0.92,
    )


def figure(given: Report, **changed: object) -> list[Event]:
    """An answer from one cell."""
    answer = Answer.model_validate(
        {
            "kind": "figure",
            "line": "Northwind Water's net cash provided by operating activities in FY2022 was $4,862 million [1].",
            "value": 4862.0,
            "scale": 1e6,
            "currency": "USD",
            "period": "2022",
            "entity": "Northwind Water",
            "cells": [given.cell()],
            **changed,
        }
    )
    return [*_steps(), chips(), _sources(given), _response(given, answer), _memory(), _next()]


def calculation(given: Report) -> list[Event]:
    """An answer that is a change calculated from two cells of a row."""
    answer = Answer(
        kind="calculation",
        line="Operating cash flow rose by 12.6% from 2021 to 2022 [1].",
        value=12.6,
        unit="%",
        cells=[given.cell(), given.cell(1)],
        calculation="($4,862 − $4,317) ÷ $4,317 = 12.6%",
        others=[given.cell(1).model_copy(update={"text": "$4,318"})],
        doubt=Words(
            en="The figure of 2021 was restated in a later filing.", he="הנתון של 2021 הוצג מחדש בדוח מאוחר יותר."
        ),
    )
    return [*_steps(), chips(guessed=True), _sources(given), _response(given, answer, "medium"), _next()]


def undecided(given: Report) -> list[Event]:
    line = "Two passages speak of operating cash flow, and neither says what it was made of [1]."
    answer = Answer(kind="undecided", line=line, decided=False)
    return [*_steps(), chips(), _sources(given), _response(given, answer, "low"), _next()]


def refusal(given: Report) -> list[Event]:
    """An answer without a claim that shows the closest passages."""
    text = "Northwind Water's FY2022 report was searched. None of it says how many people the company employs."
    quotes = [Quote(number=1, item_id=given.telling.item_id, text=TELLING)]
    response = Response(kind="nothing_found", text=text, language="en", quotes=quotes)
    return [*_steps(), chips(), _sources(given), response]


def generated(given: Report) -> list[Event]:
    """An answer by a model, checked sentence by sentence, with a table."""
    text = (
        "Operating cash flow was **$4,862 million** in FY2022 [1]. It is the highest of the five years.\n\n"
        "| Year | Operating cash flow |\n|---|---|\n| 2022 | $4,862 |\n| 2021 | $4,317 |\n"
    )
    first = text.index("It is")
    why = Words(en="Two of its sources bear it out in part.", he="שניים מן המקורות תומכים בזה חלקית.")
    support = [
        Sentence(start=0, end=first - 1, verdict="supported", why=why),
        Sentence(start=first, end=text.index("\n\n"), verdict="not_checked", why=why),
    ]
    response = Response(
        kind="generated", text=text, language="en", confidence="high", support=support, supported=0.5,
        model="openai:gpt-4.1", tokens_in=3120, tokens_out=208, cost=0.0078, milliseconds=4200,
    )  # fmt: skip
    return [*_steps(), chips(), _sources(given), response, _memory(), _next()]


def old(given: Report) -> list[Event]:
    """An answer in an older stored format, from before answers had a first line."""
    quotes = [Quote(number=1, item_id=given.row.item_id, text=given.quoted_row)]
    response = Response(kind="extractive", text=f"> {given.quoted_row} [1]", language="en", quotes=quotes)
    return [*_steps(), _sources(given), response]


def remembered(given: Report) -> list[Event]:
    text = "> **Lodging** | 620 | 560 shekels a night [2] [M1]"
    return [*_steps(), Response(kind="remembered", text=text, language="en")]


def in_hebrew(given: Report) -> list[Event]:
    answer = Answer(
        kind="calculation",
        line="תזרים המזומנים מפעילות שוטפת של Northwind Water עלה ב־12.6% משנת 2021 לשנת 2022 [1].",
        value=12.6,
        unit="%",
        cells=[given.cell(), given.cell(1)],
        calculation="($4,862 − $4,317) ÷ $4,317 = 12.6%",
        doubt=Words(en="The figure was restated.", he="הנתון של 2021 הוצג מחדש בדוח מאוחר יותר."),
    )
    response = _response(given, answer, "medium", language="he")
    questions = ["כמה היו ההשקעות ברכוש קבוע של Northwind Water בשנת 2022?", "איך השתנה הדיבידנד מ־2021 ל־2022?"]
    return [*_steps("he"), chips(guessed=True), _sources(given), response, Suggested(questions=questions)]


def _steps(language: Language = "en") -> list[Event]:
    labels = (Words(en="Understanding", he="הבנת השאלה"), Words(en="Searching", he="חיפוש"))
    opened = [StepCreated(step_id=f"s{place}", label=words) for place, words in enumerate(labels)]
    return [*opened, *(StepStatus(step_id=each.step_id, status="done", milliseconds=140) for each in opened)]


def _sources(given: Report) -> Sources:
    return Sources(sources=[given.source()], confidence="high")


def _response(given: Report, answer: Answer, confidence: str = "high", language: Language = "en") -> Response:
    quotes = [
        Quote(number=1, item_id=given.row.item_id, text=given.quoted_row),
        Quote(number=1, item_id=given.telling.item_id, text=TELLING),
    ]
    text = "\n\n".join([answer.line, *(f"> {quote.text} [{quote.number}]" for quote in quotes)])
    return Response.model_validate(
        {
            "kind": "extractive",
            "text": text,
            "language": language,
            "answer": answer,
            "confidence": confidence,
            "quotes": quotes,
            "milliseconds": 420.0,
        }
    )


def _memory() -> Remembered:
    """The memory context that makes it possible to rate an answer's outcome."""
    known = KnownContextItem(
        tier="memory_bank",
        memory_id="mem_1",
        content="User: What is the lodging limit?\nAssistant: > **Lodging** | 620 | 560 [1]",
        score_summary={"strength": 0.8, "score": 0.7},
    )
    meta = MemoryMeta(
        conversation_id="conv_1",
        assistant_message_id="msg_1",
        created_at=datetime.fromtimestamp(0, UTC),
        retrieval=RetrievalMeta(query="cash", limit=5, tiers_considered=["memory_bank"], tiers_used=["memory_bank"]),
        known_context=KnownContext(known_context_items=[known]),
        feedback=FeedbackMeta(eligible=True),
    )
    return Remembered(meta=meta)


def _next() -> Suggested:
    return Suggested(questions=["How much did Northwind Water invest in 2022?", "How did dividends change from 2021?"])


Made = Sequence[tuple[str, Language, list[Event]]]


async def tell(workbench: Workbench, turns: Made) -> str:
    """Stores a conversation of questions and their events; returns its id."""
    conversation = await workbench.conversations.start("local", turns[0][0])
    for question, language, events in turns:
        run = await workbench.ledger.start(
            "local", "question", question, conversation_id=conversation.id, language=language
        )
        await workbench.conversations.add_turn(
            conversation, question, run_id=run.id, language=language, mode="enhanced"
        )
        last = await workbench.ledger.append(run, 2, events)
        await workbench.ledger.append(run, last, [RunCompleted(outcome="answered")])
        await workbench.ledger.end(run, "answered")
    return conversation.id


def make(home: Path) -> dict[str, str]:
    """Stores the prepared conversations and returns their ids by name. Uses a separate thread, because the browser's
    event loop runs in this one."""

    async def store() -> dict[str, str]:
        workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))  # type: ignore[call-arg]
        await workbench.start()
        try:
            given = await read(workbench, home.parent)
            asked = "What was Northwind's operating cash flow?"
            shown: dict[str, Made] = {
                "figure": [(asked, "en", old(given)), (asked, "en", figure(given))],
                "calculation": [("How did it change from 2021?", "en", calculation(given))],
                "undecided": [("What was it made of?", "en", undecided(given))],
                "refusal": [("How many people work there?", "en", refusal(given))],
                "generated": [(asked, "en", generated(given))],
                "remembered": [("What is the lodging limit?", "en", remembered(given))],
                "hebrew": [("איך השתנה תזרים המזומנים של Northwind מ־2021?", "he", in_hebrew(given))],
            }
            return {name: await tell(workbench, turns) for name, turns in shown.items()}
        finally:
            await workbench.stop()

    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, store()).result()
