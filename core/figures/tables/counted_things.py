"""Finds the rows that a question counts (*how many elephants*).

The rows of a table are counted if they are the things that the question asks for: its title, its label heading or a
column says so. If only a row or a cell contains the thing's name, the answer is that row's figure, or the number of
times that the name occurs. If nothing contains the name, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable

from core.figures.tables.first_line import clean_label, listed
from core.figures.tables.grid import Line
from core.figures.tables.result import Result
from core.figures.tables.series import SeriesLookup
from core.language.vocabulary import words_of
from core.question.stems import stems, weak_stems


def _stems_of(key: str) -> frozenset[str]:
    return frozenset(stem for word in words_of(f"answering/tables.counted_things.{key}") for stem in stems(word))


_GENERIC, _NEUTRAL, _PEOPLE, _OFFICES = map(_stems_of, ("generic", "neutral", "people", "offices"))
_MOST_READ = 5_000
"""Maximum number of rows whose words are searched."""
_DISTINCT, _BY_VALUE = 0.85, 0.75


def names_rows(desk: SeriesLookup) -> bool:
    """Returns whether the table's rows may be the things to count: the table says so, or the question asks for parts of
    any kind."""
    noun = _noun(desk)
    return not noun or noun[-1] in _GENERIC or _calls_rows(desk, noun[-1]) or _are_people(desk, noun[-1])


def counted_things(desk: SeriesLookup, read: Callable[[SeriesLookup], list[Result]]) -> list[Result] | None:
    """Returns the answer that the table itself contains; ``None`` if the rows (all, or those under a heading) must be
    counted.

    Args:
        read: returns the figures that a phrase names.
    """
    noun = _noun(desk)
    if not noun or desk.asked.bound:
        return None
    if len(noun) == 1 and (column := _text_column(desk, noun[0])):
        return _distinct(desk, column)
    if noun[-1] in _GENERIC or _are_people(desk, noun[-1]):
        return None
    if _calls_rows(desk, noun[-1]):
        kind = tuple(stem for stem in noun if not _calls_rows(desk, stem))
        return _with_words(desk, noun, kind) if kind else None
    if any(noun[-1] in row.own and row.has_figures for row in desk.sheet.rows) or _figure_column(desk, noun[-1]):
        return read(desk)
    return _with_words(desk, noun, noun)


def _noun(desk: SeriesLookup) -> tuple[str, ...]:
    """Returns the stems of the phrase for the counted things; the noun is last."""
    return tuple(stem for stem in stems(desk.asked.what) if stem not in weak_stems() | _NEUTRAL)


def _calls_rows(desk: SeriesLookup, word: str) -> bool:
    return word in _about(desk) or any(word in stems(each) for each in _headings(desk))


def _are_people(desk: SeriesLookup, word: str) -> bool:
    return word in _PEOPLE and any(_OFFICES & set(column.own) for column in desk.sheet.columns)


def _about(desk: SeriesLookup) -> frozenset[str]:
    """Returns the stems of words that describe the whole table."""
    table, origin = desk.sheet.evidence.table, desk.sheet.evidence.origin
    return desk.sheet.context | frozenset(stems(f"{table.sheet or ''} {origin.title}"))


def _headings(desk: SeriesLookup) -> set[str]:
    return {parent for row in desk.sheet.rows for parent in row.parents}


def _text_column(desk: SeriesLookup, word: str) -> Line | None:
    """Returns the column of texts with this name; none if the label column has the name."""
    if word in stems(desk.sheet.evidence.table.stub or ""):
        return None
    named = [column for column in desk.sheet.columns if word in column.own]
    return next((column for column in named if not _has_figures(desk, column)), None)


def _figure_column(desk: SeriesLookup, word: str) -> bool:
    return any(word in column.own and _has_figures(desk, column) for column in desk.sheet.columns)


def _has_figures(desk: SeriesLookup, column: Line) -> bool:
    cells = [desk.sheet.cell(row.index, column.index) for row in desk.sheet.rows[:_MOST_READ]]
    return 2 * sum(cell.value is not None for cell in cells) > sum(bool(cell.text) for cell in cells)


def _distinct(desk: SeriesLookup, column: Line) -> list[Result]:
    """Returns the distinct values of a column."""
    first: dict[str, tuple[int, int]] = {}
    for row in desk.sheet.rows:
        if (text := desk.sheet.cell(row.index, column.index).text) and not row.is_total:
            first.setdefault(text, (row.index, column.index))
    return [_count(desk, column.label, first, _DISTINCT)] if first else []


def _with_words(desk: SeriesLookup, noun: tuple[str, ...], words: tuple[str, ...]) -> list[Result]:
    """Returns the rows whose label or other texts contain all of ``words``."""
    found: dict[str, tuple[int, int]] = {}
    for row in desk.sheet.rows[:_MOST_READ]:
        texts = {place.index: desk.sheet.cell(row.index, place.index) for place in desk.sheet.columns}
        said = {index: stems(cell.text) for index, cell in texts.items() if cell.kind == "text"}
        if (
            row.label
            and not row.is_total
            and set(words) <= {*row.own, *(stem for own in said.values() for stem in own)}
        ):
            column = next((index for index, own in said.items() if set(words) & set(own)), 0)
            found[row.label] = (row.index, column)
    return [_count(desk, " ".join(noun), found, _BY_VALUE)] if found else []


def _count(desk: SeriesLookup, name: str, found: dict[str, tuple[int, int]], match: float) -> Result:
    names = listed([clean_label(each) for each in found], desk.question.language)
    reasons = {"match": match, "covered": match, "listed": 1.0}
    return Result(
        "count", "count", float(len(found)), tuple(found.values()), (name, names), calculation=names, reasons=reasons
    )
