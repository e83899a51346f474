"""Detects a question for a panel: one measure over time, of several organisations, or which organisation leads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.figures.panel.records import PanelQuestion
from core.figures.stored.records import FigureLookup, FigureQuery
from core.language.entities.periods import periods_in, without_periods
from core.language.fields import figure_names, figures, named_figures
from core.language.normalisation import fold, normalise
from core.language.phrases import words
from core.language.vocabulary import pattern_of, words_of
from core.question.analysed import AnalysedQuestion
from core.question.measures.question import MeasureQuestion
from core.question.stems import stem_of, stems

MOST_MEASURES = 3
_EACH = pattern_of("answering/panel.each")
_CHANGED = pattern_of("answering/panel.changed")
_WHICH = pattern_of("answering/panel.which")
_MOST = pattern_of("answering/panel.most")
_LEAST = pattern_of("answering/panel.least")
_GREW = pattern_of("answering/panel.grew")
_ABOUT_ASKING = frozenset(map(stem_of, words_of("answering/panel.words")))
_LEAST_SCORE = 0.65
_CLOSE = 0.1
_MOST_ROWS = 40
_LONGEST_NAME = 60
_BREAK = re.compile(r"[()?!;]")
_OPERATIONS = ("value", "trend", "percent change", "change", "most")
LEAST_PERIODS = 3
"""Number of named periods from which the values of an organisation are a series."""
GROWTH = "revenue"
"""The measure that grows if a question names none."""


def panel_questions(question: AnalysedQuestion, named: Sequence[str]) -> list[PanelQuestion]:
    """Returns what a question asks for as panels, one per measure; none if it asks for a single figure.

    Args:
        named: the organisations that the question names and that have documents, under their common names.

    >>> from core.question.analysed import analysed
    >>> panel_questions(analysed("How has Acme's revenue changed over the reported quarters?"), ["Acme"])[0].kind
    'series'
    """
    text = normalise(question.focus or question.text)
    asked = question.about(focus=question.focus, entities=tuple(named), periods=question.periods).measures
    if asked is not None and (asked.operation not in _OPERATIONS or asked.why or asked.measures[0].defined):
        return []
    ranks = bool(_WHICH.search(text)) and bool(_MOST.search(text) or _LEAST.search(text))
    periods = tuple(period.key for period in question.named_periods)
    if ranks and len(named) != 1:
        kind = "growth" if _GREW.search(text) else "comparison"
        measures = _named_measures(question)
        if kind == "growth":
            measures = measures or [PanelQuestion(kind="growth", measure=GROWTH, key=GROWTH)]
        return [
            each.model_copy(update={"kind": kind, "ranks": True, "lowest": _is_lowest(text), "periods": periods})
            for each in measures[:1]
        ]
    over_time = bool(_EACH.search(text)) or (bool(_CHANGED.search(text)) and not periods)
    over_time = over_time or (bool(named) and len(periods) >= LEAST_PERIODS)
    if len(named) >= 2:
        found = [each for each in _measures(question, asked, named) if each.key]
        return [each.model_copy(update={"periods": periods, "over_time": over_time}) for each in found]
    if not over_time or len(periods) == 1:
        return []
    return [
        each.model_copy(update={"kind": "series", "periods": periods, "over_time": True})
        for each in _measures(question, asked, named)
    ]


def reworded(question: PanelQuestion, measure: str) -> PanelQuestion:
    """Returns the question for a ``measure`` in other words. It keeps the periods of ``question`` if ``measure`` names
    none, and everything else if only the periods are other ones.

    >>> asked = PanelQuestion(kind="comparison", measure="revenue", periods=("2031",))
    >>> reworded(asked, "net income").periods, reworded(asked, "net income in 2030").periods
    (('2031',), ('2030',))
    """
    periods = tuple(dict.fromkeys(period.key for period in periods_in(measure))) or question.periods
    said = words(without_periods(measure))
    while said and not _names_a_row(said[-1]):
        said.pop()
    name = " ".join(said)
    if not name or fold(name) == fold(question.measure):
        return question.model_copy(update={"periods": periods})
    known = next(iter(named_figures(name)), None)
    return PanelQuestion(
        kind=question.kind,
        measure=name,
        key=known.name if known else "",
        unit=figures()[known.name].unit if known else None,
        over_time=question.over_time,
        periods=periods,
        count=question.count,
    )


def _is_lowest(text: str) -> bool:
    return bool(_LEAST.search(text)) and not _MOST.search(text)


def _measures(question: AnalysedQuestion, asked: MeasureQuestion | None, named: Sequence[str]) -> list[PanelQuestion]:
    """Returns the measures in the words of the question; if it names none of the vocabulary, all its own words."""
    said = _own_words(question, named)
    if asked is None:
        return [PanelQuestion(kind="comparison", measure=said)] if said else []
    found = []
    for measure in asked.measures[:MOST_MEASURES]:
        if not measure.key:
            continue
        qualifiers = [word for word in asked.rest if _names_a_row(word) and word in said.casefold()]
        phrase = _qualified(qualifiers, measure.name) if len(asked.measures) == 1 else measure.name
        unit = figures()[measure.key].unit
        found.append(PanelQuestion(kind="comparison", measure=phrase, key=measure.key, unit=unit, count=asked.years))
    return found


def _qualified(qualifiers: Sequence[str], name: str) -> str:
    """Returns the name of a measure after the words that restrict it, without those that the name itself contains."""
    known = set(stems(name))
    return " ".join([*(word for word in qualifiers if not set(stems(word)) & known), name])


def _named_measures(question: AnalysedQuestion) -> list[PanelQuestion]:
    return [
        PanelQuestion(kind="comparison", measure=named.text, key=named.name, unit=figures()[named.name].unit)
        for named in question.figures
    ]


def _own_words(question: AnalysedQuestion, named: Sequence[str]) -> str:
    """Returns the words of the question without organisations, periods and words about asking."""
    plain = without_periods(normalise(question.focus or question.text))
    names = {word.casefold() for name in named for word in words(name)}
    kept = [word for word in words(plain) if word.casefold() not in names and _names_a_row(word)]
    return " ".join(kept)


def _names_a_row(word: str) -> bool:
    """Returns whether a word may be part of a row's name: it has a meaning of its own and is not about asking."""
    stemmed = stem_of(word)
    return bool(stemmed) and stemmed not in _ABOUT_ASKING


async def with_known_words(
    lookup: FigureLookup, user_id: str, question: PanelQuestion, document_ids: Sequence[str], text: str
) -> PanelQuestion | None:
    """Returns the question with only those words of its measure that the best rows know: "AWS revenue" without "show".
    ``None`` if no row of the documents reports it.

    Args:
        text: the whole question, from which the name of the measure is taken.
    """
    query = FigureQuery(measure=question.measure, document_ids=tuple(document_ids), limit=_MOST_ROWS)
    found = await lookup.find(user_id, query)
    if not found:
        return None
    near = [match.figure for match in found if match.score >= found[0].score - _CLOSE]
    known = {
        stem
        for each in near
        for stem in stems(" ".join((each.label, *each.parents, each.segment, each.header, each.caption)))
    }
    spoken = words(question.measure)
    named = {place for match in figure_names().find(question.measure) for place in range(match.start, match.end)}
    kept = [word for place, word in enumerate(spoken) if place in named or (set(stems(word)) <= known and stems(word))]
    qualifiers = [word for place, word in enumerate(spoken) if word in kept and place not in named]
    phrase = " ".join(kept)
    if question.key and not await _scores(lookup, user_id, query, phrase):
        phrase = _qualified(qualifiers, figures()[question.key].names[0])
    if not (question.key and question.unit == "%") and not await _scores(lookup, user_id, query, phrase):
        return None
    return question.model_copy(update={"measure": _as_said(text, kept) or phrase, "phrase": phrase})


async def _scores(lookup: FigureLookup, user_id: str, query: FigureQuery, phrase: str) -> bool:
    """Returns whether a row reports the measure that ``phrase`` names."""
    if not phrase:
        return False
    found = await lookup.find(user_id, query.model_copy(update={"measure": phrase, "limit": 1}))
    return bool(found) and found[0].score >= _LEAST_SCORE


def _as_said(text: str, kept: Sequence[str]) -> str:
    """Returns the part of the question from the first to the last kept word, if it is short; else the kept words as the
    question writes them."""
    lowered = normalise(text)
    places = {
        match.span() for word in kept for match in [re.search(rf"(?<!\w){re.escape(word)}", lowered, re.I)] if match
    }
    if not places:
        return ""
    start, end = min(first for first, _ in places), max(last for _, last in places)
    said = lowered[start:end]
    whole = len(said) <= _LONGEST_NAME and not _BREAK.search(said)
    return said if whole else " ".join(lowered[first:last] for first, last in sorted(places))
