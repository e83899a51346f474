from __future__ import annotations

import pytest

from core.events import Response, Searched
from core.graph.memory.gating import FROM_MEMORY
from core.records.answer import Answer
from core.records.subject_matter import Absent, Chip
from core.words import Words
from viz.answer import answer_state, searched_row

ABOUT = Searched()
LINE = Answer(kind="span", line="45 days [1]")


def response(kind: str = "extractive", **given: object) -> Response:
    return Response.model_validate({"kind": kind, "text": "x", "language": "en", **given})


@pytest.mark.parametrize(
    ("given", "searched", "said"),
    [
        (response(confidence="medium", answer=LINE), ABOUT, "closest"),
        (response(), ABOUT, None),
        (response(), None, "found"),
        (response(answer=LINE), None, None),
        (response("generated"), ABOUT, None),
        (response("generated", confidence="low"), ABOUT, "closest"),
        (response("nothing_found", confidence="high"), ABOUT, "not_found"),
        (response("told"), None, None),
        (response(action="compare"), None, None),
        (None, None, None),
    ],
)
def test_only_what_claims_something_has_a_state(
    given: Response | None, searched: Searched | None, said: str | None
) -> None:
    assert answer_state(given, "high", searched) == said


def test_each_chip_says_how_it_was_meant_and_can_be_taken_off() -> None:
    chips = [
        Chip(kind="organisation", label="Northwind <b>", binds=True),
        Chip(kind="period", label="FY2022", meant="carried"),
        Chip(kind="metric", label="Cash flow", meant="guessed"),
    ]
    html = str(searched_row(Searched(chips=chips), "en"))
    assert 'data-without="organisation:Northwind &lt;b&gt;"' in html
    assert 'data-without="period:FY2022"' in html
    assert "from your previous question" in html
    assert 'class="chip guessed"' in html
    assert "only documents that match this were searched" in html
    assert "<b>" not in html


def test_a_question_about_nothing_in_particular_has_no_row() -> None:
    assert searched_row(Searched(), "en") == ""


def test_what_was_taken_off_is_kept_and_can_be_asked_as_it_was() -> None:
    html = str(searched_row(Searched(without=['period:"2022"']), "en"))
    assert "all documents" in html
    assert "data-as-asked" in html
    assert 'data-off="[&#34;period:\\&#34;2022\\&#34;&#34;]"' in html


def test_what_is_named_and_not_there_is_shown_as_such() -> None:
    words = Words(en="No document is of Umbrella.", he="אין מסמך של Umbrella.")
    html = str(searched_row(Searched(absent=[Absent(kind="organisation", name="Umbrella", words=words)]), "en"))
    assert "not in your documents" in html
    assert "No document is of Umbrella." in html


def test_the_row_is_in_the_language_of_the_question() -> None:
    assert "חיפוש לפי" in searched_row(Searched(chips=[Chip(kind="period", label="2022")]), "he")


def test_an_answer_from_memory_says_so_and_offers_the_search() -> None:
    html = str(searched_row(Searched(from_memory=True), "en"))
    assert "Answered from memory; your documents were not searched." in html
    assert f'data-without="{FROM_MEMORY}"' in html
    assert "חיפוש במסמכים" in searched_row(Searched(from_memory=True), "he")
