"""Tests finding dated events in passages: what counts as a date, and who is in an event."""

from __future__ import annotations

import pytest

from core.knowledge.timeline import MOST_OF_A_DATE, events_of
from core.knowledge.views import Concept
from core.store.items import Book, ItemSource, MemoryItem, Timestamps

ALMOG = Concept(id="conc_a", label="Tova Almog", kind="person", colour="content", aliases=["Almog"])


def passage(text: str, number: int = 1) -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id="ada",
        tier="books",
        source=ItemSource(
            type="document", book=Book(book_id="doc_1", title="Minutes", filename="m.pdf", chunk_index=0, page=2)
        ),
        text=text,
        document_id="doc_1",
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )


def dates(text: str, *who: Concept) -> list[str]:
    item = passage(text)
    return [event.when for event in events_of([item], {item.id: list(who)})]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The valve was replaced on 7 May 2024 by the night crew.", ["2024-05-07"]),
        ("In March 2023 the pumps of the valley were renewed.", ["2023-03"]),
        ("ביום 7 במאי 2024 הוחלף השסתום בתחנת המים הראשית.", ["2024-05-07"]),
        ("The pumps of the valley were renewed in 2019 at last.", []),
        ("Tova Almog renewed the pumps of the valley in 2019.", ["2019"]),
        ("Tova Almog follows the advice of the guide (Levy, 2019).", []),
        ("Tova Almog signed the directive AD 2018-23-51 for all pumps.", []),
        ("| 7 May 2024 | valve | 3 | open |", []),
    ],
)
def test_a_sentence_that_states_a_date_is_an_event(text: str, found: list[str]) -> None:
    assert dates(text, ALMOG) == found


def test_an_event_says_who_and_where_from() -> None:
    items = [
        passage("On 9 May 2024 Almog closed the main valve."),
        passage("On 2 May 2024 the alarm did not sound.", 2),
    ]
    events = events_of(items, {items[0].id: [ALMOG], items[1].id: [ALMOG]})
    assert [(each.when, [who.label for who in each.who]) for each in events] == [
        ("2024-05-02", []),
        ("2024-05-09", ["Tova Almog"]),
    ]
    assert (events[0].title, events[0].page, events[0].document_id) == ("Minutes", 2, "doc_1")


def test_rows_of_one_date_do_not_fill_the_timeline() -> None:
    text = "\n\n".join(f"On 7 May 2024 the pump number {n} was tested by the crew." for n in range(MOST_OF_A_DATE + 20))
    assert len(dates(text)) == MOST_OF_A_DATE
