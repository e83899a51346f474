"""Tests that no pattern and no analysis step is slow on any text, so that one question cannot block others."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest

from core.answering.disclosures.facts import fact_sought
from core.answering.disclosures.officers import office_sought
from core.answering.prose.question import read_question
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.resolver import resolve_mentions, resolve_typed
from core.graph.understanding.intent.web_need import web_wish
from core.language.bounded_text import LONGEST_WORD, MOST_REPEATED, bounded, in_full
from core.question.absent_entities import unrecorded_names
from core.question.analysed import AnalysedQuestion, analysed
from core.question.analysis import analyse_focused
from core.question.chips import chips_of
from core.question.focus import focus_of
from core.question.known_entities import KnownDocument, KnownPeriod, organisations_in
from core.question.measures.question import measure_question
from core.question.relative_periods import with_names
from core.question.subject import subject_of
from tests.core.language.hostile import (
    UNITS,
    FoundPattern,
    TooLongError,
    every_pattern,
    functions_of_text,
    is_quick,
    repeated,
    run_over_all,
)

_EDGES = ["_LONE", "_SAID", "_OF_ALL", "_FIRST", "_LAST"]
BOUNDED = {
    **{f"core.library.extract.pdf_layout.page_numerals.{name}": 200 for name in _EDGES},
    "core.answering.disclosures.officers._BESIDE": 180,
    "core.review.actions.table_questions._EDGES": 200,
}
"""Patterns whose caller passes only a limited number of characters, with that number."""
OURS = ("viz.markdown._CODE", "viz.knowledge.export._ELSEWHERE", "pages.security.headers._INLINE")
"""Patterns that read pages that we wrote, in which each tag is closed."""
ROOMS = (
    *("core.graph.understanding", "core.graph.memory", "core.question", "core.question"),
    *("core.tools.bearing", "core.memory.profile", "core.knowledge.extraction.question"),
    *("core.memory.outcomes.context_types", "core.memory.outcomes.tier_routing"),
    *("core.language.detection", "core.language.expansions", "core.language.fields"),
)
KNOWN = [
    KnownDocument(
        f"d{year}",
        f"acme-{year}.pdf",
        f"Acme annual report {year}",
        ("Acme Corp", "ACME"),
        (str(year), f"{year}-Q1"),
        kind="annual report",
        covered=(KnownPeriod(str(year), (f"FY{year}",), f"{year}-12-31"),),
    )
    for year in range(2015, 2025)
]
VISIBLE = tuple(VisibleDocument(each.id, each.title, each.filename) for each in KNOWN)
TODAY = date(2025, 6, 1)
READERS: dict[str, Callable[[str], object]] = {
    "subject": lambda text: chips_of(subject_of(analysed(text), KNOWN), KNOWN),
    "analysis": lambda text: analyse_focused(focus_of(text)),
    "organisations": lambda text: organisations_in(text, KNOWN),
    "unrecorded names": lambda text: unrecorded_names(text, subject_of(analysed(text), KNOWN), KNOWN),
    "relative periods": lambda text: with_names(text, KNOWN, TODAY),
    "web": lambda text: web_wish(text, TODAY),
    "prose": lambda text: read_question(text, "en"),
    "measures": measure_question,
    "facts": lambda text: fact_sought(AnalysedQuestion(text, "en", text)),
    "offices": lambda text: office_sought(AnalysedQuestion(text, "en", text)),
    "mentions": lambda text: resolve_mentions(Reference(text, "inquire", VISIBLE)),
    "typed": lambda text: resolve_typed(text, Reference(text, "inquire", VISIBLE)),
}


TEXTS = (
    *("a ", "Aa ", "\u05d0\u05b8 ", "1,", "@name ", "Q1 2024 ", "and ", "compare 2023 and 2024 "),
    *("What was the revenue of Acme in 2023? ", "Remember that I am a baker. "),
)


def test_every_pattern_is_quick_over_what_is_made_for_it() -> None:
    slow = []
    for found in every_pattern():
        if found.place in OURS:
            continue
        try:
            run_over_all(found, BOUNDED.get(found.place))
        except TooLongError as error:
            slow.append(f"{found.place}: {error} {found.pattern.pattern[:80]}")
    assert slow == []


def test_a_pattern_that_is_slow_is_found() -> None:
    for source in (r"\s*(?:\]|\))", r"\d+(?:a|b)", "(?:(?:the|of) )*end$", "(?:a+)+b"):
        found = FoundPattern("here", re.compile(source), frozenset({"search"}))
        with pytest.raises(TooLongError):
            run_over_all(found)


@pytest.mark.parametrize(("name", "read"), [*READERS.items(), *functions_of_text(ROOMS)])
def test_every_reader_of_a_question_is_quick(name: str, read: Callable[[str], object]) -> None:
    read("What was the revenue in 2023?")
    for unit in TEXTS:
        assert is_quick(read, bounded(repeated(unit))), unit


def test_the_door_is_quick_and_its_text_stays_as_it_is() -> None:
    for unit in UNITS:
        assert is_quick(bounded, repeated(unit)), unit
        assert bounded(bounded(repeated(unit))) == bounded(repeated(unit))


@pytest.mark.parametrize(
    "text",
    [
        "Check this:\n\n- one\n  - two\n\n| a | b |\n|---|---|\n\tindented",
        "\u05de\u05d4 \u05d4\u05ea\u05e7\u05e6\u05d9\u05d1 \u05e9\u05dc 2023?",
        f"Read https://example.com/{'path/' * 40}?token={'k' * 150}",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert bounded(text) == text


def test_blanks_runs_and_words_are_bounded() -> None:
    assert bounded("10\u00a0%\u2028of\u2003it\r\nand\u200b more") == "10 % of it\nand more"
    assert bounded("\u05d0" * 300) == "\u05d0" * LONGEST_WORD
    assert bounded("=" * 300) == "=" * MOST_REPEATED
    assert bounded("ab" * 300) == "ab" * (LONGEST_WORD // 2)


def test_a_word_that_was_cut_comes_back_in_full() -> None:
    key = "0123456789abcdef" * 8
    sent = f"Remember that the checksum is {key}."
    part = bounded(sent).removeprefix("Remember that ")
    assert part != f"the checksum is {key}."
    assert in_full(part, sent) == f"the checksum is {key}."
    assert in_full("nothing of it", sent) == "nothing of it"
