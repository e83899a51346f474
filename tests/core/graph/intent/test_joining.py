"""Rules and likelihoods together, with likelihoods made up."""

from __future__ import annotations

import pytest

from core.graph.intent.examples import WISHES, Wish
from core.graph.intent.joining import is_settled, joined
from core.graph.intent.ruling import Understood, by_rules

DOUBT = 0.5


def likely(**shares: float) -> dict[Wish, float]:
    return {wish: shares.get(wish, 0.0) for wish in WISHES}


def read(text: str, **shares: float) -> Understood:
    return joined(text, by_rules(text), likely(**shares), DOUBT)


@pytest.mark.parametrize(
    "text",
    [
        "Summarize the lease",
        "השווה בין שני החוזים",
        "Check my draft against the policy",
        "Summarize the lease and audit my draft",
        "Summarize what the policy says about hotels",
        "1. Who pays?\n2. Who signs?",
    ],
)
def test_what_the_rules_have_seen_plainly_is_settled(text: str) -> None:
    assert is_settled(text, by_rules(text))


@pytest.mark.parametrize(
    "text",
    [
        "We need to work out a metric. Please answer the following: what was net income at the end of 2021?",
        "Has the company reported any legal proceedings from 2021 and 2022?",
    ],
)
def test_a_question_about_a_figure_of_a_period_is_settled(text: str) -> None:
    assert is_settled(text, by_rules(text))


@pytest.mark.parametrize(
    "text", ["cut the lease down to a page", "is this basically the same as theirs?", "the Meridian lease"]
)
def test_the_rest_is_not(text: str) -> None:
    assert not is_settled(text, by_rules(text))


def test_a_likely_order_is_taken_though_the_rules_see_none() -> None:
    found = read("the lease, but in ten lines", summarize=0.9, inquire=0.1)
    assert (found.actions, found.how, found.confidence) == (("summarize",), "examples", "high")


def test_it_is_taken_against_a_question_word_too() -> None:
    assert read("is theirs just a copy of ours?", compare=0.8, inquire=0.2).actions == ("compare",)


def test_doubt_is_asked_between_the_two_likeliest() -> None:
    found = read("those words of mine then, hm", audit=0.4, compare=0.35, inquire=0.25)
    assert (found.actions, found.confidence) == (("audit", "compare"), "low")
    assert not found.several


def test_what_is_too_little_to_know_is_asked_about_although_no_action_is_doubtful() -> None:
    assert read("my thing here, hm", open=0.6, summarize=0.3, inquire=0.1).actions == ("summarize", "inquire")


def test_a_question_is_not_asked_about_while_it_may_be_one() -> None:
    assert read("what is the limit?", compare=0.4, inquire=0.35, audit=0.25).actions == ("inquire",)
    assert len(read("what is the limit?", compare=0.45, inquire=0.1, audit=0.45).actions) == 2


def test_what_the_rules_would_ask_needs_more_than_a_likelihood() -> None:
    assert len(read("the Meridian lease", summarize=0.6, open=0.2, inquire=0.2).actions) == 2
    assert read("the Meridian lease, short", summarize=0.8, open=0.2).actions == ("summarize",)


def test_the_memory_is_told_only_what_is_surely_meant_for_it() -> None:
    sure = read("that thing about the mayor, lose it", forget=0.6, remember=0.2, inquire=0.2)
    assert sure.actions == ("memory",)
    assert sure.command is not None
    assert (sure.command.kind, sure.command.text) == ("forget", "that thing about the mayor, lose it")
    unsure = read("that thing about the mayor, lose it", forget=0.6, inquire=0.4)
    assert "memory" not in unsure.actions


def test_what_is_known_needs_no_words() -> None:
    found = read("so who am I to you", recall=0.9)
    assert found.command is not None
    assert (found.command.kind, found.command.text) == ("recall", "")
