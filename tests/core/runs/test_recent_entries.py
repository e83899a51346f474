from __future__ import annotations

from core.events import AssistantDelta, Entry
from core.runs.recent_entries import RecentEntries


def entries(first: int, last: int, run_id: str = "run") -> list[Entry]:
    return [
        Entry(run_id=run_id, sequence=number, at=0.0, event=AssistantDelta(text=str(number)))
        for number in range(first, last + 1)
    ]


def following(recent: RecentEntries, after: int) -> list[int]:
    return [each.sequence for each in recent.following("ada", "run", after)]


def test_what_follows_is_told_and_nothing_else() -> None:
    recent = RecentEntries()
    assert following(recent, 0) == []
    recent.add("ada", "run", entries(1, 3))
    recent.add("ada", "run", entries(4, 4))
    assert [following(recent, after) for after in (0, 2, 4)] == [[1, 2, 3, 4], [3, 4], []]


def test_a_run_is_told_to_whose_it_is() -> None:
    recent = RecentEntries()
    recent.add("ada", "run", entries(1, 3))
    assert recent.following("bob", "run", 0) == []


def test_of_a_run_that_another_process_wrote_on_only_what_came_after_is_told() -> None:
    recent = RecentEntries()
    recent.add("ada", "run", entries(1, 3))
    recent.add("ada", "run", entries(6, 7))
    assert [following(recent, after) for after in (0, 3, 5, 6)] == [[], [], [6, 7], [7]]


def test_a_reader_that_lags_far_behind_is_told_nothing() -> None:
    recent = RecentEntries(most_entries=3)
    recent.add("ada", "run", entries(1, 5))
    assert [following(recent, after) for after in (0, 1, 2, 4)] == [[], [], [3, 4, 5], [5]]


def test_the_run_that_was_written_longest_ago_goes_first() -> None:
    recent = RecentEntries(most_runs=2)
    recent.add("ada", "run", entries(1, 1))
    recent.add("ada", "second", entries(1, 1, "second"))
    recent.add("ada", "run", entries(2, 2))
    recent.add("ada", "third", entries(1, 1, "third"))
    assert following(recent, 0) == [1, 2]
    assert recent.following("ada", "second", 0) == []
    recent.forget("ada", "run")
    assert following(recent, 0) == []
