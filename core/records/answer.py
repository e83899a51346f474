"""What an answer says, as data: its line, value, unit and period, the cells that it stands on, and the calculation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, model_validator

from core.words import Words

CITATION = re.compile(r"\[(\d{1,3})\]")
"""[N], by which a text names a source."""

AnswerKind = Literal["figure", "calculation", "count", "date", "span", "spans", "choice", "sentence", "undecided"]
"""A cell or a figure in a sentence; worked out of several; how many; when; words of a text; several of them; one of
what the question offers (also yes and no); a whole sentence; nothing that is sure."""

MOST_CELLS = 20
"""Cells that an answer cites; of further ones it says how many they are."""
LONGEST_TEXT = 4_000
"""Characters of its line, and of its calculation."""
MOST_VALUES = 500
MOST_QUOTES = 500
"""Quotations beneath an answer."""

Sureness = Literal["high", "medium", "low"]
"""How sure it is that this answers what was asked: *high* where it may be relied on in nine of ten cases."""


class CellReference(BaseModel, frozen=True):
    """A figure of a document: the ``row`` and ``column`` (from 0) of its ``table`` (its number in the document), or
    none of these where it stands in a sentence.

    ``number`` is the source's N of [N], ``item_id`` the passage that shows it. ``value`` is as printed, before
    ``scale``; ``unit`` is ``%``, ``days`` or the like, ``currency`` an ISO code; ``period`` a key of
    ``core.language.entities.periods``.
    """

    number: int
    document_id: str
    item_id: str = ""
    table: int | None = None
    row: int | None = None
    column: int | None = None
    label: str = ""
    header: str = ""
    text: str = ""
    value: float | None = None
    unit: str | None = None
    scale: float = 1.0
    currency: str | None = None
    period: str | None = None
    page: int | None = None


class Answer(BaseModel, frozen=True):
    """``line`` is what a person reads first, with its citations as [N].

    ``value`` is a number (``scale`` says of what: 1e6 means millions), words, or several of either; a yes or no is the
    word ``yes`` or ``no``. ``calculation`` shows how it was worked out of ``cells``; ``others`` are the same figure as
    another document states it differently. ``doubt`` is said beside the line; ``decided`` is false where the line
    tells what bears on the question and claims no answer. ``more_cells`` counts the cells that are not in ``cells``:
    an answer stays small however many rows it rests on, also one that was stored before there was a limit.
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

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, data: Any) -> Any:
        return _within_limits(data) if isinstance(data, dict) else data


def _within_limits(data: dict[str, Any]) -> dict[str, Any]:
    """``data`` of an answer with at most ``MOST_CELLS`` cells, ``MOST_VALUES`` values and texts of a bounded length."""
    cells, values = data.get("cells") or (), data.get("value")
    bounded = dict(data)
    if isinstance(cells, Sequence) and len(cells) > MOST_CELLS:
        bounded["cells"] = cells[:MOST_CELLS]
        bounded["more_cells"] = int(data.get("more_cells") or 0) + len(cells) - MOST_CELLS
    if isinstance(values, list) and len(values) > MOST_VALUES:
        bounded["value"] = values[:MOST_VALUES]
    for name in ("line", "calculation"):
        text = data.get(name)
        if isinstance(text, str) and len(text) > LONGEST_TEXT:
            cited = dict.fromkeys(CITATION.findall(text[LONGEST_TEXT:]))
            bounded[name] = " ".join([f"{text[:LONGEST_TEXT]}…", *(f"[{number}]" for number in cited)])
    return bounded


class Manner(BaseModel, frozen=True):
    """How quotations are written: as blocks or as a list, with their document named behind them or before them."""

    structure: Literal["mixed", "bullets"] = "mixed"
    names_first: bool = False


def cited_numbers(text: str) -> set[int]:
    """The N of every [N]."""
    return set(map(int, CITATION.findall(text)))
