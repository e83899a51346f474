"""Finds the terms that a sentence defines ("(the “Reserve Plan”)", "“X” means")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.key_terms import term_key
from core.knowledge.extraction.lexicon import terms
from core.knowledge.extraction.patterns import Span
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import pattern_of, phrase_of

_BRACKET = re.compile(r"\((?P<lead>[^()\"]{0,40})\"(?P<term>[^\"()]{2,50})\"(?P<more>[^()]{0,60})\)")
_ACRONYM = re.compile(r"\((?P<term>[A-Z][A-Za-z&]{1,7})\)")
_MEANS = re.compile(phrase_of("knowledge/extraction.defined_terms.means"))
_HEBREW_MEANS = re.compile(r"^\W*\"(?P<term>[^\"]{2,50})\"\s?[-–:]\s")
_LATER = pattern_of("knowledge/extraction.defined_terms.later")
_REACH = 160
_TOKEN = re.compile(r"[^\W_][\w&'./-]*")


@dataclass(frozen=True)
class DefinedTerm:
    """A defined term. ``span`` is the term where it is introduced; ``named_before`` is the text directly before the
    bracket. The term may be another name for the end of that text."""

    span: Span
    named_before: str = ""


def introduced_in(text: str) -> Iterator[DefinedTerm]:
    for match in _BRACKET.finditer(text):
        if _LATER.fullmatch(match["lead"]) and is_term(match["term"]):
            yield DefinedTerm(_term_span(match, match["term"]), _text_before(text, match))
    for match in _ACRONYM.finditer(text):
        if is_term(match["term"]) and initials_fit(match["term"], _text_before(text, match)):
            yield DefinedTerm(_term_span(match, match["term"]), _text_before(text, match))
    for pattern in (_MEANS, _HEBREW_MEANS):
        for match in pattern.finditer(text):
            if is_term(match["term"]):
                yield DefinedTerm(_term_span(match, match["term"]))


def is_term(words: str) -> bool:
    """Whether a text can be a defined term: at least two words of which half are capitalised, or an acronym. Places are
    excluded, and so are single words ("Fee"), which every contract defines."""
    term = words.strip(" ,.")
    tokens: list[str] = _TOKEN.findall(term)
    if not 1 <= len(tokens) <= 6 or term[:1].islower() or all(map(_is_ordinary, tokens)) or place_key(term) is not None:
        return False
    if any(is_hebrew(each) for each in tokens):
        return len(tokens) > 1
    if len(tokens) == 1:
        return is_acronym(tokens[0])
    return sum(each[0].isupper() or each[0].isdigit() for each in tokens) * 2 >= len(tokens)


def is_acronym(word: str) -> bool:
    letters = [sign for sign in word if sign.isalpha()]
    return len(letters) > 1 and sum(sign.isupper() for sign in letters) > len(letters) / 2 and len(letters) >= 3


def initials_fit(acronym: str, words: str) -> bool:
    """Whether the initials of the last words before a bracket match: "annual water loss (“AWL”)"."""
    wanted = [sign.lower() for sign in acronym if sign.isalpha()]
    if acronym.endswith("s") and len(wanted) > 2:
        wanted = wanted[:-1]
    parts = [part for part in re.split(r"[\s-]+", words) if part[:1].isalpha()]
    initials = [part[0].lower() for part in parts if not is_stop_word(fold(part))]
    return initials[-len(wanted) :] == wanted or [part[0].lower() for part in parts][-len(wanted) :] == wanted


def long_form(acronym: str, words: str) -> str:
    """The last words before a bracket that begin with the acronym's letters; empty if there are none."""
    parts = words.split()
    letters = sum(sign.isalpha() for sign in acronym)
    for count in range(1, min(len(parts), letters + 4) + 1):
        if any(sign in parts[-count] for sign in "()[];:."):
            return ""
        if parts[-count][0].lower() == acronym[0].lower() and initials_fit(acronym, " ".join(parts[-count:])):
            return " ".join(parts[-count:]).strip(" ,.;\"'")
    return ""


def defined_key(term: str) -> str:
    if is_acronym(term) and " " not in term and term[-1] == "s":
        term = term[:-1]
    return f"defined {term_key(term)}"


def _is_ordinary(word: str) -> bool:
    return fold(word) in terms().defined_ordinary or is_stop_word(fold(word))


def _text_before(text: str, match: re.Match[str]) -> str:
    """The text before the bracket, back to the sentence's previous bracket."""
    return text[max(0, match.start() - _REACH) : match.start()].rpartition(")")[2].rstrip()


def _term_span(match: re.Match[str], term: str) -> Span:
    label = term.strip(" ,.")
    start = match.start("term")
    return Span(start, start + len(label), "term", label, defined_key(label))
