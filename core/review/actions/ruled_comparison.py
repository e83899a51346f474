"""Compares documents without a model: takes the aligned points of documents; returns ordered findings.

Findings about the user's focus come first, then points found in more documents, then money, percentages and duties.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.events import Quote, Source
from core.language.detection import detect
from core.language.entities.facts import facts
from core.language.entities.numerals import CURRENCIES
from core.language.entities.quantities import quantities
from core.messages import message
from core.review.actions.alignment import Alignment, Pairing
from core.review.actions.comparable_statements import ComparableStatement
from core.review.actions.comparison import Cell, Comparison, Finding, Row, missing_lines, render
from core.review.actions.figure_comparison import StatementLines
from core.review.actions.records import Statement
from core.review.actions.subject import Subject
from core.review.actions.summary.centrality import tf_idf
from core.review.actions.themes import MOST_THEMES, Theme, themes
from core.review.overlap import words
from core.review.polarity import base, matches_any
from core.words import Language

_DIFFERENCES = 0.6
"""Share of the rows reserved for differences if there is no room for all differences and agreements."""
_ALONE = 2
"""Maximum number of rows, for each document, with sentences found only in it; together at most a third of all rows."""
_TELLING = 0.4
"""Score bonus for a cell with numbers and dates, since documents differ there."""
_DIGITS = re.compile(r"\d+")
"""Matches digits, which are ignored when looking for sentences on one subject."""

_MONEY = CURRENCIES | {"percent", "cent"}


@dataclass(frozen=True)
class RuledComparison:
    """The alignment of two documents, ``one`` and ``other``, which are identified by their citation numbers."""

    one: int
    other: int
    found: Alignment


@dataclass(frozen=True)
class Topic:
    """What the user asked for: ``focus`` is the request, ``subjects`` are its topics, which restrict the comparison,
    and ``without_figures`` those of them for which no table has a row."""

    focus: str
    subjects: tuple[str, ...] = ()
    without_figures: tuple[str, ...] = ()


def by_rule(
    sources: Sequence[Source],
    found: Sequence[RuledComparison],
    figures: StatementLines,
    language: Language,
    topic: Topic,
    most: int,
) -> Comparison:
    """Builds the comparison; at most ``most`` rows are shown on the screen. Says which topics were not found, and
    where they were searched."""
    focus = topic.focus
    result = Comparison("", language, list(sources), quotes=list(figures.quotes))
    result.figures, result.changed = figures.rows, figures.by_one
    same = [pairing for each in found for pairing in each.found.same]
    differing = _groups_of_documents([pairing for each in found for pairing in each.found.differs], focus)
    for group in differing:
        group.complete(same)
    alike = [each for each in same if not any(group.tells(each) for group in differing)]
    result.differences = [group.finding(result.quotes) for group in differing]
    result.agreements = [group.finding(result.quotes) for group in _groups_of_documents(alike, focus)]
    for point in _unmatched_statements(found):
        result.alone.append(Finding([(point.number, point.text)]))
        result.quotes.append(point.as_statement().as_quote())
    mixed = len({detect(" ".join(passage.text for passage in source.passages)) for source in sources}) > 1
    if mixed:
        result.notices.append(_LANGUAGES)
    anything = result.differences or result.agreements or result.figures
    if not topic.subjects and (mixed or not anything):
        _side_by_side(result, focus)
    result.shown = _rows_on_screen(result, max(most // 2, most - len(result.figures)))
    result.quotes = distinct(result.quotes)
    result.missing = _missing(result, topic)
    nothing = bool(topic.subjects) and not (anything or result.alone)
    result.text = missing_lines(result) if nothing else render(result)
    return result


def _missing(result: Comparison, topic: Topic) -> tuple[str, ...]:
    """Returns the topics that neither a table nor a sentence of the comparison is about."""
    findings = (*result.differences, *result.agreements, *result.alone)
    texts = [text for each in findings for _, text in each.says]
    return tuple(each for each in topic.without_figures if not any(map(Subject(each).is_in, texts)))


@dataclass
class _Group:
    """Pairings that share the same words: each document's text on one subject, by document number."""

    pairings: list[Pairing]
    points: dict[int, ComparableStatement]

    def takes(self, pairing: Pairing) -> bool:
        """Returns whether the pairing fits into the group: the group holds one of its two points, and has no other
        point of the other one's document."""
        met = [point for point in pairing.points if self._meets(point)]
        return bool(met) and all(point in met or point.number not in self.points for point in pairing.points)

    def add(self, pairing: Pairing) -> None:
        self.pairings.append(pairing)
        for point in pairing.points:
            self.points.setdefault(point.number, point)

    def complete(self, same: Sequence[Pairing]) -> None:
        """Adds points of further documents that are the same as a point in this group."""
        for pairing in same:
            if self.takes(pairing):
                for point in pairing.points:
                    self.points.setdefault(point.number, point)

    def tells(self, pairing: Pairing) -> bool:
        return all(self._meets(point) for point in pairing.points)

    def finding(self, quotes: list[Quote]) -> Finding:
        statements = sorted(self.points.values(), key=lambda point: point.number)
        quotes += [point.as_statement().as_quote() for point in statements]
        return Finding(
            [(point.number, point.text) for point in statements], max(self.pairings, key=_pairing_weight).aspect
        )

    def _meets(self, point: ComparableStatement) -> bool:
        beside = self.points.get(point.number)
        return beside is not None and beside.overlaps(point)


def _groups_of_documents(pairings: Sequence[Pairing], focus: str) -> list[_Group]:
    """Joins the pairings of two documents with those of a third that share the same words; groups on the user's focus
    come first."""
    groups: list[_Group] = []
    for each in pairings:
        mine = next((group for group in groups if group.takes(each)), None)
        if mine is None:
            groups.append(_Group([each], {point.number: point for point in each.points}))
        else:
            mine.add(each)
    asked = frozenset(map(base, words(focus)))
    return sorted(
        groups,
        key=lambda group: (
            -_met(asked, group.points.values()),
            -len(group.points),
            -max(map(_pairing_weight, group.pairings)),
            group.pairings[0].one.statement.order,
        ),
    )


def _pairing_weight(pairing: Pairing) -> int:
    """Weighs a pairing by importance: money and percentages, duties and deadlines, then dates and counts."""
    if pairing.aspect in ("deadline", "denial", "duty"):
        return 2
    units = {each.unit for each in quantities(pairing.one.text)}
    return 2 if units & _MONEY else 1 if pairing.aspect != "figures" or units - {""} else 0


def _met(asked: frozenset[str], statements: Iterable[ComparableStatement]) -> int:
    return sum(
        matches_any(word, frozenset(map(base, words(" ".join(each.text for each in statements))))) for word in asked
    )


def _unmatched_statements(found: Sequence[RuledComparison]) -> list[ComparableStatement]:
    """Returns the points without a match in any other document: the most important of each document, then the second of
    each, and so on."""
    often: Counter[tuple[int, int]] = Counter()
    held: dict[tuple[int, int], ComparableStatement] = {}
    meetings: Counter[int] = Counter()
    for each in found:
        meetings.update((each.one, each.other))
        for point in each.found.alone:
            often[point.number, point.statement.order] += 1
            held.setdefault((point.number, point.statement.order), point)
    numbered = [key for key in held if often[key] == meetings[key[0]]]
    ranks: Counter[int] = Counter()
    placed = []
    for key in numbered:
        ranks[key[0]] += 1
        placed.append((ranks[key[0]], key))
    return [held[key] for _, key in sorted(placed, key=lambda each: each[0])]


def _rows_on_screen(result: Comparison, most: int) -> tuple[int, int, int]:
    """Returns how many rows of each kind are on the screen."""
    alone = min(len(result.alone), _ALONE * len(result.sources), most // 3)
    room = most - alone
    same = min(len(result.agreements), max(round(room * (1 - _DIFFERENCES)), room - len(result.differences)))
    return min(len(result.differences), room - same), same, alone


def distinct(quotes: Sequence[Quote]) -> list[Quote]:
    """Returns ``quotes`` in order, without duplicates."""
    return list({(quote.item_id, quote.text): quote for quote in quotes}.values())


def _side_by_side(result: Comparison, focus: str) -> None:
    """If nothing could be decided, adds the themes that more than one document mentions, with a sentence from each.
    Themes of the user's focus come first."""
    asked = frozenset(map(base, words(focus)))
    found = sorted(themes(result.sources), key=lambda theme: -len(asked & frozenset(map(base, words(theme.name)))))
    for theme in [each for each in found if len(each.sections) > 1][:MOST_THEMES]:
        chosen = _chosen(theme)
        texts = {number: statement.text for number, statement in chosen.items()}
        result.rows.append(Row(theme.name, [Cell(each.number, texts.get(each.number, "")) for each in result.sources]))
        result.quotes += [statement.as_quote() for statement in chosen.values()]


def _chosen(theme: Theme) -> dict[int, Statement]:
    """Picks for each document the theme sentence most similar to one of another document, so that a row has one
    subject."""
    parts = theme.sections
    first, *rest = parts
    chosen = [each for part in parts.values() for each in part.statements]
    close = tf_idf([_DIGITS.sub(" ", each.text) for each in chosen])
    close = close @ close.T
    places = {number: [n for n, each in enumerate(chosen) if each.number == number] for number in parts}

    def worth(place: int) -> float:
        met = sum(float(close[place, places[number]].max()) for number in rest)
        held = facts(chosen[place].text)
        return met / len(rest) + _TELLING * bool(held.numbers or held.dates)

    anchor = max(places[first], key=worth)
    nearest = {number: places[number][int(close[anchor, places[number]].argmax())] for number in rest}
    return {number: chosen[place] for number, place in {first: anchor, **nearest}.items()}


_LANGUAGES = message("graph.ruled_comparison.languages")
