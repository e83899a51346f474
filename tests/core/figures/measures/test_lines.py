"""Tests row labels as many kinds of financial statements print them: each is recognised as its measure."""

from collections.abc import Callable

import pytest

from core.figures.measures.readings import readings
from core.figures.measures.statements import statements_by_document
from core.figures.records import TableEvidence
from core.language.fields import figures
from core.library.tables.records import Table

RETAILER = [
    ("Total net sales", 500), ("Operating expenses:", None), ("Cost of sales", 300), ("Fulfillment", 50),
    ("General and administrative", 20), ("Total operating expenses", 460), ("Operating income", 40),
    ("Interest income", 3), ("Interest expense", -6), ("Income before income taxes", 37),
    ("Provision for income taxes", -7), ("Equity-method investment activity, net of tax", -1), ("Net income", 29),
    ("Diluted earnings per share", 2.9),
]  # fmt: skip
DRINKS = [
    ("Net Operating Revenues", 400), ("Cost of goods sold", 160), ("Gross Profit", 240),
    ("Selling, general and administrative expenses", 120), ("Other operating charges", 8), ("Operating Income", 112),
    ("Interest expense", 9), ("Income Before Income Taxes", 110), ("Income taxes", 20), ("Consolidated Net Income", 90),
    ("Less: Net income (loss) attributable to noncontrolling interests", 2),
    ("Net Income Attributable to Shareowners of The Company", 88), ("Diluted Net Income Per Share", 2.0),
]  # fmt: skip
MEDICINES = [
    ("Sales to customers", 800), ("Cost of products sold", 250), ("Gross profit", 550),
    ("Selling, marketing and administrative expenses", 200), ("Research and development expense", 120),
    ("Earnings before provision for taxes on income", 230), ("Provision for taxes on income", 40),
    ("Net earnings", 190), ("Interest expense, net of portion capitalized (Note 4)", 10),
]  # fmt: skip
SHOES_CASH = [
    ("Cash provided (used) by operations:", None), ("Net income", 60), ("Depreciation", 7),
    ("Cash provided (used) by operations", 55), ("Additions to property, plant and equipment", -11),
    ("Cash provided (used) by investing activities", -30), ("Repurchase of common stock", -40),
    ("Dividends — common and preferred", -13), ("Cash provided (used) by financing activities", -50),
    ("Cash and equivalents, end of year", 33),
]  # fmt: skip
MILLS_CASH = [
    ("Net earnings, including earnings attributable to noncontrolling interests", 60),
    ("Depreciation and amortization", 17), ("Net cash provided by operating activities", 55),
    ("Purchases of land, buildings, and equipment", -12), ("Net cash used by investing activities", -30),
    ("Dividends paid", -20), ("Purchases of common stock for treasury", -9),
    ("Net cash used by financing activities", -50),
]  # fmt: skip
DRINKS_SHEET = [
    ("Cash and cash equivalents", 50), ("Short-term investments", 8), ("Marketable securities", 6),
    ("Trade accounts receivable, less allowances of $5 and $6, respectively", 31), ("Inventories", 28),
    ("Total Current Assets", 130), ("Property, plant and equipment, net", 90), ("Goodwill", 70),
    ("Total Assets", 600), ("Accounts payable and accrued expenses", 85), ("Loans and notes payable", 15),
    ("Current maturities of long-term debt", 4), ("Total Current Liabilities", 120), ("Long-term debt", 210),
    ("Reinvested earnings", 300), ("Equity Attributable to Shareowners of The Company", 190),
    ("Total Equity", 195), ("Total Liabilities and Equity", 600),
]  # fmt: skip
PHONES_SHEET = [
    ("Accounts receivable", 60), ("Less Allowance for credit losses", 4), ("Accounts receivable, net", 56),
    ("Inventories", 3), ("Total current assets", 99), ("Plant, property and equipment, net", 300),
    ("Total assets", 900), ("Debt maturing within one year", 20), ("Accounts payable and accrued liabilities", 44),
    ("Total current liabilities", 110), ("Long-term debt", 400), ("Total liabilities", 700),
    ("Total Company shareholders’ equity", 190), ("Noncontrolling interests", 10), ("Total equity", 200),
    ("Total liabilities and equity", 900),
]  # fmt: skip
PLC = [
    ("Revenue", 70), ("Cost of sales", -30), ("Gross profit", 40), ("Operating profit", 12), ("Finance costs", -2),
    ("Profit before tax", 10), ("Taxation", -2), ("Profit for the year", 8),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "figure", "value"),
    [
        (RETAILER, "revenue", 500), (RETAILER, "cost of sales", 300), (RETAILER, "interest expense", 6),
        (RETAILER, "income tax expense", 7), (RETAILER, "net income", 29), (RETAILER, "operating expenses", 460),
        (DRINKS, "revenue", 400), (DRINKS, "net income", 90), (DRINKS, "attributable net income", 88),
        (DRINKS, "pretax income", 110), (DRINKS, "income tax expense", 20), (DRINKS, "earnings per share", 2.0),
        (MEDICINES, "revenue", 800), (MEDICINES, "pretax income", 230), (MEDICINES, "income tax expense", 40),
        (MEDICINES, "research and development", 120), (MEDICINES, "selling and administrative expenses", 200),
        (MEDICINES, "interest expense", 10), (SHOES_CASH, "operating cash flow", 55),
        (SHOES_CASH, "capital expenditure", 11), (SHOES_CASH, "dividends paid", 13),
        (SHOES_CASH, "share repurchases", 40), (SHOES_CASH, "investing cash flow", -30),
        (MILLS_CASH, "capital expenditure", 12), (MILLS_CASH, "financing cash flow", -50),
        (MILLS_CASH, "share repurchases", 9), (DRINKS_SHEET, "receivables", 31),
        (DRINKS_SHEET, "accounts payable", 85), (DRINKS_SHEET, "short-term debt", 15), (DRINKS_SHEET, "equity", 195),
        (DRINKS_SHEET, "current portion of long-term debt", 4), (DRINKS_SHEET, "retained earnings", 300),
        (PHONES_SHEET, "property plant and equipment", 300), (PHONES_SHEET, "receivables", 56),
        (PHONES_SHEET, "equity", 200), (PHONES_SHEET, "total liabilities", 700), (PLC, "revenue", 70),
        (PLC, "net income", 8), (PLC, "pretax income", 10), (PLC, "income tax expense", 2),
        (PLC, "interest expense", 2),
    ],
)  # fmt: skip
def test_the_row_of_a_figure_is_found(
    rows: list[tuple[str, float | None]], figure: str, value: float, make_table: Callable[..., Table],
    evidence_of: Callable[..., list[TableEvidence]],
) -> None:  # fmt: skip
    table = make_table([(label, [] if number is None else [number]) for label, number in rows], ["2031"])
    (book,) = statements_by_document(evidence_of([table]))
    found = readings(book, figure, figures()[figure], "2031")
    assert found, [row.label for row in table.rows]
    scale = 1 if figures()[figure].unit == "per share" else 1e6
    assert found[0].value == pytest.approx(value * scale), found[0].statement.table.rows[found[0].row].label
