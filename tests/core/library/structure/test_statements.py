"""Tests that statements whose title is inside the table become separate sections."""

from __future__ import annotations

import pytest

from core.library.extracted import Block
from core.library.structure.sections import structure_of
from core.library.structure.statements import names_statement


@pytest.mark.parametrize(
    "title",
    [
        "Consolidated Balance Sheets",
        "CONDENSED CONSOLIDATED STATEMENTS OF CASH FLOWS (Unaudited)",
        "Orlan, Inc. and Subsidiaries Statements of Comprehensive Income (Loss)",
        "Balance Sheets for Obligor Group",
        "דוחות מאוחדים על המצב הכספי",
    ],
)
def test_statements_are_known_by_their_titles(title: str) -> None:
    assert names_statement(title)


@pytest.mark.parametrize(
    "title", ["Location in Consolidated Statements of Income", "Notes to the Balance Sheets", "Income Taxes"]
)
def test_what_only_speaks_of_a_statement_is_none(title: str) -> None:
    assert not names_statement(title)


def _table(header: str, text: str, page: int) -> Block:
    return Block(text=text, kind="table", page=page, header=header)


def test_a_balance_sheet_is_not_found_under_the_heading_read_before_it() -> None:
    prose = "The company records receivables for taxes that it has paid and expects to be given back within the year."
    blocks = [
        Block(text="Income Taxes Receivable", kind="heading", level=3, page=1),
        Block(text=prose, page=1),
        _table("Consolidated Balance Sheets | 2025 | 2024", "Cash | 5 | 4\nTotal assets | 9 | 8", 2),
        _table("Location in Consolidated Statements of Income | 2025", "Hedges | 5\nRevenue | 3", 3),
        _table("Consolidated Statements of Cash Flows · 2025", "Operating activities | 5", 4),
    ]
    found = [each.section for each in structure_of(blocks).paragraphs if each.kind == "table"]
    assert found == [
        "Consolidated Balance Sheets",
        "Consolidated Balance Sheets",
        "Consolidated Statements of Cash Flows",
    ]
