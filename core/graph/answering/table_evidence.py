"""Finds figures for a model before it writes: the rows of likely candidates as sources, and the line of a sure one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import PalimpsestError
from core.events import FirstLine, Notice, Passage, Response, Source, Sources
from core.figures.panel.answer import in_one
from core.figures.records import Candidate
from core.graph.answering.corrections import corrected_answer
from core.graph.answering.extractive import with_cited
from core.graph.answering.first_line import MEDIUM, confidence_of, first_lines
from core.graph.services import Services
from core.graph.state import State
from core.library.tables.records import Column, Row, Table
from core.messages import message
from core.records.answer import CITATION, Answer, CellReference
from core.review.stated_value import compare_value, is_comparable
from core.runs.trace import Emit, Trace
from core.search.documents.passage_numbers import next_number

log = logging.getLogger(__name__)

SECONDS = 4.0
"""Maximum seconds that a model waits for the figures; without them it answers from the passages."""
MOST_CANDIDATES = 3
MOST_ROWS = 8
MOST_COLUMNS = 12
"""Maximum columns of a row that are shown in full; of a wider row only the cells of the candidate are shown."""
LONGEST_LINE = 400
_FOUND = message("graph.table_evidence.found")
_LIKELY = message("graph.table_evidence.likely")
_DIFFERS = message("graph.table_evidence.differs")
_COUNTED = "graph.table_evidence.counted"

RowKey = tuple[str, int, int | None]
"""Document, table and row of a cell."""


@dataclass(frozen=True)
class TableEvidenceFound:
    """``answer``: the line of a candidate that is certain, or ``None``. ``sources``: all sources of the turn, with the
    rows added at the end."""

    sources: list[Source]
    answer: Answer | None = None


async def find_in_tables(services: Services, state: State, trace: Trace, emit: Emit) -> TableEvidenceFound:
    """Finds figures that answer the question, and shows the line of a certain one immediately.

    Finds nothing for a turn that is not a question about documents, if the time is over, or if it fails.
    """
    sources = state["found"].sources
    if correction := state["found"].correction:
        given = corrected_answer(correction, sources)
        emit(FirstLine(answer=given))
        return TableEvidenceFound(sources, given)
    asks = state["asked"].action == "inquire" and not state["found"].from_memory
    if not asks or state["found"].unsure_query or not any(source.kind == "document" for source in sources):
        return TableEvidenceFound(sources)
    if planned := state["found"].planned:
        whole = in_one(planned)
        emit(FirstLine(answer=whole))
        return TableEvidenceFound(sources, whole)
    with trace.step("calculating") as step:
        try:
            async with asyncio.timeout(SECONDS):
                found = await _found(services, state, emit)
        except Exception:
            log.warning("a model gets no figures from the tables", exc_info=True)
            return TableEvidenceFound(sources)
        step.detail(message(_COUNTED, count=sum(source.cell is not None for source in found.sources)))
    if found.sources != sources:
        emit(Sources(sources=found.sources, confidence=state["found"].confidence))
    if found.answer is not None:
        emit(FirstLine(answer=found.answer))
    return found


async def _found(services: Services, state: State, emit: Emit) -> TableEvidenceFound:
    sources = state["found"].sources
    found = await first_lines(services, state, lambda words: emit(Notice(words=words)), figures_only=True)
    likely = [each for each in found if each.sureness >= MEDIUM and is_comparable(each.answer)]
    rows = await _rows_as_sources(services, state, likely[:MOST_CANDIDATES])
    answer = found[0].answer if found and found[0] in likely and confidence_of(found[0]) == "high" else None
    if answer is not None:
        sources = await with_cited(services.library, state["asked"].user_id, sources, answer)
    return TableEvidenceFound([*sources, *rows], answer)


def with_line(response: Response, answer: Answer, question: str) -> Response:
    """Returns a model's ``response`` with the tables' line above it. If the model states another value, the line says
    that they differ; text that only repeats the line is marked."""
    if response.kind != "generated":
        return response
    if answer.table or answer.corrected:
        return response.model_copy(update={"answer": answer, "confidence": "medium" if answer.doubt else "high"})
    compared = compare_value(answer, response.text, question)
    if compared.agreement == "other":
        doubted = answer.model_copy(update={"doubt": _DIFFERS})
        return response.model_copy(update={"answer": doubted, "confidence": "medium"})
    return response.model_copy(update={"answer": answer, "confidence": "high", "repeats": compared.repeats})


async def _rows_as_sources(services: Services, state: State, likely: Sequence[Candidate]) -> list[Source]:
    """Returns a numbered source for each row that a candidate uses; a row of two candidates is shown once."""
    known = {each.id: each for each in await services.turn.listed(state)}
    given = {source.document_id: source for source in state["found"].sources if source.kind == "document"}
    shown: dict[RowKey, Source] = {}
    for candidate in likely:
        by_row: dict[RowKey, list[CellReference]] = {}
        for cell in candidate.answer.cells:
            if cell.table is not None and cell.document_id in given:
                by_row.setdefault((cell.document_id, cell.table, cell.row), []).append(cell)
        for key, cells in by_row.items():
            if key in shown or len(shown) == MOST_ROWS:
                continue
            document = known.get(key[0])
            tables = await services.tables.get(state["asked"].user_id, document) if document else []
            table = tables[key[1]] if key[1] < len(tables) else None
            passage = await _passage(services, state, candidate, cells, table)
            number = next_number([*state["found"].sources, *shown.values()])
            shown[key] = _source(given[key[0]], passage, cells[0], number)
    return list(shown.values())


def _source(given: Source, passage: Passage, cell: CellReference, number: int) -> Source:
    opened = cell.model_copy(update={"number": number, "item_id": passage.item_id})
    return given.model_copy(
        update={"number": number, "score": passage.score, "passages": [passage], "cell": opened, "attached": False}
    )


async def _passage(
    services: Services, state: State, candidate: Candidate, cells: Sequence[CellReference], table: Table | None
) -> Passage:
    """Returns the row as a passage. Its section says what it was found for; a calculation is not part of its text,
    since a support check must not take it for printed figures."""
    cell = cells[0]
    item_id = cell.item_id or await _item_id(services, state["asked"].user_id, cell)
    words = _FOUND if confidence_of(candidate) == "high" else _LIKELY
    line = " ".join(CITATION.sub(" ", candidate.answer.line).split())[:LONGEST_LINE]
    calculation = candidate.answer.calculation
    also = f" ({calculation})" if calculation and calculation not in line else ""
    best = max((each.score for source in state["found"].sources for each in source.passages), default=1.0)
    return Passage(
        item_id=item_id,
        text=row_text(table, cells),
        page=cell.page,
        section=f"{words.to(state['asked'].language)}: {line}{also}",
        table=cell.table,
        score=best,
    )


async def _item_id(services: Services, user_id: str, cell: CellReference) -> str:
    """Returns the id of the passage that shows the cell's row; empty if it cannot be read."""
    try:
        items = await services.library.passages_of_table(user_id, cell.document_id, cell.table or 0)
    except PalimpsestError:
        log.warning("the passage of a row could not be read", exc_info=True)
        return ""
    holding = [each for each in items if cell.text in each.text and cell.label in each.text]
    return next((each.id for each in (*holding, *items)), "")


def row_text(table: Table | None, cells: Sequence[CellReference]) -> str:
    """Returns the caption, the note of units, the column headings and the row, as passages of a table show them."""
    row = table.rows[cells[0].row] if table and cells[0].row is not None and cells[0].row < len(table.rows) else None
    if table is None or row is None or len(table.columns) > MOST_COLUMNS:
        headings = ["", *(cell.header or cell.period or "" for cell in cells)]
        lines = [cells[0].label, *(cell.text for cell in cells)]
        return "\n".join(line for line in (_units(table, cells[0]), " | ".join(headings), " | ".join(lines)) if line)
    headings = [table.stub or "", *map(_heading, table.columns)]
    values = [" > ".join([*row.parents, row.label]), *_texts(row, len(table.columns))]
    parts = [table.caption or "", _units(table, cells[0]), " | ".join(headings), " | ".join(values)]
    return "\n".join(part for part in parts if part.strip(" |"))


def _heading(column: Column) -> str:
    return " ".join(column.header) or column.period or ""


def _texts(row: Row, count: int) -> list[str]:
    return [each.text for each in row.cells[:count]]


_SCALES = {1e3: "thousands", 1e6: "millions", 1e9: "billions"}


def _units(table: Table | None, cell: CellReference) -> str:
    if table is not None and table.units:
        return f"({table.units})"
    scale = f"in {_SCALES[cell.scale]}" if cell.scale in _SCALES else ""
    note = " ".join(part for part in (cell.currency, scale) if part)
    return f"({note})" if note else ""
