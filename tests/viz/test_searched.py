from __future__ import annotations

from core.events import Searched
from core.graph.memory.gating import FROM_MEMORY
from core.records.subject_matter import Absent, Chip
from core.words import Words
from viz.searched import searched_row


def test_each_chip_says_how_it_was_meant_and_can_be_taken_off() -> None:
    chips = [
        Chip(kind="organisation", label="Northwind <b>", binds=True),
        Chip(kind="period", label="FY2022", meant="carried"),
        Chip(kind="metric", label="Cash flow", meant="guessed"),
    ]
    html = str(searched_row(Searched(chips=chips), "en"))
    assert 'data-without="organisation:Northwind &lt;b&gt;"' in html
    assert 'data-without="period:FY2022"' in html
    assert "carried on" in html
    assert 'class="chip guessed"' in html
    assert "only its documents were searched" in html
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
    assert "From memory; the documents were not searched." in html
    assert f'data-without="{FROM_MEMORY}"' in html
    assert "חיפוש במסמכים" in searched_row(Searched(from_memory=True), "he")
