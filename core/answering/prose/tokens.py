"""Splits a text into tokens with positions, and scores how well each matches a question word (0..1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import Prefix

from core.answering.prose.cross_language import cross_language_similarity
from core.answering.prose.vocabulary import groups_of_words, low_weight_words
from core.language import hebrew
from core.language.cache_sizes import TEXTS, WORDS
from core.language.entities.calendar_words import YEAR
from core.language.foreign_terms import UNSPACED, is_unspaced, joining_spans, stem_by_script
from core.language.hebrew import LETTER, VOWEL_LETTERS, is_hebrew
from core.language.languages import TextLanguage, language_words, text_language
from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem
from core.language.vocabulary import phrase_of, words_of

_ENDINGS = words_of("answering/prose.tokens.endings")
_OPENINGS = phrase_of("answering/prose.tokens.openings")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]\.(?:[^\W\d_]\.)+|[^\W_]+(?:[\"'’״׳&][^\W_]+)*['׳]?|[^\w\s]", re.UNICODE)
_HEBREW = re.compile(LETTER)
_UNSPACED = re.compile(rf"[{UNSPACED}]|[^{UNSPACED}]+")
_POSSESSIVE = re.compile(r"['’]s?$")
_FISCAL = re.compile(rf"^fy(?={YEAR}$)")
"""Matches "FY2022", so that it can be compared as 2022."""
_LEAST_COMMON = 5
_MOST_REST = 3
_VOWELS = str.maketrans("", "", VOWEL_LETTERS)
_LEAST_ROOT = 3
_NOUN_PREFIX, _PASSIVE, _VERB_ENDINGS = words_of("answering/prose.tokens.verb_letters")

RELATED = 0.7
"""Weight of a synonym relative to the identical word."""
_NO_GROUPS: frozenset[int] = frozenset()
ROOTED = 0.5
"""Weight of a word that has only the same beginning, or only the same consonants."""
FAINT = 0.3


@dataclass(frozen=True, slots=True)
class Token:
    """A token: ``text[start:end]`` of the source; ``base`` is the form for comparison; ``word`` is false for
    punctuation."""

    text: str
    start: int
    end: int
    folded: str
    base: str
    word: bool
    stop: bool

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


@lru_cache(maxsize=2 * TEXTS)
def tokens(text: str) -> tuple[Token, ...]:
    """Returns the words and punctuation of ``text`` in order; splits at hyphens, and splits text without spaces by
    character."""
    if is_unspaced(text):
        return tuple(_unspaced_tokens(text))
    stop = _stop_words(text)
    return tuple(
        Token(match.group(), match.start(), match.end(), *_compared(match.group(), stop))
        for match in _TOKEN.finditer(text)
    )


def _unspaced_tokens(text: str) -> Iterator[Token]:
    stop = _stop_words(text)
    joining = {place for start, end in joining_spans(text) for place in range(start, end)}
    for match in _TOKEN.finditer(text):
        for part in _UNSPACED.finditer(match.group()):
            start = match.start() + part.start()
            token = Token(part.group(), start, start + len(part.group()), *_compared(part.group(), stop))
            yield replace(token, stop=True) if start in joining else token


def _stop_words(text: str) -> TextLanguage | None:
    """Returns the language whose function words must be ignored; ``None`` for English and Hebrew, which are handled
    separately."""
    language = text_language(text)
    return language if language in language_words() else None


@lru_cache(maxsize=2 * WORDS)
def _compared(matched: str, language: TextLanguage | None) -> tuple[str, str, bool, bool]:
    """Returns a word or punctuation mark in normalised form (folded), and its ``base``, ``word`` and ``stop``;
    ``language`` is that of its text."""
    folded = fold(matched)
    word = matched[0].isalnum()
    bare = _FISCAL.sub("", _POSSESSIVE.sub("", folded)) or folded
    stop = not word or is_stop_word(bare) or (language is not None and bare in language_words()[language].words)
    return folded, stem_by_script(bare) or stem(bare), word, stop


@dataclass(frozen=True)
class Term:
    """A word of a question; ``weight`` is 1, or less if the word only says what kind of thing is requested."""

    text: str
    base: str
    weight: float
    groups: frozenset[int]
    forms: frozenset[str]
    root: str
    exact: bool
    """Whether an answer must contain the word itself and not a synonym: for a number, a name or a quoted word."""
    in_hebrew: bool
    is_number: bool


def term(token: Token, first: bool = False) -> Term:
    """Returns a token as a question term; ``first``: the question starts with it, so a capital does not make it a
    name."""
    is_hebrew = bool(_HEBREW.search(token.folded))
    forms = frozenset(form for form in hebrew.variants(token.folded) if len(form) > 2) if is_hebrew else frozenset()
    number = token.base[0].isdigit()
    name = token.capital and not first
    weight = FAINT if token.base in low_weight_words() else 1.0
    groups = groups_of_words().get(token.base, frozenset())
    root = _root(token.folded) if is_hebrew else token.base
    in_hebrew = hebrew.is_hebrew(token.base[0])
    return Term(token.folded, token.base, weight, groups, forms, root, number or name, in_hebrew, number)


def term_match(asked: Term, token: Token) -> float:
    """Returns how well ``token`` matches the word ``asked``, 0..1."""
    return term_matches((asked,), token)[0]


def term_matches(asked: Sequence[Term], token: Token) -> tuple[float, ...]:
    """Returns how well ``token`` matches each of the words ``asked``, 0..1."""
    base = token.base
    in_hebrew, is_number = is_hebrew(base[0]), base[0].isdigit()
    groups = _NO_GROUPS if in_hebrew or is_number else groups_of_words().get(base, _NO_GROUPS)
    return tuple(
        1.0 if term.base == base
        else 0.0 if term.is_number or is_number
        else _word_similarity(term, base, groups) if not (in_hebrew or term.in_hebrew or term.forms)
        else _similarity_across(term, token, in_hebrew)
        for term in asked
    )  # fmt: skip


def _word_similarity(asked: Term, word: str, groups: frozenset[int]) -> float:
    """Compares two different words that are not Hebrew; ``groups`` are those of the synonyms of ``word``."""
    if groups and not asked.groups.isdisjoint(groups):
        return RELATED
    return ROOTED if asked.base[:_LEAST_COMMON] == word[:_LEAST_COMMON] and _begin_alike(asked.base, word) else 0.0


def _similarity_across(asked: Term, token: Token, in_hebrew: bool) -> float:
    """Compares two different words of which at least one is Hebrew."""
    if asked.in_hebrew == in_hebrew:
        return _term_similarity(asked, token.base, token.folded)
    if in_hebrew:
        return cross_language_similarity(token.folded, asked.text, asked.exact)
    return cross_language_similarity(asked.text, _POSSESSIVE.sub("", token.folded), token.capital)


def _term_similarity(asked: Term, word: str, folded: str) -> float:
    """Compares two words of one script that differ."""
    base, forms, groups, root = asked.base, asked.forms, asked.groups, asked.root
    if forms:
        others = hebrew.variants(folded)
        if not forms.isdisjoint(others):
            return 1.0
        if groups and any(not groups.isdisjoint(groups_of_words().get(form, frozenset())) for form in others):
            return RELATED
        if len(root) >= _LEAST_ROOT and root == _root(folded):
            return ROOTED
        return (
            ROOTED if not is_stop_word(folded) and not _verb_roots(asked.text).isdisjoint(_verb_roots(folded)) else 0.0
        )
    if groups and not groups.isdisjoint(groups_of_words().get(word, frozenset())):
        return RELATED
    return ROOTED if _begin_alike(base, word) else 0.0


def _begin_alike(one: str, other: str) -> bool:
    """Returns whether two stems have the same root: "acquir" and "acquisit"."""
    common = Prefix.similarity(one, other)
    return common >= _LEAST_COMMON and max(len(one), len(other)) - common <= _MOST_REST


@lru_cache(maxsize=50_000)
def _root(word: str) -> str:
    """Returns the consonants of a Hebrew word without one prefix letter and without verb and noun endings."""
    bare = word.translate(_VOWELS)
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= _LEAST_ROOT:
            bare = bare[: -len(ending)]
            break
    return bare[1:] if len(bare) > _LEAST_ROOT and bare[0] in _OPENINGS else bare


@lru_cache(maxsize=50_000)
def _verb_roots(word: str) -> frozenset[str]:
    """Returns the possible consonants of a Hebrew verb or of its noun of action, which its active and passive forms
    share. A prefix that also forms other nouns of the root is not removed."""
    forms = [form for form in hebrew.variants(word) if _NOUN_PREFIX not in word[: len(word) - len(form)]]
    return frozenset(root for form in forms if len(root := _bare_verb(hebrew.skeleton(form))) >= _LEAST_ROOT)


def _bare_verb(skeleton: str) -> str:
    if len(skeleton) > _LEAST_ROOT and skeleton[-1] in _VERB_ENDINGS:
        skeleton = skeleton[:-1]
    return skeleton[1:] if len(skeleton) > _LEAST_ROOT and skeleton[0] == _PASSIVE else skeleton
