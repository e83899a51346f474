"""Finds the sentences of a document that contain a given kind of statement about its company, best first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.disclosures.vocabulary import Disclosure
from core.figures.records import TextEvidence
from core.language.entities.periods import periods_in
from core.language.sentences import Sentence, split_sentences

_SECTION, _PATTERN, _EARLY, _PERIOD = 0.35, 0.5, 0.2, 0.1
_KINDS = {"annual report": 0.15, "current report": 0.0}
_SHORTEST, _LONGEST, _FOLLOWING = 30, 700, 400


@dataclass(frozen=True)
class PatternMatch:
    """A matching sentence; ``found`` is the match in ``text`` of the pattern with index ``rank``; ``place`` is the
    passage's index; ``years`` are the years that the sentence states."""

    passage: TextEvidence
    text: str
    found: re.Match[str] | None
    score: float
    place: int
    years: tuple[str, ...] = ()
    rank: int = 0


def matching_sentences(
    kind: Disclosure, passages: Sequence[TextEvidence], periods: Sequence[str]
) -> list[PatternMatch]:
    """Returns the matches, best first; ties within a document are in reading order."""
    made: list[PatternMatch] = []
    for (place, passage), depth in zip(enumerate(passages), depths(passages), strict=True):
        if passage.is_table or not kind.may_stand_in(passage.text, depth):
            continue
        patterns = kind.patterns(passage.origin.names)
        under = kind.stands_under(passage.path) or kind.stands_under(_leading_headings(passage.text))
        for sentence in split_sentences(passage.text):
            text = " ".join(_with_list(passage.text, sentence).split())
            if not _SHORTEST <= len(text) <= _LONGEST or kind.is_never(text) or " | " in text:
                continue
            rank, found = _first_match(patterns, text)
            if found is not None:
                score = _match_score(rank, len(patterns), under, depth, passage, text, periods)
                made.append(PatternMatch(passage, text, found, score, place, _years(text), rank))
    return sorted(made, key=lambda each: (-each.score, each.place))


def _with_list(text: str, sentence: Sentence) -> str:
    """Adds the following list to a sentence that introduces it."""
    stripped = sentence.text.rstrip()
    return stripped + text[sentence.end :][:_FOLLOWING] if stripped.endswith(":") else stripped


def depths(passages: Sequence[TextEvidence]) -> list[float]:
    """Returns for each passage how far into its document it is, 0..1."""
    many = Counter(each.origin.document_id for each in passages)
    seen: Counter[str] = Counter()
    found = []
    for each in passages:
        found.append(seen[each.origin.document_id] / many[each.origin.document_id])
        seen[each.origin.document_id] += 1
    return found


def _first_match(patterns: Sequence[re.Pattern[str]], text: str) -> tuple[int, re.Match[str] | None]:
    for rank, pattern in enumerate(patterns):
        if found := pattern.search(text):
            return rank, found
    return len(patterns), None


def _match_score(
    rank: int, many: int, under: bool, depth: float, passage: TextEvidence, text: str, periods: Sequence[str]
) -> float:
    years = {each[:4] for each in periods}
    own = bool(years & set(_years(text)))
    score = _PATTERN * (1 - rank / many) + _SECTION * under + _EARLY * (1 - depth) + _PERIOD * own
    return score + _KINDS.get(passage.origin.kind, 0.05) - 0.1 * (len(text) > _LONGEST / 2)


def _years(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(each.year) for each in periods_in(text)))


def _leading_headings(text: str) -> list[str]:
    """Returns the short first lines of a passage, which are its headings."""
    first = text.split("\n", 1)[0].strip()
    return [first] if 0 < len(first) <= 80 and not first.endswith(".") else []
