"""Finds the text spans of a sentence that could be answers, and how each begins and ends.

Possible answers are values (figures, dates, names), text after a cue ("due to ...") or after a word of the question,
text before a verb, short word sequences, lists, and the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.answering.prose.list_continuation import MARK
from core.answering.prose.pairing import periods_of, runs_of_figures
from core.answering.prose.question import ProseQuestion
from core.answering.prose.sentences import Statement
from core.answering.prose.tokens import Token
from core.answering.prose.values import Value, values_in
from core.answering.prose.vocabulary import cue_words, longest_cue, pause_words, vocabulary
from core.language.vocabulary import phrases

_joint = phrases("answering/prose.spans")

Form = Literal["value", "tail", "head", "chunk", "whole", "list"]
Ending = Literal["end", "strong", "comma", "pause", "inner"]

EACH_PERIOD = "each"
"""Used as the period of a list that contains one figure for each requested period, in order."""
_ENDS_TAIL = 5
_LONGEST_CHUNK = 6
_UNLISTED = frozenset({"reason", "purpose", "condition", "method", "frequency", "duration"})
_LONGEST_ITEM = 12
_MOST_ITEMS = 12
_ITEM_END = re.compile(
    rf"(?:[;,](?:\s+(?:and|or|{_joint('also')}|{_joint('or')}))?|(?<!\s))(?=[^\S\n]*+\n)\s++{MARK}"
    rf"|,?(?<!\s)\s++(?:and|or|&|as well as|{_joint('also')})\s+|(?<!\s)\s++{_joint('and')}"
    r"|;\s*(?:and\s+)?|,\s+(?:and\s+|or\s+)?"
)


@dataclass(frozen=True)
class Span:
    """A span: tokens ``first`` to ``last`` (exclusive), characters ``start`` to ``end`` of the sentence.

    ``cues`` are the groups of the cue ("due to") before the span, or at its start if ``with_cue``; ``value`` and
    ``period`` are what the span states; ``parts`` are the positions of its list items, ``values`` their values.
    """

    form: Form
    first: int
    last: int
    start: int
    end: int
    ending: Ending = "inner"
    cues: frozenset[str] = frozenset()
    with_cue: bool = False
    value: Value | None = None
    period: str | None = None
    parts: tuple[tuple[int, int], ...] = ()
    values: tuple[Value, ...] = ()


def spans(question: ProseQuestion, statement: Statement) -> list[Span]:
    """Returns the possible answer spans of a sentence, without duplicates."""
    tokens = statement.tokens
    words = [place for place, token in enumerate(tokens) if token.word]
    if not words:
        return []
    found: dict[tuple[int, int, tuple[tuple[int, int], ...]], Span] = {}
    for span in _parts_of(question, statement):
        found.setdefault((span.start, span.end, span.parts), span)
    first, last = words[0], words[-1]
    whole = Span("whole", first, last + 1, tokens[first].start, tokens[last].end, "end")
    found[(whole.start, whole.end, ())] = whole
    return list(found.values())


def _parts_of(question: ProseQuestion, statement: Statement) -> Iterator[Span]:
    """Yields spans shorter than the sentence; none for yes/no questions, and no lists for questions about an event or a
    method."""
    if question.main == "yesno":
        return
    listed = question.main not in _UNLISTED
    values = values_in(statement.text)
    yield from _values(statement, values)
    if listed:
        yield from _value_lists(question, statement, values)
    yield from (span for span in _tails(statement) if listed or span.form != "list")
    yield from _subject_spans(statement)
    yield from _chunks(statement)


def _token_range(statement: Statement, start: int, end: int) -> tuple[int, int]:
    """Returns the range of tokens that covers the characters ``start`` to ``end``."""
    words = statement.tokens
    inside = [place for place, token in enumerate(words) if token.start < end and start < token.end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _values(statement: Statement, values: Sequence[Value]) -> Iterator[Span]:
    periods = periods_of(statement.text, values)
    for index, value in enumerate(values):
        first, last = _token_range(statement, value.start, value.end)
        if first == last:
            continue
        yield Span("value", first, last, value.start, value.end, value=value, period=periods.get(index))
        if value.kind == "date" and first and statement.tokens[first - 1].stop and statement.tokens[first - 1].word:
            # "In the fourth quarter of 2018", or "in-1986" in Hebrew: the answer may include the preposition.
            begin = statement.tokens[first - 1].start
            yield Span("value", first - 1, last, begin, value.end, value=value, with_cue=True)
        if value.kind in ("count", "duration", "percent", "amount") and first:
            before = statement.tokens[first - 1]
            if before.folded in vocabulary().about:
                yield Span("value", first - 1, last, before.start, value.end, value=value, with_cue=True)
        if value.kind == "count" and last < len(statement.tokens) and statement.tokens[last].word:
            yield Span("value", first, last + 1, value.start, statement.tokens[last].end, value=value, with_cue=True)


def _value_lists(question: ProseQuestion, statement: Statement, values: Sequence[Value]) -> Iterator[Span]:
    """Yields runs of figures, and selections from them for the requested periods in the question's order."""
    periods = periods_of(statement.text, values)
    years = [key[:4] for key in question.periods]
    for run in runs_of_figures(statement.text, values):
        yield _list_of(statement, [values[index] for index in run])
    for kind in ("amount", "percent", "count", "duration"):
        by_year: dict[str, Value] = {}
        for index, value in enumerate(values):
            if value.kind == kind and index in periods:
                by_year.setdefault(periods[index][:4], value)
        chosen = [by_year[year] for year in dict.fromkeys(years) if year in by_year]
        if len(chosen) > 1:
            yield _list_of(statement, chosen, EACH_PERIOD)
    dates = [value for value in values if value.kind == "date" and value.key]
    if len(dates) > 1:
        yield _list_of(statement, dates)
    names = [value for value in values if value.kind == "name"]
    if 1 < len(names) <= _MOST_ITEMS:
        yield _list_of(statement, names)


def _list_of(statement: Statement, values: Sequence[Value], period: str | None = None) -> Span:
    start, end = min(value.start for value in values), max(value.end for value in values)
    first, last = _token_range(statement, start, end)
    parts = tuple((value.start, value.end) for value in values)
    return Span("list", first, last, start, end, period=period, parts=parts, values=tuple(values))


def _possible_ends(words: Sequence[Token], first: int) -> Iterator[tuple[int, Ending]]:
    """Yields the positions where a span that starts at ``first`` may end, nearest first; always includes the end of the
    sentence."""
    given = 0
    last = len(words)
    while last > first and not words[last - 1].word and words[last - 1].text not in ')%"”':
        last -= 1
    depth = 0
    for place in range(first + 1, last):
        if given == _ENDS_TAIL:
            break
        depth += (words[place].text == "(") - (words[place].text == ")")
        ending = _ending(words, place, depth)
        if ending and words[place - 1].text != ",":
            yield place, ending
            given += 1
    if last > first:
        yield last, "end"


def _ending(words: Sequence[Token], place: int, depth: int) -> Ending | None:
    """Returns in which way a span may end before this token; ``depth`` counts the brackets open in the span."""
    sign = words[place].text
    if sign in (";", ":", "—", "–", "(") or (sign == ")" and depth <= 0):
        return "strong"
    if sign == ",":
        return "pause" if _phrase(words, place + 1, pause_words()) else "comma"
    return "pause" if _phrase(words, place, pause_words()) else None


def _phrase(words: Sequence[Token], place: int, phrases: frozenset[tuple[str, ...]]) -> int:
    """Returns the number of tokens from ``place`` on that match one of ``phrases``; 0 if none match."""
    if place >= len(words) or words[place].folded not in _first_words(phrases):
        return 0
    for length in (4, 3, 2, 1):
        if place + length <= len(words) and tuple(token.folded for token in words[place : place + length]) in phrases:
            return length
    return 0


@cache
def _first_words(phrases: frozenset[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(phrase[0] for phrase in phrases if phrase)


def _cues(words: Sequence[Token]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yields the cues with their groups; at each word, only the longest cue. A single Hebrew letter may be a cue."""
    place = 0
    while place < len(words):
        lengths = range(min(longest_cue(), len(words) - place), 0, -1)
        phrases = (tuple(token.folded for token in words[place : place + length]) for length in lengths)
        cue = next((phrase for phrase in phrases if phrase in cue_words()), None)
        if cue:
            yield _with_adverb(words, place), place + len(cue), cue_words()[cue]
        place += len(cue) if cue else 1


def _with_adverb(words: Sequence[Token], place: int) -> int:
    """Returns the start of a cue with the adverbs directly before it: "Primarily due to", "as well as mainly from"."""
    while place > 0 and words[place - 1].folded in vocabulary().adverbs:
        place -= 1
    return place


def _starts(statement: Statement) -> dict[int, tuple[frozenset[str], bool]]:
    """Returns where an answer may start: at or after a cue, after words of the question, after a pause."""
    words = statement.tokens
    starts: dict[int, tuple[frozenset[str], bool]] = {}
    for begin, after, groups in _cues(words):
        starts.setdefault(begin, (groups, True))
        if after < len(words):
            starts[after] = (groups | starts.get(after, (frozenset[str](), False))[0], False)
    matched = statement.match.max(axis=0, initial=0.0) >= 0.5
    for place in range(len(words) - 1):
        if (matched[place] and not matched[place + 1]) or words[place].text in (":", ",", "("):
            starts.setdefault(place + 1, (frozenset(), False))
    return starts


def _tails(statement: Statement) -> Iterator[Span]:
    words = statement.tokens
    for first, (groups, with_cue) in sorted(_starts(statement).items()):
        begin = first
        while begin < len(words) and not words[begin].word and words[begin].text not in ("(", "$", "“", '"', "€", "£"):
            begin += 1
        for last, ending in _possible_ends(words, begin):
            if last > begin:
                start, end = words[begin].start, words[last - 1].end
                tail = Span("tail", begin, last, start, end, ending, groups, with_cue)
                yield tail
                if not with_cue and ending != "comma":
                    yield from _list_items(statement, tail)


def _list_items(statement: Statement, tail: Span) -> Iterator[Span]:
    """Yields ``tail`` as a list of items, if it is one."""
    text = statement.text[tail.start : tail.end]
    if " " not in text or not _ITEM_END.search(text):
        return
    parts: list[tuple[int, int]] = []
    place = 0
    for match in [*_ITEM_END.finditer(text), None]:
        stop = match.start() if match else len(text)
        heads = not parts and text[place:stop].rstrip().endswith(":")
        if text[place:stop].strip() and not heads:
            # In "four regions: Iberia, ...", the text before the colon is not an item.
            begin = place + text[place:stop].rfind(": ") + 2 if not parts and ": " in text[place:stop] else place
            parts.append((tail.start + begin, tail.start + stop))
        place = match.end() if match else stop
    lengths = [len(statement.text[start:end].split()) for start, end in parts]
    if 1 < len(parts) <= _MOST_ITEMS and max(lengths) <= _LONGEST_ITEM:
        yield Span("list", tail.first, tail.last, tail.start, tail.end, tail.ending, tail.cues, parts=tuple(parts))


def _subject_spans(statement: Statement) -> Iterator[Span]:
    """Yields the text before a verb, from the start of the sentence or of its clause."""
    words = statement.tokens
    begins = [0, *(place + 1 for place, token in enumerate(words[:-1]) if token.text in (",", ";", ":", "("))]
    for begin, _, groups in _cues(words):
        if not groups & {"copula", "definition", "contents", "reason", "agent"} or begin == 0:
            continue
        for first in [place for place in begins if place < begin][-2:]:
            while first < begin and (not words[first].word or words[first].folded in ("and", "or", "that")):
                first += 1
            last = begin
            while last > first and not words[last - 1].word:
                last -= 1
            if first < last:
                yield Span("head", first, last, words[first].start, words[last - 1].end, "inner", groups)


def _chunks(statement: Statement) -> Iterator[Span]:
    """Yields sequences of at most six words without a question word, which start and end with content words."""
    words = statement.tokens
    matched = statement.match.max(axis=0, initial=0.0) >= 0.5
    for first, token in enumerate(words):
        if token.stop or matched[first]:
            continue
        for last in range(first + 1, min(first + _LONGEST_CHUNK, len(words)) + 1):
            end = words[last - 1]
            if (not end.word and end.text not in "-'’&\"״.") or matched[last - 1]:
                break
            if end.stop or not end.word:
                continue
            yield Span("chunk", first, last, token.start, end.end)
