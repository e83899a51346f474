"""Tests which sentences a summary of a few points takes."""

from __future__ import annotations

import pytest

from benchmarks.summaries import as_source
from core.library.records import CoveredPeriod, Metadata, Organisation
from core.review.actions.records import statements
from core.review.actions.request import request_of
from core.review.actions.summary.document import DocumentDescription, SummaryDocument
from core.review.actions.summary.requested import requested_summary
from core.review.actions.summary.salience import Salience, has_verb

REPORT = """# Norvik Ferries annual report

## Overview

Norvik Ferries carried 4.2 million passengers in 2031, 8 percent more than in 2030.
We may experience difficulties in retaining customers, which could harm our business in many ways.
Ticket revenue increased by $31 million to $410 million in 2031 due to two new routes.
For questions call 206-555-0142 or write to desk@norvik.example.
Competition could adversely affect the results of our operations.
A parking fine of $90 was paid in 2031 by the harbour office.

## Fleet

The shipyard delivered the ferry Astrid on 4 May 2031 for $62 million.
Harbour of Westfjord, northern pier and the waiting hall.
Fuel costs fell by 12 percent in 2031 because of the batteries on the short routes.
"""
NOTICE = """# Votes

The meeting was held on May 3, 2031.

(1) The shareholders elected the directors of the company:

| Name | For |
|---|---|
| Adams | 1,005 |
| Brown | 998 |

(2) The auditors were appointed for the year 2032:

(3) The proposal on the harbour was defeated:

(4) The dividend of 3 dollars was approved:
"""


def matter(text: str, kind: str = "other") -> SummaryDocument:
    about = Metadata(
        title="Norvik Ferries annual report", kind=kind, organisations=[Organisation(name="Norvik Ferries")],
        periods=[CoveredPeriod(key="2031")],
    )  # fmt: skip
    return SummaryDocument(as_source(text), DocumentDescription(about))


async def points(text: str, count: str, kind: str = "other") -> list[str]:
    document = matter(text, kind)
    request = request_of(f"Summarize it in {count} bullets", [document.source])
    summary = await requested_summary(document, request, "en", None)
    assert summary is not None
    assert all(quote.text in document.source.passages[0].text for quote in summary.quotes if len(summary.quotes) < 2)
    return "\n".join(summary.blocks).split("\n")


@pytest.mark.parametrize("kind", ["other", "annual report"])
async def test_facts_of_the_document_come_before_possibilities_contacts_and_trifles(kind: str) -> None:
    lines = await points(REPORT, "four", kind)
    assert [any(word in line for line in lines) for word in ("passengers", "$31 million", "Astrid", "Fuel")] == [
        True
    ] * 4
    assert all(line.endswith("[1]") for line in lines)


async def test_a_text_of_few_sentences_still_gives_as_many_points_as_requested() -> None:
    lines = await points(NOTICE, "five")
    assert len(lines) == 5
    assert not any("Adams" in line or "Brown" in line for line in lines)


def test_the_largest_amounts_decide_what_is_too_small() -> None:
    document = matter(REPORT)
    own = {each.text.split()[0]: each for each in statements(document.source)}
    scores = Salience(document, list(own.values()))
    assert scores.of(own["A"]) < scores.of(own["Fuel"])
    assert scores.of(own["Harbour"]) < scores.of(own["The"])


def test_a_hebrew_sentence_needs_no_verb() -> None:
    assert has_verb("הנמל גדול")
    assert has_verb("The pier was repaired.")
    assert not has_verb("Instructions of Service Bulletin 737, Revision 1, dated June 24, 2020.")
