from __future__ import annotations

import pytest

from core.events import Action
from core.graph.understanding.validation import Inputs, source_text, validate

THERE = frozenset("abcxy")
TEXT = "Check this against the policy: we pay suppliers in full before delivery."
"""Document ids: ``a`` to ``c`` are in the library; ``x`` and ``y`` are attached when a test case says so."""


def inputs(action: Action, named: str = "", **more: object) -> Inputs:
    return Inputs.model_validate({"action": action, "named": tuple(named), "there": THERE, **more})


@pytest.mark.parametrize(
    ("given", "missing", "documents"),
    [
        (inputs("inquire"), "", ""),
        (inputs("inquire", "az"), "", "a"),
        (inputs("inquire", attached=("x",)), "", ""),
        (inputs("inquire", narrows=True), "tag", ""),
        (inputs("summarize", "a"), "", "a"),
        (inputs("summarize", "z"), "document", ""),
        (inputs("summarize", attached=("x", "y")), "", "xy"),
        (inputs("summarize", "a", attached=("x",)), "", "a"),
        (inputs("compare", "ab"), "", "ab"),
        (inputs("compare", "aa", insisted=True), "second", "a"),
        (inputs("compare", insisted=True), "second", ""),
        (inputs("compare", "a", attached=("x",)), "", "ax"),
        (inputs("compare", "ab", attached=("x",)), "", "ab"),
        (inputs("compare", attached=("x", "y")), "", "xy"),
        (inputs("compare", "x", attached=("x",), insisted=True), "second", "x"),
        (inputs("audit", "a", text=TEXT), "", "a"),
        (inputs("audit", text=TEXT), "target", ""),
        (inputs("audit", text=TEXT, attached=("x",)), "", "x"),
        (inputs("audit", "a", text='audit my draft against @"Travel policy"'), "text", "a"),
        (inputs("audit", "a", source_text="we pay everything in advance"), "", "a"),
        (inputs("audit"), "text", ""),
        (inputs("audit", "ax", text="Does the attached mail keep to what @policy says?", attached=("x",)), "", "a"),
    ],
)
def test_what_is_missing_and_what_is_worked_on(given: Inputs, missing: str, documents: str) -> None:
    found = validate(given)
    assert (found.missing, found.document_ids) == (missing, tuple(documents))


@pytest.mark.parametrize(
    ("named", "attached", "source", "targets"),
    [
        ("a", "x", "x", "a"),
        ("ab", "xy", "xy", "ab"),
        ("ax", "xy", "x", "a"),
        ("xy", "xy", "x", "y"),
        ("x", "x", "x", ""),
    ],
)
def test_an_attachment_is_the_text_that_is_audited(named: str, attached: str, source: str, targets: str) -> None:
    found = validate(inputs("audit", named, text="audit the attached file against it", attached=tuple(attached)))
    assert (found.source_ids, found.document_ids) == (tuple(source), tuple(targets))
    assert found.missing == ("" if targets else "target")


def test_a_comparison_searches_the_web_only_where_its_message_says_so() -> None:
    found = validate(inputs("compare", "ab", wants_web=True))
    assert not found.web
    assert "web" in found.notices[0].en
    assert validate(inputs("summarize", "a", wants_web=True)).web
    assert validate(inputs("compare", wants_web=True)).web, "it became a question"
    said = validate(inputs("compare", "ab", wants_web=True, asks_web=True))
    assert (said.action, said.web, said.notices) == ("compare", True, ())


def test_one_document_is_held_against_the_web_by_a_question() -> None:
    found = validate(inputs("compare", "a", wants_web=True, asks_web=True))
    assert (found.action, found.web, found.missing) == ("inquire", True, "")
    assert validate(inputs("compare", "a", wants_web=True)).missing == "second", "the switch alone is no second side"
    attached = validate(inputs("compare", "a", attached=("x",), wants_web=True, asks_web=True))
    assert (attached.action, attached.document_ids) == ("compare", ("a", "x"))


@pytest.mark.parametrize(
    ("given", "action"),
    [
        (inputs("compare"), "inquire"),
        (inputs("compare", attached=("x",)), "inquire"),
        (inputs("compare", "a"), "compare"),
        (inputs("compare", insisted=True), "compare"),
    ],
)
def test_a_comparison_of_nothing_is_a_question_unless_insisted(given: Inputs, action: str) -> None:
    assert validate(given).action == action


@pytest.mark.parametrize("action", ["summarize", "compare", "audit"])
def test_without_any_document_there_is_nothing_to_ask_for(action: Action) -> None:
    assert validate(inputs(action, there=frozenset(), insisted=True, text=TEXT)).empty
    reading = validate(inputs(action, there=frozenset(), insisted=True, text=TEXT, reading=("draft.pdf",)))
    assert reading.unread
    assert not reading.empty


def test_two_hundred_documents_are_worked_on_as_they_were_named() -> None:
    many = tuple(f"d{number}" for number in range(200))
    found = validate(inputs("summarize", named=many, there=frozenset(many)))
    assert found.document_ids == many


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (TEXT, "we pay suppliers in full before delivery."),
        ('audit "the tenant may sublet without asking" against @lease.md', "the tenant may sublet without asking"),
        ("Check against the lease:\nThe tenant paints the walls black.", "The tenant paints the walls black."),
        ("בדוק מול הנוהל: הספק יקבל את מלוא התשלום מראש", "הספק יקבל את מלוא התשלום מראש"),
        ("The tenant paints all the walls black.", "The tenant paints all the walls black."),
        ("audit this against @lease.md", ""),
        ("too short", ""),
    ],
)
def test_the_text_to_audit(message: str, text: str) -> None:
    assert source_text(message) == text


@pytest.mark.parametrize(("action", "there"), [("summarize", "a"), ("audit", "a"), ("compare", "ab")])
def test_an_action_takes_the_only_documents_it_can_mean(action: Action, there: str) -> None:
    found = validate(Inputs.model_validate({"action": action, "named": (), "there": frozenset(there)}))
    assert (found.missing, "".join(found.document_ids)) == ("", there)


def test_an_action_does_not_choose_among_more_documents_than_it_needs() -> None:
    assert validate(Inputs.model_validate({"action": "summarize", "named": (), "there": frozenset("ab")})).missing
