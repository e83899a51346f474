"""Defines an answer as data: its line, value, unit and period, the table cells that support it, and the calculation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, model_validator

from core.records.cell_reference import CellReference as CellReference
from core.records.data_answer import DataAnswer
from core.records.series_chart import SeriesChart
from core.words import Words

CITATION = re.compile(r"\[(\d{1,3})\]")
"""Matches [N], with which a text cites a source."""

AnswerKind = Literal["figure", "calculation", "count", "date", "span", "spans", "choice", "sentence", "undecided"]
"""Kinds of answers.

``figure``: a number from a table cell or a sentence; ``calculation``: calculated from several numbers; ``count`` and
``date``; ``span``: words from a text, ``spans`` several of these; ``choice``: one of the question's options (also yes
and no); ``sentence``: a whole sentence; ``undecided``: no certain answer.
"""

MOST_CELLS = 20
"""Maximum number of cells that an answer cites; any others are only counted."""
LONGEST_TEXT = 4_000
"""Maximum number of characters in an answer's line, and in its calculation."""
LONGEST_SPAN = 600
"""The same for a line that gives the words of a text or a cell; they follow in full as a quotation."""
MOST_VALUES = 500
MOST_QUOTES = 500
"""Maximum number of quotations below an answer."""

Sureness = Literal["high", "medium", "low"]
"""How certain it is that the answer is right: *high* if nine of ten such answers are right."""


class Corrected(BaseModel, frozen=True):
    """Says that the user gave the answer as the right one: for the answer ``answer_id``, at ``at`` (epoch seconds).
    ``is_cited``: a passage holds it; otherwise it is the user's statement."""

    answer_id: str
    at: float
    is_cited: bool


class Answer(BaseModel, frozen=True):
    """An answer. ``line`` is its first sentence, with its citations as [N].

    ``value`` is a number (with ``scale``: 1e6 means millions), words, or several of either; a yes or no is the word
    ``yes`` or ``no``. ``calculation`` shows how it was computed from ``cells``; ``others`` are different values of the
    same number in other documents. ``doubt`` is displayed next to the line; ``decided`` is false if the line only gives
    relevant information and claims no answer. ``more_cells`` counts the cells that are not in ``cells``, so that an
    answer stays small however many rows it uses; this also limits answers stored before there was a limit. ``table``
    shows several values below the line, as a Markdown table with citations and remarks. ``data`` is the result that was
    computed from datasets, with its query; ``charts`` show the values of ``table``. ``corrected``: the user typed it.
    """

    kind: AnswerKind
    line: str
    value: float | str | list[float] | list[str] | None = None
    unit: str | None = None
    scale: float = 1.0
    currency: str | None = None
    period: str | None = None
    entity: str | None = None
    metric: str | None = None
    cells: list[CellReference] = []
    more_cells: int = 0
    others: list[CellReference] = []
    calculation: str = ""
    doubt: Words | None = None
    decided: bool = True
    table: str = ""
    data: DataAnswer | None = None
    charts: list[SeriesChart] = []
    corrected: Corrected | None = None

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, data: Any) -> Any:
        return _within_limits(data) if isinstance(data, dict) else data


def _within_limits(data: dict[str, Any]) -> dict[str, Any]:
    """``data`` of an answer with at most ``MOST_CELLS`` cells, ``MOST_VALUES`` values and texts of limited length."""
    cells, values = data.get("cells") or (), data.get("value")
    bounded = dict(data)
    if isinstance(cells, Sequence) and len(cells) > MOST_CELLS:
        bounded["cells"] = cells[:MOST_CELLS]
        bounded["more_cells"] = int(data.get("more_cells") or 0) + len(cells) - MOST_CELLS
    if isinstance(values, list) and len(values) > MOST_VALUES:
        bounded["value"] = values[:MOST_VALUES]
    for name in ("line", "calculation"):
        text = data.get(name)
        longest = LONGEST_SPAN if name == "line" and data.get("kind") == "span" else LONGEST_TEXT
        if isinstance(text, str) and len(text) > longest:
            cited = dict.fromkeys(CITATION.findall(text[longest:]))
            bounded[name] = " ".join([f"{text[:longest]}…", *(f"[{number}]" for number in cited)])
    return bounded


class Manner(BaseModel, frozen=True):
    """How quotations are written: as blocks or as a list, with the document named after them or before them."""

    structure: Literal["mixed", "bullets"] = "mixed"
    names_first: bool = False


def cited_numbers(text: str) -> set[int]:
    """The N of every [N]."""
    return set(map(int, CITATION.findall(text)))
