"""Tests which texts are accepted by the memory bank, in both languages."""

from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from core.memory.bank.write_guard import (
    LONGEST,
    TITLE,
    bank_entry,
    check_tags,
    clean,
    is_raw_exchange,
    normalised_entry,
    tag_of,
    validated_memory,
)
from core.memory.items.records import BANK_TAGS, BankTag, NewMemory, text_of
from core.memory.outcomes.scoring import quality

RAW = [
    text_of("What is the capital of France?", "Paris."),
    text_of("מה בירת צרפת?", "פריז."),
    "User: hi Assistant: hello",
    "user: remind me tomorrow\nassistant: done",
    "**User:** hi\n**Assistant:** hello",
    "> Human: hi\n> AI: hello there",
    "Q: What does the boiler need?\nA: Water.",
    "User: what is the time?",
    "Me: can we meet?\nYou: yes\nMe: good",
    "Ada: shall we go?\nBen: yes\nAda: then come",
    "[10:32] Ada: shall we go\n[10:33] Ben: yes",
    "12/03/2024, 10:32 - Ada: shall we go\n12/03/2024, 10:33 - Ben: yes",
    "<|im_start|>user hi<|im_end|>",
    '[{"role": "user", "content": "hi"}]',
    "### Human: hi\n### Assistant: hello",
    "משתמש: שלום\nעוזר: שלום וברכה",
    "משתמשת: מה השעה?",
    "אני: מתי הפגישה\nהעוזר: ביום שני",
    "שאלה: מה בירת צרפת\nתשובה: פריז",
    "עדה: הולכים?\nיוסי: כן\nעדה: אז בוא",
    "[10:32] עדה: הולכים\n[10:33] יוסי: כן",
]
FACTS = [
    "Ada likes tea",
    "Ada's budget: 500 shekels",
    "Name: Ada\nCity: Haifa\nJob: engineer",
    "Deploy steps\n1. build\n2. test\n3. release",
    "The user prefers short answers",
    "Meeting notes live at https://example.org/notes",
    "The standup is at 9:30, the review at 14:00",
    "Is happy to be called at night?",
    "Answers: always in Hebrew",
    "The assistant should answer briefly",
    "עדה אוהבת תה",
    "התקציב של עדה: 500 שקלים",
    "שם: עדה\nעיר: חיפה\nמקצוע: מהנדסת",
    "הפגישה מתחילה ב-9:30",
    "המשתמשת מעדיפה תשובות קצרות",
]


def entry(text: str = "Ada likes tea", **changes: object) -> NewMemory:
    fields: dict[str, object] = {
        "tier": "memory_bank", "text": text, "tags": ["preference"], "quality": quality(0.7, 0.7)
    }  # fmt: skip
    return NewMemory.model_validate({**fields, **changes})


def refusal(new: NewMemory) -> PalimpsestError:
    with pytest.raises(PalimpsestError) as caught:
        validated_memory(new)
    assert caught.value.problem.category == "validation"
    for words in (caught.value.problem.what, caught.value.problem.why, caught.value.problem.remedy):
        assert words.en
        assert any("א" <= letter <= "ת" for letter in words.he)
    return caught.value


@pytest.mark.parametrize("text", RAW)
def test_raw_conversation_is_refused(text: str) -> None:
    assert "word-for-word conversations" in refusal(entry(text)).problem.what.en


@pytest.mark.parametrize("text", FACTS)
def test_facts_are_kept_as_they_are(text: str) -> None:
    assert not is_raw_exchange(text)
    assert validated_memory(entry(text)).text == text
    assert validated_memory(bank_entry(text)).text == text


@pytest.mark.parametrize(
    ("new", "what"),
    [
        (entry(""), "empty"),
        (entry(" \u200b\x00\n "), "empty"),
        (entry("?!"), "empty"),
        (entry("word " * LONGEST), f"The limit is {LONGEST}"),
        (entry(tags=[]), "no tag"),
        (entry(tags=["drinks"]), "tag drinks does not exist"),
        (entry(quality=None), "importance"),
        (entry("x" * (TITLE + 1)), "neither a short first line nor a summary"),
        (entry(kind="exchange"), "word-for-word conversations"),
        (entry(question="Tea?", answer="Yes."), "word-for-word conversations"),
        (entry(tier="working"), "not an entry"),
    ],
)
def test_what_is_missing_or_wrong_is_refused(new: NewMemory, what: str) -> None:
    assert what in refusal(new).problem.what.en


def test_unknown_tags_are_answered_with_the_allowed_ones() -> None:
    remedy = refusal(entry(tags=["preference", "drinks"])).problem.remedy
    assert all(tag in remedy.en and tag in remedy.he for tag in BANK_TAGS)


@pytest.mark.parametrize("summary", ["Ada and her tea", "עדה והתה שלה"])
def test_a_long_first_line_needs_a_summary(summary: str) -> None:
    assert validated_memory(entry("tea " * 60, summary=summary)).summary == summary
    assert validated_memory(entry("Tea\n" + "leaf " * 60)).summary == "Tea"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Ada\x00 likes\x1b tea\u200e ", "Ada likes tea"),
        ("Tea\r\nGreen\ttea \r", "Tea\nGreen tea"),
        ("עדה\u202e אוהבת תה", "עדה אוהבת תה"),
    ],
)
def test_control_characters_are_cleaned(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
    assert validated_memory(entry(text)).text == cleaned


def test_quality_is_worked_out_anew() -> None:
    lying = quality(0.5, 0.5).model_copy(update={"quality_score": 1.0})
    kept = validated_memory(entry(quality=lying)).quality
    assert kept is not None
    assert kept.quality_score == 0.25


def test_tags_are_listed_once_in_their_order() -> None:
    assert check_tags(["goal", " Identity ", "goal"]) == ["goal", "identity"]


def test_the_tool_fills_in_what_was_not_said() -> None:
    new = bank_entry("Ada likes tea. She drinks it at noon.")
    assert new.quality is not None
    assert (new.quality.importance, new.quality.confidence) == (0.7, 0.7)
    assert (new.summary, new.tags) == ("Ada likes tea.", ["preference"])
    assert validated_memory(new) == new


def test_what_was_said_is_left_alone() -> None:
    new = bank_entry("Ada likes tea", tags=["goal"], importance=0.0, confidence=1.0, summary="Tea", always_inject=True)
    assert new.quality is not None
    assert (new.quality.importance, new.quality.confidence, new.summary) == (0.0, 1.0, "Tea")
    assert (new.tags, new.always_inject) == (["goal"], True)


def test_a_long_text_gets_a_short_summary() -> None:
    summary = bank_entry("leaf " * 100).summary
    assert summary is not None
    assert len(summary) <= TITLE
    assert summary.endswith("leaf…")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("My name is Ada", "identity"),
        ("Ada prefers tea", "preference"),
        ("Ada wants to learn Arabic", "goal"),
        ("The project deadline is in May", "project"),
        ("Every morning the logs are read", "workflow"),
        ("The server restarts with this command", "system_mastery"),
        ("Lesson: ask before deleting", "agent_growth"),
        ("It rained", "context"),
        ("עדה גרה בחיפה", "identity"),
        ("עדה מעדיפה תה", "preference"),
        ("עדה רוצה ללמוד ערבית", "goal"),
        ("התקציב של הפרויקט הוא 500", "project"),
        ("בכל בוקר קוראים את היומן", "workflow"),
        ("הגדרות השרת נמצאות בקובץ", "system_mastery"),
        ("בפעם הבאה לשאול לפני מחיקה", "agent_growth"),
        ("ירד גשם", "context"),
    ],
)
def test_tags_by_rule(text: str, tag: BankTag) -> None:
    assert tag_of(text) == tag


def test_texts_that_are_one() -> None:
    assert normalised_entry(" Ada  likes TEA. ") == normalised_entry("ada likes tea")
    assert normalised_entry("שָׁלוֹם") == normalised_entry("שלום")
    assert normalised_entry("Ada likes tea") != normalised_entry("Ada likes teas")
