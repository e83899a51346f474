"""Finds dates, sums of money and identifiers by their form, in English and Hebrew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.knowledge.records import EntityKind
from core.language.entities.calendar_words import YEAR
from core.language.entities.dates import DAYS, DateReading, Day, dates_in
from core.language.hebrew import LETTER, LETTERS, NO_LETTER_BEFORE
from core.language.vocabulary import numbers_of, pattern_of, phrases

_phrase = phrases("knowledge/extraction.patterns")


@dataclass(frozen=True)
class Span:
    """A found entity or term. ``label`` is its display name, ``key`` its normalised spelling; positions are in the
    prepared text.
    ``also`` has keys of its other names, ``spelled`` the text's own wording if the label is different."""

    start: int
    end: int
    kind: EntityKind
    label: str
    key: str
    also: tuple[str, ...] = ()
    spelled: str = ""


def blanked(text: str, spans: Iterable[Span], sign: str = "|") -> str:
    """``text`` with ``sign`` in place of each letter of ``spans``; all positions stay the same."""
    kept = list(text)
    for span in spans:
        kept[span.start : span.end] = sign * (span.end - span.start)
    return "".join(kept)


def without_lead(start: int, name: str, leads: Callable[[str], bool]) -> tuple[int, str]:
    """The name and its start, without words that only introduce it; one word always remains."""
    while " " in name and leads(name.split()[0]):
        cut = len(name.split()[0]) + 1
        start, name = start + cut, name[cut:]
    return start, name


_END = rf"(?![\w%{LETTERS}])"
_DATES = DateReading((*DAYS, "month_year", "month", "quarter"), alone="both")
_LONE_YEAR = re.compile(
    rf"(?:\b(?:in|since|until|by|of|during|for|from|to|year|fiscal)|"
    rf"{NO_LETTER_BEFORE}{LETTER}{{0,3}}(?:{_phrase('year')})) (?P<y>{YEAR})"
    r"(?![\w%.,/-]*\d)(?= ?(?:[.,;:)]|$| (?!(?:people|units|items|shares|employees|"
    rf"{_phrase('counted')}))))",
    re.IGNORECASE,
)

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = _phrase("scale")
_COINS = {coin: _phrase(f"coins.{coin}") for coin in ("ILS", "USD", "EUR", "GBP", "CHF", "JPY")}
_COIN = "|".join(f"(?P<{{place}}{code}>{spelling})" for code, spelling in _COINS.items())
_SUMS = re.compile(
    rf"(?:(?<![\w])(?:{_COIN.replace('{place}', 'a')}) ?(?P<n1>{_NUMBER})(?: ?(?P<s1>{_SCALE}))?{_END}"
    rf"|(?<![\w.,])(?P<n2>{_NUMBER})(?:[ -]?(?P<s2>{_SCALE}))?[ -]?(?:{_COIN.replace('{place}', 'b')}){_END})",
    re.IGNORECASE,
)
_SCALES = numbers_of("knowledge/extraction.patterns.scales")

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"https?://[^\s<>()]+[^\s<>().,;:]")
_STANDARD = re.compile(r"\b(?:ISO(?:/IEC)?|IEC|IEEE|RFC|EN|DIN|ASTM|CVE)[ -]?\d[\w.:-]*\w")
_CODE = re.compile(
    r"(?<![\w@./-])(?=[\w/-]*\d)(?=[\w/-]*[A-Za-z])(?:[A-Z]{2,}[A-Z0-9]*|[A-Z0-9]+)(?:[-/][A-Z0-9]+)*(?![\w-]|\.\d)"
)
_SLUG = re.compile(r"(?<![\w@./-])[a-z][a-z0-9]*+(?:_[a-z0-9]++)++(?![\w-])")
_NUMBERED = pattern_of("knowledge/extraction.patterns.numbered")


def find(text: str) -> list[Span]:
    """Dates, sums of money and identifiers in the prepared ``text``, in order and without overlaps."""
    found: list[Span] = []
    for search in (_identifiers, _sums, _date_spans, _years):
        found += search(blanked(text, found, " "))
    return sorted(found, key=lambda span: span.start)


def _identifiers(text: str) -> Iterator[Span]:
    ends = 0
    matches = [match for pattern in (_EMAIL, _LINK, _STANDARD, _CODE, _SLUG) for match in pattern.finditer(text)]
    for match in sorted(matches, key=lambda each: (each.start(), -each.end())):
        word = match.group()
        if match.start() < ends or _is_no_code(word):
            continue
        ends = match.end()
        yield Span(match.start(), match.end(), "identifier", word, word.lower())
    for match in _NUMBERED.finditer(text):
        yield Span(match.start("n"), match.end("n"), "identifier", match["n"], match["n"])


def _is_no_code(word: str) -> bool:
    """Whether a match is not an identifier: ordinals, quarters, file formats of a few letters, and quantities with a
    unit."""
    return len(word) < 4 or bool(
        re.fullmatch(r"\d+(?:ST|ND|RD|TH|K|M|GB|MB|TB|KM|KG|CM|MM|PM|AM|X)|Q[1-4][-/]?\d{4}", word)
    )


def _sums(text: str) -> Iterator[Span]:
    for match in _SUMS.finditer(text):
        parts = {name: value for name, value in match.groupdict().items() if value}
        coin = next(name[1:] for name in parts if name[1:] in _COINS)
        number = float((parts.get("n1") or parts["n2"]).replace(",", ""))
        scale = _SCALES.get((parts.get("s1") or parts.get("s2") or "").lower(), 1.0)
        label = match.group().strip()
        yield Span(match.start(), match.end(), "sum", label, f"{coin.lower()} {number * scale:.2f}")


def _date_spans(text: str) -> Iterator[Span]:
    for day, _, end, bare, _ in dates_in(text, _DATES):
        yield Span(bare, end, "date", text[bare:end].strip(" ."), _date_key(day))


def _date_key(day: Day) -> str:
    """The date's key: "2031-05-09", "2031-Q2", or "any-05" for a May without a year."""
    if day.quarter:
        return f"{day.year}-Q{day.quarter}"
    return "-".join([str(day.year or "any"), f"{day.month:02}", *([f"{day.day:02}"] if day.day else [])])


def _years(text: str) -> Iterator[Span]:
    for match in _LONE_YEAR.finditer(text):
        yield Span(match.start("y"), match.end("y"), "date", match["y"], match["y"])
