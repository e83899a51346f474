"""Finds the key terms of a text besides names: sequences of content words, with weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core.knowledge.extraction.lexicon import blocked_english, terms
from core.knowledge.extraction.patterns import Span, blanked
from core.language import hebrew
from core.language.expansions import domains
from core.language.hebrew import PREFIXES
from core.language.normalisation import fold
from core.language.terms import is_stop_word, stem, weak_words
from core.language.vocabulary import phrase_of, words_of

_WORD = re.compile(r"[^\W\d_]+(?:[\"'-][^\W\d_]+)*'?")
LONGEST = 3
WORDS_PER_TERM = 10
LEAST, MOST = 2, 10
LONG = 60
"""In a text longer than this many words, a single word must occur twice, or have a noun's form, to be a term."""
_NOUN = re.compile(
    r"(?:tion|sion|ment|ity|ness|ance|ence|ship|ism|ure|age|ics|cy|ware|graphy|logy|tax|loan|rate|cost|plan|contract|agreement|report)s?$"
)
_NOT_LAST = re.compile(r"(?:ed|ing|ly|ous|ful|ive|able|ible|ical|less|est)$")
_HEBREW_VERB = re.compile(phrase_of("knowledge/extraction.key_terms.hebrew_verb"))
"""Endings of the past tense and infinitives, and words that begin with "and" or "that"."""
_JOINED = words_of("knowledge/extraction.key_terms.joined")
_ARTICLES = words_of("knowledge/extraction.key_terms.articles")
_NO_STEM = phrase_of("knowledge/extraction.key_terms.no_stem")
_ADJECTIVE_ONLY = re.compile(r"(?:ly|est)$")


class _Token(NamedTuple):
    text: str
    start: int
    end: int


def find(text: str, taken: Sequence[Span], most: int = MOST) -> list[Span]:
    """Key terms of the prepared ``text`` outside the ``taken`` parts, the best first; longer texts have more."""
    candidates = list(_candidates(blanked(text, taken)))
    words = len(text.split())
    limit = min(most, max(LEAST, round(words / WORDS_PER_TERM)))
    counts = Counter(span.key for span in candidates)
    if words > LONG:
        frequencies = Counter(_stem(fold(match.group())) for match in _WORD.finditer(text))
        candidates = [span for span in candidates if counts[span.key] > 1 or _is_weighty(span, frequencies)]
    seen: dict[str, tuple[float, Span]] = {}
    for place, span in enumerate(candidates):
        weight = _term_weight(span, place, len(candidates))
        best = seen.get(span.key)
        seen[span.key] = (weight + 0.5, best[1]) if best else (weight, span)
    ranked = sorted(seen.values(), key=lambda pair: (-pair[0], pair[1].start))
    return [span for _, span in ranked[:limit]]


@lru_cache(maxsize=50_000)
def term_key(label: str) -> str:
    """The term's key: stems in English, singulars without prefixes in Hebrew."""
    return " ".join(_stem(word) for word in fold(label).replace("-", " ").split())


def _stem(word: str) -> str:
    if not hebrew.is_hebrew(word):
        return stem(word.removesuffix("'s"))
    return word[1:] if word.startswith(hebrew.THE) and len(word) > 3 else word


def _candidates(text: str) -> Iterator[Span]:
    run: list[_Token] = []
    previous = 0
    for match in _WORD.finditer(text):
        token = _Token(match.group(), match.start(), match.end())
        if run and text[previous : token.start] not in (" ", "-"):
            yield from _noun_phrases(run)
            run = []
        previous = token.end
        if is_no_term(token.text):
            yield from _noun_phrases(run)
            run = []
        else:
            run.append(token)
    yield from _noun_phrases(run)


@lru_cache(maxsize=50_000)
def is_no_term(word: str) -> bool:
    """Whether a word names nothing by itself: a verb, a stop word, "total", "recent"."""
    folded = fold(word).removesuffix("'s")
    if hebrew.is_hebrew(folded):
        known = terms()
        forms = (folded, folded[1:] if folded[0] in PREFIXES else folded)
        if _HEBREW_VERB.search(folded):
            return True
        return len(folded) < 2 or any(
            f in known.hebrew_verbs or f in known.hebrew_weak or is_stop_word(f) for f in forms
        )
    if folded in terms().ing_nouns:
        return False
    return (
        len(folded) < 3
        or is_stop_word(folded)
        or folded in blocked_english()
        or folded in weak_words()
        or bool(_ADJECTIVE_ONLY.search(folded))
    )


def _noun_phrases(run: Sequence[_Token]) -> Iterator[Span]:
    """The noun phrases in a sequence of words: its end in English, where the noun is last; its beginning in Hebrew."""
    if not run:
        return
    if hebrew.is_hebrew(run[0].text):
        kept = list(run[:2])
    else:
        kept = list(run)
        while kept and _NOT_LAST.search(kept[-1].text.lower()) and kept[-1].text.lower() not in terms().ing_nouns:
            kept.pop()
        kept = kept[-LONGEST:]
        if len(kept) < len(run) and len(kept) > 1 and _NOT_LAST.search(kept[0].text.lower()):
            kept = kept[1:]
    if not kept:
        return
    label = _label(kept)
    yield Span(kept[0].start, kept[-1].end, "term", label, term_key(label))


def _label(tokens: Sequence[_Token]) -> str:
    words = [token.text for token in tokens]
    if hebrew.is_hebrew(words[0]):
        words[0] = _without_prefix(words[0])
    return " ".join(words).removesuffix("'s")


def _without_prefix(word: str) -> str:
    """The word without prefix letters (such as "and", "the"), if they cannot be part of the word."""
    for prefix in _JOINED:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= 4 and rest in _field_words():
            return rest
    for prefix in _ARTICLES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 3 and word[len(prefix)] not in _NO_STEM:
            return word[len(prefix) :]
    return word


@cache
def _field_words() -> frozenset[str]:
    return frozenset(fold(name) for domain in domains().values() for group in domain.groups for name in group)


def _is_weighty(span: Span, counts: Counter[str]) -> bool:
    """Whether a phrase that occurs once in a long text is a term. In English: it has two words, or a noun's form. In
    Hebrew, where the form shows less: it is a word from a known subject area, or a word that occurs again."""
    words = fold(span.label).split()
    if fold(span.label) in _field_words():
        return True
    if hebrew.is_hebrew(span.label):
        return any(word in _field_words() or counts[_stem(word)] > 1 for word in words)
    return len(words) > 1 or bool(_NOUN.search(words[-1]))


def _term_weight(span: Span, place: int, count: int) -> float:
    """The term's weight: larger for two words, for nouns by their form, for words from a known subject area, and near
    the start."""
    words = span.label.lower().split()
    weight = {1: 1.0, 2: 2.0}.get(len(words), 1.9)
    if fold(span.label) in _field_words():
        weight += 0.8
    if _NOUN.search(words[-1]):
        weight += 0.4
    if len(words[-1]) <= 4 and len(words) == 1:
        weight -= 0.2
    return weight + 0.6 * (1 - place / max(1, count))
