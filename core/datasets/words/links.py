"""Links words of a question to columns of a table and to values in them."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from core.datasets.words.frames import Field, Frame, Values
from core.datasets.words.tokens import EXACT, FORM, STEM, SYNONYM, TYPO, Token, Words, agreement, is_typo, words_of
from core.datasets.words.vocabulary import (
    groups_of,
    headings,
    is_filler,
    is_measure,
    operations,
    states_of,
    translations_of,
)
from core.language import hebrew
from core.language.places import find_place
from core.language.terms import is_stop_word, stem

_LONGEST = 8
_PHRASE = 3
_CLOSE = 0.06
"""Columns whose scores differ by less are both possible."""
_LEAST = 0.5
_SENTENCE = 3
"""Headings with more words are sentences, whose last word is not their noun."""
_WITHOUT_NOUN = 0.65
_SEPARATORS = (";", "|")
MOST_VALUES = 10_000
"""Of a column with more different values, only those with words of the question are indexed."""
PARTIAL = 0.6


@dataclass(frozen=True)
class ColumnLink:
    """Words that name a column; ``others`` are columns that they may mean as well."""

    first: int
    last: int
    field: Field
    score: float
    others: tuple[Field, ...] = ()


@dataclass(frozen=True)
class ValueLink:
    """Words that name values of a column. ``within`` is set if they are a part of its cells. ``others`` are links of
    the same words to other columns."""

    first: int
    last: int
    field: Field
    values: tuple[str, ...]
    score: float
    within: bool = False
    others: tuple[ValueLink, ...] = ()


@dataclass(frozen=True)
class _Entry:
    words: tuple[str, ...]
    field: Field
    value: str
    within: bool


class ValueIndex:
    """Finds values of a frame by the forms of their words: those of columns with up to ``MOST_VALUES`` values, or with
    ``is_large`` those of the others."""

    def __init__(self, frame: Frame, values: Values, *, is_large: bool = False) -> None:
        self._starts: dict[str, list[_Entry]] = defaultdict(list)
        self._inside: dict[str, list[_Entry]] = defaultdict(list)
        self._meanings: dict[int, list[_Entry]] = defaultdict(list)
        self.words: set[str] = set()
        self._further: ValueIndex | None = None
        for field in frame.fields:
            if field.column.is_numeric or field.column.is_dated or field.column.type == "boolean":
                continue
            if (field.column.distinct > MOST_VALUES) == is_large:
                for value in values(field.dataset, field.column)[:MOST_VALUES]:
                    self._add(field, value)

    def with_further(self, index: ValueIndex) -> ValueIndex:
        """Returns an index of the values of both."""
        both = copy.copy(self)
        both._further = index
        both.words = self.words | index.words
        return both

    def _entries(self, form: str, *, inside: bool) -> Iterator[_Entry]:
        index: ValueIndex | None = self
        while index is not None:
            yield from (index._inside if inside else index._starts).get(form, ())
            index = index._further

    def _add(self, field: Field, value: str) -> None:
        separator = next((mark for mark in _SEPARATORS if mark in value), None)
        if separator is None and ("," in value or "(" in value):
            self._add_parts(field, value)
        for part in value.split(separator) if separator else [value]:
            self._add_spellings(field, part.strip())
            words = tuple(words_of(part))
            if not words:
                continue
            entry = _Entry(words, field, part.strip(), separator is not None)
            if field.column.type == "category" and len(words) == 1:
                for group in states_of(words[0]):
                    self._meanings[group].append(entry)
            for form in forms_of(words[0]):
                self._starts[form].append(entry)
            for word in words:
                self.words.add(word)
                for form in forms_of(word):
                    self._inside[form].append(entry)

    def _add_spellings(self, field: Field, value: str) -> None:
        """Adds the other spellings of a place, also in the other language."""
        place = find_place(value)
        own = tuple(words_of(value))
        for spelling in {tuple(words_of(name)) for name in place.names} - {own} if place else ():
            entry = _Entry(spelling, field, value, False)
            for form in forms_of(spelling[0]):
                self._starts[form].append(entry)

    def _add_parts(self, field: Field, value: str) -> None:
        """Adds the parts of a value such as "Daegu, South Korea" or "Turkey (TUR)"."""
        for part in re.split(r"[,()]", value):
            words = tuple(words_of(part))
            if words and not part.strip()[0].isdigit() and len(words) < len(words_of(value)):
                entry = _Entry(words, field, part.strip(), True)
                for form in forms_of(words[0]):
                    self._starts[form].append(entry)

    def whole(self, tokens: Sequence[Token], first: int) -> list[ValueLink]:
        """Returns the values that are written out from the word ``first`` on, the longest first."""
        found: dict[tuple[str, str], ValueLink] = {}
        seen: set[int] = set()
        for form in forms_of(tokens[first].text):
            for entry in self._entries(form, inside=False):
                if id(entry) in seen:
                    continue
                seen.add(id(entry))
                last = first + len(entry.words)
                if last > len(tokens):
                    continue
                pairs = zip((token.text for token in tokens[first:last]), entry.words, strict=True)
                score = min(agreement(*pair) for pair in pairs)
                if score < FORM:
                    continue
                key = (entry.field.name, " ".join(entry.words))
                same = found[key].values if key in found else ()
                values = tuple(dict.fromkeys((*same, entry.value)))
                found[key] = ValueLink(first, last, entry.field, values, score, entry.within)
        for group in states_of(tokens[first].text) if not found else ():
            for entry in self._meanings.get(group, ()):
                found[entry.field.name, entry.value] = ValueLink(
                    first, first + 1, entry.field, (entry.value,), FORM, entry.within
                )
        return sorted(found.values(), key=lambda link: (link.first - link.last, -link.score))

    def inside(self, tokens: Sequence[Token], first: int, last: int) -> list[ValueLink]:
        """Returns the values that contain the words from ``first`` to ``last`` in this order, one link a column."""
        found: dict[str, list[_Entry]] = defaultdict(list)
        words = [token.text for token in tokens[first:last]]
        seen: set[int] = set()
        for form in forms_of(words[0]):
            for entry in self._entries(form, inside=True):
                if id(entry) not in seen and _contains(entry.words, words):
                    found[entry.field.name].append(entry)
                seen.add(id(entry))
        links = []
        for entries in found.values():
            values = tuple(dict.fromkeys(entry.value for entry in entries))
            links.append(ValueLink(first, last, entries[0].field, values, PARTIAL, True))
        return sorted(links, key=lambda link: len(link.values))


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    size = len(part)
    return any(
        all(agreement(one, other) >= FORM for one, other in zip(part, words[start : start + size], strict=True))
        for start in range(len(words) - size + 1)
    )


@lru_cache(maxsize=65_536)
def forms_of(word: str) -> frozenset[str]:
    """Returns the forms under which a word is indexed."""
    if hebrew.is_hebrew(word):
        return frozenset(hebrew.variants(word)) | hebrew.own_forms(word)
    return frozenset((word, stem(word)))


@lru_cache(maxsize=4_096)
def heading_words(name: str, unit: str = "") -> tuple[str, ...]:
    """Returns the words of a heading that say what it is: without units in parentheses and words such as "number"."""
    plain = name.split("(")[0] if name.split("(")[0].strip() else name
    units = words_of(unit)
    words = [word for word in words_of(plain) if word not in units] or words_of(plain)
    if groups_of(" ".join(words)):
        return tuple(words)
    telling = [word for word in words if not is_stop_word(word) and word not in headings().weak_headings]
    return tuple(telling or words)


def column_links(words: Words, fields: Iterable[Field], taken: Sequence[bool]) -> list[ColumnLink]:
    """Returns the columns that words name, in order and without overlaps; words that are ``taken`` are left out."""
    fields = list(fields)
    found = [link for field in fields for link in _links_to(words, field, taken, with_synonyms=False)]
    strong = [link for link in found if link.score >= STEM]
    free = [not any(link.first <= place < link.last for link in strong) for place in range(len(taken))]
    usable = [taken[place] or not free[place] for place in range(len(taken))]
    found = [*strong, *(link for field in fields for link in _links_to(words, field, usable, with_synonyms=True))]
    found += [
        link for field in fields for link in _links_to(words, field, taken, with_synonyms=False) if link not in found
    ]
    found.sort(key=lambda link: (-_worth(link), link.first))
    kept: list[ColumnLink] = []
    for link in found:
        if any(link.first < other.last and other.first < link.last for other in kept):
            continue
        rivals = {
            other.field.name: other.field
            for other in found
            if (other.first, other.last) == (link.first, link.last) and link.score - other.score < _CLOSE
        }
        others = tuple(field for name, field in rivals.items() if name != link.field.name)
        kept.append(ColumnLink(link.first, link.last, link.field, link.score, others))
    return sorted((_with_unit(words, link) for link in kept), key=lambda link: link.first)


def _with_unit(words: Words, link: ColumnLink) -> ColumnLink:
    """Returns the link with the words of the unit after it if they are in its heading: *Amount (ILS)*."""
    units, last = words_of(link.field.column.name.partition("(")[2]), link.last
    while last < len(words.tokens) and words.tokens[last].text in units:
        last += 1
    return dataclasses.replace(link, last=last)


def _worth(link: ColumnLink) -> float:
    return link.score + 0.2 * (link.last - link.first)


def _links_to(words: Words, field: Field, taken: Sequence[bool], *, with_synonyms: bool) -> list[ColumnLink]:
    heading = heading_words(field.column.name, field.column.unit)
    matched: dict[int, tuple[float, frozenset[int]]] = {}
    tokens = words.tokens
    for index, token in enumerate(tokens):
        if taken[index]:
            continue
        best = max(((agreement(token.text, word), place) for place, word in enumerate(heading)), default=(0.0, 0))
        if best[0] >= TYPO and (len(token.text) > 1 or best[0] == EXACT):
            matched[index] = (best[0], frozenset((best[1],)))
    if with_synonyms:
        _match_synonyms(words, heading, taken, matched)
    links: list[ColumnLink] = []
    run: list[int] = []
    for index in [*sorted(matched), len(tokens) + 9]:
        if run and (index - run[-1] > 2 or (index - run[-1] == 2 and not _joins(tokens[run[-1] + 1].text))):
            links += _link(field, heading, run, matched)
            run = []
        run.append(index)
    return links


def _joins(word: str) -> bool:
    """Returns whether a word may be between two words of one heading: "price per stem", but not "stems times price"."""
    return is_stop_word(word) and word not in operations().both and operations().arithmetic.get(word, "/") == "/"


def _match_synonyms(
    words: Words, heading: Sequence[str], taken: Sequence[bool], matched: dict[int, tuple[float, frozenset[int]]]
) -> None:
    tokens = words.tokens
    for size in range(_PHRASE, 0, -1):
        for first in range(len(tokens) - size + 1):
            span = range(first, first + size)
            if any(taken[index] or index in matched for index in span):
                continue
            name = " ".join(tokens[index].text for index in span)
            places = _places(heading, groups_of(name), groups_of)
            if not places and heading and hebrew.is_hebrew(name) != hebrew.is_hebrew(heading[0]):
                places = _places(heading, translations_of(name), translations_of)
            if places:
                matched.update(dict.fromkeys(span, (SYNONYM, places)))


def _places(
    heading: Sequence[str], groups: frozenset[int], groups_of: Callable[[str], frozenset[int]]
) -> frozenset[int]:
    """Returns the places of the words of a heading that are in one of the groups of names and include its noun."""
    if not groups:
        return frozenset()
    head = 0 if heading and hebrew.is_hebrew(heading[0]) else len(heading) - 1
    for size in range(min(_PHRASE, len(heading)), 0, -1):
        for first in range(len(heading) - size + 1):
            if first <= head < first + size and groups_of(" ".join(heading[first : first + size])) & groups:
                return frozenset(range(first, first + size))
    return frozenset()


def _noun(name: str, heading: Sequence[str]) -> int:
    """Returns the place of the noun of a heading: the last word, or the one before "per"; in Hebrew the first."""
    if hebrew.is_hebrew(heading[0]):
        return 0
    words = words_of(name)
    per = next((place for place, word in enumerate(words) if place and operations().arithmetic.get(word) == "/"), 0)
    return heading.index(words[per - 1]) if per and words[per - 1] in heading else len(heading) - 1


def _link(
    field: Field, heading: Sequence[str], run: Sequence[int], matched: dict[int, tuple[float, frozenset[int]]]
) -> list[ColumnLink]:
    places = frozenset().union(*(matched[index][1] for index in run))
    quality = sum(matched[index][0] for index in run) / len(run)
    share = len(places) / max(len(heading), 1)
    head = _noun(field.column.name, heading)
    score = quality * (0.5 + 0.5 * share) * (1.0 if head in places or len(heading) > _SENTENCE else _WITHOUT_NOUN)
    return [ColumnLink(run[0], run[-1] + 1, field, score)] if score >= _LEAST else []


def corrected(words: Words, lexicon: frozenset[str]) -> tuple[Words, dict[int, str]]:
    """Returns the words with misspelled ones replaced by words of ``lexicon``, and the replaced ones by their place."""
    changes: dict[int, str] = {}
    tokens, place = [], 0
    for index, token in enumerate(words.tokens):
        text = token.text
        if (
            not token.quoted
            and text.isalpha()
            and text not in lexicon
            and not is_filler(text)
            and not is_measure(text)
            and stem(text) not in lexicon
        ):
            near = min(
                ((_distance(text, word), word) for word in lexicon if is_typo(text, word) or is_typo(stem(text), word)),
                default=None,
            )
            if near:
                changes[index] = text
                text = near[1]
        tokens.append(dataclasses.replace(token, text=text, start=place, end=place + len(text)))
        place += len(text) + 1
    return Words(tuple(tokens), " ".join(token.text for token in tokens), words.question), changes


def _distance(one: str, other: str) -> int:
    return DamerauLevenshtein.distance(one, other)
