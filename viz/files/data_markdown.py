"""Writes the result of a query as Markdown: its title, how it was computed, and its table."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.answers.cited_results import results_below
from core.events import Response, Source
from core.records.data_answer import DataAnswer
from core.words import Language
from viz.data_result import shown_rows
from viz.labels import label

_NUMERIC = ("number", "money", "percent")


def results_markdown(response: Response, sources: Sequence[Source]) -> list[str]:
    """Returns the results that an answer of a model shows but does not print; none for other answers, whose text has
    their table."""
    first = response.answer.data if response.kind == "generated" and response.answer else None
    shown = [(first, first.datasets[0].number)] if first else []
    shown += [(source.data, source.number) for source in results_below(response, sources) if source.data]
    return [result_markdown(data, number, response.language) for data, number in shown]


def result_markdown(data: DataAnswer, cited: int | None, language: Language) -> str:
    """Returns a result as Markdown with all its stored rows; ``cited`` is its citation number, or ``None`` if a line
    above cites it and says what it is."""
    columns = [number for number, column in enumerate(data.columns) if column.role != "unit"]
    used = label("data_used", language, used=f"{data.used:,}", total=f"{data.total:,}")
    lines = [
        _row([data.columns[number].heading for number in columns]),
        _row(["---:" if data.columns[number].type in _NUMERIC else "---" for number in columns]),
        *(_row([row[number] for number in columns]) for row in shown_rows(data, language)),
    ]
    how = f"*{label('data_how', language)} {''.join(part.text for part in data.how)} {used}*"
    titled = [f"**{_flat(data.title)}** [{cited}]"] if cited is not None else []
    return "\n\n".join([*titled, _flat(how), "\n".join(lines)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_flat(cell).replace('|', '/') for cell in cells)} |"


def _flat(text: str) -> str:
    return " ".join(text.split())
