"""Which documents a message is about, by what it calls them [spec A4]."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.library.records import Document

FUZZY = 85.0
"""Likeness of a name and a title from which they are the same [003 Phase 2.3]."""
SHARED = 2
"""Words of a title that a question must use before it is asked which of several documents it means."""

_QUOTED = re.compile(r'@"([^"\n]+)"|@“([^”\n]+)”')
_BARE = re.compile(r"(?<!\w)@([^\s@\"“”]+)")
_BLANKS = re.compile(r"[ \t]+")
_THIS = re.compile(
    r"\b(?:this|that|the same|the above) (?:document|file|report|policy|contract|memo|one)\b|"
    r"(?<![א-ת])ה?(?:מסמך|קובץ|דוח|נוהל|חוזה|מזכר|מדיניות) ה(?:זה|זו|זאת|הוא|היא|נ״ל)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Naming:
    """``named`` for certain, ``candidates`` of which one may be meant, ``unknown`` names that no document has."""

    named: list[Document] = field(default_factory=list)
    candidates: list[Document] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def mentioned(message: str, library: Sequence[Document]) -> Naming:
    """What stands behind an ``@``."""
    named: list[Document] = []
    unknown: list[str] = []
    quoted = [first or second for first, second in _QUOTED.findall(message)]
    bare = _BARE.findall(_QUOTED.sub(" ", message))
    for name in [*quoted, *bare]:
        found = _called(name, library)
        if found:
            named += [each for each in found if each not in named]
        else:
            unknown.append(name)
    return Naming(named, [], unknown)


def without_mentions(message: str) -> str:
    return _BLANKS.sub(" ", _BARE.sub(" ", _QUOTED.sub(" ", message))).strip()


def typed(name: str, library: Sequence[Document]) -> Naming:
    """What a person typed who was asked for a document: mentions, or a title more or less."""
    found = mentioned(name, library)
    if found.named or found.unknown:
        return found
    close = [(fuzz.token_set_ratio(fold(name), fold(each.metadata.title)), each) for each in library]
    close += [(fuzz.token_set_ratio(fold(name), _stem(each)), each) for each in library]
    best = max((score for score, _ in close), default=0.0)
    if best < FUZZY:
        return Naming(unknown=[name])
    alike = list({each.id: each for score, each in close if score >= best}.values())
    return Naming(named=alike) if len(alike) == 1 else Naming(candidates=alike)


def implied(message: str, library: Sequence[Document], registry: Mapping[str, str], *, whole: bool) -> Naming:
    """What is meant without an ``@``: "this document", a title's words, or one of several that share them.

    ``whole``: the action reads documents from end to end, so it must be known which; a question need not say.
    """
    if _THIS.search(message) and registry:
        last = list(registry.values())[-1]
        return Naming(named=[each for each in library if each.id == last])
    said = fold(without_mentions(message))
    shares = [(frozenset(word for word in _title_words(each) if covers(word, said)), each) for each in library]
    most = max((_weight(common) for common, _ in shares), default=(0, 0))
    if most[0] < (1 if whole else SHARED):
        return Naming()
    best = [(common, each) for common, each in shares if _weight(common) == most]
    if len({common for common, _ in best}) == len(best):
        # Each is told from the others by a word of its own.
        return Naming(named=[each for _, each in best]) if whole else Naming()
    alike = [each for common, each in best if common == best[0][0]]
    return Naming(candidates=alike) if whole or _of_one_kind(alike, best[0][0]) else Naming()


def _called(name: str, library: Sequence[Document]) -> list[Document]:
    wanted = fold(name).strip(" .,;:!?")
    names = {wanted, wanted.replace("_", " ").replace("-", " ")}
    exact = [each for each in library if names & {fold(each.metadata.title), fold(each.filename), _stem(each)}]
    if exact:
        return exact
    close = [(fuzz.ratio(wanted, fold(each.metadata.title)), each) for each in library]
    best = max((score for score, _ in close), default=0.0)
    return [each for score, each in close if score == best >= FUZZY]


def _stem(document: Document) -> str:
    return fold(document.filename.rsplit(".", 1)[0].replace("_", " ").replace("-", " "))


def _weight(common: frozenset[str]) -> tuple[int, int]:
    """Words first: a year alone names nothing, and decides between two policies."""
    numbers = sum(word.isdigit() for word in common)
    return len(common) - numbers, numbers


def _title_words(document: Document) -> set[str]:
    title = document.metadata.title
    return {*content_terms(title), *re.findall(r"\d+", title)}


def _of_one_kind(documents: Sequence[Document], common: frozenset[str]) -> bool:
    """Whether the shared words are most of each title: the same policy of other years or houses."""
    return len(documents) > 1 and all(
        2 * len(common) >= len([word for word in _title_words(each) if not word.isdigit()]) for each in documents
    )
