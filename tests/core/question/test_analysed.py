"""Tests the analysed question: what it keeps, when it is analysed again, and that it survives a saved state."""

from __future__ import annotations

from core.graph.state import STATE_TYPES, Asked, State, question_of
from core.question.analysed import analysed, analysed_as
from core.records.subject_matter import Completed
from core.store.checkpoints import serializer


def test_the_words_of_a_question_are_analysed_once() -> None:
    question = analysed("What was Nordwind's net income in 2030? Answer in millions.")
    assert question.terms is question.terms
    assert analysed_as(question, question.text) is question
    assert [each.key for each in question.named_periods] == ["2030"]
    assert "net income" in question.sought.figures


def test_what_the_search_found_changes_the_part_that_asks() -> None:
    question = analysed("According to the lease, what is the rent?")
    assert question.content == ("according", "lease", "rent")
    found = question.about(focus="what is the rent?", entities=("Nordwind",), periods=())
    assert (found.text, found.content, found.owner("other")) == (question.text, ("rent",), "Nordwind")


def test_the_route_and_the_named_documents_stay_with_a_new_wording() -> None:
    question = analysed("And in 2029?").routed("compare").naming(["doc_1"])
    full = analysed_as(question, "What was the net income in 2029?")
    assert (full.route, full.document_ids, full.form) == ("compare", ("doc_1",), "one")


def test_what_was_worked_out_is_kept_when_only_the_route_changes() -> None:
    question = analysed("What was the sum of the rents in 2029 and 2030?")
    operation = question.operation
    assert question.routed("audit").naming(None).operation is operation
    assert question.about(focus=question.focus, entities=("Nordwind",), periods=()).operation is operation
    assert question.about(focus="the rents", entities=(), periods=()).operation is not operation


def test_a_completed_question_is_analysed_in_full() -> None:
    first = analysed("And in 2029?")
    full = "What was Nordwind's net income in 2029?"
    asked = Asked(text=first.text, question=first, completed=Completed(text=full, carried=["metric"]))
    assert question_of(State(asked=asked)).figures[0].name == "net income"


def test_a_saved_state_restores_the_question() -> None:
    asked = Asked(text="What is the rent?", question=analysed("What is the rent?").about(
        focus="the rent?", entities=("Nordwind",), periods=("2030",)
    ).routed("audit").naming(["doc_1"]))  # fmt: skip
    saved = serializer(STATE_TYPES)
    restored = saved.loads_typed(saved.dumps_typed(asked))
    assert restored.question == asked.question
    assert restored.question.entities == ("Nordwind",)
    assert (restored.action, restored.document_ids) == ("audit", ["doc_1"])
