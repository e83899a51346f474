"""Tests that every mistake is reported at its position, in both languages, and that hostile text stays plain text."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.personality.parsing import parse
from core.personality.personalities import PRESETS, example
from core.personality.reading import LONGEST
from core.words import Language

GOOD = """\
identity:
  name: Ada
communication:
  tone: warm
response_behavior:
  clarification: ask_questions
memory_usage:
  priority: when_relevant
"""

BY_INDENT = "identity:\n  name: Ada\n role: x\ncommunication: {}\n"

ERRORS = [
    # text, line, column, words of the English message, words of the Hebrew message
    ("", 1, 1, "must consist of sections", "ממקטעים"),
    ("just words", 1, 1, "must consist of sections", "ממקטעים"),
    ("- identity", 1, 1, "must consist of sections", "ממקטעים"),
    (GOOD.replace("name: Ada", "name: Ada: x"), 2, 12, "Unexpected colon", "נקודתיים"),
    (GOOD.replace("  name: Ada", "\tname: Ada"), 2, 1, "tab", "טאב"),
    (BY_INDENT, 3, 2, "indentation", "ההזחה"),
    (GOOD.replace("Ada", '"Ada'), 9, 1, "never closed", "לא נסגרו"),
    (GOOD + "colour\n", 10, 1, "colon is missing", "חסרות נקודתיים"),
    (GOOD.replace("Ada", "@da"), 2, 9, "quotation marks", "מרכאות"),
    (GOOD.replace("Ada", '"\\d"'), 2, 11, "backslash", "לוכסן"),
    (GOOD.replace("Ada", "[Ada"), 3, 14, "bracket", "סוגר"),
    (GOOD + "formatting: {", 9, 14, "a value is missing", "שחסר ערך"),
    (GOOD + "---\na: b\n", 9, 1, "second YAML document", "מסמך YAML שני"),
    (GOOD.replace("Ada", "A\x00da"), 2, 10, "control character", "תו בקרה"),
    (GOOD.replace("Ada", "A\ud800da"), 2, 10, "control character", "תו בקרה"),
    (GOOD.replace("identity:", "who:"), 1, 1, "“identity” is missing", "„identity” חסר"),
    (GOOD.replace("communication:\n  tone: warm\n", ""), 1, 1, "“communication” is missing", "חסר"),
    (GOOD.replace("communication:\n  tone: warm\n", "communication:\n"), 3, 1, "“communication” is empty", "ריק"),
    (GOOD.replace("communication:\n  tone: warm\n", "communication: warm\n"), 3, 1, "must be a section", "מקטע"),
    (GOOD.replace("  name: Ada", "  role: x"), 1, 1, "identity.name is missing", "חסר identity.name"),
    (GOOD.replace("name: Ada", "name:"), 2, 8, "identity.name is missing", "חסר"),
    (GOOD.replace("Ada", '"  "'), 2, 9, "identity.name is empty", "ריק"),
    (GOOD.replace("Ada", "A" * 61), 2, 9, "too long (at most 60)", "ארוך מדי"),
    (GOOD.replace("Ada", "[Ada]"), 2, 9, "identity.name must be text", "טקסט"),
    (GOOD.replace("warm", "lukewarm"), 4, 9, "one of: warm, professional, direct, enthusiastic", "אחד מאלה"),
    (GOOD.replace("tone: warm", "use_humor: sometimes"), 4, 14, "true or false", "true או false"),
    (GOOD.replace("name: Ada", "name: Ada\n  expertise: law"), 3, 14, "must be a list", "רשימה"),
    (GOOD.replace("name: Ada", "name: Ada\n  expertise:\n    - {a: b}"), 4, 7, "must be text", "טקסט"),
    (GOOD + "formatting: plain\n", 9, 13, "must be a section", "מקטע"),
    (GOOD.replace("name: Ada", "name: Ada\n  name: Bo"), 3, 3, "a second time", "בפעם השנייה"),
    (GOOD.replace("name: Ada", "name: Ada\n  ? [a]\n  : b"), 3, 5, "plain text", "טקסט פשוט"),
    (GOOD.replace("Ada", "&a Ada"), 2, 9, "References", "הפניות"),
    (GOOD.replace("Ada", "*a"), 2, 9, "References", "הפניות"),
    (GOOD.replace("Ada", "!!python/object/apply:os.system [id]"), 2, 9, "Tags", "תגיות"),
    (GOOD.replace("Ada", "[" * 20), 2, 15, "nested too deeply", "עמוק מדי"),
    (f"custom_instructions: {'x' * 8001}\n" + GOOD, 1, 22, "too long (at most 8000)", "ארוך מדי"),
    ("x" * (LONGEST + 1), 0, 0, "the maximum is 64,000", "64,000"),
]


@pytest.mark.parametrize(("text", "line", "column", "english", "hebrew"), ERRORS)
def test_a_mistake_is_said_at_its_place(text: str, line: int, column: int, english: str, hebrew: str) -> None:
    parsed = parse(text)
    assert parsed.personality is None
    flaw = parsed.errors[0]
    assert (flaw.line, flaw.column) == (line, column)
    assert english in flaw.words.en
    assert hebrew in flaw.words.he


def test_every_wrong_value_is_said_and_the_rest_is_understood() -> None:
    parsed = parse(GOOD.replace("warm", "cold").replace("ask_questions", "guess").replace("name: Ada", "role: poet"))
    assert [(flaw.line, flaw.column) for flaw in parsed.errors] == [(1, 1), (4, 9), (6, 18)]
    assert parsed.draft is not None
    assert (parsed.draft.identity.name, parsed.draft.identity.role) == ("", "poet")
    assert parsed.draft.communication.tone == "professional"


@pytest.mark.parametrize(
    ("text", "line", "column", "english"),
    [
        (
            "identity: {name: Ada}\ncommunication: {tone: warm}\nmemory_usage: {}\n",
            0,
            0,
            "The section “response_behavior” is missing",
        ),
        (GOOD + "colour: blue\n", 9, 1, "colour is not a known setting"),
        (GOOD.replace("tone: warm", "tone: warm\n  volume: loud"), 5, 3, "communication.volume is not a known setting"),
    ],
)
def test_what_does_no_harm_is_only_a_warning(text: str, line: int, column: int, english: str) -> None:
    parsed = parse(text)
    assert parsed.personality is not None
    assert [(flaw.line, flaw.column) for flaw in parsed.warnings] == [(line, column)]
    assert english in parsed.warnings[0].words.en


@pytest.mark.parametrize(
    ("written", "name"),
    [("2024", "2024"), ("true", "true"), ("'No'", "No"), ("עדה", "עדה"), ('"a\\x07\\ud800b"', "ab"), ("1:30", "1:30")],
)
def test_a_name_is_always_text(written: str, name: str) -> None:
    personality = parse(GOOD.replace("Ada", written)).personality
    assert personality is not None
    assert personality.identity.name == name


@pytest.mark.parametrize("empty", ["", " ~", " null", " # nothing yet"])
def test_an_entry_without_a_value_has_its_usual_one(empty: str) -> None:
    text = GOOD.replace("name: Ada", f"name: Ada\n  role:{empty}") + f"formatting:{empty}\npersonality_traits:{empty}\n"
    assert parse(text).personality == parse(GOOD).personality


@pytest.mark.parametrize("preset", sorted(PRESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_presets_are_without_flaw(preset: Path) -> None:
    parsed = parse(preset.read_text(encoding="utf-8"))
    assert (parsed.errors, parsed.warnings) == ([], [])


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_example_shows_every_field(language: Language) -> None:
    parsed = parse(example(language))
    assert parsed.personality is not None
    assert (parsed.errors, parsed.warnings) == ([], [])
    assert parsed.personality.model_dump(exclude_unset=True) == parsed.personality.model_dump()


HOSTILE = {
    "billion laughs": "a: &a [x,x]\n" + "\n".join(f"b{n}: &b{n} [*a,*a]" for n in range(50)),
    "brackets": "[" * LONGEST,
    "braces": "{a: " * (LONGEST // 4),
    "questions": "? " * (LONGEST // 2),
    "dashes": "- " * (LONGEST // 2),
    "entries": GOOD + "x:\n" + "  - a: b\n" * 7_000,
    "keys": GOOD + "\n".join(f"k{n}: v" for n in range(6_000)),
    "open quote": "'" + "\n" * (LONGEST - 1),
    "merge": "identity: {<<: *a}\ncommunication: {}",
    "nulls": "\x00" * 100,
    "directives": "%YAML 9.9\n---\nidentity: {name: a}\ncommunication: {tone: warm}",
    "byte order": "\ufeff" + GOOD,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_neither_raises_nor_takes_long(name: str) -> None:
    begin = time.perf_counter()
    parse(HOSTILE[name])
    assert time.perf_counter() - begin < 5


@given(st.text(alphabet=st.sampled_from("identy: \n-[]{}&*!|>'\"#?,%@`a\t\x00\u05d0\\~<"), max_size=200))
def test_any_text_is_answered(text: str) -> None:
    parsed = parse(text)
    assert (parsed.personality is None) == bool(parsed.errors)


@given(st.text(max_size=200), st.integers(0, len(GOOD)))
def test_any_text_within_a_good_one_is_answered(text: str, at: int) -> None:
    parsed = parse(GOOD[:at] + text + GOOD[at:])
    assert (parsed.personality is None) == bool(parsed.errors)
