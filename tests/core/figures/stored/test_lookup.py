"""Tests that a lookup finds a quarter under the name that its document gives it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from core.figures.stored.block import FigureBlock
from core.figures.stored.extraction import extract
from core.figures.stored.figure_store import FigureEntry
from core.figures.stored.lookup import StoredFigures
from core.figures.stored.records import FigureQuery
from core.library.records import CoveredPeriod, Document, Metadata
from core.library.tables.records import Cell, Column, Row, Table


class OneDocument:
    """A store and a catalogue of one document."""

    def __init__(self, headers: dict[str, str], own: CoveredPeriod) -> None:
        self.document = Document(
            _id="doc_1", user_id="ada", filename="report.pdf", mime="", size=1, sha256="", added_at=0.0, updated_at=0.0,
            metadata=Metadata(title="Quarterly report", periods=[own]),
        )  # fmt: skip
        table = Table(
            columns=[Column(header=[header], period=key) for header, key in headers.items()],
            rows=[
                Row(
                    label="Net sales",
                    parents=[],
                    cells=[Cell(text=key, kind="number", value=number) for number, key in enumerate(headers.values())],
                )
            ],
            units="in millions",
            scale=1e6,
            currency="USD",
            page=4,
        )
        self._block = FigureBlock(extract(self.document, [table], []))

    async def seen(self, user_id: str) -> list[Document]:
        return [self.document]

    async def entries(self, user_id: str) -> list[FigureEntry]:
        measures = frozenset({"revenue"})
        return [FigureEntry(document_id="doc_1", stamp="", figures=2, stems=frozenset(), measures=measures)]

    async def block(self, user_id: str, document_id: str, stamp: str) -> FigureBlock:
        return self._block


FISCAL = CoveredPeriod(key="2031-Q1", names=["2031-Q1", "2030-Q4"], end="2030-12-28")
DATED = {"Three months ended December 28, 2030": "2030-Q4", "Three months ended December 29, 2029": "2029-Q4"}
NAMED = {"First quarter 2031": "2031-Q1", "Fourth quarter 2030": "2030-Q4"}


@pytest.mark.parametrize(
    ("headers", "asked", "found"),
    [
        (DATED, "2031-Q1", "2030-Q4"),
        (DATED, "2030-Q1", "2029-Q4"),
        (DATED, "2030-Q4", None),
        (NAMED, "2031-Q1", "2031-Q1"),
        (NAMED, "2030-Q4", "2030-Q4"),
    ],
)
async def test_a_quarter_is_found_by_the_name_of_the_document(
    headers: dict[str, str], asked: str, found: str | None
) -> None:
    library = cast(Any, OneDocument(headers, FISCAL))
    matches = await StoredFigures(library, library).find("ada", FigureQuery(measure="net sales", periods=(asked,)))
    assert (matches[0].figure.period if matches else None) == found
