"""Tests the audit of a document without a text to check, through the whole agent and without a model."""

from __future__ import annotations

import pytest

from core.events import Response
from tests.service.house import Answer, House

POLICY = """# Procurement policy 2025

## 1. Offers

1.1 An order above 5,000 shekels needs three offers. Offers are kept for seven years.

## 2. Approval

2.1 The head of the unit approves orders within 10 days. See section 8 for exceptions, and Annex B.

## 3. Records

3.1 Offers are kept for five years. The policy is in force from 1 March 2025 until 1 February 2025.

## 4. Budget

| Unit | Budget |
|---|---|
| North | 1,200 |
| South | 2,300 |
| Total | 3,900 |
"""
OLDER = """# Procurement policy 2024

## 1. Offers

1.1 An order above 3,000 shekels needs three offers.
"""
HEBREW = """# נוהל רכש

## 1. הצעות

1.1 הצעות מחיר נשמרות שבע שנים. הזמנה מעל 5,000 שקלים דורשת שלוש הצעות.

## 2. אישור

2.1 מנהל היחידה מאשר הזמנות, ראו נספח ב.

## 3. רשומות

3.1 הצעות מחיר נשמרות חמש שנים.
"""
SOUND = "# Parking rules\n\nStaff park on level two. Visitors park on level one. A permit costs 40 shekels a month.\n"


def said(answer: Answer) -> Response:
    assert answer.view.outcome == "answered", answer.view.problem
    assert answer.view.response is not None
    assert answer.view.response.action == "audit"
    return answer.view.response


@pytest.mark.parametrize(
    "order",
    [
        "Audit the procurement policy 2025",
        "Is there anything wrong in the procurement policy 2025?",
        "Check the procurement policy 2025 for contradictions",
    ],
)
async def test_an_audit_of_one_document_checks_it_against_itself_and_its_kind(house: House, order: str) -> None:
    await house.read("procurement-2024.md", OLDER)
    await house.read("procurement-2025.md", POLICY)
    answer = await house.ask(order)
    response = said(answer)
    rows = [line for line in response.text.splitlines() if line.startswith("| ")]
    assert any("seven years" in row and "five years" in row and row.count("[1]") == 2 for row in rows)
    assert any("3,900" in row and "3,500" in row for row in rows)
    assert any("“section 8”" in row for row in rows)
    assert any("“Annex B”" in row for row in rows)
    assert any("1 February 2025" in row and "impossible period" in row for row in rows)
    assert any("5,000" in row and "3,000" in row and "[2]" in row for row in rows)
    assert {source.title for source in answer.view.sources} == {"Procurement policy 2025", "Procurement policy 2024"}
    assert {"Offers are kept for seven years.", "Offers are kept for five years."} <= {q.text for q in response.quotes}
    assert response.export.startswith("Document,Passage")


@pytest.mark.parametrize("order", ["בדוק את נוהל הרכש", "יש בעיה בנוהל הרכש?", "בדוק אם יש סתירות בנוהל הרכש"])
async def test_a_hebrew_document_is_audited_in_hebrew(house: House, order: str) -> None:
    await house.read("nohal.md", HEBREW)
    text = said(await house.ask(order)).text
    assert "סתירות: 1" in text
    assert "נספח ב" in text
    assert "נבדקו במסמך" in text


async def test_nothing_found_says_what_was_checked(house: House) -> None:
    await house.read("parking.md", SOUND)
    text = said(await house.ask("Audit the parking rules")).text
    assert text.startswith("**Nothing found.**")
    assert "compared with each other (3)" in text
    assert "no other document of the same kind" in text


async def test_a_document_to_check_that_is_not_found_is_chosen(house: House) -> None:
    await house.read("parking.md", SOUND)
    await house.read("garden.md", "# Garden rules\n\nThe garden closes at 20:00.\n")
    asked = await house.ask("Is there anything wrong in the offer?")
    assert asked.pending.question.startswith("Which document should I check?")
    assert said(await house.reply(asked, asked.choice("Parking rules"))).text.startswith("**Nothing found.**")
