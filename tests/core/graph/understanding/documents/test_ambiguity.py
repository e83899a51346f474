from __future__ import annotations

import time

import pytest

from core.events import Passage, Source
from core.graph.understanding.documents.ambiguity import which_document
from core.graph.understanding.documents.records import MOST_OFFERED, VisibleDocument

HOUSES = [
    VisibleDocument(id=f"d{n}", title=f"Travel policy of house {n}", filename=f"travel-{n}.md") for n in range(200)
]
YEARS = [
    VisibleDocument(id=year, title=f"Travel policy {year}", filename=f"travel-{year}.md") for year in ("2024", "2025")
]


def found(documents: list[VisibleDocument], *texts: str) -> list[Source]:
    said = texts or [f"A hotel night is reimbursed up to {n} shekels." for n, _ in enumerate(documents, 1)]
    return [
        Source(
            number=n,
            document_id=each.id,
            title=each.title,
            filename=each.filename,
            score=0.9,
            passages=[Passage(item_id=f"m{n}", text=text, score=0.9)],
        )
        for n, (each, text) in enumerate(zip(documents, said, strict=True), 1)
    ]


@pytest.mark.parametrize("sources", [12, 0])
def test_two_hundred_look_alikes_are_decided_at_once_and_few_are_offered(sources: int) -> None:
    began = time.monotonic()
    decision = which_document("What is the limit for a hotel night?", HOUSES, found(HOUSES[:sources]))
    assert time.monotonic() - began < 2
    assert decision.ask == bool(sources)
    if decision.ask:
        assert (len(decision.candidates), decision.total) == (MOST_OFFERED, 200)


@pytest.mark.parametrize(
    ("question", "spoken_of", "why"),
    [
        ("What is the limit for a hotel night?", [], "spread"),
        ("What is the limit for a hotel night in 2025?", [], "named"),
        ("Which of the travel policies pays for a hotel night?", [], "all_wanted"),
        ("What is the limit for a hotel night?", ["2025"], "spoken_of"),
    ],
)
def test_why_it_is_asked_or_not(question: str, spoken_of: list[str], why: str) -> None:
    decision = which_document(question, YEARS, found(YEARS), spoken_of=spoken_of)
    assert (decision.why, decision.ask) == (why, why == "spread")
    assert decision.focus == (("2025",) if why in ("named", "spoken_of") else ())


SHARED = "Pelagit gives notice of a price rise"
LONG = (
    "of the meters and their purchase in writing to the company at least sixty days before it takes effect, and states "
    "the index, the month, the batch, the certificate, the rate, the orders it concerns and what becomes of those open "
    "or accepted; arbitration, liability, insurance and termination follow the general terms of supply annexed hereto"
)


@pytest.mark.parametrize(("kinds", "asks"), [(("legal", "technical"), False), (("legal", "legal"), True)])
def test_a_contract_and_the_sheet_of_what_was_spent_on_it_are_no_look_alikes(
    kinds: tuple[str, str], asks: bool
) -> None:
    documents = [
        VisibleDocument(id="c", title="Metering agreement", filename="metering.pdf", kind=kinds[0]),
        VisibleDocument(id="s", title="Spending", filename="spending.xlsx", kind=kinds[1]),
    ]
    sources = found(documents, f"{SHARED} {LONG}.", f"{SHARED}: 9 December, meters purchased")
    assert which_document("How long before a price rise is notice given?", documents, sources).ask is asks
