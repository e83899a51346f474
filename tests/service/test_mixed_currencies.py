"""Asks about amounts in several currencies: one result for each, never added, and converted only at a given rate."""

from __future__ import annotations

import io

import openpyxl
import pytest

from tests.service.house import House

ROWS = [
    ("North", 1000, "EUR"),
    ("North", 500, "USD"),
    ("South", 2000, "EUR"),
    ("South", 40000, "ILS"),
    ("South", 700, "USD"),
    ("North", 60, "USD"),
    ("East", 9000, "ILS"),
]
SIGNS = {"EUR": "€", "USD": "$", "ILS": "₪"}
FORMATS = {"EUR": "[$€-2] #,##0", "USD": "[$$-409]#,##0", "ILS": "[$₪-40D] #,##0"}


def in_cells() -> str:
    return "Region,Amount\n" + "".join(f"{region},{SIGNS[unit]}{amount}\n" for region, amount, unit in ROWS)


def in_a_column() -> str:
    return "Region,Amount,Currency\n" + "".join(f"{region},{amount},{unit}\n" for region, amount, unit in ROWS)


def by_number_format() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Region", "Amount"])
    for place, (region, amount, unit) in enumerate(ROWS, 2):
        sheet.append([region, amount])
        sheet.cell(place, 2).number_format = FORMATS[unit]
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [("cells.csv", in_cells()), ("column.csv", in_a_column()), ("formats.xlsx", by_number_format())],
)
async def test_amounts_in_several_currencies_are_never_added(house: House, name: str, content: str | bytes) -> None:
    await house.read(name, content)
    total = await line_of(house, "total amount")
    assert all(value in total for value in ("€3,000", "$1,260", "₪49,000"))
    average = await line_of(house, "average amount per region")
    assert all(value in average for value in ("North €1,000", "North $280", "East ₪9,000"))
    highest = await line_of(house, "which region has the highest amount?")
    assert all(value in highest for value in ("South €2,000", "South $700", "South ₪40,000"))
    converted = await line_of(house, "total amount in EUR at 1.1 USD per EUR")
    assert all(value in converted for value in ("€4,145.45", "₪49,000", "1 EUR = 1.1 USD"))


async def line_of(house: House, question: str) -> str:
    response = (await house.ask(question)).view.response
    assert response is not None
    assert response.answer is not None
    assert "different ones are not added" in response.answer.line
    return response.answer.line
