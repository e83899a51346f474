"""Themes beside each other where nothing could be decided: *documents* → a sentence of each that bears on the theme."""

from __future__ import annotations

import re

from core.graph.actions.comparison import Cell, Comparison, Row
from core.graph.actions.records import Statement
from core.graph.actions.summary.centrality import tf_idf
from core.graph.actions.themes import MOST_THEMES, Theme, themes
from core.grounding.overlap import words
from core.grounding.polarity import base
from core.language.entities.facts import facts

_TELLING = 0.4
"""A cell had better hold numbers and dates: there documents differ."""
_DIGITS = re.compile(r"\d+")
"""They do not count when sentences that speak of one thing are looked for."""


def side_by_side(result: Comparison, focus: str) -> None:
    """Adds the themes that more than one document speaks about; those that were asked about first."""
    """Themes with a sentence of each document: what bears on each other where nothing could be decided."""
    asked = frozenset(map(base, words(focus)))
    found = sorted(themes(result.sources), key=lambda theme: -len(asked & frozenset(map(base, words(theme.name)))))
    for theme in [each for each in found if len(each.sections) > 1][:MOST_THEMES]:
        chosen = _chosen(theme)
        result.rows.append(
            Row(theme.name, [_statement_cell(source.number, chosen.get(source.number)) for source in result.sources])
        )
        result.quotes += [statement.as_quote() for statement in chosen.values()]


def _chosen(theme: Theme) -> dict[int, Statement]:
    """Of each document the sentence of the theme that is most like one of the others: cells of a row speak of one
    thing."""
    parts = theme.sections
    if len(parts) == 1:
        return {number: part.statements[0] for number, part in parts.items()}
    first, *rest = parts
    chosen = [each for part in parts.values() for each in part.statements]
    close = tf_idf([_DIGITS.sub(" ", each.text) for each in chosen])
    close = close @ close.T
    places = {number: [n for n, each in enumerate(chosen) if each.number == number] for number in parts}

    def held(place: int) -> int:
        found = facts(chosen[place].text)
        return len(found.numbers) + len(found.dates)

    def worth(place: int) -> float:
        met = sum(float(close[place, places[number]].max()) for number in rest)
        return met / len(rest) + _TELLING * bool(held(place))

    anchor = max(places[first], key=worth)
    nearest = {number: places[number][int(close[anchor, places[number]].argmax())] for number in rest}
    return {number: chosen[place] for number, place in {first: anchor, **nearest}.items()}


def _statement_cell(number: int, statement: Statement | None) -> Cell:
    return Cell(number, statement.text, statement.passage.item_id) if statement else Cell(number)
