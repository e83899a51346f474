"""Ranks groups of parts by how well they match a question; returns those that match, best first, with their periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.figures.measures.columns import columns_for, year_before
from core.figures.segments.groups import Segment, SegmentGroup
from core.figures.segments.naming import accounted
from core.figures.segments.question import SegmentQuestion
from core.figures.segments.vocabulary import is_growth, is_mix, is_place
from core.figures.tables.cell_values import Reading, read
from core.language.fields import figures, named_figures
from core.library.tables.records import Column
from core.search.scoring.row_labels import plain

LEAST = 0.5
_FIGURE, _NOUN, _WORDS, _KNOWN, _TOTAL, _SEARCHED, _WHOLE = 0.4, 0.12, 0.3, 0.12, 0.06, 0.06, 0.15
_UNSAID = 0.06
"""Penalty for a word in the nearest heading that the question does not contain."""
_ALL = 0.98
"""Minimum total of a group that covers the whole company, as a share of the largest total of all groups."""
_ELSEWHERE = 0.25
"""Penalty for parts that are not places if the question asks for places, such as regions."""
_COMPLETE = 0.15
"""Tolerance between the sum of the parts and their total, since tables also contain eliminations and unallocated
amounts."""
_SOMETIMES = 0.34
"""Minimum share of parts that also appear in other tables, for a group to count as parts of the company if it is not
called so."""
_LINES = 0.34
"""Maximum share of parts that are named like figures; with more, the group consists of the rows of a statement."""
_TITLE_WORDS = frozenset(("total", "segment", "busi", "revenu", "sale", "net", "million", "dollar", "usd", "follow"))


@dataclass(frozen=True)
class Choice:
    """A matching group: ``now`` and ``before`` are each part's figures for the period and for a year earlier, ``whole``
    is their total; ``sure`` is the certainty of the period, 0..1; ``part`` is the part that the question names, if
    any."""

    group: SegmentGroup
    score: float
    key: str | None
    now: dict[str, Reading]
    before: dict[str, Reading]
    whole: Reading | None
    sure: float
    part: str = ""

    @property
    def is_percent(self) -> bool:
        return any(each.unit == "%" for each in self.now.values())

    @property
    def is_complete(self) -> bool:
        """Whether the parts add up to their total, so that none was misread."""
        if self.whole is None or not self.whole.value:
            return False
        added = sum(each.value * each.scale for each in self.now.values())
        return abs(added / (self.whole.value * self.whole.scale) - 1) <= _COMPLETE

    @property
    def heading(self) -> str:
        """The heading of its figures."""
        table = self.group.evidence.table
        first = next(iter(self.now.values()))
        header = " ".join(table.columns[first.place[1]].header)
        return f"{header} {self.group.name} {table.caption or ''}"


def choices(asked: SegmentQuestion, groups: Sequence[SegmentGroup]) -> list[Choice]:
    found = [choice for group in groups if (choice := _choice(asked, group)) and _is_of_kind(asked, choice)]
    largest = max((_size(each.whole) for each in found if not each.is_percent), default=0.0)
    scored = []
    for each in found:
        whole = largest > 0 and _size(each.whole) >= _ALL * largest
        scored.append(replace(each, score=each.score + _WHOLE * whole + _TOTAL * each.is_complete))
    return sorted((each for each in scored if each.score >= LEAST), key=lambda each: -each.score)


def _size(reading: Reading | None) -> float:
    return abs(reading.value) * reading.scale if reading else 0.0


def _is_of_kind(asked: SegmentQuestion, choice: Choice) -> bool:
    """Returns whether the group's values are of the requested kind: growth needs change columns or two years; shares
    and sizes must not come from change columns."""
    growth = choice.is_percent and is_growth(choice.heading)
    if asked.operation in ("grew most", "fell most"):
        return growth or (not choice.is_percent and len(choice.before) > 1)
    if asked.operation == "beyond":
        return (choice.is_percent and is_mix(choice.heading)) or (not choice.is_percent and choice.whole is not None)
    if asked.operation == "amount":
        return not choice.is_percent and choice.part in choice.now
    return not growth or bool(asked.words & choice.group.near)


def _choice(asked: SegmentQuestion, group: SegmentGroup) -> Choice | None:
    score = _fit(asked, group)
    part = _named_part(asked, group) if asked.operation == "amount" else ""
    if score is None or part is None:
        return None
    periods = asked.periods[-1:] or ("",)
    placed = _columns(asked, group, periods[0])
    if placed is None:
        return None
    number, sure, key = placed
    now = _readings(group, number)
    earlier = _columns(asked, group, year_before(periods[0])) if periods[0] else _next_column(group, number)
    before = _readings(group, earlier[0]) if earlier and earlier[0] != number else {}
    if len(now) < 2:
        return None
    whole = _reading(group, group.total, number) if group.total else None
    return Choice(group, score * (0.7 + 0.3 * sure), key, now, before, whole, sure, part)


def _named_part(asked: SegmentQuestion, group: SegmentGroup) -> str | None:
    """Returns the label of the part that the question names, if this label and the headings explain the whole
    question."""
    named = {part.label: found for part in group.parts if (found := accounted(part.label, asked.words, asked.text))}
    best = max(named, key=lambda label: len(named[label]), default=None)
    return None if best is None or asked.words - named[best] - group.words else best


def _fit(asked: SegmentQuestion, group: SegmentGroup) -> float | None:
    """Returns how well the group matches the question; ``None`` if it shows another figure, or if its parts are rows of
    a statement."""
    lines = sum(plain(part.label) in _figure_labels() for part in group.parts) / len(group.parts)
    if lines > _LINES:
        return None
    by_words = len(asked.words & group.words) / len(asked.words) if asked.words else 0.0
    if asked.operation == "amount":
        by_words = 1.0
    if asked.figure and (group.figure != asked.figure or _names_figure(asked, group)):
        return None
    if not asked.figure and not asked.words & group.near:
        return None
    if asked.operation == "beyond" and not asked.noun & group.words and group.known < _SOMETIMES:
        return None
    unsaid = group.near - asked.words - asked.noun - _TITLE_WORDS
    score = _FIGURE * (bool(asked.figure) or by_words >= 0.5)
    score += (
        _NOUN * (bool(asked.noun & group.near) + 0.5 * bool(asked.noun & group.words))
        + _KNOWN * group.known
        + _TOTAL * (group.total is not None)
    )
    score += _WORDS * (by_words if asked.words else 0.7) + _SEARCHED * group.evidence.score
    places = sum(is_place(part.label) for part in group.parts) >= len(group.parts) / 2
    return score - _UNSAID * min(3, len(unsaid)) - _ELSEWHERE * (asked.places and not places)


def _names_figure(asked: SegmentQuestion, group: SegmentGroup) -> bool:
    """Returns whether one of the parts has the name of the figure itself; then the part is another row of the
    statement, or the total."""
    return any(named.name == asked.figure for part in group.parts for named in named_figures(part.label))


@cache
def _figure_labels() -> frozenset[str]:
    return frozenset(plain(line) for figure in figures().values() for line in figure.labels)


def _columns(asked: SegmentQuestion, group: SegmentGroup, period: str) -> tuple[int, float, str | None] | None:
    """Returns for each fitting column (its number in the group, certainty, period key)."""
    keys = group.keys
    numbers = list(keys)
    if not period:
        dated = [number for number in numbers if keys[number]]
        best = max(dated, key=lambda number: keys[number] or "") if dated else numbers[0]
        return best, 1.0, keys[best]
    table = group.evidence.table
    columns = [Column(header=_header(group, number), period=keys[number]) for number in numbers]
    narrow = table.model_copy(update={"columns": columns})
    stock = bool(asked.figure) and figures()[asked.figure].is_stock
    found = columns_for(narrow, period, group.evidence.origin, stock=stock)
    found = found or columns_for(narrow, period, group.evidence.origin, stock=not stock)
    if found:
        return numbers[found[-1].column], found[-1].sure, found[-1].key
    if not any(keys.values()) or len(set(keys.values())) == 1:
        own = period in group.evidence.origin.periods
        if not own and any(key and key[:4] != period[:4] for key in keys.values()):
            return None
        return (numbers[0], 0.9 if own else 0.5, None) if own or not group.evidence.origin.periods else None
    return None


def _header(group: SegmentGroup, number: int) -> list[str]:
    """Returns the heading without "per cent", since parts may be printed as percentages of the total."""
    columns = group.evidence.table.columns
    header = columns[number].header if number < len(columns) else []
    return [] if is_mix(" ".join(header)) else [part for part in header if not is_growth(part)]


def _next_column(group: SegmentGroup, number: int) -> tuple[int, float, str | None] | None:
    keys = group.keys
    own = keys[number]
    wanted = year_before(own) if own else None
    return next(((each, 1.0, key) for each, key in keys.items() if wanted and key and key[:4] == wanted[:4]), None)


def _readings(group: SegmentGroup, number: int) -> dict[str, Reading]:
    found = {part.label: _reading(group, part, number) for part in group.parts}
    return {label: reading for label, reading in found.items() if reading is not None}


def _reading(group: SegmentGroup, part: Segment, number: int) -> Reading | None:
    place = part.cells.get(number)
    return read(group.sheet, place) if place is not None else None
