"""Tests which MCP calls of a client program count as one conversation. We wrote the example pairs ourselves; the rule
was not tried on any others."""

from __future__ import annotations

import pytest

from core.graph.memory.call_groups import CallGroups
from core.ids import new_id
from core.lru_cache import LruCache

PROGRAM = "a program"
SAME = [
    ("What is the lodging limit in Israel?", "How much is reimbursed for a hotel night in Israel?"),
    ("What is the lodging limit in Israel?", "And for dinner?"),
    ("What was Nordwind's revenue in 2022?", "How did it grow in 2023?"),
    ("Summarize the travel policy", "Compare the travel policy with the contract"),
    ("notice of a price rise", "how long is the notice period"),
    ("מה תקרת הלינה בישראל?", "ומה לגבי ארוחות?"),
    ("מה תקרת הלינה בישראל?", "כמה עולה לינה במלון?"),
]
ANOTHER = [
    ("What is the lodging limit in Israel?", "Who signed the metering contract?"),
    ("What was Nordwind's revenue in 2022?", "Which hotels opened in Haifa in 2022?"),
    ("How many days of leave are there?", "How many pumps does the station have?"),
    ("מה תקרת הלינה בישראל?", "מי חתם על חוזה המונים?"),
]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def groups(clock: Clock) -> CallGroups:
    return CallGroups(clock, new_id, pause_minutes=10.0)


@pytest.mark.parametrize(("before", "now"), SAME)
def test_the_same_subject_goes_on(groups: CallGroups, before: str, now: str) -> None:
    assert groups.group_of("ada", PROGRAM, before) is groups.group_of("ada", PROGRAM, now)


@pytest.mark.parametrize(("before", "now"), ANOTHER)
def test_another_subject_begins(groups: CallGroups, before: str, now: str) -> None:
    assert groups.group_of("ada", PROGRAM, before) is not groups.group_of("ada", PROGRAM, now)


def test_a_pause_begins_whatever_is_asked(groups: CallGroups, clock: Clock) -> None:
    question = "What is the lodging limit in Israel?"
    first = groups.group_of("ada", PROGRAM, question)
    clock.now += 599
    assert groups.group_of("ada", PROGRAM, question) is first
    clock.now += 599
    assert groups.group_of("ada", PROGRAM, question) is first
    clock.now += 601
    assert groups.group_of("ada", PROGRAM, question) is not first


def test_everybody_and_every_program_goes_on_with_their_own(groups: CallGroups) -> None:
    question = "What is the lodging limit in Israel?"
    found = [
        groups.group_of(user, program, question)
        for user, program in (("ada", PROGRAM), ("ben", PROGRAM), ("ada", "another"))
    ]
    assert len({id(each) for each in found}) == 3
    assert [each.turn.user_id for each in found] == ["ada", "ben", "ada"]


def test_a_call_about_nothing_goes_on_with_what_was_spoken_of(groups: CallGroups) -> None:
    first = groups.group_of("ada", PROGRAM, "What is the lodging limit in Israel?")
    assert groups.group_of("ada", PROGRAM, "") is first
    assert groups.group_of("ada", PROGRAM, "Who signed the metering contract?") is not first


def test_an_outcome_ends_the_turn_and_not_the_group(groups: CallGroups) -> None:
    group = groups.group_of("ada", PROGRAM, "lodging in Israel")
    turn = group.turn
    turn.shown([("mem_1", "history")])
    groups.close_turn(group)
    assert group.turn is not turn
    assert group.turn.answer_id != turn.answer_id
    assert group.turn.positions == []
    assert group.turn.question == "lodging in Israel"
    assert groups.group_of("ada", PROGRAM, "lodging in Israel") is group


def test_who_rested_longest_is_forgotten(groups: CallGroups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_latest", LruCache(2))
    first, second = (groups.group_of(user, PROGRAM, "lodging") for user in ("ada", "ben"))
    assert groups.group_of("ada", PROGRAM, "lodging") is first
    groups.group_of("carla", PROGRAM, "lodging")
    assert groups.group_of("ada", PROGRAM, "lodging") is first
    assert groups.group_of("ben", PROGRAM, "lodging") is not second
