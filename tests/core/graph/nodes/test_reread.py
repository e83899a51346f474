from __future__ import annotations

from core.events import Passage, Source
from core.graph.nodes.reread import with_passages
from core.search.documents.context import shown_passages
from core.store.items import ItemSource, MemoryItem, Timestamps

ROOM = 120
"""Size of the context in tokens: two of the passages fill most of it."""


def passage(name: str, score: float, words: int = 40) -> Passage:
    return Passage(item_id=name, text=" ".join([name] * words), position=0, score=score)


def item(name: str, words: int) -> MemoryItem:
    return MemoryItem(
        _id=name,
        user_id="ada",
        tier="books",
        text=" ".join([name] * words),
        document_id="d",
        source=ItemSource(type="document"),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )


def source(*passages: Passage) -> Source:
    return Source(number=1, document_id="d", title="Report", filename="r.pdf", score=1.0, passages=list(passages))


def names(sources: list[Source]) -> list[str]:
    return sorted(each.item_id for each in shown_passages(sources, ROOM))


def test_what_is_read_again_takes_the_room_that_is_left_and_no_passage_s_place() -> None:
    sources = [source(passage("one", 0.9), passage("two", 0.5), passage("three", 0.1))]
    shown = shown_passages(sources, ROOM)
    assert [each.item_id for each in shown] == ["one", "two"]
    long = with_passages(sources, "d", [item("again", 40)], shown)
    assert names(long) == ["one", "two"], "it is too long for what is left"
    short = with_passages(sources, "d", [item("again", 10), item("more", 40)], shown)
    assert names(short) == ["again", "one", "two"]


def test_where_nothing_was_shown_it_stands_behind_the_best_of_its_document() -> None:
    changed = with_passages([source(passage("one", 0.9), passage("two", 0.5))], "d", [item("again", 10)], [])
    assert [each.item_id for each in changed[0].passages] == ["one", "again", "two"]
