from __future__ import annotations

from collections.abc import Sequence
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from core.graph.answering.history import (
    ANSWER_CHARACTERS,
    ANSWER_TOKENS,
    BATCH,
    DIGEST_WORDS,
    RECENT_TURNS,
    fit_history,
    shortened,
    summarise,
    turns_to_summarise,
    uncited,
)
from core.graph.state import MOST_TURNS, Digest, PastTurn, State, turns_so_far
from core.language.tokens import count_tokens
from core.models.structured import Written
from core.prompts.templates import Prompts

PLENTY = 100_000


def turns(count: int, first: int = 1) -> list[PastTurn]:
    return [PastTurn(question=f"question {n}", answer=f"answer {n} [1]", number=n) for n in range(first, first + count)]


@pytest.mark.parametrize(
    ("answer", "short"),
    [
        ("Up to 560 [1]. Dinner too [2][3].", "Up to 560. Dinner too."),
        ("It worked [M2] before [1, 4].", "It worked before."),
        ("שני קווים [12]\n\nעוד.", "שני קווים עוד."),
        ("see [2024] and [note]", "see [2024] and [note]"),
    ],
)
def test_an_answer_loses_its_markers(answer: str, short: str) -> None:
    assert shortened(answer) == short


@given(st.text(max_size=2_000))
def test_an_answer_has_at_most_300_characters(answer: str) -> None:
    assert len(shortened(answer)) <= ANSWER_CHARACTERS


def test_a_kept_answer_has_its_lines_and_no_markers() -> None:
    assert uncited("| A | 5 [1] |\n\n- Second point [2][3].") == "| A | 5 |\n\n- Second point."
    assert count_tokens(uncited("A line of words.\n" * 4_000)) <= ANSWER_TOKENS


def test_the_newest_answers_are_whole_and_older_ones_shortened() -> None:
    long = "\n".join(f"- Point {n} is about the lease." for n in range(60))
    past = [PastTurn(question=f"question {n}", answer=long, number=n) for n in (1, 2, 3)]
    answers = [each.text for each in fit_history(past, None, 900).messages[1::2]]
    assert answers[2] == long
    assert [len(each) for each in answers[:2]] == [ANSWER_CHARACTERS] * 2


def test_questions_stay_whole_and_in_order() -> None:
    long = "why " * 400
    history = fit_history([PastTurn(question=long, answer="so"), *turns(2)], None, PLENTY)
    assert [each.text for each in history.messages] == [long, "so", "question 1", "answer 1", "question 2", "answer 2"]


def test_twenty_messages_at_most() -> None:
    assert len(fit_history(turns(30), None, PLENTY).messages) == 2 * MOST_TURNS


def test_a_digest_stands_for_what_it_covers() -> None:
    history = fit_history(turns(7), Digest(text="They spoke of hotels.", through=3), PLENTY)
    assert [each.text for each in history.messages[::2]] == [f"question {n}" for n in (4, 5, 6, 7)]
    assert history.digest == "They spoke of hotels."


@given(st.integers(0, 12), st.integers(0, 400), st.booleans())
def test_it_keeps_to_its_room_and_the_newest_turns(count: int, room: int, summed: bool) -> None:
    digest = Digest(text="summary " * 20, through=1) if summed else None
    history = fit_history(turns(count), digest, room)
    shown = [each.text for each in history.messages[::2]]
    expected = [turn["question"] for turn in turns(count)]
    assert shown == expected[len(expected) - len(shown) :]
    assert sum(count_tokens(each.text) for each in history.messages) + count_tokens(history.digest) <= room
    assert history.tokens <= room
    if history.dropped:
        assert not history.digest


def test_turns_wait_until_enough_of_them_can_be_summarised_at_once() -> None:
    assert turns_to_summarise(turns(RECENT_TURNS + BATCH - 1), None) == []
    waiting = turns_to_summarise(turns(RECENT_TURNS + BATCH), None)
    assert [turn["number"] for turn in waiting] == [1, 2, 3]
    assert turns_to_summarise(turns(RECENT_TURNS + BATCH), Digest(text="", through=1)) == []


class Scripted:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(messages[-1].text)
        return Written(f"<think>hm</think>They spoke of {len(self.asked)} [1].")


async def test_every_turn_is_paid_for_once() -> None:
    model, prompts, digest, past = Scripted(), Prompts(), None, []
    for number in range(1, 21):
        past = [*past, *turns(1, number)][-MOST_TURNS:]
        waiting = turns_to_summarise(past, digest)
        if waiting:
            digest = await summarise(prompts, model, waiting, digest)
        shown = len(fit_history(past, digest, PLENTY).messages)
        assert shown <= 2 * (RECENT_TURNS + BATCH - 1)
    told = " ".join(model.asked)
    assert [told.count(f"user: question {n}\n") for n in range(1, 16)] == [1] * 15
    assert len(model.asked) == 5
    assert digest == Digest(text="They spoke of 5.", through=15)
    assert "They spoke of 4." in model.asked[-1]


@pytest.mark.parametrize("said", ["", "<think>nothing</think>", "[1] [2]", "word " * 5_000])
async def test_an_empty_summary_keeps_what_was_told_before(said: str) -> None:
    class Saying:
        async def write(self, messages: Sequence[BaseMessage]) -> Written:
            return Written(said)

    before = Digest(text="They spoke of hotels.", through=1)
    digest = await summarise(Prompts(), Saying(), turns(3, 2), before)
    assert digest["through"] == 4
    assert digest["text"] == before["text"] or set(digest["text"].split()) == {"word"}
    assert len(digest["text"].split()) <= 2 * DIGEST_WORDS


def test_the_thread_keeps_no_more_than_is_ever_told() -> None:
    reducer = get_type_hints(State, include_extras=True)["turns"].__metadata__[0]
    kept: list[PastTurn] = []
    for number in range(1, 40):
        kept = reducer(kept, turns(1, number))
    assert [turn["number"] for turn in kept] == list(range(30, 40))


def test_turns_are_counted_beyond_those_that_are_kept() -> None:
    assert turns_so_far(State()) == 0
    assert turns_so_far(State(turns=turns(10, 31))) == 40
    assert turns_so_far(State(turns=[PastTurn(question="kept before turns had numbers", answer="")])) == 1
