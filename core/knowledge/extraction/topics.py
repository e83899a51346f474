"""Finds everyday topics in a sentence ("hotel", "vehicle", "drinking water"), with the same key for English and Hebrew.

In a policy, a contract or a memo these are what the document is about. A financial report mentions hundreds of them in
passing, so they are not searched there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.lexicon import blocked_english, terms
from core.knowledge.extraction.patterns import Span
from core.language.expansions import domains
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold, normalise
from core.language.phrases import WORD, PhraseMatcher

_PREFIX = "subject "


def subjects_in(text: str) -> Iterator[Span]:
    plain = normalise(text).replace("-", " ")
    if len(plain) != len(text):
        return
    places = [match.span() for match in WORD.finditer(plain)]
    for match in _topic_matcher().find(text):
        start, end = places[match.start][0], places[match.end - 1][1]
        yield Span(start, end, "term", text[start:end], f"{_PREFIX}{match.entries[0]}")


def subject_labels(key: str) -> dict[str, str]:
    """The topic's name in each language; empty if the key does not belong to a topic."""
    group = _topic_groups().get(key.removeprefix(_PREFIX), []) if key.startswith(_PREFIX) else []
    english = next((name for name in group if not is_hebrew(name)), None)
    hebrew = next((name for name in group if is_hebrew(name)), None)
    return {language: name for language, name in (("en", english), ("he", hebrew)) if name}


@cache
def _topic_groups() -> dict[str, list[str]]:
    return {group[0]: group for domain in domains().values() for group in domain.groups if not _is_weak(group[0])}


@cache
def _topic_matcher() -> PhraseMatcher[str]:
    return PhraseMatcher((name, key) for key, group in _topic_groups().items() for name in group if not _is_weak(name))


def _is_weak(name: str) -> bool:
    """Whether the word occurs in any text ("fee", "employee"), so that it does not show this text's topic."""
    folded = fold(name)
    return place_key(name) is not None or folded in blocked_english() or folded in terms().everyday
