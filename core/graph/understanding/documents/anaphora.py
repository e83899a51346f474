"""Resolves references such as "it", "that policy" and "the second one" to documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.understanding.documents.fuzzy_matching import one_of
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.records import Reference, Resolution
from core.graph.understanding.wording import is_document_word
from core.language.hebrew import NO_LETTER_AFTER, NO_LETTER_BEFORE, is_hebrew, related
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import phrases

_phrase = phrases("graph/understanding.anaphora")

_ORDINALS = [
    re.compile(rf"(?<!\w)(?:the )?{english} (?:one|document|file|report|policy|contract|lease|memo|agreement)(?!\w)|"
               rf"{NO_LETTER_BEFORE}{_phrase('before')}{hebrew}{NO_LETTER_AFTER}")
    for english, hebrew in (
        ("(?:first|1st|former)", _phrase("first")),
        ("(?:second|2nd|latter)", _phrase("second")),
        ("(?:third|3rd)", _phrase("third")),
        ("(?:fourth|4th)", _phrase("fourth")),
        ("(?:fifth|5th)", _phrase("fifth")),
    )
]  # fmt: skip
_LAST = re.compile(_phrase("last"))
_OTHER = re.compile(_phrase("other"))
_ALL = re.compile(_phrase("all"))
_THAT = re.compile(_phrase("that"))
_IT = re.compile(_phrase("it"))


def resolve_anaphora(asked: Reference, names: DocumentNames) -> Resolution:
    """Returns the conversation's documents that pronouns and ordinals in the message refer to."""
    used = [each for each in _recent_documents(asked) if each in names.documents]
    text = fold(asked.text)
    if not used:
        return Resolution()
    ordinal = next((place for place, words in enumerate(_ORDINALS) if words.search(text)), None)
    if ordinal is not None and ordinal < len(used):
        return _resolved(used[ordinal : ordinal + 1], names)
    if _LAST.search(text) or (_OTHER.search(text) and len(used) == 2):
        return _resolved(used[-1:], names)
    if _ALL.search(text) and len(used) > 1:
        return _resolved(used, names)
    that = _called_that(text, used, asked, names)
    if that:
        return _one_of(that, names)
    return _one_of(used, names) if _IT.search(text) else Resolution()


def refers_back(text: str) -> bool:
    """Returns whether a pronoun or an ordinal in ``text`` may refer to a document."""
    folded = fold(text)
    return any(pattern.search(folded) for pattern in (*_ORDINALS, _LAST, _OTHER, _ALL, _THAT, _IT))


def without_introduced(text: str) -> str:
    """Returns ``text`` without words such as "this statement" before a colon: they mean what follows, no document.

    >>> without_introduced("Check this statement: Costs fell.")
    'Check: Costs fell.'
    """
    lead, colon, rest = text.partition(":")
    last = next((match for match in _THAT.finditer(fold(lead)) if match.end() == len(fold(lead))), None)
    if last is None or not rest.strip():
        return text
    words = lead.split()
    return " ".join(words[: len(words) - len(last.group().split())]) + colon + rest


def _recent_documents(asked: Reference) -> list[str]:
    """Returns the documents of the last answer, or else the last mentioned one."""
    return list(asked.recent) if asked.recent else asked.spoken_of[:1]


def _called_that(text: str, used: Sequence[str], asked: Reference, names: DocumentNames) -> list[str]:
    """Resolves "that policy": recently used documents with such a name, or else the newest one in the conversation."""
    for match in _THAT.finditer(text):
        noun = match["noun"] or match["he"]
        if not is_document_word(noun):
            continue
        called = [each for each in used if _is_called(noun, names.words[each])]
        if called:
            return called
        return [each for each in asked.spoken_of if _is_called(noun, names.words[each])][:1] or list(used)
    return []


def _is_called(noun: str, words: frozenset[str]) -> bool:
    if not is_hebrew(noun):
        return stem(noun) in words
    return any(related(noun, word) for word in words if is_hebrew(word))


def _one_of(identifiers: Sequence[str], names: DocumentNames) -> Resolution:
    if len(identifiers) == 1:
        return _resolved(identifiers, names)
    return one_of("", identifiers, names)


def _resolved(identifiers: Sequence[str], names: DocumentNames) -> Resolution:
    return Resolution.of((names.documents[each] for each in identifiers), "inferred", 0.9)
