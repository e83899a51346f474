"""Assigns the words of a question to operations, values, times, comparisons and columns of a frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from core.datasets.words.bounds import Bound, bounds_in, number_of
from core.datasets.words.frames import Frame
from core.datasets.words.links import ColumnLink, ValueIndex, ValueLink, column_links, corrected, heading_words
from core.datasets.words.times import Time, times_in
from core.datasets.words.tokens import EXACT, STEM, Words, agreement, words_of
from core.datasets.words.vocabulary import (
    bucket_of,
    groups_of,
    headings,
    is_filler,
    is_measure,
    operation_patterns,
    operations,
    whole_words,
)
from core.language import hebrew
from core.language.terms import stem

_MAY_BE_COLUMN = frozenset(
    (
        "rank",
        "ranking",
        "correlation",
        "list",
        "which",
        "direction",
        "change",
        "last",
        "first",
        "previous",
        "next",
        "sum",
        "each_once",
        "contains",
        "largest",
        "smallest",
    )
)
"""Operations whose words may also be headings."""
_LEAST_CODE = 3
_LONGEST_NAME = 2
"""Maximum number of words of a name of rows before its last: "pillow pals"."""
_STRONG = 0.9


@dataclass
class Tagged:
    """A question's words and what each of them is for a frame. ``left`` are the places of words that carry meaning
    and were not assigned; ``changed`` are misspelled words by their place."""

    words: Words
    frame: Frame
    operations: dict[str, list[tuple[int, int]]]
    values: list[ValueLink] = field(default_factory=list)
    times: list[Time] = field(default_factory=list)
    bounds: list[Bound] = field(default_factory=list)
    columns: list[ColumnLink] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    changed: dict[int, str] = field(default_factory=dict)

    def has(self, *names: str) -> bool:
        """Returns whether one of the operations is named."""
        return any(self.operations.get(name) for name in names)

    def place(self, name: str) -> int:
        """Returns the place of the first word of an operation, or -1."""
        spans = self.operations.get(name)
        return spans[0][0] if spans else -1

    def text(self, first: int, last: int) -> str:
        """Returns the words from ``first`` to ``last`` as they were written."""
        return " ".join(token.raw for token in self.words.tokens[first:last])

    def before(self, first: int, name: str, reach: int = 1) -> bool:
        """Returns whether the operation ends at most ``reach`` words before ``first``; only fillers lie between."""
        return any(
            0 <= first - last < reach and all(is_filler(token.text) for token in self.words.tokens[last:first])
            for _, last in self.operations.get(name, ())
        )

    def columns_named(self, word: str) -> bool:
        """Returns whether a word names a column."""
        spans = self.operations.get(word, ())
        return any(first <= link.first < last for first, last in spans for link in self.columns)

    @property
    def score(self) -> float:
        """How well the frame fits: the words that it explains, less those that it does not."""
        links: list[ValueLink | ColumnLink] = [*self.values, *self.columns]
        good = sum(link.score * (1 + 0.3 * (link.last - link.first - 1)) for link in links)
        dated = any(field.column.is_dated for field in self.frame.fields)
        good += 0.5 * len(self.times) if dated else 0.0
        names = {stem(word) for name in self.frame.names for word in words_of(name)}
        good += 0.8 * any(stem(token.text) in names for token in self.words.tokens if not is_filler(token.text))
        return good - 0.8 * len(self.left) - 0.05 * len(self.frame.joins)


def tagged(words: Words, frame: Frame, index: ValueIndex) -> Tagged:
    """Assigns ``words`` for ``frame``; ``index`` holds its values."""
    names = {word for field in frame.fields for word in words_of(field.column.name)}
    words, changed = corrected(words, frozenset(names | index.words | _known_words()))
    result = Tagged(words, frame, _operations_in(words), changed=changed)
    taken = [False] * len(words.tokens)
    named = column_links(words, frame.fields, taken)
    result.values = _values(words, index, named, result)
    _take(taken, result.values)
    wide = {
        index for link in named if link.score == EXACT and _names_time(link) for index in range(link.first, link.last)
    }
    result.times = times_in(words, [taken[index] or index in wide for index in range(len(taken))])
    _take(taken, result.times)
    result.bounds = bounds_in(words, taken)
    _take(taken, result.bounds)
    blocked = list(taken)
    for name, spans in result.operations.items():
        if name not in _MAY_BE_COLUMN:
            _take(blocked, (_Span(first, last) for first, last in spans))
    result.columns = column_links(words, frame.fields, blocked)
    _take(taken, result.columns)
    in_operations = [False] * len(taken)
    for spans in result.operations.values():
        _take(in_operations, (_Span(first, last) for first, last in spans))
    _add_partial(result, index, taken, in_operations)
    headings_named = [link for link in result.columns if link.last - link.first > 1 and link.score > _STRONG]
    limits: list[Bound | ValueLink | ColumnLink] = [*result.bounds, *result.values, *headings_named]
    for name, spans in result.operations.items():
        result.operations[name] = [
            span for span in spans if not any(each.first <= span[0] and span[1] <= each.last for each in limits)
        ]
    result.left = [
        place
        for place, token in enumerate(words.tokens)
        if not taken[place]
        and not in_operations[place]
        and not token.aside
        and _has_meaning(result, place)
        and not _is_noun_of(result, place)
        and not _is_row_noun(result, place)
        and not any(agreement(token.text, word) >= STEM for word in names)
    ]
    return result


@dataclass(frozen=True)
class _Span:
    first: int
    last: int


def _take(taken: list[bool], spans: Iterable[_Span | ValueLink | ColumnLink | Time | Bound]) -> None:
    for span in spans:
        taken[span.first : span.last] = [True] * (span.last - span.first)


@cache
def _known_words() -> frozenset[str]:
    known = set(operations().numbers) | set(operations().scales)
    for patterns in (*operations().operations.values(), operations().largest, operations().smallest):
        for pattern in patterns:
            known |= {word for word in words_of(pattern) if word.isalpha() and len(word) > 3}
    known |= {word for group in headings().groups for name in group for word in words_of(name)}
    known |= {word for name in operations().buckets.values() for word in name}
    return frozenset(known | operations().fillers)


def _operations_in(words: Words) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for name, pattern in operation_patterns().items():
        spans = [words.span(*match.span()) for match in pattern.finditer(words.text) if match.group().strip()]
        if spans:
            found[name] = spans
    return found


def _names_time(link: ColumnLink) -> bool:
    return len(times_in(_as_words(link.field.column.name), [False] * 9)) > 0


def _as_words(text: str) -> Words:
    from core.datasets.words.tokens import split

    return split(" ".join(text.split()[:4]), "")


def _values(words: Words, index: ValueIndex, named: list[ColumnLink], result: Tagged) -> list[ValueLink]:
    found: list[ValueLink] = []
    place = 0
    tokens = words.tokens
    while place < len(tokens):
        candidates = [link for link in index.whole(tokens, place) if _is_value(link, words, named, result)]
        if not candidates:
            place += 1
            continue
        longest = max(link.last for link in candidates)
        alike = [link for link in candidates if link.last == longest]
        # A whole cell is meant sooner than a part of one, such as the town in an address.
        alike.sort(key=lambda link: (-link.score, -_nearness(link, named), link.within))
        best = alike[0]
        same = [link for link in alike[1:] if (link.score, link.within) == (best.score, best.within)]
        others = () if _nearness(best, named) else tuple(same)
        found.append(ValueLink(best.first, best.last, best.field, best.values, best.score, best.within, others))
        place = longest
    return found


def _nearness(link: ValueLink, named: list[ColumnLink]) -> int:
    """Returns 1 if the words next to a value name its column."""
    near = [other for other in named if 0 <= link.first - other.last <= 1 or 0 <= other.first - link.last <= 1]
    return int(any(other.field.name == link.field.name for other in near))


def _is_value(link: ValueLink, words: Words, named: list[ColumnLink], result: Tagged) -> bool:
    tokens = words.tokens[link.first : link.last]
    if any(token.quoted for token in tokens):
        return True
    for other in named:
        overlaps = other.first < link.last and link.first < other.last
        if overlaps and other.score >= link.score and other.last - other.first >= link.last - link.first:
            return False
    if all(token.text.isdigit() for token in tokens):
        return len(tokens[0].text) >= _LEAST_CODE and (link.field.column.type == "code" or bool(_nearness(link, named)))
    if len(tokens) > 1:
        return not all(is_filler(token.text) for token in tokens)
    token = tokens[0]
    if number_of(token.text) is not None or bucket_of(token.text):
        return False
    is_name = token.raw[:1].isupper() and link.first > 0
    spans = [span for name, spans in result.operations.items() for span in spans if span[0] <= link.first < span[1]]
    return is_name or not (is_filler(token.text) or spans)


def _add_partial(result: Tagged, index: ValueIndex, taken: list[bool], in_operations: list[bool]) -> None:
    """Links words that are a part of a value, the longest run of words first."""
    tokens = result.words.tokens
    place = 0
    heads = {last for name in ("count", "which") for _, last in result.operations.get(name, ())}
    while place < len(tokens):
        if (
            (place in heads and tokens[place].raw.islower())
            or taken[place]
            or not _may_be_part(result, place, in_operations)
        ):
            place += 1
            continue
        last = place + 1
        while last < len(tokens) and not taken[last] and not in_operations[last]:
            last += 1
        link = None
        for end in range(last, place, -1):
            if is_filler(tokens[end - 1].text):
                continue
            links = index.inside(tokens, place, end)
            if links:
                named = [each for each in links if any(other.field.name == each.field.name for other in result.columns)]
                best = (named or links)[0]
                link = ValueLink(
                    best.first,
                    best.last,
                    best.field,
                    best.values,
                    best.score,
                    True,
                    tuple(each for each in links if each is not best and not named),
                )
                break
        if link:
            result.values.append(link)
            _take(taken, [link])
            place = link.last
        else:
            place += 1
    result.values.sort(key=lambda link: link.first)


def _is_noun_of(result: Tagged, place: int) -> bool:
    """Returns whether a word is the noun that a value or a condition describes: "loyalty customers"."""
    token = result.words.tokens[place]
    if token.raw[:1].isupper() or is_measure(token.text):
        return False
    described: list[ColumnLink | ValueLink] = [
        link for link in result.columns if link.field.column.type == "boolean" or link.field.column.is_numeric
    ]
    return any(link.last == place for link in [*result.values, *described])


def _is_row_noun(result: Tagged, place: int) -> bool:
    """Returns whether a word belongs to the name of what is counted, asked for or described by a value, and names
    neither a column nor a measure: then it says what a row is."""
    tokens = result.words.tokens
    ends = {last for name in ("count", "which") for _, last in result.operations.get(name, ())}
    ends |= {link.last for link in result.values}
    first = place
    while first not in ends and place - first < _LONGEST_NAME and first > 0 and _may_name_rows(tokens[first - 1].text):
        first -= 1
    return first in ends and tokens[place].raw.islower() and _may_name_rows(tokens[place].text)


def _may_name_rows(word: str) -> bool:
    return word.isalpha() and not is_measure(word) and not groups_of(word) and not is_filler(word)


def _may_be_part(result: Tagged, place: int, in_operations: list[bool]) -> bool:
    token = result.words.tokens[place]
    if token.quoted:
        return True
    return (
        not token.aside and not in_operations[place] and _has_meaning(result, place) and number_of(token.text) is None
    )


def _has_meaning(result: Tagged, place: int) -> bool:
    token = result.words.tokens[place]
    if token.text in operations().rows or stem(token.text) in {stem(word) for word in operations().rows}:
        return False
    names = {stem(word) for name in (*result.frame.names, *result.frame.dataset.titles) for word in words_of(name)}
    if whole_words(operations().percent).fullmatch(token.text):
        return False
    return not (
        (is_filler(token.text) and not token.text.isdigit())
        or bucket_of(token.text)
        or stem(token.text) in names
        or (hebrew.is_hebrew(token.text) and any(form in names for form in hebrew.variants(token.text)))
        or not token.text[0].isalnum()
    )


__all__ = ["Tagged", "heading_words", "tagged"]
