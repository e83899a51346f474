"""Finds the concept that a name means: different spellings of one thing are one concept."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from core.knowledge.extraction.patterns import Span
from core.knowledge.records import ConceptRow, EntityKind, concept_id
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.transliteration import sounds_like
from core.language.vocabulary import phrase_of

ALIKE = 91.0
"""Minimum similarity (0..100) of two spellings for them to be the same; one letter in eleven may differ."""
SHORTEST = 7
FAMILY = 70.0
DEFINED = "defined "
"""Prefix of a defined term's key; such keys must match exactly, because "Plan A" is not "Plan B"."""
FUZZY: frozenset[EntityKind] = frozenset(["company", "organisation", "place", "term", "programme", "event"])
MOST_ALIASES = 16
SPOKEN: frozenset[EntityKind] = frozenset(["person", "company", "organisation"])
"""Kinds whose names are written in the other script as they sound."""
LEAST_HEARD = 4
"""Minimum number of consonants that two names in different scripts share."""

_DIGITS = re.compile(r"\d+")
_SOFT = re.compile(phrase_of("knowledge/patterns.catalogue.soft"))
"""Letters that transliterations and full spellings often add or drop: vowels after the first letter, and doubled
letters."""


class Catalogue:
    """A user's concepts, by each of their keys (normalised names)."""

    def __init__(self, user_id: str, rows: Iterable[ConceptRow] = ()) -> None:
        self._user_id = user_id
        self.rows: dict[str, ConceptRow] = {}
        self._by_key: dict[str, str] = {}
        self._alike: dict[tuple[EntityKind, str], list[str]] = defaultdict(list)
        self._hebrew: dict[str, None] = {}
        self._latin: dict[str, None] = {}
        for row in rows:
            self.put(row)

    def put(self, row: ConceptRow) -> None:
        self.rows[row.id] = row
        for key in row.keys:
            if key not in self._by_key:
                if row.kind in SPOKEN:
                    (self._hebrew if is_hebrew(key) else self._latin)[key] = None
                self._alike[row.kind, key[0]].append(key)
            self._by_key[key] = row.id

    def known(self, key: str) -> str | None:
        return self._by_key.get(key)

    def called(self, given: str) -> set[str]:
        """The people with this given name."""
        near = self._alike.get(("person", given[0]), ()) if given else ()
        return {self._by_key[key] for key in near if key.partition(" ")[0] == given}

    def resolve(self, span: Span) -> tuple[str, ConceptRow | None]:
        """The id of the concept that ``span`` names, and the row to store if it is new or has a new spelling."""
        known = next((self._by_key[key] for key in (span.key, *span.also) if key in self._by_key), None)
        known = known or self._spelled_alike(span)
        if known is None:
            fresh = ConceptRow(
                id=concept_id(self._user_id, span.key),
                user_id=self._user_id,
                keys=list(dict.fromkeys((span.key, *span.also))),
                label=span.label,
                aliases=[span.spelled] if span.spelled not in ("", span.label) else [],
                kind=span.kind,
            )
            self.put(fresh)
            return fresh.id, fresh
        row = self.rows[known]
        changed = _with_spelling(row, span)
        if changed is row:
            return known, None
        self.put(changed)
        return known, changed

    def _spelled_alike(self, span: Span) -> str | None:
        if heard := self._sounding_alike(span):
            return heard
        if span.kind == "person":
            return self._same_person(span.key)
        if span.kind not in FUZZY or len(span.key) < SHORTEST or span.key.startswith(DEFINED):
            return None
        near = self._alike.get((span.kind, span.key[0]), [])
        found = process.extractOne(span.key, near, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if found and _DIGITS.findall(found[0]) == _DIGITS.findall(span.key):
            return self._by_key[found[0]]
        return None

    def _sounding_alike(self, span: Span) -> str | None:
        """A name in the other script that sounds the same, word by word."""
        words = span.key.split()
        if span.kind not in SPOKEN or (not is_hebrew(span.key) and not self._hebrew):
            return None
        for key in self._latin if is_hebrew(span.key) else self._hebrew:
            others = key.split()
            if len(others) == len(words) and self.rows[self._by_key[key]].kind in SPOKEN:
                pairs = zip(words, others, strict=True) if is_hebrew(span.key) else zip(others, words, strict=True)
                heard = [sounds_like(hebrew, latin) for hebrew, latin in pairs]
                if min(heard) >= 2 and sum(heard) >= LEAST_HEARD:
                    return self._by_key[key]
        return None

    def _same_person(self, key: str) -> str | None:
        """A known person with the same given name whose family name differs only in soft letters (vowels): Levi matches
        Levy, but Dana never matches Dina."""
        given, _, family = key.partition(" ")
        if len(family) < 3:
            return None
        for other in self._alike.get(("person", key[0]), []):
            other_given, _, other_family = other.partition(" ")
            alike = other_given == given and _hard(other_family) == _hard(family)
            if alike and fuzz.ratio(other_family, family) >= FAMILY:
                return self._by_key[other]
        return None


def _hard(word: str) -> str:
    return _SOFT.sub("", word)


def _is_new(spelled: str, known: Iterable[str]) -> bool:
    """Whether the span is a new name, and not a known name in the genitive or with different capitals."""
    return fold(spelled).removesuffix("'s") not in {fold(name) for name in known}


def _is_better(label: str, known: str) -> bool:
    """Whether the span is a better display name: the known name in the singular, or not only in capitals."""
    return known in (f"{label}s", f"{label}'s") or (
        " " in known and known.isupper() and fold(known) == fold(label) != label
    )


def _says_more(kind: EntityKind, known: EntityKind) -> bool:
    """Whether a kind says more of a thing than the one that is known."""
    return (known == "term" and kind != "term") or (known == "organisation" and kind == "company")


def _with_spelling(row: ConceptRow, span: Span) -> ConceptRow:
    update: dict[str, object] = {}
    fresh = [key for key in (span.key, *span.also) if key not in row.keys]
    if fresh:
        update["keys"] = [*row.keys, *fresh][:MOST_ALIASES]
    spelled = span.spelled or span.label
    if _is_new(spelled, (row.label, *row.aliases)) and len(row.aliases) < MOST_ALIASES:
        update["aliases"] = [*row.aliases, spelled]
    if (span.spelled and span.label != row.label) or _is_better(span.label, row.label):
        update["label"] = span.label
        update["aliases"] = [each for each in row.aliases if each != span.label]
    if _says_more(span.kind, row.kind):
        update["kind"] = span.kind
        update["label"] = span.label
        update["aliases"] = sorted({*row.aliases, row.label} - {span.label})
    return row.model_copy(update=update) if update else row
