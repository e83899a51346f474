"""Finds the passage sentences that a claim is based on, and how many of the claim's words they contain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.events import Passage
from core.language.cache_sizes import TEXTS
from core.language.detection import detect
from core.language.entities.facts import Facts, facts, prepared
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import index_terms, is_stop_word
from core.review.polarity import REPORTING, base, matches_any

_WORD = re.compile(r"[^\W_]+(?:[\"'&][^\W_]+)*")
_TITLE_WEIGHT = 0.5
MOST_PASSAGES = 8
_SECOND = 0.2
_FACTS = 0.15
_EXACT = 0.05


@dataclass(frozen=True)
class Evidence:
    """Evidence for a claim: ``sentences`` of one passage (at most two neighbours), ``coverage`` the share of the
    claim's words in them and their headings, ``missing`` the other words (folded); ``own`` the share without
    headings."""

    passage: Passage
    sentences: tuple[str, ...]
    coverage: float
    own: float
    missing: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@lru_cache(maxsize=TEXTS)
def words(text: str) -> tuple[str, ...]:
    """Returns the content words of ``text``, folded, without duplicates; leaves out words without letters."""
    found = (match.group().removesuffix("'s") for match in _WORD.finditer(fold(prepared(text))))
    lettered = (word for word in found if len(word) > 1 and not word[0].isdigit())
    return tuple(dict.fromkeys(word for word in lettered if not is_stop_word(word) and word not in REPORTING))


@lru_cache(maxsize=TEXTS)
def bases(text: str) -> frozenset[str]:
    """Returns all words of ``text`` in the form for comparison."""
    return frozenset(base(match.group().removesuffix("'s")) for match in _WORD.finditer(fold(text)))


def best_evidence(claim: str, passages: Sequence[Passage], titles: Sequence[str] = ()) -> Evidence | None:
    """Returns the sentence, or two neighbours if one is not enough, with most of ``claim``."""
    wanted, claimed, stems = words(claim), facts(claim), bases(claim)
    best: Evidence | None = None
    most = -1.0
    for passage in likely(claim, passages):
        around = bases(" ".join((passage.section or "", *titles, *_heading_lines(passage.text))))
        texts = [sentence.text for sentence in split_sentences(passage.text)]
        for place in range(len(texts)):
            for group in (texts[place : place + 1], texts[place : place + 2]):
                found = _measure(wanted, passage, tuple(group), around)
                worth = _evidence_score(found, claimed, stems)
                if worth > most + 1e-9:
                    best, most = found, worth
    return best


def likely(claim: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Returns the passages with most terms of ``claim``, in order, so that a whole book is not read for each claim."""
    if len(passages) <= MOST_PASSAGES:
        return passages
    wanted = _index_term_set(claim)
    ranked = sorted(range(len(passages)), key=lambda place: -len(wanted & _index_term_set(passages[place].text)))
    return [passages[place] for place in sorted(ranked[:MOST_PASSAGES])]


@lru_cache(maxsize=5_000)
def _index_term_set(text: str) -> frozenset[str]:
    return frozenset(index_terms(text, detect(text)))


def _evidence_score(found: Evidence, wanted: Facts, claimed: frozenset[str]) -> float:
    """Scores evidence: a second sentence must add something, and matching facts count."""
    held = facts(found.text)
    met = sum(any(number.same(other) for other in held.numbers) for number in wanted.numbers)
    met += len(wanted.days & held.days) + len(wanted.names & held.names)
    found_words = words(found.text)
    exact = sum(matches_any(base(word), claimed) for word in found_words) / max(1, len(found_words))
    return found.own - _SECOND * (len(found.sentences) - 1) + _FACTS * met / max(1, wanted.count) + _EXACT * exact


def _measure(wanted: Sequence[str], passage: Passage, sentences: tuple[str, ...], around: frozenset[str]) -> Evidence:
    held = bases(" ".join(sentences))
    lacking = [word for word in wanted if not matches_any(base(word), held)]
    missing = tuple(word for word in lacking if not matches_any(base(word), around))
    total = max(1, len(wanted))
    covered = (len(wanted) - len(lacking) + _TITLE_WEIGHT * (len(lacking) - len(missing))) / total
    return Evidence(passage, sentences, covered, (len(wanted) - len(lacking)) / total, missing)


@lru_cache(maxsize=5_000)
def _heading_lines(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text.splitlines()]
    return tuple(
        line for line in lines if line and (line.startswith("#") or (len(line) < 60 and line[-1] not in ".!?;,"))
    )
