"""Extracts keywords: the words and word pairs a document is about, by weighted frequency."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.language import hebrew
from core.language.foreign_terms import is_unspaced, telling_runs
from core.language.languages import language_words, text_language
from core.language.normalisation import normalise, strip_nikud
from core.language.terms import is_stop_word, stem, weak_words
from core.words import Language

_WORD = re.compile(r"[^\W\d_](?:[^\W_]|[-'\"](?=[^\W_]))*")
_SHORTEST = 3
_TELLING = 20
_TELLING_CHARACTERS = 4_000
"""First characters of the paragraphs, from which the document's language is detected."""
_LONGEST_RUN = 6
"""Longest word in a text without spaces, in characters; longer ones are clauses."""
_PAIR_WEIGHT = 1.6
"""Weight of a pair, which is more specific than a single word but less frequent."""

# English words that are rarely a text's topic: adverbs and common verb forms.
_NOT_NOUN = re.compile(r"(?:ly|ize|ized|ise|ised|ed|able|ible|ful|less|ous)$")
_NOUN_LIKE = 1.0
_OTHER = 0.5


@dataclass
class _Candidate:
    count: int = 0
    parts: set[int] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)


def keywords(paragraphs: Sequence[str], language: Language, limit: int = 10) -> list[str]:
    """The ``limit`` strongest keywords in one language, strongest first; ``[]`` if no word is repeated.

    Weight is frequency × spread over the paragraphs, higher for pairs, lower for likely verbs and adjectives. In a very
    short text, one occurrence is enough.
    """
    candidates, words = _candidates(paragraphs, language)
    least = 2 if words >= 150 else 1
    kept = {key: candidate for key, candidate in candidates.items() if candidate.count >= least}
    ranked = sorted(kept, key=lambda key: -_keyword_weight(key, kept[key], len(paragraphs)))
    chosen: list[tuple[str, ...]] = []
    for key in ranked:
        if len(chosen) == limit:
            break
        if not _redundant(key, chosen, kept):
            chosen.append(key)
    return [kept[key].forms.most_common(1)[0][0] for key in chosen]


def _candidates(paragraphs: Sequence[str], language: Language) -> tuple[dict[tuple[str, ...], _Candidate], int]:
    found: dict[tuple[str, ...], _Candidate] = defaultdict(_Candidate)
    total = 0
    bases = _hebrew_bases(paragraphs) if language == "he" else {}
    known = language_words().get(text_language("\n".join(islice(paragraphs, _TELLING))[:_TELLING_CHARACTERS]))
    stop = known.words if known and language == "en" else frozenset()
    for number, text in enumerate(paragraphs):
        previous: tuple[str, str, int] | None = None
        prepared = strip_nikud(normalise(text))
        for match in _WORD.finditer(prepared):
            word = match.group().removesuffix("'s")
            total += 1
            if is_unspaced(word):
                for run in telling_runs(word) if language == "en" else ():
                    if 1 < len(run) <= _LONGEST_RUN:
                        _count_occurrence(found[(run,)], number, run)
                previous = None
                continue
            key = None if word.lower() in stop else _word_key(word, language, bases)
            if key is None:
                previous = None
                continue
            shown = bases.get(word, word) if language == "he" else _display_form(word)
            _count_occurrence(found[(key,)], number, shown)
            if previous and prepared[previous[2] : match.start()] == " ":
                _count_occurrence(found[(previous[0], key)], number, f"{previous[1]} {_after(word, shown, language)}")
            previous = (key, shown, match.end())
    return found, total


def _count_occurrence(candidate: _Candidate, paragraph: int, form: str) -> None:
    candidate.count += 1
    candidate.parts.add(paragraph)
    candidate.forms[form] += 1


def _word_key(word: str, language: Language, bases: dict[str, str]) -> str | None:
    if hebrew.is_hebrew(word) != (language == "he") or len(word) < _SHORTEST:
        return None
    base = bases.get(word, word) if language == "he" else word.lower()
    forms = hebrew.variants(base)[:2] if language == "he" else (word.lower(), base)
    if any(is_stop_word(form) or form in weak_words() for form in forms):
        return None
    return base if language == "he" else stem(base)


def _after(word: str, shown: str, language: Language) -> str:
    # The second word of a Hebrew pair keeps its article.
    return word if language == "he" and word.startswith(hebrew.THE) else shown


def _display_form(word: str) -> str:
    return word if word.isupper() and len(word) <= 6 else word.lower()


def _hebrew_bases(paragraphs: Iterable[str]) -> dict[str, str]:
    """Each Hebrew word with its form without prefixes, if that form occurs separately at least as often."""
    counts = Counter(word for text in paragraphs for word in _WORD.findall(strip_nikud(normalise(text))))
    bases: dict[str, str] = {}
    for word in counts:
        if not hebrew.is_hebrew(word):
            continue
        forms = [form for form in hebrew.variants(word)[1:] if len(form) >= _SHORTEST and word.endswith(form)]
        known = [form for form in forms if counts[form] >= min(counts[word], 2)]
        if known:
            bases[word] = known[0]
    return bases


def _keyword_weight(key: tuple[str, ...], candidate: _Candidate, paragraphs: int) -> float:
    spread = math.log1p(len(candidate.parts)) / math.log1p(max(paragraphs, 1))
    form = candidate.forms.most_common(1)[0][0]
    likely = _OTHER if _NOT_NOUN.search(form.lower()) else _NOUN_LIKE
    if len(key) > 1:
        return candidate.count * (0.5 + spread) * likely * _PAIR_WEIGHT if candidate.count > 1 else 0.1
    return candidate.count * (0.5 + spread) * likely


def _redundant(key: tuple[str, ...], chosen: list[tuple[str, ...]], found: dict[tuple[str, ...], _Candidate]) -> bool:
    """Whether a candidate is redundant: a word that mostly occurs in a chosen pair, or a pair that adds nothing to its
    chosen word."""
    if len(key) == 1:
        pairs = (pair for pair in chosen if len(pair) == 2 and key[0] in pair)
        return any(found[pair].count * 2 >= found[key].count for pair in pairs)
    return any((word,) in chosen for word in key) or found[key].count < 2
