"""Summarizes without a model: quotes the most important sentences of each section.

A sentence's score combines five things: its facts (numbers, dates, names), how little the rest of the document repeats
it, its similarity to its section (LexRank), words that announce a decision, a duty or a result, and its position. Every
section gets one sentence; the remaining space goes to the best sentences for their length.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from core.events import Source
from core.language.entities.facts import facts
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.review.actions.records import Statement, statements
from core.review.actions.summary.centrality import Floats, lex_rank, tf_idf
from core.review.overlap import words
from core.review.polarity import base

SHARE = 0.2
"""Share of the document's characters that the summary may use."""
MOST_CHARACTERS = 9_000
LEAST_CHARACTERS = 300
MOST_SECTIONS = 60
"""Maximum number of sections; beyond it, neighbouring sections are merged."""

CENTRAL, FACTS, NEWS, CUES, FIRST = 0.1, 0.45, 0.25, 0.12, 0.08
SAME = 0.7
"""Cosine similarity from which a sentence repeats a chosen one."""
ENOUGH_FACTS = 2.0
SHORT, DENSE = 50, 0.6
"""Length penalty: a sentence's score is divided by a root of its length."""
_LONG = 350

_CUES = pattern_of("graph/actions.sections.cues")


@dataclass(frozen=True)
class Section:
    """A section; ``title`` may be empty; ``length`` is the number of characters in its statements."""

    title: str
    statements: list[Statement]

    @property
    def length(self) -> int:
        return sum(len(each.text) for each in self.statements)


def sections(source: Source) -> list[Section]:
    """Returns the document's sections in order; each passage without a title is its own section."""
    found = [
        Section(title, list(group))
        for (title, _), group in groupby(
            statements(source), key=lambda each: (each.section, "" if each.section else each.passage.item_id)
        )
    ]
    return list(_merged(found)) if len(found) > MOST_SECTIONS else found


def _merged(found: Sequence[Section]) -> Iterator[Section]:
    total = sum(section.length for section in found)
    gathered: list[Statement] = []
    title, room = "", total / MOST_SECTIONS
    for section in found:
        title = title or section.title
        gathered += section.statements
        if sum(len(each.text) for each in gathered) >= room:
            yield Section(title, gathered)
            gathered, title = [], ""
    if gathered:
        yield Section(title, gathered)


def extract(
    source: Source,
    share: float = SHARE,
    vectors: Floats | None = None,
    everywhere: bool = True,
    fit: Callable[[Statement], bool] | None = None,
    most: int | None = None,
) -> list[tuple[Section, list[Statement]]]:
    """Picks the statements that represent each section, in reading order. If not ``everywhere``, only the best sections
    are used while there is space.

    ``vectors``: unit rows, the embeddings of ``statements(source)``, if available. ``fit``: statements that may be
    used, unless none fits; ``most``: maximum number of lines for headings and statements.
    """
    parts = _fitting([section for section in sections(source) if section.statements], fit)
    everywhere = everywhere and (most is None or sum(map(_line_count, parts)) <= most)
    least = LEAST_CHARACTERS if everywhere else LEAST_CHARACTERS / 3
    room = min(MOST_CHARACTERS, max(least, share * sum(part.length for part in parts)))
    all_statements = [each for part in parts for each in part.statements]
    news = np.zeros(max((each.order for each in all_statements), default=0) + 1)
    news[[each.order for each in all_statements]] = _news(all_statements)
    scored = [(part, _scores(part, news, vectors)) for part in parts]
    chosen: dict[int, list[int]] = {}
    for place, (part, (scores, _)) in _sections_in_order(scored, everywhere):
        best = int(np.argmax(scores))
        length = len(part.statements[best].text)
        left = math.inf if most is None else most - sum(_line_count(parts[other]) for other in chosen)
        if (everywhere or not chosen or length <= room) and _line_count(part) <= left:
            chosen[place] = [best]
            room -= length
    left = math.inf if most is None else most - sum(_line_count(parts[other]) for other in chosen)
    _fill([each if place in chosen else None for place, each in enumerate(scored)], chosen, room, left)
    return [
        (parts[place], [parts[place].statements[index] for index in sorted(chosen[place])]) for place in sorted(chosen)
    ]


def _fitting(parts: list[Section], fit: Callable[[Statement], bool] | None) -> list[Section]:
    """Keeps only those statements that ``fit`` allows; returns the sections unchanged if that would leave none."""
    if fit is None:
        return parts
    kept = [Section(part.title, [each for each in part.statements if fit(each)]) for part in parts]
    return [part for part in kept if part.statements] or parts


def _line_count(part: Section) -> int:
    """Returns the number of lines for a section with one statement: its heading also takes a line."""
    return 2 if part.title else 1


Scored = tuple[Section, tuple[Floats, Floats]]


def _sections_in_order(scored: Sequence[Scored], everywhere: bool) -> list[tuple[int, Scored]]:
    """Returns the sections in document order, or sorted by their best statement."""
    placed = list(enumerate(scored))
    return placed if everywhere else sorted(placed, key=lambda each: -float(each[1][1][0].max()))


def _fill(scored: Sequence[Scored | None], chosen: dict[int, list[int]], room: float, lines: float) -> None:
    """Spends the remaining ``room`` and ``lines`` on the best statements; limits each section to about its share."""
    kept = {place: each for place, each in enumerate(scored) if each is not None}
    rest = sorted(
        (-scores[index], place, index)
        for place, (part, (scores, _)) in kept.items()
        for index in range(len(part.statements))
    )
    for _, place, index in rest:
        part, (_, likeness) = kept[place]
        length = len(part.statements[index].text)
        if index in chosen[place] or length > room or lines < 1:
            continue
        if any(likeness[index, other] >= SAME for other in chosen[place]):
            continue
        if len(chosen[place]) >= max(1, round(len(part.statements) / 3)):
            continue
        chosen[place].append(index)
        room -= length
        lines -= 1


def _scores(part: Section, news: Floats, vectors: Floats | None) -> tuple[Floats, Floats]:
    """Returns (each statement's score, the statements' similarity to each other)."""
    orders = [each.order for each in part.statements]
    rows = tf_idf([each.text for each in part.statements])
    if vectors is not None:
        rows = np.hstack([rows, vectors[orders]]) / np.sqrt(2)
    weights = np.array([_statement_weight(each) for each in part.statements])
    first = np.array([1.0 if place == 0 else 0.0 for place in range(len(orders))])
    worth = CENTRAL * lex_rank(rows) + NEWS * news[orders] + weights + FIRST * first
    lengths = np.array([max(SHORT, len(each.text)) for each in part.statements])
    return worth * (SHORT / lengths) ** DENSE, rows @ rows.T


def _news(statements: Sequence[Statement]) -> Floats:
    """Scores how new each statement is within the document, 0..1: the mean rarity of its words."""
    held = [frozenset(map(base, words(each.text))) for each in statements]
    frequency = Counter(word for each in held for word in each)
    most = math.log(1 + len(statements))
    return np.array(
        [
            sum(math.log(1 + len(statements) / frequency[word]) for word in each) / (most * len(each)) if each else 0.0
            for each in held
        ]
    )


def _statement_weight(each: Statement) -> float:
    carried = min(1.0, facts_in(each.text) / ENOUGH_FACTS)
    cued = 1.0 if _CUES.search(fold(each.text)) else 0.0
    long = min(1.0, max(0.0, (len(each.text) - _LONG) / _LONG))
    return FACTS * carried + CUES * cued - 0.2 * long - (0.25 if each.quote.fragment else 0.0)


def facts_in(text: str, most_for_names: float = 1.4) -> float:
    """Counts a statement's facts; a small number without a unit, or a year, counts little, and all names together
    ``most_for_names``."""
    held = facts(text)
    numbers = sum(1.0 if number.unit or number.limit or _large(number.value) else 0.3 for number in held.numbers)
    days = sum(1.0 if day.day else 0.4 for day in held.days)
    return numbers + days + len(held.clocks) + min(most_for_names, 0.7 * len(held.names))


def _large(value: float) -> bool:
    """Returns whether a number is neither a small count nor a year."""
    return value % 1 > 0 or (value >= 20 and not 1900 <= value < 2100)
