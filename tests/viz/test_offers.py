"""Tests cards that suggest facts to remember: their questions in both languages; no text is interpreted as markup."""

from __future__ import annotations

from core.events import Offered, OfferMade
from viz.offers import offer_card, offer_cards

MADE = OfferMade(offer_id="offer_1", text="I live in <b>Tel Aviv</b>.", was="I live in Haifa.")


def test_an_offer_asks_and_says_what_it_would_replace() -> None:
    html = str(offer_cards(Offered(offers=[MADE]), {}, "en"))
    assert "Remember this change?" in html
    assert '<s dir="auto">I live in Haifa.</s>' in html
    assert "&lt;b&gt;Tel Aviv&lt;/b&gt;" in html
    assert html.count("<button") == 2


def test_a_decision_can_be_undone() -> None:
    for state, words in (("accepted", "נשמר בזיכרון"), ("declined", "לא נשמר")):
        html = str(offer_card(MADE, state, "he"))  # type: ignore[arg-type]
        assert words in html
        assert "data-offer-undo" in html
        assert html.count("<button") == 1
