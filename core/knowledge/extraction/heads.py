"""Decides what a name is by a noun: its own head ("Lakeland Water Commission"), or one that the text says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from core.knowledge.records import EntityKind
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of


class _Heads(Entry):
    company: WordSet
    organisation: WordSet
    place: WordSet
    law: WordSet
    programme: WordSet
    event: WordSet
    product: WordSet
    term: WordSet
    person: WordSet
    demonyms: WordSet
    bodies: WordSet
    made: WordSet
    located: str
    acts: str
    references: str
    auxiliaries: WordSet
    stops: WordSet
    after: WordSet
    done: WordSet
    degrees: WordSet
    introduce: WordSet
    labels: dict[EntityKind, WordSet]
    states: WordSet
    regions: WordSet


heads = file_of("knowledge/heads", _Heads)
_ENDS = ("ian", "ean", "ese", "an", "ish", "i")
LEAST_ROOT = 4
"""Minimum number of letters that an adjective shares with its country."""
_KINDS: tuple[EntityKind, ...] = (
    "company", "organisation", "place", "law", "programme", "event", "product", "term", "person",
)  # fmt: skip


@cache
def _by_word() -> Mapping[str, EntityKind]:
    found: dict[str, EntityKind] = {}
    for kind in _KINDS:
        for word in getattr(heads(), kind):
            found.setdefault(word, kind)
    return found


def head_kind(word: str) -> EntityKind | None:
    """The kind of a thing that this noun, in the singular or plural, names."""
    folded = fold(word).strip(".,'")
    known = _by_word()
    for form in (folded, folded.removesuffix("s"), folded.removesuffix("es"), f"{folded.removesuffix('ies')}y"):
        if form in known:
            return known[form]
    return None


def kind_of_name(words: list[str]) -> EntityKind | None:
    """The kind by the name's head: its last word before "of", or its last word that is no number."""
    cut = next((place for place, word in enumerate(words) if word in ("of", "for", "de", "in") and place), len(words))
    if len(words) - cut > 2 and (kind := head_kind(words[-1])) in ("programme", "law", "event"):
        return kind
    for first in (words[:cut], words):
        named = [word for word in first if not word.strip("#.").isdigit()]
        if named and len(words) > 1 and (kind := head_kind(named[-1])):
            return kind
        if named and len(first) > 1 and fold(named[-1]) in heads().made and named[-1] != first[-1]:
            return "product"
        if (kind := _before_model(first)) is not None:
            return kind
    # In the languages where the noun comes first, and in "University of Ghent" without its "of".
    return head_kind(words[0]) if "de" in words and len(words) > 2 else None


def _before_model(words: list[str]) -> EntityKind | None:
    """A product whose head comes before a model's short name: "Alder Watch GS Pro"."""
    place = next((at for at, word in enumerate(words) if at and head_kind(word) == "product"), None)
    models = words[place + 1 :] if place else []
    short = all(len(word) <= 3 or word.isupper() or any(sign.isdigit() for sign in word) for word in models)
    return "product" if models and short else None


def label_kind(label: str) -> EntityKind | None:
    """The kind of the values under a label such as "Engine Manufacturer" or "Team"."""
    named = re.split(r" (?:of|in|for|at|on|\() ?", fold(label).split("(")[0].strip())[0]
    for word in named.split()[-1].split("/") if named.strip() else ():
        for kind, known in heads().labels.items():
            if word in known or word.removesuffix("s") in known:
                return kind
    return None


@cache
def is_demonym(word: str) -> bool:
    """Whether an adjective says where something is from ("Italian"): it is listed, or begins like a country."""
    folded = fold(word)
    if folded in heads().demonyms:
        return True
    root = next((folded.removesuffix(end) for end in _ENDS if folded.endswith(end)), "")
    return len(root) >= LEAST_ROOT and _begins_country(root, folded)


def _begins_country(root: str, folded: str) -> bool:
    from core.knowledge.extraction.gazetteer import country_names

    return any(name.startswith(root) and name != folded for name in country_names())
