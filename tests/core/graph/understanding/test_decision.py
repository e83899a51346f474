"""Tests how probabilities, holdings and tools decide where a message goes."""

from __future__ import annotations

from core.graph.records import Intent
from core.graph.understanding.destinations import trained_circumstances
from core.graph.understanding.destinations.circumstances import NAMES, Circumstances
from core.graph.understanding.destinations.decision import destination_by_kinds, weighed
from core.graph.understanding.destinations.examples import KINDS, Kind, digest, examples
from core.graph.understanding.destinations.holdings import Holdings, holdings_of
from core.graph.understanding.destinations.outlook import Outlook
from core.graph.understanding.destinations.weights import shipped
from core.library.records import Document, Metadata

HELD = Holdings(documents=3)


def _kinds(**shares: float) -> dict[Kind, float]:
    rest = (1 - sum(shares.values())) / (len(KINDS) - len(shares))
    return {kind: shares.get(kind, rest) for kind in KINDS}


def _document(name: str) -> Document:
    return Document(
        _id=name, user_id="ada", filename=name, mime="", size=1, sha256="", metadata=Metadata(title=""), added_at=0,
        updated_at=0,
    )  # fmt: skip


def test_a_current_fact_goes_to_the_web_only_if_it_is_on() -> None:
    kinds = _kinds(current=0.9)
    assert destination_by_kinds(kinds, HELD, Outlook(web=True))[0].place == "web"
    assert destination_by_kinds(kinds, HELD, Outlook())[0].place == "not_here"


def test_a_fitting_tool_answers_a_current_fact_and_no_general_one() -> None:
    clock = Outlook(tool="clock", fit=2.0)
    found, _ = destination_by_kinds(_kinds(current=0.9), HELD, clock)
    assert (found.place, found.wish.tool) == ("tool", "clock")
    assert destination_by_kinds(_kinds(world=0.95), HELD, clock)[0].place == "not_here"


def test_a_touched_title_outweighs_general_knowledge() -> None:
    kinds = _kinds(world=0.5, documents=0.4)
    touched = Holdings(documents=3, touched=frozenset({"roof", "survey"}))
    assert destination_by_kinds(kinds, HELD, Outlook())[0].place == "not_here"
    assert destination_by_kinds(kinds, touched, Outlook())[0].place == "documents"


def test_data_needs_a_spreadsheet_and_documents_a_library() -> None:
    kinds = _kinds(data=0.6, documents=0.35)
    sheets = Holdings(documents=2, touched=frozenset({"fuel"}), sheets=frozenset({"fuel"}), has_sheets=True)
    assert destination_by_kinds(kinds, sheets, Outlook())[0].place == "data"
    assert destination_by_kinds(kinds, HELD, Outlook())[0].place == "documents"
    assert destination_by_kinds(kinds, Holdings(), Outlook())[0].place == "not_here"


def test_documents_that_no_word_touches_are_not_sure() -> None:
    assert not destination_by_kinds(_kinds(documents=0.85), HELD, Outlook())[0].sure


def test_holdings_are_titles_spreadsheets_and_editions() -> None:
    documents = [_document(each) for each in ("Harvest 2023.xlsx", "Harvest 2024.xlsx", "Statutes.pdf")]
    held = holdings_of("How did the harvest develop?", documents)
    assert held.touched == held.sheets == held.editions == {"harvest"}
    assert not holdings_of("Who may join the club?", documents).touched


def test_the_weights_were_fitted_on_these_examples() -> None:
    """If this fails, run ``python -m benchmarks.destination_weights``."""
    known = shipped()
    assert known
    assert known.weights.examples == digest()
    assert set(known.tools) == {each.tool for each in examples() if each.tool}


def test_circumstances_of_a_message_shift_the_probabilities() -> None:
    """Rules that found a wish for the web make it likelier."""
    plain, online = Intent(action="inquire", confidence="high", how="rule", text="ferry times"), Outlook(web=True)
    kinds = _kinds(documents=0.4, web=0.3)
    shares = [
        weighed(kinds, HELD, online, Circumstances(HELD, online, each))["web"]
        for each in (plain, plain.model_copy(update={"web": "asked"}))
    ]
    assert shares[1] > shares[0]


def test_each_circumstance_has_a_number_and_a_weight() -> None:
    intent = Intent(action="inquire", confidence="high", how="rule", text="Who pays?")
    trained = trained_circumstances.shipped()
    assert trained
    assert Circumstances(HELD, Outlook(), intent).numbers.shape == (len(NAMES),) == trained.shifts.shape[:1]
