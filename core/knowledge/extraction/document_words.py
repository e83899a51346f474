"""Counts how a document writes its words, so that its names differ from its common words: *texts* → words.

A word that the document also writes in lower case is a common noun, even where a heading or a title capitalises it. An
abbreviation means what the document says where it introduces it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.knowledge.extraction.patterns import Span
from core.knowledge.extraction.references import is_reference
from core.language.common_words import is_common
from core.language.normalisation import fold

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_OPENS = re.compile(r"(?:^|[.!?:;|•●○■▪\n])(?:[\"\s\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻()\[\]'-]|(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹]),){0,12}$|[-–]\s?$")
_TITLED = re.compile(r"\b(?:Mr|Ms|Mrs|Dr|Prof|Professor|Messrs)\.? ([A-Z][A-Za-z'-]{1,30})")
_CAPITALS = re.compile(r"(?<![\w.-])[A-Z]{3,6}(?![\w-])")
_AGENT = re.compile(
    r"\bby (?:the )?([A-Z]{3,6})\b"
    r"|(?<![\w.-])([A-Z]{3,6}) (?:will|may|has|shall|must|does|provides|requires|issued|offers)\b"
)
_OWNED = re.compile(
    r"(?:\b[Oo]ur|\b[Ii]ts|\b[Tt]heir|['’]s) ((?:[A-Z][\w-]{1,30})(?: (?:of |and |for )?[A-Z][\w-]{1,30}){0,6})"
)
_NUMBERED = re.compile(r"(?<![\w.-])([A-Z][a-z]{2,20}) (\d{1,2}|[IVX]{1,5}|[A-Z])(?![\w-])")
_PROSE = re.compile(r"[a-z]")
RATIO = 10
"""A word in lower case counts as much as ten with a capital: titles capitalise common words."""


@dataclass(frozen=True)
class DocumentWords:
    """How often the document writes each word in lower case, and with a capital within a sentence; and what its
    abbreviations mean."""

    lower: Mapping[str, int] = field(default_factory=dict)
    capital: Mapping[str, int] = field(default_factory=dict)
    short: Mapping[str, Span] = field(default_factory=dict)
    acronyms: Mapping[str, int] = field(default_factory=dict)
    agents: Mapping[str, int] = field(default_factory=dict)
    """How often the document writes each abbreviation within a sentence, and how often as one who acts."""
    numbered: frozenset[str] = frozenset()
    """Words that several numbers or letters follow: they count the document's parts ("Annex 2", "Annex 3")."""
    titled: frozenset[str] = frozenset()
    """Family names that the document writes with a title ("Ms. Haddad")."""
    owned: frozenset[str] = frozenset()
    """Phrases that the document says are someone's ("our Board of Directors"): they name an office, no thing."""
    issuer: Span | None = None
    """The organisation that the document is of, by its record."""

    def is_common(self, word: str) -> bool:
        """Whether the word is a common one here; a word that the document never writes in lower case is common if
        texts usually write it so."""
        folded = fold(word).removesuffix("'s").removesuffix("s'")
        parts = [part for part in re.split(r"[-/&]", folded) if part]
        return all(self._is_common(part) for part in parts) if parts else True

    def _is_common(self, folded: str) -> bool:
        forms = {folded, folded.removesuffix("s"), f"{folded}s"}
        small = sum(self.lower.get(form, 0) for form in forms)
        return is_common(folded) or (small > 0 and small * RATIO >= self.capital.get(folded, 0))

    def with_short(self, short: Mapping[str, Span]) -> DocumentWords:
        return replace(self, short=short)


def words_of(texts: Iterable[str], issuer: Span | None = None) -> DocumentWords:
    lower: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    acronyms: Counter[str] = Counter()
    agents: Counter[str] = Counter()
    owned: set[str] = set()
    titled: set[str] = set()
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        for line in text.splitlines():
            if not is_reference(line):
                _count(line, lower, capital)
                if any(sign.islower() for sign in line):
                    acronyms.update(_CAPITALS.findall(line))
                    agents.update(one or other for one, other in _AGENT.findall(line))
            owned.update(fold(phrase) for phrase in _OWNED.findall(line))
            titled.update(fold(name).removesuffix("'s") for name in _TITLED.findall(line))
            for word, number in _NUMBERED.findall(line):
                numbers[fold(word)].add(number)
    numbered = frozenset(word for word, found in numbers.items() if len(found) > 1)
    return DocumentWords(lower, capital, {}, acronyms, agents, numbered, frozenset(titled), frozenset(owned), issuer)


def opens(before: str) -> bool:
    """Whether a word after this text begins a sentence or a list's item, where a capital says nothing."""
    return bool(_OPENS.search(before[-14:]))


def _count(line: str, lower: Counter[str], capital: Counter[str]) -> None:
    words = [(match.start(), match.group()) for match in _WORD.finditer(line)]
    small = [word for _, word in words if word[0].islower()]
    lower.update(fold(word).removesuffix("'s") for word in small)
    if len(small) * 2 < len(words):
        return  # a heading, whose capitals say nothing
    for start, word in words:
        if word[0].isupper() and start and not opens(line[max(0, start - 14) : start]):
            capital[fold(word).removesuffix("'s")] += 1
