from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.library.intelligence.parts import AROUND_PASSAGE, is_prose, parts_of, spread, tokens_of
from tests.core.library.intelligence.passages import passage


@given(st.lists(st.integers(1, 900), max_size=40), st.integers(100, 2_000))
def test_parts_hold_all_passages_in_their_order_within_their_room(sizes: list[int], room: int) -> None:
    passages = [passage(number, "x", tokens=size) for number, size in enumerate(sizes)]
    parts = parts_of(passages, room)
    assert [each for part in parts for each in part] == passages
    assert all(len(part) == 1 or sum(map(tokens_of, part)) <= room for part in parts)
    assert all(parts)


@given(st.integers(0, 100), st.integers(1, 30))
def test_what_is_read_of_many_parts_is_spread_evenly_from_the_first(count: int, most: int) -> None:
    parts = [[passage(number, "x")] for number in range(count)]
    chosen = spread(parts, most)
    assert len(chosen) == min(count, most)
    places = [part[0].place.order for part in chosen]
    assert places == sorted(set(places))
    assert places[:1] == list(range(min(1, count)))
    gaps = [after - before for before, after in pairwise(places)]
    assert not gaps or max(gaps) - min(gaps) <= 1


def test_tables_and_what_frames_a_document_are_not_read() -> None:
    assert is_prose(passage(0, "A keeper writes."))
    assert not is_prose(passage(0, "1 | 2", content_type="table"))
    assert not is_prose(passage(0, "1 | 2", table=3))
    assert not is_prose(passage(0, "Signed by", role="signatures"))


def test_a_passage_without_a_count_is_counted() -> None:
    assert tokens_of(passage(0, "one two three")) == 3 + AROUND_PASSAGE
