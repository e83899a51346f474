from __future__ import annotations

from core.events import Passage
from core.search.documents.evidence import supporting_sentence

PASSAGES = [
    Passage(
        item_id="mem_1",
        text="4. Booking\n\n4.1 Flights are booked early. A night in Israel is reimbursed up to ILS 560.",
    ),
    Passage(item_id="mem_2", text="Claims are submitted within 21 days. הלינה בישראל תוחזר עד 560 שקלים ללילה."),
]


def test_the_sentence_that_holds_the_claim_is_found_in_any_passage() -> None:
    found = supporting_sentence("In Israel ILS 560 a night", PASSAGES)
    assert found
    assert found[1] == "A night in Israel is reimbursed up to ILS 560."
    found = supporting_sentence("את התביעה מגישים והלינה בישראל תוחזר", PASSAGES)
    assert found
    assert found[0].item_id == "mem_2"


def test_a_claim_that_no_passage_holds_finds_none() -> None:
    assert supporting_sentence("Elephants migrate southwards", PASSAGES) is None
    assert supporting_sentence("", PASSAGES) is None
    assert supporting_sentence("anything", []) is None


def test_a_row_with_the_longest_number_is_found_on_the_page_of_the_claim() -> None:
    table = Passage(item_id="mem_3", text="Best Buy | 908 | 907\n\nYardbird | 18 | 13\n\nTotal | 966 | 982", page=4)
    other = Passage(item_id="mem_4", text="Best Buy had 982 stores in 2022.", page=5)
    found = supporting_sentence("Best Buy closed 13 of its stores: 982 (p. 4)", [other, table])
    assert found == (table, "Total | 966 | 982")
