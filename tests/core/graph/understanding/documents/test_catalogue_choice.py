"""Tests that a model chooses the documents of an action from the list, and that rules stay where it is not sure."""

from __future__ import annotations

import pytest

from core.errors import fail
from core.events import Action
from core.graph.understanding.documents.catalogue_choice import MOST_LISTED, CatalogueChoice, is_unsure
from core.graph.understanding.documents.records import Reference, Resolution, VisibleDocument
from core.prompts.templates import Prompts
from core.question.known_entities import KnownDocument, KnownPeriod
from tests.core.graph.understanding.documents.test_resolver import Scripted

DOCUMENTS = (
    VisibleDocument("annual", "Form 10-K", "x1.pdf"),
    VisibleDocument("quarter", "Form 10-Q", "x2.pdf"),
    VisibleDocument("lease", "Mill lease", "lease.md"),
)
KNOWN = (
    KnownDocument("quarter", "x2.pdf", names=("Acme",), kind="quarterly report", covered=(KnownPeriod("2023-Q2"),)),
)


def asking(text: str, action: Action = "summarize", documents: tuple[VisibleDocument, ...] = DOCUMENTS) -> Reference:
    return Reference(text, action, documents)


async def chosen(model: Scripted, asked: Reference, found: Resolution | None = None) -> Resolution:
    return await CatalogueChoice(Prompts(), model).choose(asked, found or Resolution(), KNOWN)


async def test_a_sure_model_chooses_from_titles_kinds_and_periods() -> None:
    model = Scripted('{"documents": [2], "confidence": "high"}')
    found = await chosen(model, asking("Summarize what Acme filed for spring 2023"))
    assert found.document_ids == ["quarter"]
    assert "2. Form 10-Q · Acme · quarterly report · 2023-Q2 · x2.pdf" in model.asked[0]


async def test_an_unsure_model_offers_its_candidates() -> None:
    found = await chosen(Scripted('{"documents": [1, 2], "confidence": "low"}'), asking("Summarize the filing"))
    assert found.document_ids == []
    assert {each.id for each in found.ambiguous[0].candidates} == {"annual", "quarter"}


@pytest.mark.parametrize(
    ("answers", "action"),
    [
        (['{"documents": [], "confidence": "high"}'], "summarize"),
        (['{"documents": [99], "confidence": "high"}'], "summarize"),
        (['{"documents": [1], "confidence": "low"}'], "summarize"),
        (['{"documents": [1], "confidence": "high"}'], "compare"),
        (["nonsense", "more"], "summarize"),
        ([fail("timeout", "models.chat.none_configured")], "summarize"),
    ],
)
async def test_rules_stay_where_a_model_is_of_no_use(answers: list[str | Exception], action: Action) -> None:
    found = Resolution(unmatched=("the filing",))
    assert await chosen(Scripted(*answers), asking("Take the filing", action), found) == found


async def test_the_list_is_bounded_and_keeps_what_the_message_names() -> None:
    many = tuple(VisibleDocument(f"d{n}", f"Note {n}", f"n{n}.md") for n in range(200))
    model = Scripted('{"documents": [1], "confidence": "high"}')
    wanted = VisibleDocument("wanted", "Orchard survey", "survey.md")
    found = await chosen(model, asking("Summarize the orchard paper", documents=(*many, wanted)))
    assert found.document_ids == ["wanted"]
    assert f"{MOST_LISTED}. Note" in model.asked[0]
    assert f"{MOST_LISTED + 1}. " not in model.asked[0]


@pytest.mark.parametrize(
    ("action", "found", "unsure"),
    [
        ("summarize", Resolution(), True),
        ("summarize", Resolution.of(DOCUMENTS[:1], "explicit"), False),
        ("summarize", Resolution.of(DOCUMENTS[:1], "fuzzy", 0.3), True),
        ("compare", Resolution.of(DOCUMENTS[:1], "explicit"), True),
        ("compare", Resolution.of(DOCUMENTS[:2], "explicit"), False),
        ("inquire", Resolution(), False),
        ("audit", Resolution(unmatched=("x",)), True),
    ],
)
def test_a_model_is_asked_only_where_rules_are_unsure(action: Action, found: Resolution, unsure: bool) -> None:
    assert is_unsure(asking("text", action), found) is unsure
