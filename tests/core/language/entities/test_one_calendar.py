"""Tests that the calendar words are defined only once: no other module contains names of months or words for quarters
and years."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core.language.entities.calendar_words import MONTHS, NAMES, SHORT_NAMES, is_year, with_calendar, years_in

CORE = Path(__file__).parents[4] / "core"
ROOM = CORE / "language" / "entities"
_OTHER_WORDS = {"may", "march", "mar", "jan", "sep", "dec", "מאי", "מרץ"}
_NAMES = "|".join(name for name in MONTHS if name not in _OTHER_WORDS)
_MONTH = re.compile(rf"(?<![^\W_])[ובלמהשכ]?(?:{_NAMES})(?:uary|ember|ober)?(?![^\W_])|\bjan\||\bfeb\(", re.IGNORECASE)
_YEAR = re.compile(r"19\|20|\|20\)|1\[\d-9\]|(?:19|20)\\d\\d|\[12\]\\d(?!\d)")
_ORDINALS = re.compile(r"first\|second\|third")

_MAY = {
    "language/vocabulary/calendar.yaml": "the words themselves",
    "language/vocabulary/abbreviations.yaml": "whatever is written with a stop that ends no sentence",
    "language/vocabulary/languages.yaml": "words of German before which a number with a full stop counts",
    "language/vocabulary/stopwords.yaml": "frequent words of all kinds",
    "language/vocabulary/knowledge/people.yaml": "given names: June, April",
    "language/vocabulary/knowledge/terms.yaml": "words that are no term by themselves",
    "language/vocabulary/intents/examples.en.yaml": "what people say",
    "language/vocabulary/intents/examples.he.yaml": "what people say",
    "language/vocabulary/destinations/examples.en.yaml": "what people say",
    "language/vocabulary/destinations/examples.he.yaml": "what people say",
    "language/vocabulary/destinations/messages_1.yaml": "what people say",
    "language/vocabulary/destinations/messages_2.yaml": "what people say",
    "language/vocabulary/destinations/written.en.yaml": "what people say",
    "language/vocabulary/destinations/written.he.yaml": "what people say",
    "messages/en.yaml": "an example of how a period is written, for who corrects one",
    "messages/he.yaml": "an example of how a period is written, for who corrects one",
}
"""Files that may contain the name of a month, each with the reason; none of them parses dates."""


@cache
def _strings(path: Path) -> list[tuple[int, str]]:
    return list(_read(path))


def _read(path: Path) -> Iterator[tuple[int, str]]:
    """Yields (line number, text): the strings of a Python module except docstrings, or the lines of any other file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate((line.partition(" #")[0] for line in text.splitlines() if not line.startswith("#")), 1)
        return
    tree = ast.parse(text)
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.lineno, node.value


def _spelled(pattern: re.Pattern[str], allowed: dict[str, str]) -> list[str]:
    files = [path for kind in ("*.py", "*.yaml") for path in CORE.rglob(kind) if ROOM not in path.parents]
    return [
        f"{path.relative_to(CORE)}:{line}"
        for path in sorted(files)
        if str(path.relative_to(CORE)) not in allowed
        for line, text in _strings(path)
        if pattern.search(text)
    ]


def test_only_the_calendar_spells_the_months() -> None:
    assert _spelled(_MONTH, _MAY) == []


def test_only_the_calendar_knows_what_a_year_looks_like() -> None:
    assert _spelled(_YEAR, {}) == []


def test_only_the_calendar_counts_quarters() -> None:
    allowed = {
        "language/vocabulary/memory/profile_statements.yaml": "the second one of what was said",
        "language/vocabulary/graph/statements.yaml": "words that a noun phrase does not contain",
    }
    assert _spelled(_ORDINALS, allowed) == []


@pytest.mark.parametrize("name", _MAY)
def test_what_is_allowed_is_there_and_needs_it(name: str) -> None:
    assert any(_MONTH.search(text) for _, text in _strings(CORE / name))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (_MONTH, "jan|feb|mar"),
        (_MONTH, "jan(?:uary)?|feb(?:ruary)?"),
        (_MONTH, "ended December"),
        (_MONTH, "בדצמבר"),
        (_YEAR, r"\b(?:19|20)\d\d\b"),
        (_YEAR, r"20\d\d"),
        (_YEAR, r"(?:1[5-9]|20)\d\d"),
        (_ORDINALS, "(?:first|second|third|fourth)"),
    ],
)
def test_the_watch_sees_what_it_is_for(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_the_names_are_of_their_months() -> None:
    assert [MONTHS[name] for name in NAMES] == list(range(1, 13))
    assert [MONTHS[name.lower()] for name in SHORT_NAMES] == list(range(1, 13))


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("from 2031 to FY2032", [2031, 2032]),
        ("$2031 or 2,031", []),
        ("2031.5 and 12031", []),
        ("(1999)", [1999]),
        ("1999/2031, 2031", [1999, 2031, 2031]),
    ],
)
def test_years_are_told_from_amounts(text: str, years: list[int]) -> None:
    assert years_in(text) == years


def test_a_year_is_four_digits_and_nothing_else() -> None:
    assert is_year("2031")
    assert not any(map(is_year, ("1876", "2031a", " 2031", "203", "2131")))


def test_patterns_of_data_name_months_and_years() -> None:
    pattern = re.compile(with_calendar(r"{month} \d{1,2}, {year}|since {old_year}"), re.IGNORECASE)
    assert pattern.fullmatch("June 5, 2031")
    assert pattern.fullmatch("since 1689")
    assert not pattern.fullmatch("Item 5, 2031")
