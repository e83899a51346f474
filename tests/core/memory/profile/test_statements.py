"""Tests which statements about a user are detected, measured on realistic messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.language.detection import detect
from core.memory.bank.write_guard import bank_entry, validated_memory
from core.memory.profile.statements import MOST, ordered_statement, own_statements, personal_statements
from core.parsed_yaml import parse_yaml

TABLE: Any = parse_yaml(Path(__file__).with_name("profile_messages.yaml").read_text(encoding="utf-8"))
LEAST_PRECISION = 0.98
LEAST_RECALL = 0.93


def offered(message: str) -> list[str]:
    return [each.text for each in personal_statements(message, detect(message))]


def test_the_table_is_large_and_even() -> None:
    messages = [message for message, _ in TABLE["stated"]] + TABLE["nothing"]
    assert len(messages) >= 100
    assert len(TABLE["nothing"]) >= len(messages) / 2
    assert sum(detect(message) == "he" for message in messages) >= len(messages) // 3
    assert len(set(messages)) == len(messages)


def test_precision_and_recall(capsys: pytest.CaptureFixture[str]) -> None:
    right = wrong = missed = 0
    for message, wanted in [*TABLE["stated"], *((message, []) for message in TABLE["nothing"])]:
        found = offered(message)
        right += len(set(found) & set(wanted))
        wrong += len(set(found) - set(wanted))
        missed += len(set(wanted) - set(found))
        if set(found) != set(wanted):
            print(message, found, wanted)
    precision, recall = right / (right + wrong), right / (right + missed)
    with capsys.disabled():
        print(
            f"\nnoticed: precision {precision:.3f}, recall {recall:.3f} ({right} right, {wrong} wrong, {missed} missed)"
        )
    assert precision >= LEAST_PRECISION
    assert recall >= LEAST_RECALL


@pytest.mark.parametrize("message", TABLE["nothing"])
def test_nothing_is_offered(message: str) -> None:
    assert offered(message) == []


@pytest.mark.parametrize(
    ("message", "category", "importance", "tag", "kind"),
    [
        ("My name is Dana.", "name", 0.95, "identity", "fact"),
        ("I work as an auditor at Northwind.", "identity", 0.9, "identity", "fact"),
        ("My goal is to finish by June.", "goals", 0.85, "goal", "goal"),
        ("I value accuracy over speed.", "values", 0.9, "identity", "value"),
        ("I'm learning Python.", "learning_goals", 0.85, "goal", "goal"),
        ("My project is the vendor audit.", "projects", 0.8, "project", "fact"),
        ("I speak Arabic.", "skills", 0.75, "identity", "fact"),
        ("I prefer tables to prose.", "preferences", 0.7, "preference", "fact"),
        ("Always cite the page number.", "communication_style", 0.7, "preference", "fact"),
        ("I'm responsible for vendor contracts.", "work_context", 0.65, "identity", "fact"),
        ("המטרה שלי היא לסיים עד יוני.", "goals", 0.85, "goal", "goal"),
    ],
)
def test_importance_follows_the_category(message: str, category: str, importance: float, tag: str, kind: str) -> None:
    [found] = personal_statements(message)
    assert (found.category, found.importance, found.tags, found.kind) == (category, importance, [tag], kind)
    assert found.confidence >= 0.7
    assert not found.explicit


def test_the_most_important_come_first_and_are_few() -> None:
    found = personal_statements(
        "I prefer tables. My name is Dana. I use Excel. I work at Northwind. My goal is to finish by June."
    )
    assert len(found) == MOST
    assert [each.category for each in found] == ["name", "identity", "goals"]


def test_what_is_ordered_to_be_remembered_is_certain() -> None:
    fact = ordered_statement("my manager is Ruth Cohen")
    assert (fact.text, fact.category, fact.confidence, fact.explicit) == (
        "My manager is Ruth Cohen.",
        "other",
        1.0,
        True,
    )
    assert ordered_statement("I prefer tables").category == "preferences"


def test_a_long_text_is_no_statement() -> None:
    assert personal_statements("I work at Northwind.\n" * 12) == []
    assert personal_statements("I work at Northwind. " + "The policy covers hotels and meals. " * 80) == []


def test_only_own_words_are_given_to_a_model() -> None:
    message = "I moved here for work.\n> I am a pilot\nTranslate this: I live in Acre"
    assert own_statements(message) == "I moved here for work."
    assert own_statements("I am the king, lol") == ""


@pytest.mark.parametrize("message", [message for message, _ in TABLE["stated"]])
def test_every_offer_may_enter_the_bank(message: str) -> None:
    for each in personal_statements(message):
        new = bank_entry(
            each.text, tags=each.tags, importance=each.importance, confidence=each.confidence, kind=each.kind
        )
        assert validated_memory(new).tags == each.tags
