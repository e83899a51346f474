"""Finds the cells that a phrase means: takes a phrase, table and period; returns positions with scores, best first."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from rapidfuzz import fuzz

from core.figures.quarters import quarter_number
from core.figures.tables.grid import Line, Series, TableGrid
from core.language.entities.periods import NamedPeriod, extent, years_ended
from core.language.fields import sought_figures
from core.library.tables.periods import span_key
from core.question.stems import stems, weak_stems
from core.search.scoring.row_labels import plain

PARENT, SECTION, CONTEXT, FIELD, ALIKE = 0.85, 0.6, 0.55, 0.96, 0.8
"""Weight of a word that matches, by where: in the headings above a row, in its section, in the words about the whole
table, in the field's vocabulary, or approximately."""
FIELD_LEAVING = 0.75
"""Weight of a match by the field's vocabulary if the phrase contains more than the figure's name: "sales of bathrooms".
"""
_TELLS = 0.3
SAYS_NOTHING = 0.1
MEANT = 0.8
"""Weight of a word if the label was found by embeddings."""
OF_ALL = 0.5
"""Weight of any word for a row that is called only "total", since the word may be the name of the whole."""
_SUM = frozenset(("total", "subtot"))
UNKNOWN, WEAK, TOTAL = 0.85, 0.12, 0.5
"""Weights of a word that is in no row, of a generic word, and of "total", which users often add to a name."""
BESIDE = 0.06
"""Weight of words from the other phrase if two are compared, since only that phrase may contain the noun of both."""
_BRACKETS = re.compile(r"\([^()]*\)")
_AFTER_DASH = re.compile(r"\s[–—-]\s.*$")
_QUALIFIERS = frozenset(("net", "gross", "total", "other", "basic", "dilut"))
"""Words that distinguish several rows for one figure; if the phrase contains one, the row must contain it too."""
_LEAST_ALIKE = 84.0
_LEAST_LETTERS = 5


@dataclass(frozen=True)
class LookupPhrase:
    """A phrase prepared for lookup: ``words`` with their weights; ``lines`` are the printed labels of the figures that
    it names, each with the words that name the figure."""

    phrase: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    lines: dict[str, frozenset[str]] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    order: str = ""
    alike: Mapping[str, float] = field(default_factory=dict)

    def share_among(self, stems: Collection[str]) -> float:
        """Returns how much of the phrase is in ``stems``, 0..1."""
        there = sum(weight for word, weight in zip(self.words, self.weights, strict=True) if word in stems)
        return there / (sum(self.weights) or 1.0)


@dataclass(frozen=True)
class SeriesFit:
    """How well a series matches a phrase: ``covered`` of the phrase's words, ``explained`` of the labels' words;
    ``score`` combines both."""

    series: Series
    score: float
    covered: float
    explained: float
    by_field: bool = False


def lookup_phrase(
    phrase: str,
    sheet: TableGrid,
    beside: str = "",
    without: Sequence[str] = (),
    alike: Mapping[str, float] | None = None,
) -> LookupPhrase:
    """Prepares a phrase. ``beside`` is the other phrase if two are compared; only that may contain the noun of both
    ("domestic and international discount rates"); ``without`` are names that the choice of documents already covers;
    ``alike`` are labels that are similar by embeddings."""
    gone = {stem for name in without for stem in stems(name)}
    words = tuple(word for word in stems(phrase) if word not in gone) or stems(phrase)
    lines = {line: names & frozenset(words) for line, names in _lines_of(phrase, words)}
    others = tuple(word for word in stems(beside) if word not in words)
    weights = tuple(_term_weight(word, sheet) for word in words)
    return LookupPhrase(phrase, words, weights, lines, others, " ".join(words), alike or {})


@lru_cache(maxsize=2048)
def _lines_of(phrase: str, words: tuple[str, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Returns (printed label, words that name it) for the figures that a phrase names in the terms of a field."""
    found: list[tuple[str, frozenset[str]]] = []
    for figure in sought_figures(phrase).figures.values():
        namings = [set(stems(name)) for name in figure.names if set(stems(name)) <= set(words)]
        named = frozenset().union(*namings) - _QUALIFIERS if namings else frozenset()
        found += [(plain(line), named) for line in figure.lines if named]
    return tuple(found)


def _term_weight(word: str, sheet: TableGrid) -> float:
    weight = sheet.weights.get(word, SAYS_NOTHING if word in weak_stems() else UNKNOWN)
    return weight * (WEAK if word in weak_stems() else TOTAL if word == "total" else 1.0)


def series_fits(sheet: TableGrid, wish: LookupPhrase) -> list[SeriesFit]:
    """Returns how well every series of the table matches the phrase, best first; ties in printed order."""
    context = [CONTEXT if word in sheet.context else 0.0 for word in wish.words]
    total = sum(wish.weights) or 1.0
    rows: dict[int, tuple[list[float], float, bool]] = {}
    heads: dict[tuple[str, ...], tuple[list[float], float]] = {}
    found: list[SeriesFit] = []
    for series in sheet.series:
        if series.row.index not in rows:
            rows[series.row.index] = _of_row(series.row, wish, sheet)
        if series.head.own not in heads:
            heads[series.head.own] = (_matches(series.head.own, (), wish), _covered_share(series.head.own, wish, sheet))
        own, explained, named = rows[series.row.index]
        head, headed = heads[series.head.own]
        marks = map(max, own, head, context)
        covered = sum(weight * mark for weight, mark in zip(wish.weights, marks, strict=True)) / total
        found.append(_fit(series, covered, explained, headed, wish, named))
    return sorted(found, key=lambda fit: -fit.score)


def _of_row(row: Line, wish: LookupPhrase, sheet: TableGrid) -> tuple[list[float], float, bool]:
    """Returns (scores of the phrase's words, share of the label explained, whether the field's vocabulary names it)."""
    own, named = _matches(row.own, row.above, wish, row.section), _by_field(row, wish)
    if row.is_total and set(row.own) <= _SUM and "total" in wish.words:
        own = [max(mark, OF_ALL) for mark in own]
    whole = 0.95 if named else 0.0
    if named:
        left = any(
            not mark and word not in named and weight > _TELLS
            for mark, word, weight in zip(own, wish.words, wish.weights, strict=True)
        )
        worth, whole = (FIELD_LEAVING, 0.0) if left else (FIELD, whole)
        own = [max(match, worth if word in named else 0.0) for match, word in zip(own, wish.words, strict=True)]
    if likeness := wish.alike.get(row.label):
        own = [max(mark, MEANT * likeness) for mark in own]
        whole = max(whole, likeness)
    return own, max(_covered_share(row.own, wish, sheet), whole), bool(named)


def _fit(series: Series, covered: float, explained: float, headed: float, wish: LookupPhrase, named: bool) -> SeriesFit:
    row = series.row
    score = covered * (0.72 + 0.28 * explained) * (0.9 + 0.1 * headed)
    if row.own and " ".join(row.own) == wish.order:
        score = min(1.0, score + 0.05)
    if wish.beside:
        there = {*row.own, *row.above, *series.head.own}
        score += BESIDE * sum(word in there for word in wish.beside) / len(wish.beside)
    return SeriesFit(series, score, covered, explained * headed, named)


def _matches(own: Sequence[str], above: Sequence[str], wish: LookupPhrase, section: Sequence[str] = ()) -> list[float]:
    """Returns for each word of the phrase how well the label contains it, 0..1."""
    mine, over = frozenset(own), frozenset(above)
    marks = [
        1.0 if word in mine else PARENT if word in over else SECTION if word in section else 0.0 for word in wish.words
    ]
    for place, mark in enumerate(marks):
        word = wish.words[place]
        if mark < ALIKE and len(word) >= _LEAST_LETTERS and not word.isdigit():
            marks[place] = ALIKE if any(_is_variant(word, other) for other in mine) else mark
    return marks


@lru_cache(maxsize=65_536)
def _is_variant(word: str, other: str) -> bool:
    """Returns whether one is a misspelling of the other, or they are one word written as two."""
    return len(other) >= _LEAST_LETTERS and word[0] == other[0] and fuzz.ratio(word, other) >= _LEAST_ALIKE


def _covered_share(own: Sequence[str], wish: LookupPhrase, sheet: TableGrid) -> float:
    """Returns the share of a label that the phrase contains; 1 for a label with only a period."""
    if not own:
        return 1.0
    weights = [(_term_weight(word, sheet), word in wish.words or word in wish.beside) for word in own]
    total = sum(weight for weight, _ in weights)
    explained = sum(weight for weight, there in weights if there)
    if explained < total:
        explained += sum(
            ALIKE * weight
            for (weight, there), word in zip(weights, own, strict=True)
            if not there and len(word) >= _LEAST_LETTERS and any(_is_variant(word, other) for other in wish.words)
        )
    return explained / total if total else 1.0


def _by_field(row: Line, wish: LookupPhrase) -> frozenset[str]:
    """Returns the words of the phrase that name, by the field's vocabulary, a figure in this row."""
    if not wish.lines or not row.own:
        return frozenset()
    return next((wish.lines[label] for label in _label_names(row.label) if label in wish.lines), frozenset())


@lru_cache(maxsize=16_384)
def _label_names(label: str) -> tuple[str, ...]:
    """Returns the names that a label may mean: the whole label, and the label without brackets or without text after a
    dash."""
    short = _BRACKETS.sub(" ", label)
    return tuple(dict.fromkeys(plain(each) for each in (label, short, _AFTER_DASH.sub("", short))))


_OTHER_LENGTH = 0.3
_PARTS_OF_A_YEAR = range(2, 12)
"""Number of months in each part of a year."""


@lru_cache(maxsize=65_536)
def period_fit(asked: NamedPeriod | str, key: str | None, names: tuple[str, ...] = ()) -> float:
    """Returns how well a cell of the period ``key`` matches the requested period, 0..1; ``names`` are the document's
    period names."""
    if key is None:
        return 0.0
    wish = asked if isinstance(asked, str) else asked.key
    if not isinstance(asked, str) and asked.day and asked.months and asked.months in _PARTS_OF_A_YEAR:
        return _span_fit(wish, asked.months, key)
    if wish == key:
        return 1.0
    if len(wish) == 4:
        return _year_fit(wish, key, names)
    if key[:4] != wish[:4]:
        return 0.0
    if len(key) == 4:
        return 0.9 if len(wish) == 10 else 0.25
    if len(wish) == 10 and len(key) in (7, 10):
        return 0.95 if wish[:7] == key[:7] else 0.3 if len(key) == 7 else 0.2
    if quarter_number(wish) is not None and quarter_number(key) is not None and {wish, key} <= set(names):
        return 0.9
    return _end_fit(wish, key)


def _span_fit(day: str, months: int, key: str) -> float:
    """Matches periods that end on the same day and have the same length; a column that states only the day may match
    too."""
    if key == span_key(day, months):
        return 1.0
    return 0.5 if key == day else 0.1 if key[:4] == day[:4] else 0.0


def _year_fit(year: str, key: str, names: Sequence[str]) -> float:
    """Compares a year with a day: the day may end a fiscal year named after the year before."""
    if len(key) == 10:
        called = years_ended(date.fromisoformat(key))
        if len(called) > 1 and _called_before(names):
            called = called[1:]
        return 0.97 if year == called[0] else 0.3 if year in called else 0.0
    return 0.5 if key[:4] == year else 0.0


def _called_before(names: Sequence[str]) -> bool:
    """Returns whether the document names its fiscal year after the year before the one in which it ends."""
    days = [name for name in names if len(name) == 10]
    years = {name for name in names if len(name) == 4}
    return any(name[:4] not in years and str(int(name[:4]) - 1) in years for name in days)


def _end_fit(wish: str, key: str) -> float:
    """Matches periods that end on the same day; the beginning of a year up to the end of a quarter is not the
    quarter."""
    try:
        same_end = extent(wish)[1] == extent(key)[1]
    except ValueError:
        return 0.1
    return 0.1 if not same_end else _OTHER_LENGTH if differ_in_length(wish, key) else 0.9


def differ_in_length(asked: NamedPeriod | str, key: str) -> bool:
    """Returns whether both periods end on the same day but start on different ones, such as a quarter and the nine
    months to its end; a balance on a day has no length."""
    try:
        (begin, end), (first, last) = extent(asked), extent(key)
    except ValueError:
        return False
    return end == last and begin != first and first != last and begin != end
