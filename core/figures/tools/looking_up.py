"""Looks up stored figures for a model: rows with period, value, unit and place, grouped by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from core.figures.stored.records import FigureLookup, FigureMatch, FigureQuery, StoredFigure
from core.figures.tools.figure_passages import FigurePassages, key_of, operand_of
from core.library.library import Library
from core.library.records import Document
from core.tools.cited_passages import MOST_PERIODS
from core.tools.document_choice import DocumentChoice, companies_of, period_keys, periods_of
from core.tools.tool import Caller, ToolResult

MOST_MATCHES = 400
"""Maximum number of matches that are counted."""
LEAST_SHARE = 0.5
"""Minimum score of a match, as a share of the best one."""
MOST_PERIODS_TOLD = 24
LONGEST_HEADER = 60
_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}


class FigureCall(BaseModel):
    """The arguments of ``look_up_figures``; their descriptions are in the tool's definition."""

    measure: str
    companies: list[str] = []
    periods: list[str] = []
    segment: str = ""
    documents: list[str] = []
    limit: int = 24


class LookingUp:
    """The tool ``look_up_figures``. Each figure gets a name (f1) and the number of the passage that shows it."""

    def __init__(self, library: Library, figures: FigureLookup) -> None:
        self._library = library
        self._choice = DocumentChoice(library)
        self._figures = figures

    async def call(self, asked: FigureCall, caller: Caller) -> ToolResult:
        """The figures that match, best first.

        Raises:
            PalimpsestError: no such document or company ("not_found"); the error lists those that there are.
        """
        documents = await self._choice.chosen(caller, asked.documents, asked.companies)
        by_id = {each.id: each for each in documents}
        periods = list(dict.fromkeys(key for each in asked.periods for key in period_keys(each)))
        found = await self._found(asked, caller, by_id, periods)
        if not found:
            there = await self._found(asked, caller, by_id, []) if periods else []
            text = _no_period(asked, there, periods) if there else _nothing(asked)
            return ToolResult(text=text, parts=[text], cited=True)
        parts = await self._told(found, asked.limit, caller, by_id)
        parts += _notes(asked, found, documents, periods)
        return ToolResult(text="\n\n".join(parts), parts=parts, cited=True)

    async def _found(
        self, asked: FigureCall, caller: Caller, documents: Mapping[str, Document], periods: Sequence[str]
    ) -> list[FigureMatch]:
        query = FigureQuery(
            measure=asked.measure,
            periods=tuple(periods),
            segment=asked.segment,
            document_ids=tuple(documents),
            limit=MOST_MATCHES,
        )
        found = await self._figures.find(caller.user_id, query)
        least = LEAST_SHARE * max((each.score for each in found), default=0.0)
        return [each for each in found if each.score >= least and each.figure.document_id in documents]

    async def _told(
        self, found: Sequence[FigureMatch], limit: int, caller: Caller, documents: Mapping[str, Document]
    ) -> list[str]:
        """One part for each document: its heading and its figures, best first."""
        passages = FigurePassages(self._library, caller)
        groups: dict[str, list[str]] = {}
        for match in _evenly(found, limit):
            figure = match.figure
            document = documents[figure.document_id]
            number = await passages.number(document, figure)
            operand = caller.evidence.name(operand_of(figure, number))
            name = operand.name if caller.evidence.answers else f"{operand.name} (figure {key_of(figure)})"
            groups.setdefault(figure.document_id, [_heading(document)]).append(_line(figure, name, number))
        return ["\n".join(lines) for lines in groups.values()]


def _evenly(found: Sequence[FigureMatch], limit: int) -> list[FigureMatch]:
    """The best matches, taken from the documents in turn, so that no document is left out."""
    queues: dict[str, list[FigureMatch]] = {}
    for match in found:
        queues.setdefault(match.figure.document_id, []).append(match)
    chosen: list[FigureMatch] = []
    while len(chosen) < limit and any(queues.values()):
        for queue in queues.values():
            if queue and len(chosen) < limit:
                chosen.append(queue.pop(0))
    return sorted(chosen, key=list(found).index)


def _heading(document: Document) -> str:
    periods = ", ".join(periods_of(document)[:MOST_PERIODS])
    company = ", ".join(companies_of(document)[:1])
    parts = (document.metadata.title, company, periods, f"id {document.id}")
    return f"## {' · '.join(part for part in parts if part)}"


def _line(figure: StoredFigure, name: str, number: int) -> str:
    label = " › ".join([*figure.parents, figure.label])
    place = [f"page {figure.page}" if figure.page else ""]
    if figure.table is not None and figure.row is not None and figure.column is not None:
        place.append(f"table {figure.table + 1} row {figure.row + 1} column {figure.column + 1}")
    cells = [
        label,
        figure.segment if figure.segment not in label else "",
        figure.caption[:LONGEST_HEADER] if figure.caption not in figure.title else "",
        figure.period or figure.header[:LONGEST_HEADER],
        shown_value(figure),
        ", ".join(part for part in place if part),
    ]
    mark = f"[{number}] " if number else ""
    return f"{name} {mark}{' | '.join(cell for cell in cells if cell)}"


def shown_value(figure: StoredFigure) -> str:
    """The value as printed, with its unit, scale and currency."""
    words = [f"{figure.value:,.10g}", _SCALES.get(figure.scale, ""), figure.unit, figure.currency]
    if figure.unit == "%":
        words = [f"{figure.value:,.10g} %"]
    return " ".join(dict.fromkeys(word for word in words if word))


def _notes(
    asked: FigureCall, found: Sequence[FigureMatch], documents: Sequence[Document], periods: Sequence[str]
) -> list[str]:
    """What the rows do not show: further matches, periods and named documents without a figure."""
    notes = []
    if len(found) > asked.limit:
        notes.append(f"{len(found) - asked.limit} more figures match. Name a period, a segment or a document.")
    has = {each.figure.period for each in found}
    missing = [each for each in periods if not any(known.startswith(each) for known in has)]
    if missing:
        notes.append(f"No figure for the period {', '.join(missing)}.")
    with_figures = {each.figure.document_id for each in found}
    if asked.documents or asked.companies:
        without = [each.metadata.title for each in documents if each.id not in with_figures]
        if without:
            notes.append(f"No such figure in: {', '.join(without)}.")
    return notes


def _no_period(asked: FigureCall, there: Sequence[FigureMatch], periods: Sequence[str]) -> str:
    known = sorted({each.figure.period for each in there if each.figure.period}, reverse=True)[:MOST_PERIODS_TOLD]
    there_for = ", ".join(known) or "no named period"
    return f"No figure “{asked.measure}” for {', '.join(periods)}. It is there for: {there_for}."


def _nothing(asked: FigureCall) -> str:
    return (
        f"No table or sentence has a figure “{asked.measure}”. Use the words of a row label, leave out the segment, or "
        "search the passages."
    )
