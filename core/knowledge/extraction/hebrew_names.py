"""Finds names in Hebrew, which has no capital letters: by word lists, titles and the words before the names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.lexicon import organisations, people, places, terms
from core.knowledge.extraction.patterns import Span
from core.language.hebrew import LETTER, LIMITED, PREFIXES, THE
from core.language.terms import is_stop_word
from core.language.vocabulary import phrases, words_of

_phrase = phrases("knowledge/extraction.hebrew_names")

_COMPANY_OF = _phrase("company_of")
_AND_THAT = _phrase("and_that")
_IN_TO_FROM = words_of("knowledge/extraction.hebrew_names.in_to_from")
_ALSO_WORDS = words_of("knowledge/extraction.hebrew_names.also_words")
_ALSO_NAMES = words_of("knowledge/extraction.hebrew_names.also_names")
_WORD = re.compile(rf"{LETTER}+(?:[\"'-]{LETTER}+)*'?")
_PREFIX = re.compile(_phrase("prefix"))
_LONGEST_PREFIX = 3
_FAMILY = re.compile(_phrase("family"))
_STREET_NUMBER = re.compile(r" \d{1,4}(?![\d.,:]*\d)")


class _Token(NamedTuple):
    text: str
    start: int
    end: int


def find(text: str) -> list[Span]:
    """Names in the prepared ``text``, in order and without overlaps."""
    tokens = [_Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    return list(_walk(text, tokens))


def _walk(text: str, tokens: Sequence[_Token]) -> Iterator[Span]:
    index = 0
    while index < len(tokens):
        for search in (_street, _organisation, _person, _place_at):
            if found := search(text, tokens, index):
                span, used = found
                yield span
                index += used
                break
        else:
            index += 1


Found = tuple[Span, int] | None


def _street(text: str, tokens: Sequence[_Token], index: int) -> Found:
    token = tokens[index]
    head = next((form for form in _prefix_variants(token.text) if form in places().hebrew_streets), None)
    if head is None or index + 1 >= len(tokens) or _ends_name(tokens[index + 1].text):
        return None
    for used in (3, 2):
        run = tokens[index : index + used]
        number = _STREET_NUMBER.match(text, run[-1].end)
        if len(run) == used and _unbroken(text, run) and number:
            start = token.end - len(head)
            label = text[start : number.end()]
            return Span(start, number.end(), "place", label, label), used
    return None


def _organisation(text: str, tokens: Sequence[_Token], index: int) -> Found:
    token, known = tokens[index], organisations()
    pair = tokens[index : index + 2]
    for form in _prefix_variants(token.text):
        joined = " ".join([form, *(each.text for each in pair[1:])])
        if len(pair) == 2 and joined in known.hebrew_pairs:
            return _headed(text, tokens, index, form, 2)
        if form in known.hebrew_heads and not token.text[: -len(form)].endswith(THE):
            return _headed(text, tokens, index, form, 1)
    suffixed = _suffixed(text, tokens, index)
    if suffixed:
        return suffixed
    for form in _prefix_variants(token.text):
        if form in known.hebrew_known and len(form) > 2 and form not in _ALSO_WORDS:
            return Span(token.end - len(form), token.end, "organisation", form, form.removeprefix(THE)), 1
    return None


def _headed(text: str, tokens: Sequence[_Token], index: int, head: str, heads: int) -> Found:
    """An organisation that begins with a head word ("Ministry"), and the following words of its name."""
    used = heads + _tail(tokens, index + heads)
    run = tokens[index : index + used]
    if len(run) < used or used == heads or not _unbroken(text, run) or _ends_name(run[heads].text):
        return None
    return _as_organisation(text, run[0].end - len(head), run[-1].end, used)


def _tail(tokens: Sequence[_Token], first: int) -> int:
    """How many words after the head word belong to the name: a place's words, the words up to a mark that ends an
    organisation's name, else one."""
    words = [each.text for each in tokens[first : first + 3]]
    if _is_place(" ".join(words[:2])):
        return 2
    ends = organisations().hebrew_ends
    return max([1, *(place + 1 for place, word in enumerate(words) if place and word in ends)]) if words else 0


def _suffixed(text: str, tokens: Sequence[_Token], index: int) -> Found:
    """A name recognised by its ending: "Carmel Marketing Ltd"; "Harel Insurance" if its first word is a known
    company's."""
    for used in (3, 2):
        run = tokens[index : index + used]
        if len(run) < used or run[-1].text not in organisations().hebrew_ends or not _unbroken(text, run):
            continue
        if run[-1].text == LIMITED or (used == 2 and run[0].text in organisations().hebrew_first):
            return _as_organisation(text, run[0].start, run[-1].end, used)
    return None


def _as_organisation(text: str, start: int, end: int, used: int) -> tuple[Span, int]:
    label = text[start:end]
    shown = label.removeprefix(_COMPANY_OF) if f" {THE}" not in label[5:8] else label
    return Span(start, end, "organisation", shown, shown.removesuffix(f" {LIMITED}")), used


def _person(text: str, tokens: Sequence[_Token], index: int) -> Found:
    token = tokens[index]
    previous = tokens[index - 1] if index and _follows(text, tokens[index - 1], token) else None
    titled = previous is not None and _among(previous.text, people().titles_hebrew)
    led = previous is not None and _among(previous.text, people().before_hebrew)
    following = tokens[index + 1] if index + 1 < len(tokens) and _unbroken(text, tokens[index : index + 2]) else None
    given = next((form for form in _prefix_variants(token.text) if form in people().given_hebrew), None)
    if following and (given or titled) and _can_be_family(following.text, certain=titled or led):
        start = token.start if titled and not given else token.end - len(given or token.text)
        return _as_person(text, start, following.end, 2)
    if given == token.text or (given and len(token.text) - len(given) == 1 and len(given) > 3):
        if (
            len(given) < 3
            or (given in people().words_hebrew and not titled)
            or (following and _is_place(f"{given} {following.text}"))
        ):
            return None
        return _as_person(text, token.end - len(given), token.end, 1)
    return None


def _can_be_family(word: str, *, certain: bool) -> bool:
    if word in people().family_hebrew or _FAMILY.search(word):
        return True
    return certain and not _ends_name(word)


def _as_person(text: str, start: int, end: int, used: int) -> tuple[Span, int]:
    return Span(start, end, "person", text[start:end], text[start:end]), used


def _place_at(text: str, tokens: Sequence[_Token], index: int) -> Found:
    token = tokens[index]
    for used in (3, 2, 1):
        run = tokens[index : index + used]
        if len(run) < used or not _unbroken(text, run):
            continue
        for form in _prefix_variants(token.text):
            name = " ".join([form, *(each.text for each in run[1:])])
            if _is_place(name) and (used > 1 or len(form) > 2) and (form == token.text or _leads(token.text, form)):
                start = token.end - len(form)
                return Span(start, run[-1].end, "place", name, place_key(name) or name), used
    return None


def _leads(word: str, form: str) -> bool:
    return word[: len(word) - len(form)].lstrip(_AND_THAT)[-1:] in ("", *_IN_TO_FROM) and form not in _ALSO_NAMES


@lru_cache(maxsize=50_000)
def _is_place(name: str) -> bool:
    return place_key(name) is not None


def _among(word: str, words: frozenset[str]) -> bool:
    return any(form in words for form in _prefix_variants(word))


@lru_cache(maxsize=50_000)
def _prefix_variants(word: str) -> tuple[str, ...]:
    """The word, then the word without one prefix letter, without two, and so on."""
    forms = [word]
    for cut in range(1, _LONGEST_PREFIX + 1):
        if len(word) - cut < 2 or word[cut - 1] not in PREFIXES:
            break
        forms.append(word[cut:])
    return tuple(forms)


def _ends_name(word: str) -> bool:
    """Words that cannot be part of a name: verbs, prepositions, times."""
    known = terms()
    return is_stop_word(word) or word in known.hebrew_verbs or word in known.hebrew_weak


def _unbroken(text: str, run: Sequence[_Token]) -> bool:
    return all(_follows(text, one, other) for one, other in pairwise(run))


def _follows(text: str, one: _Token, other: _Token) -> bool:
    return text[one.end : other.start] in (" ", "-")
