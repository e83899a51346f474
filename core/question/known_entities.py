"""Holds catalogue data about documents, and finds the organisations that a question names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.language.hebrew import PREFIXES
from core.language.normalisation import fold, normalise
from core.language.terms import is_stop_word
from core.language.transliteration import sounds_like
from core.language.vocabulary import phrase_of, words_of

REPORTS = frozenset({"annual report", "quarterly report", "current report", "earnings release"})
"""Kinds of documents in which an organisation reports on itself."""

_WORD = re.compile(r"[^\W_]+(?:[&'’.][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_SHORT = 3
"""Names with at most this many letters must match exactly: "GE", "3M"."""
_LONGEST_NAME = 8
_HEBREW_WORD = re.compile(phrase_of("search/query.known_entities.hebrew_word"))
_PREFIXES = frozenset(PREFIXES)
_OF = frozenset(words_of("search/query.known_entities.of"))
_OBJECT = frozenset(words_of("search/query.known_entities.object"))
_ARTICLE = frozenset(words_of("search/query.known_entities.article"))
_LEAST_BY_SOUND = 3
"""Minimum number of consonants for a Latin name to match its spelling in Hebrew letters, unless another word marks it
as a name."""
_MOST_PREFIXES = 2
_MOST_BY_SOUND = 3
"""Maximum number of words in a name written in Hebrew letters."""
_TWO_IN_ONE = re.compile(r"(?P<head>[A-Z][a-z]{4,})[A-Z][a-z]*")
_ADDRESS = re.compile(r"(?P<head>\w{3,})\.(?:com|net|org|io|ai|co)\b", re.IGNORECASE)
_YEARS = re.compile(r"\b[FQH][Y1-4]?\d*\b")


class KnownPeriod(NamedTuple):
    """A period: its own ``key``, its ``names`` (the keys of all its names), and the ISO date of its ``end``."""

    key: str
    names: tuple[str, ...] = ()
    end: str | None = None


@dataclass(frozen=True)
class KnownDocument:
    """Catalogue data of a document: its organisation's ``names``, full name first; the ``periods`` that it covers, as
    keys under all their names (``covered`` has one entry for each period); its date, ``dated`` (ISO); and its
    ``kind``."""

    id: str
    filename: str
    title: str = ""
    names: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    dated: str | None = None
    kind: str = "other"
    covered: tuple[KnownPeriod, ...] = ()

    @property
    def reports(self) -> bool:
        """Whether an organisation reports on itself in this document."""
        return self.kind in REPORTS

    @property
    def organisation(self) -> str:
        """The organisation's common name: "Hill Farm" for "Hill Farm Co., Inc."; empty if unknown."""
        if not self.names:
            return ""
        full = joined(self.names[0])
        short = [name for name in self.names[1:2] if joined(name) and joined(name) in full]
        return (short or self.names)[0]


class OrganisationMention(NamedTuple):
    """The name of a document's organisation at its position in a question."""

    start: int
    end: int
    document_id: str


class OrganisationNames:
    """The names of all organisations of some documents, to be found in one text after the other.

    >>> names = OrganisationNames([KnownDocument("doc_1", "report.pdf", names=("Hill Farm Co.", "Hill Farm"))])
    >>> [(each.start, each.end) for each in names.mentions_in("What was the rent of Hill Farm?")]
    [(21, 30)]
    """

    def __init__(self, documents: Iterable[KnownDocument]) -> None:
        self._documents = list(documents)
        self._named: dict[str, list[tuple[str, str]]] = {}
        for document in self._documents:
            for name in (*document.names, *_compound_heads(document.names)):
                self._named.setdefault(joined(name), []).append((name, document.id))
        self._beginnings = {name[:length] for name in self._named for length in range(1, len(name) + 1)}

    def mentions_in(self, text: str) -> list[OrganisationMention]:
        """Returns the names in ``text``, the longest of nested ones, once for each document."""
        spoken = list(_WORD.finditer(text))
        lowered = not any(map(str.isupper, _YEARS.sub("", text)[1:]))
        found: list[OrganisationMention] = []
        for first, word in enumerate(spoken):
            start = word.start()
            for other in spoken[first : first + _LONGEST_NAME]:
                said = _POSSESSIVE.sub("", text[start : other.end()])
                compared = joined(said)
                for name, identifier in self._named.get(compared, ()):
                    if _is_heard(said, name, lowered):
                        found.append(OrganisationMention(start, start + len(said), identifier))
                if compared and compared not in self._beginnings:
                    break
        return _longest([*found, *_by_sound(text, self._documents)])


def organisations_in(question: str, documents: Iterable[KnownDocument]) -> list[OrganisationMention]:
    """Returns the names in ``question``, the longest of nested ones, once for each document."""
    return OrganisationNames(documents).mentions_in(question)


def _by_sound(question: str, documents: Iterable[KnownDocument]) -> Iterator[OrganisationMention]:
    """Yields Latin names written in Hebrew letters; a short one only if something marks it as a name."""
    names: dict[str, list[str]] = {}
    spans = list(_hebrew_spans(question))
    for each in documents if spans else ():
        for name in (*each.names, *_compound_heads(each.names)):
            if len(joined(name)) > _SHORT and name.isascii():
                names.setdefault(name, []).append(each.id)
    for start, end, least in spans:
        for name, theirs in names.items():
            if sounds_like(question[start:end], name) >= least:
                yield from (OrganisationMention(start, end, identifier) for identifier in theirs)


def _hebrew_spans(question: str) -> Iterator[tuple[int, int, int]]:
    """Yields positions of possible names in Hebrew letters, with and without prefixes, and the number of consonants
    that must match."""
    spoken = list(_HEBREW_WORD.finditer(question))
    for place, word in enumerate(spoken):
        named = place > 0 and _marks_a_name(spoken[place - 1].group(), word.group())
        starts = [word.start()]
        while len(starts) <= _MOST_PREFIXES and question[starts[-1]] in _PREFIXES and starts[-1] + 2 < word.end():
            starts.append(starts[-1] + 1)
        for last in spoken[place : place + _MOST_BY_SOUND]:
            for skipped, start in enumerate(starts):
                yield start, last.end(), 2 if named and not skipped else _LEAST_BY_SOUND


def _marks_a_name(before: str, word: str) -> bool:
    """Returns whether a word before another marks it as a name: a preposition, or the mark of a definite object if the
    word has no article."""
    if before in _OBJECT:
        return word[0] not in _ARTICLE and not is_stop_word(word)
    return before in _OF


def of_the_same(named: Sequence[KnownDocument], documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Returns all documents that share an organisation's name with the given ones, since one document may have the name
    and ticker, another only the name."""
    names = {joined(name) for each in named for name in each.names}
    return [each for each in documents if any(joined(name) in names for name in each.names)]


def by_organisation(documents: Sequence[KnownDocument]) -> list[list[KnownDocument]]:
    """Groups the documents by organisation, even if documents of one organisation use different names for it."""
    group_of: dict[str, int] = {}
    groups: dict[int, list[KnownDocument]] = {}
    for number, document in enumerate(documents):
        names = {joined(name) for name in document.names}
        if not names:
            continue
        known = {group_of[name] for name in names if name in group_of}
        together = [each for other in sorted(known) for each in groups.pop(other)]
        groups[number] = [*together, document]
        group_of.update(dict.fromkeys((joined(name) for each in groups[number] for name in each.names), number))
    return list(groups.values())


def organisation_of(documents: Sequence[KnownDocument]) -> str:
    """Returns the organisation's name: the shortest one in the latest document that has it."""
    latest = sorted(documents, key=lambda each: max((*each.periods, each.dated or ""), default=""))
    return next((each.organisation for each in reversed(latest) if each.organisation), "")


@lru_cache(maxsize=20_000)
def joined(text: str) -> str:
    """Returns only letters and digits: "Hill Farm" is "hillfarm"."""
    return "".join(filter(str.isalnum, fold(normalise(text))))


def _compound_heads(names: Iterable[str]) -> Iterator[str]:
    """Yields common short forms of names: "Exxon" for "ExxonMobil", and a web address without its ending."""
    for name in names:
        if match := _TWO_IN_ONE.fullmatch(name) or _ADDRESS.match(name):
            yield match["head"]


def _is_heard(text: str, name: str, lowered: bool) -> bool:
    """Returns whether the text at this position is the name: short names must match exactly; a name of one word needs a
    capital, if the question has any capitals."""
    if len(joined(name)) <= _SHORT:
        initials = text[0].isupper() and text[-1].isupper() and text.upper() == name.upper()
        return text == name or initials or (lowered and any(map(str.isdigit, name)))
    return (
        lowered
        or " " in text
        or any(character.isupper() or character.isdigit() for character in text)
        or (not text.isascii())
    )


def _longest(found: Sequence[OrganisationMention]) -> list[OrganisationMention]:
    """Returns the names that are not inside a longer one."""
    within: set[tuple[int, int]] = set()
    reached = 0
    for start, end in sorted({each[:2] for each in found}, key=lambda span: (span[0], -span[1])):
        if end <= reached:
            within.add((start, end))
        reached = max(reached, end)
    return [each for each in found if each[:2] not in within]
