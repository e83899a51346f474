from __future__ import annotations

from core.events import Searched
from core.subject_matter import Chip
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


def test_the_row_is_in_the_language_of_the_question() -> None:
    assert "חיפוש לפי" in searched_row(Searched(chips=[Chip(kind="period", label="2022")]), "he")
