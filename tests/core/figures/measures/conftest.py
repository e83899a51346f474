from collections.abc import Callable, Sequence

import pytest

from core.figures.records import Origin, TableEvidence
from core.library.tables.records import Cell, Column, Row, Table
from core.question.analysed import AnalysedQuestion
from core.question.focus import focus_of
from core.words import Language

Rows = Sequence[tuple[str, Sequence[float | None]]]
MakeTable = Callable[..., Table]
MakeEvidence = Callable[..., list[TableEvidence]]
Ask = Callable[..., AnalysedQuestion]


def table_of(rows: Rows, periods: Sequence[str | None], **about: object) -> Table:
    made = []
    parent = ""
    for label, values in rows:
        if label.endswith(":"):
            parent = label.rstrip(":")
        cells = [Cell() if value is None else Cell(text=printed(value), kind="number", value=value) for value in values]
        made.append(Row(label=label, parents=[parent] if parent and values else [], cells=cells))
    columns = [Column(header=[period or ""], period=period) for period in periods]
    given = {"caption": "Consolidated Statements", "units": "in millions", "scale": 1e6, "currency": "USD", "page": 5}
    return Table(columns=columns, rows=made, **{**given, **about})  # type: ignore[arg-type]


def printed(value: float) -> str:
    text = f"{abs(value):,.2f}" if value % 1 else f"{abs(value):,.0f}"
    return f"({text})" if value < 0 else text


INCOME: Rows = [
    ("Net sales", [1000, 900, 800]),
    ("Cost of sales", [600, 500, 480]),
    ("Gross profit", [400, 400, 320]),
    ("Selling, general and administrative expenses", [150, 140, 130]),
    ("Operating income", [200, 225, 160]),
    ("Interest expense", [-20, -15, -10]),
    ("Income before income taxes", [180, 210, 150]),
    ("Provision for income taxes", [36, 42, 30]),
    ("Net income", [144, 168, 120]),
    ("Diluted earnings per share", [1.44, 1.68, 1.2]),
]
BALANCE: Rows = [
    ("Current assets:", []),
    ("Cash and cash equivalents", [90, 80]),
    ("Accounts receivable, net", [120, 100]),
    ("Inventories", [110, 90]),
    ("Total current assets", [400, 300]),
    ("Property, plant and equipment, net", [500, 450]),
    ("Total assets", [1200, 1000]),
    ("Accounts payable", [80, 60]),
    ("Current portion of long-term debt", [25, 20]),
    ("Total current liabilities", [200, 150]),
    ("Long-term debt", [300, 280]),
    ("Retained earnings", [220, 200]),
    ("Total equity", [500, 450]),
    ("Total liabilities and equity", [1200, 1000]),
]
CASH: Rows = [
    ("Net income", [144, 168, 120]),
    ("Depreciation and amortization", [50, 45, 40]),
    ("Net cash provided by operating activities", [210, 230, 170]),
    ("Purchases of property, plant and equipment", [-70, -60, -50]),
    ("Net cash used in investing activities", [-95, -80, -60]),
    ("Dividends paid", [-30, -28, -25]),
    ("Repurchases of common stock", [-40, -35, -10]),
    ("Net cash used in financing activities", [-105, -120, -90]),
    ("Cash and cash equivalents at end of year", [90, 80, 50]),
]


@pytest.fixture
def tables() -> list[Table]:
    """The three financial statements of a company, in millions, for 2031 and earlier years."""
    years = ["2031", "2030", "2029"]
    return [table_of(INCOME, years), table_of(BALANCE, ["2031-12-31", "2030-12-31"]), table_of(CASH, years)]


@pytest.fixture
def make_table() -> MakeTable:
    return table_of


@pytest.fixture
def evidence_of() -> MakeEvidence:
    def make(
        tables: Sequence[Table], *, number: int = 1, name: str = "Harbour Tools", periods: Sequence[str] = ("2031",),
        kind: str = "annual report",
    ) -> list[TableEvidence]:  # fmt: skip
        title = f"{name} · FY{periods[0]}"
        origin = Origin(number, f"d{number}", title, f"{name}.pdf", kind, (name,), tuple(periods))
        return [TableEvidence(origin, index, table) for index, table in enumerate(tables)]

    return make


@pytest.fixture
def ask() -> Ask:
    def make(text: str, language: Language = "en", entities: Sequence[str] = ("Harbour Tools",)) -> AnalysedQuestion:
        return AnalysedQuestion(text, language, focus_of(text).asked, tuple(entities))

    return make
