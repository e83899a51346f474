"""Tests how rules and intent likelihoods are combined, with invented likelihoods."""

from __future__ import annotations

import pytest

from core.graph.understanding.intent.combination import combined_decision, is_settled
from core.graph.understanding.intent.examples import WISHES, Wish
from core.graph.understanding.intent.rule_decision import RuleDecision, by_rules
from core.graph.understanding.intent.web_need import about_image

DOUBT = 0.5


def likely(**shares: float) -> dict[Wish, float]:
    return {wish: shares.get(wish, 0.0) for wish in WISHES}


def read(text: str, **shares: float) -> RuleDecision:
    return combined_decision(text, by_rules(text), likely(**shares), DOUBT)


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


def test_what_the_rules_take_for_a_question_is_one_until_something_else_is_likelier() -> None:
    assert read("what is the limit?", compare=0.44, inquire=0.42, audit=0.14).actions == ("inquire",)
    assert len(read("what is the limit?", compare=0.48, inquire=0.42, audit=0.1).actions) == 2


def test_a_question_about_figures_compares_facts_and_no_documents() -> None:
    likelier = {"compare": 0.55, "inquire": 0.35}
    assert read("What is the change in gross margin?", **likelier).actions == ("inquire",)
    assert read("What is the change in gross margin between the reports?", **likelier).actions == ("compare",)


def test_a_question_needs_less_to_be_answered_than_an_order_to_be_done() -> None:
    assert read("the limit then, hm", inquire=0.45, audit=0.3, compare=0.25).actions == ("inquire",)
    assert len(read("the limit then, hm", audit=0.45, inquire=0.3, compare=0.25).actions) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Condense the parking ordinance document into half a page",
        "Summarize the report in two paragraphs",
        "Please write an executive summary of the survey",
        "Summarize the 10-K of Norvell for 2020",
    ],
)
def test_how_long_a_summary_is_to_be_and_whose_the_document_is_confine_it_to_no_subject(text: str) -> None:
    assert by_rules(text).actions == ("summarize",)


@pytest.mark.parametrize("text", ["summarize the page on hotels", "תסכם את העמוד על חניה"])
def test_a_page_of_a_document_is_a_subject(text: str) -> None:
    assert by_rules(text).actions == ("inquire",)


@pytest.mark.parametrize("text", ["תמונה כללית של הדוח הרבעוני", "so that the minister gets the picture in a minute"])
def test_a_figure_of_speech_is_no_picture(text: str) -> None:
    assert not about_image(text)
    assert about_image("what does the picture show?")
    assert about_image("מה רואים בתמונה?")


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
