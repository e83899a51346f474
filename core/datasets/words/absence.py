"""Finds what a question names that is not in the data: a column, a value, a period."""

from __future__ import annotations

import datetime

from core.datasets.words.composed import Composed
from core.datasets.words.draft import Draft
from core.datasets.words.frames import Field
from core.datasets.words.understanding import Absent
from core.datasets.words.vocabulary import is_filler, is_measure
from core.language import hebrew
from core.language.entities.calendar_words import years_in
from core.language.terms import is_stop_word
from core.tools.datagov.places_in_text import is_everywhere, places_in

_CODE = 3
"""Least number of digits of a number that looks like a code."""
_ASKING = ("which", "sum", "mean", "median", "how_much", "count", "share", "largest", "smallest", "distinct")
_MOST_LISTED = 12


def absent_in(draft: Draft, composed: Composed | None, is_measured: bool) -> Absent | None:
    """Returns what is not there. ``is_measured``: the question names a column that it asks for."""
    if draft.filters.absent:
        return draft.filters.absent
    return _period(draft) or _value(draft) or _column(draft, is_measured)


def _period(draft: Draft) -> Absent | None:
    """Compares a year with those in the title of a table without dates."""
    if any(field.column.is_dated for field in draft.frame.fields) or draft.filters.dates:
        return None
    years = [year for text in (*draft.frame.dataset.titles, *draft.frame.names) for year in years_in(text)]
    for time in draft.tags.times:
        if years and time.year and not min(years) <= time.year <= max(years):
            ends = (datetime.date(min(years), 1, 1).isoformat(), datetime.date(max(years), 12, 31).isoformat())
            return Absent("period", draft.tags.text(time.first, time.last), draft.frame.dataset.name, "", ends)
    return None


def _value(draft: Draft) -> Absent | None:
    towns = places_in([token.raw for token in draft.tags.words.tokens])
    for place in draft.tags.left:
        if any(bound.first <= place < bound.last for bound in draft.tags.bounds):
            continue
        token = draft.tags.words.tokens[place]
        field = _column_at(draft, place)
        is_code = token.text.isdigit() and len(token.text) >= _CODE
        is_name = token.raw[:1].isupper() and place > 0 and not hebrew.is_hebrew(token.raw) and not token.raw.isupper()
        is_clear = is_code or is_name or _is_led(draft, place) or hebrew.is_hebrew(token.text)
        if field is not None and is_clear and not is_measure(token.text):
            return _of_field(draft, token.raw, field)
        if is_code:
            codes = [each for each in draft.frame.fields if each.column.type == "code"]
            return _of_field(draft, token.raw, codes[0]) if codes else None
        if is_name:
            return Absent("value", token.raw, draft.frame.dataset.name)
        town = next((each.place for each in towns if each.start <= place < each.end), None)
        if town is not None and not is_everywhere(town):
            return Absent("value", town.names[0], draft.frame.dataset.name)
    return None


def _column_at(draft: Draft, place: int) -> Field | None:
    """Returns the column that the words next to a word name: "the Central region", "account 6815"."""
    tokens = draft.tags.words.tokens
    for link in draft.tags.columns:
        if link.field.column.is_numeric or link.field.column.is_dated or link.field.column.type == "boolean":
            continue
        after = tokens[link.last : place] if link.last <= place else None
        before = tokens[place + 1 : link.first] if place < link.first else None
        near = after if after is not None else before
        if near is not None and len(near) == 0 and (after is not None or link.last - link.first == 1):
            return link.field
    return None


def _is_led(draft: Draft, place: int) -> bool:
    """Returns whether a word comes between "the" or "in" and its column: "in the central region"."""
    tokens = draft.tags.words.tokens
    return (
        place > 0
        and is_stop_word(tokens[place - 1].text)
        and any(link.first == place + 1 for link in draft.tags.columns)
    )


def _of_field(draft: Draft, word: str, field: Field) -> Absent:
    values = (field.column.values or field.column.samples)[:_MOST_LISTED]
    return Absent("value", word, draft.frame.dataset.name, field.column.name, tuple(values))


def _column(draft: Draft, is_measured: bool) -> Absent | None:
    for place in draft.tags.left:
        token = draft.tags.words.tokens[place]
        is_asked = not is_measured and _is_asked(draft, place) and not draft.filters.limits
        if is_measure(token.text) or is_asked:
            words = [place]
            while words[-1] + 1 in draft.tags.left:
                words.append(words[-1] + 1)
            names = tuple(field.column.name for field in draft.frame.fields)
            return Absent("column", draft.tags.text(words[0], words[-1] + 1), draft.frame.dataset.name, "", names)
    return None


def _is_asked(draft: Draft, place: int) -> bool:
    """Returns whether a word follows directly after an asking word: "which supplier", "what was the balance"."""
    tokens = draft.tags.words.tokens
    ends = {last for name in _ASKING for _, last in draft.tags.operations.get(name, ())}
    first = place
    while first > 0 and is_filler(tokens[first - 1].text) and first not in ends:
        first -= 1
    return first in ends
