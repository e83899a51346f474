from __future__ import annotations

import pytest

from core.memory.items.embedding_priority import MOST_ITEMS, MOST_USERS, EmbeddingPriority


def test_the_last_question_comes_first_and_nothing_twice() -> None:
    touched = EmbeddingPriority()
    touched.note("ada", ["a", "b"])
    touched.note("ada", ["c", "a"])
    assert touched.take(10) == ("ada", ["c", "a", "b"])
    assert not touched


def test_users_take_turns() -> None:
    touched = EmbeddingPriority()
    touched.note("ada", ["a", "b", "c"])
    touched.note("bob", ["d"])
    assert [touched.take(2) for _ in range(3)] == [("ada", ["a", "b"]), ("bob", ["d"]), ("ada", ["c"])]
    with pytest.raises(KeyError):
        touched.take(2)


def test_it_is_bounded() -> None:
    touched = EmbeddingPriority()
    for user in range(MOST_USERS + 3):
        touched.note(f"user {user}", [f"item {number}" for number in range(MOST_ITEMS + 5)])
    taken = [touched.take(MOST_ITEMS + 5) for _ in range(MOST_USERS)]
    assert not touched
    assert taken[0][0] == "user 3", "who asked long ago is forgotten first"
    assert {len(ids) for _, ids in taken} == {MOST_ITEMS}


def test_nothing_is_not_noted() -> None:
    touched = EmbeddingPriority()
    touched.note("ada", [])
    assert not touched
