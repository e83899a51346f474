"""Adds to answers the values that other documents print for the same figure: *candidates* → candidates with both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.figures.contradictions.records import Contradiction
from core.figures.records import Candidate
from core.figures.stored.records import StoredFigure
from core.graph.services import Services
from core.graph.state import State
from core.records.answer import Answer, CellReference


async def with_other_values(services: Services, state: State, found: Sequence[Candidate]) -> list[Candidate]:
    """Returns the candidates; those that use a cell which another document contradicts show its value too."""
    documents = {cell.document_id for each in found for cell in each.answer.cells if cell.table is not None}
    if not documents:
        return list(found)
    pairs = await services.contradictions.of_documents(state["asked"].user_id, documents)
    if not pairs:
        return list(found)
    numbers = {source.document_id: source.number for source in state["found"].sources}
    return [replace(each, answer=_with_others(each.answer, pairs, numbers)) for each in found]


def _with_others(answer: Answer, pairs: Sequence[Contradiction], numbers: dict[str, int]) -> Answer:
    used = {(cell.document_id, cell.table, cell.row, cell.column) for cell in answer.cells}
    others = [
        _reference(pair.other(cell.document_id), numbers)
        for pair in pairs
        for cell in (pair.first, pair.second)
        if (cell.document_id, cell.table, cell.row, cell.column) in used
    ]
    return answer.model_copy(update={"others": [*answer.others, *others]}) if others else answer


def _reference(cell: StoredFigure, numbers: dict[str, int]) -> CellReference:
    return CellReference(
        number=numbers.get(cell.document_id, 0), document_id=cell.document_id, table=cell.table, row=cell.row,
        column=cell.column, label=f"{cell.title}: {cell.label}", header=cell.header, text=cell.text, value=cell.value,
        unit=cell.unit or None, scale=cell.scale, currency=cell.currency or None, period=cell.period or None,
        page=cell.page,
    )  # fmt: skip
