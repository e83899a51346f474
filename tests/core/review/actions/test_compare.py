from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.summaries import as_source
from core.errors import PalimpsestError
from core.prompts.templates import Prompts
from core.resilience.worker_processes import WorkerProcesses
from core.review.actions.compare import Comparer
from viz.citations import CitationLabel
from viz.markdown import blocks

OLD = """# Policy

## 1. Claims

1.1 A claim is submitted within 30 days of the trip. Business class is never reimbursed.

## 2. Hotels

2.1 A hotel night in Israel is paid up to ILS 620. Two travellers never share a room.

## 3. Gifts

3.1 A gift to a host costs no more than ILS 200.
"""
NEW = """# Policy

## 1. Claims

1.1 A claim is submitted within 21 days of the trip. Business class is reimbursed.

## 2. Hotels

2.1 A hotel night in Israel is paid up to ILS 560. Two travellers never share a room.
"""
HEBREW = """# נוהל

## 1. הגשת דרישות

1.1 דרישת תשלום מוגשת בתוך 30 יום מסיום הנסיעה. טיסה במחלקת עסקים לא תוחזר.

## 2. מלונות

2.1 לילה במלון בארץ משולם עד 560 ש"ח.
"""
HEBREW_NEW = HEBREW.replace("30 יום", "21 יום").replace("לא תוחזר", "תוחזר")


async def test_long_documents_are_compared_in_a_worker_as_in_this_process(
    prompts: Prompts, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [as_source(OLD), as_source(NEW, 2)]
    here = await Comparer(prompts).compare(sources, "en")
    monkeypatch.setattr("core.review.actions.compare.LONG", 0)
    workers = WorkerProcesses()
    try:
        there = await Comparer(prompts, workers=workers).compare(sources, "en")
    finally:
        await workers.stop()
    assert there == here


async def test_differences_and_agreements_are_told_apart(prompts: Prompts) -> None:
    result = await Comparer(prompts).compare([as_source(OLD), as_source(NEW, 2)], "en")
    aspects = {finding.says[0][1]: finding.aspect for finding in result.differences}
    assert aspects["A claim is submitted within 30 days of the trip."] == "figures"
    assert aspects["A hotel night in Israel is paid up to ILS 620."] == "figures"
    assert aspects["Business class is never reimbursed."] == "denial"
    assert [finding.says[0][1] for finding in result.agreements] == ["Two travellers never share a room."]
    assert "Two travellers never share a room. [1][2]" in result.text
    assert "within 30 days of the trip. [1] | A claim" in result.text


async def test_what_stands_in_one_alone_is_said(prompts: Prompts) -> None:
    result = await Comparer(prompts).compare([as_source(OLD), as_source(NEW, 2)], "en")
    assert [finding.says for finding in result.alone] == [[(1, "A gift to a host costs no more than ILS 200.")]]
    assert "**Only in one document**" in result.text


async def test_what_three_documents_say_of_one_matter_is_one_row(prompts: Prompts) -> None:
    third = NEW.replace("ILS 560", "ILS 610").replace("21 days", "30 days")
    result = await Comparer(prompts).compare([as_source(OLD), as_source(NEW, 2), as_source(third, 3)], "en")
    rows = [dict(finding.says) for finding in result.differences]
    assert [[row[number].rsplit("ILS ", 1)[1] for number in (1, 2, 3)] for row in rows if "hotel" in row[1]] == [
        ["620.", "560.", "610."]
    ]
    assert [[("21" in row[number]) for number in (1, 2, 3)] for row in rows if "claim" in row[1]] == [
        [False, True, False]
    ]
    assert [finding.says[0][1] for finding in result.agreements] == ["Two travellers never share a room."]


async def test_hebrew_documents(prompts: Prompts) -> None:
    result = await Comparer(prompts).compare([as_source(HEBREW), as_source(HEBREW_NEW, 2)], "he")
    assert {finding.aspect for finding in result.differences} == {"figures", "denial"}
    assert "הבדלים" in result.text


async def test_languages_mix(prompts: Prompts) -> None:
    result = await Comparer(prompts).compare([as_source(OLD), as_source(HEBREW, 2)], "en")
    assert any(row.cells[0].text for row in result.rows)
    assert any(row.cells[1].text for row in result.rows)
    assert "different languages" in result.notices[0].en


async def test_documents_without_headings_share_keywords(prompts: Prompts) -> None:
    one = "The pump in Haifa was repaired in spring. The pump needs oil twice a year. Visitors like the garden."
    two = "Every pump is inspected by Dana. Oil for the pump is bought in Acre. The fence is green and high."
    result = await Comparer(prompts).compare([as_source(one), as_source(two, 2)], "en")
    assert any(row.theme in ("pump", "oil") and all(cell.text for cell in row.cells) for row in result.rows)


async def test_the_table_is_drawn_as_a_table(prompts: Prompts) -> None:
    result = await Comparer(prompts).compare([as_source(OLD), as_source(NEW, 2)], "en")
    drawn = blocks(result.text, {1: CitationLabel("one"), 2: CitationLabel("two")})
    assert drawn[1].count("<tr>") == len(result.differences) + 1
    assert 'data-cite="2"' in drawn[1]


async def test_fewer_than_two_documents_are_refused(prompts: Prompts) -> None:
    with pytest.raises(PalimpsestError) as refused:
        await Comparer(prompts).compare([as_source(OLD)], "en")
    assert refused.value.problem.category == "validation"


async def test_a_model_writes_the_cells(prompts: Prompts, scripted: Any) -> None:
    answer = {
        "themes": [
            {
                "theme": "Deadline",
                "cells": [{"document": 1, "text": "30 days | [2] so"}, {"document": 7, "text": "invented"}],
            }
        ],
        "differences": [[{"document": 1, "text": "30 days"}, {"document": 2, "text": "21 days"}]],
    }
    model = scripted(f"```json\n{json.dumps(answer)}\n```")
    result = await Comparer(prompts, model).compare([as_source(OLD), as_source(NEW, 2)], "en", focus="deadlines")
    assert result.generated
    assert "| Deadline | 30 days · (2) so [1] | *nothing found* |" in result.text
    assert "| 30 days [1] | 21 days [2] |" in result.text
    assert "invented" not in result.text
    system, user = model.asked[0]
    assert "deadlines" in system.text
    assert "BEGIN DOCUMENT 2" in user.text


async def test_a_model_that_cannot_be_read_twice_gives_way_to_the_rules(prompts: Prompts, scripted: Any) -> None:
    model = scripted('{"themes": []}')
    result = await Comparer(prompts, model).compare([as_source(OLD), as_source(NEW, 2)], "en")
    assert (result.generated, len(result.notices), len(model.asked)) == (False, 1, 2)
    assert result.differences
