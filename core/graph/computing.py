"""Runs a query for a turn and makes its answer: the first line, the table, the record for the page, and its source."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.datasets.answers.denotation import denotation
from core.datasets.answers.doubts import is_doubtful
from core.datasets.answers.evidence import passage_of
from core.datasets.answers.first_line import line_of, remarks_of, table_of
from core.datasets.answers.headline import headings, headline
from core.datasets.answers.record import data_answer
from core.datasets.answers.values import rows_shown
from core.datasets.query.result import QueryResult
from core.datasets.records import NUMERIC, Dataset
from core.datasets.service import MOST_BEHIND, rows_behind
from core.datasets.words.understanding import Absent, Understood
from core.errors import Problem
from core.events import Passage, Source
from core.graph.services import Services
from core.graph.state import State
from core.messages import message
from core.records.answer import Answer, Sureness
from core.records.data_answer import ChartKind
from core.records.source_table import SourceTable
from core.tools.web.pages import is_public
from core.words import Language, Words

_CELL = " | "
MOST_NAMED = 30
"""Maximum number of columns or values that are listed where one is missing."""


@dataclass(frozen=True)
class ComputedAnswer:
    """An answer computed from datasets, with the sources of the turn, its query as JSON, and the rows it used."""

    answer: Answer
    sources: list[Source]
    confidence: Sureness
    query: str
    used: int
    total: int


async def computed(
    services: Services, state: State, understood: Understood, chart: ChartKind | None = None
) -> ComputedAnswer:
    """Runs the query of ``understood``. ``chart`` is the kind of chart that the question asks for.

    Raises:
        PalimpsestError: it cannot be run.
    """
    asked = state["asked"]
    result = await services.datasets.run(asked.user_id, understood.query)
    subject = headline(result.query, result.datasets, asked.language)
    sources = await _with_source(services, state, result)
    numbers = {source.document_id: source.number for source in reversed(sources)}
    cited = "".join(f"[{numbers[each]}]" for each in dict.fromkeys(dataset.document_id for dataset in result.datasets))

    def written() -> Answer:
        tables = filter(None, [table_of(result, asked.language), *remarks_of(result, asked.language)])
        return Answer(
            kind="calculation",
            line=f"{line_of(result, subject, asked.language, understood.form)} {cited}",
            value=_value(result, understood.answer),
            table="\n\n".join(tables),
            data=data_answer(result, asked.language, numbers, chart),
        )

    answer = await asyncio.to_thread(written)
    confidence: Sureness = "high" if understood.is_sure and not is_doubtful(result) else "medium"
    return ComputedAnswer(
        answer, sources, confidence, result.query.model_dump_json(), result.rows_used, result.rows_total
    )


def not_computed(problem: Problem) -> Words:
    """Returns what a user must know about a query that was stopped: what happened, why, what to do, and that the
    documents answer instead."""
    return message("graph.computing.stopped", what=problem.what, why=problem.why, remedy=problem.remedy)


def absent_text(absent: Absent, language: Language) -> str:
    """Returns the sentence that says what is not in the data, and what is."""
    listed = ", ".join(absent.available[:MOST_NAMED])
    more = len(absent.available) - MOST_NAMED
    if more > 0:
        listed += message("datasets.more", count=more).to(language)
    kind = absent.kind if absent.column or absent.kind != "value" else "anywhere"
    return message(
        f"datasets.absent.{kind}",
        word=absent.word,
        dataset=absent.dataset,
        column=absent.column,
        available=listed,
        first=absent.available[0] if absent.available else "",
        last=absent.available[-1] if absent.available else "",
    ).to(language)


async def _with_source(services: Services, state: State, result: QueryResult) -> list[Source]:
    """Returns the sources with one for each document of the result; its passages show the result and the first rows
    that were used."""
    known = {each.id: each for each in (*await services.turn.listed(state), *await services.turn.fetched(state))}
    sources = list(state["found"].sources)
    behind = await services.datasets.run(state["asked"].user_id, rows_behind(result.query))
    for dataset in result.datasets:
        if any(source.document_id == dataset.document_id for source in sources):
            continue
        document = known.get(dataset.document_id)
        title, filename = (document.metadata.title, document.filename) if document else (dataset.name, "")
        table = _rows_used(behind, dataset, state["asked"].language)
        text = "\n".join([_CELL.join(table.columns), *(_CELL.join(map(str, row)) for row in table.rows)])
        rows = Passage(item_id="", text=text, section=dataset.sheet or None, page=dataset.page, score=0.5)
        passages = [passage_of(result, state["asked"].language), rows]
        sources.append(
            Source(
                number=max((each.number for each in sources), default=0) + 1, document_id=dataset.document_id,
                title=title, filename=filename, score=1.0, passages=passages, table=table, url=_page_of(dataset),
            )
        )  # fmt: skip
    return sources


def _page_of(dataset: Dataset) -> str:
    """The address of the page from which the rows were fetched, if it is public."""
    url = dataset.origin.url if dataset.origin else ""
    return url if is_public(url) else ""


def _rows_used(behind: QueryResult, dataset: Dataset, language: Language) -> SourceTable:
    """The first rows that were used, each with its number in the sheet."""
    columns = [number for number, column in enumerate(behind.columns) if column.role != "unit"]
    names = headings(behind, language)
    rows = rows_shown(behind, language, MOST_BEHIND)
    places = [str(place) for place in behind.places] + [""] * len(rows)
    return SourceTable(
        columns=[message("labels.data_row").to(language), *(names[number] for number in columns)],
        rows=[[place, *(row[number] for number in columns)] for place, row in zip(places, rows, strict=False)],
        total=behind.rows_used,
        roles=["number", *("number" if (kind := behind.columns[n].type) in NUMERIC else kind for n in columns)],
        dataset=dataset.name,
        dataset_id=dataset.id,
        sheet=dataset.sheet,
        is_fetched=bool(dataset.origin and dataset.origin.rows),
    )


def _value(result: QueryResult, answer: str) -> float | list[str] | None:
    """The values that answer: a number, or texts."""
    found = denotation(result, answer)
    if len(found) == 1 and isinstance(found[0], int | float):
        return float(found[0])
    return [str(value) for value in found] or None
