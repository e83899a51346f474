from __future__ import annotations

from core.events import Quote
from viz.numbering import passage_labels


def quote(number: int, item: str) -> Quote:
    return Quote(number=number, item_id=item, text="x")


def test_a_source_keeps_its_number_and_its_passages_get_letters_in_the_order_of_quoting() -> None:
    quotes = [quote(2, "b"), quote(1, "a"), quote(2, "c"), quote(2, "b")]
    assert passage_labels(quotes) == {"b": "2a", "c": "2b", "a": "1"}


def test_there_are_letters_for_many_passages() -> None:
    labels = passage_labels([quote(1, str(place)) for place in range(28)])
    assert [labels[str(place)] for place in (0, 25, 26, 27)] == ["1a", "1z", "1aa", "1ab"]
