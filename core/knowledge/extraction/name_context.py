"""Decides what a name is by the words around it: "Jitterbug, a maker of phones", "companies such as Jitterbug".

Each sign is a function of the name and its surroundings that gives a kind, or none; the first that gives one decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.knowledge.extraction.document_words import DocumentWords
from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.heads import head_kind, heads, is_demonym
from core.knowledge.extraction.lexicon import people
from core.knowledge.records import EntityKind
from core.language.entities.calendar_words import YEAR
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

_AFTER_NOUN: frozenset[EntityKind | None] = frozenset(["term", "product", "law", "programme", "event"])
"""Kinds that the noun directly after a name can have: "the RedCap database"."""
_NEXT = re.compile(r" ([a-z][a-z-]{2,20})\b(?: ([a-z]{3,20})\b)?")
_APPOSITION = re.compile(r"(?:,| is| was| are| were) (?:an?|the|one of the) ([a-z][a-z' -]{2,60})")
_PHRASE_ENDS = re.compile(r" (?:of|for|in|that|which|at|by|from|with|to|who)\b")
_LIST = re.compile(
    r"\b([a-z]{3,20}) (?:such as|including|like|called|named|known as) (?:the )?(?:[\w'&-]{1,30},? (?:and |or )?){0,6}$"
)
_WHERE = re.compile(r"^, (?P<place>[A-Z][\w.']{1,20}(?: [A-Z][a-z]{1,20})?)\b(?! [A-Z])")
_STATE = re.compile(r"^, (?P<state>[A-Z]{2})\b")
_LOCATED = re.compile(rf"\b(?:{phrase_of('knowledge/heads.located')}) (?:in|near|at|of) (?:the )?$")
_BRACKET = re.compile(r"\b([a-z]{3,20}) \($")
_ARTICLE = re.compile(r"\b(?:[Tt]he|an?|of|[Oo]ur|[Ii]ts) $")
_ADDRESSED = re.compile(r"\b(?:[Cc]ontact|[Tt]hank(?:s| you)(?: to)?|[Dd]ear|[Hh]i|[Hh]ello) $")
_DONE = re.compile(rf"\b(?:{'|'.join(sorted(heads().done))}) by (?:the )?$")
_ACTS = re.compile(rf",? (?:{phrase_of('knowledge/heads.acts')})")
_ROLE = re.compile(r",? (?:\(|the |our )?(?P<role>[A-Z]?[a-z-]{1,20}(?: [A-Z]?[a-z-]{1,20}){0,3})")
_SHAPE = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+(?:[A-Z][a-z]+)?(?:-[A-ZÀ-Þ][a-zß-ÿ]+)?")
_CITED = re.compile(rf",? (?:et al\.?,? ?)?\(?{YEAR}[a-z]?\b|,? et al\b")
_INITIAL = re.compile(r"[A-Z]\.?")
_LEADING = (" in ", " at ", " near ", " from ", " to ", ", ", " of ")
_REACH = 90
"""Number of characters around a name that are read."""


@dataclass(frozen=True)
class Context:
    """A name's words, and the text before and after it."""

    parts: Sequence[str]
    before: str
    behind: str

    @property
    def name(self) -> str:
        return " ".join(self.parts)

    @property
    def is_before_place(self) -> bool:
        where = _WHERE.match(self.behind)
        return where is not None and place_key(where["place"]) is not None

    @property
    def is_address(self) -> bool:
        """Whether a place's name can stand here: after a preposition and before the place that it is in."""
        return self.is_before_place and self.before.endswith(_LEADING)

    @property
    def is_cited(self) -> bool:
        return bool(_CITED.match(self.behind))

    @property
    def next_noun(self) -> str:
        following = _NEXT.match(self.behind)
        return following[1] if following else ""


def context_of(text: str, start: int, parts: Sequence[str], length: int) -> Context:
    end = start + length
    return Context(parts, text[max(0, start - _REACH) : start], text[end : end + _REACH])


def said_kind(name: Context) -> EntityKind | None:
    """The kind that the words around the name say."""
    return next((kind for sign in _SIGNS if (kind := sign(name))), None)


def _by_place(name: Context) -> EntityKind | None:
    state = _STATE.match(name.behind)
    if name.is_before_place or (state and state["state"] in heads().states):
        return "company" if name.before.endswith("(") else "place"
    return None


def _by_apposition(name: Context) -> EntityKind | None:
    said = _APPOSITION.match(name.behind)
    return head_kind(_PHRASE_ENDS.split(said[1])[0].split()[-1]) if said else None


def _by_list(name: Context) -> EntityKind | None:
    listed = _LIST.search(name.before) or _BRACKET.search(name.before)
    kind = head_kind(listed[1]) if listed else None
    return kind if kind != "person" else None


def _by_location(name: Context) -> EntityKind | None:
    return "place" if _LOCATED.search(name.before) else None


def _by_next_noun(name: Context) -> EntityKind | None:
    following = _NEXT.match(name.behind)
    kinds = [head_kind(word) for word in (following[2], following[1]) if word] if following else []
    return next((kind for kind in kinds if kind in _AFTER_NOUN), None)


def _by_maker(name: Context) -> EntityKind | None:
    return "company" if _DONE.search(name.before) and not name.parts[-1].isdigit() else None


def _by_number(name: Context) -> EntityKind | None:
    """A maker's name with a number is a product: "Cessna 172"."""
    numbered = any(sign.isdigit() for part in name.parts[1:] for sign in part)
    return "product" if numbered and len(name.parts) <= 4 and name.name[0].isalpha() and "&" not in name.name else None


_SIGNS: tuple[Callable[[Context], EntityKind | None], ...] = (
    _by_place, _by_apposition, _by_list, _by_location, _by_next_noun, _by_maker, _by_number,
)  # fmt: skip


def is_person(name: Context, words: DocumentWords) -> bool:
    """Whether two to four words are a person's name: one is a known given name, a family name that the document writes
    with a title, or an initial; or the sentence says what only a person is or does."""
    parts = name.parts
    if not has_shape(parts) or head_kind(parts[-1]) or is_demonym(parts[-1]):
        return False
    given = fold(parts[0]).split("-")[0] in people().given_latin
    if words.is_common(parts[-1]) and not (given and _has_office(name)):
        return False
    if given or fold(parts[-1]) in words.titled:
        return True
    if words.is_common(parts[0]) or is_demonym(parts[0]):
        return False
    initial = len(parts) > 2 and any(_INITIAL.fullmatch(part) for part in parts[1:-1])
    return initial or bool(_ACTS.match(name.behind)) or _has_office(name) or _is_addressed(name)


def has_shape_of_person(parts: Sequence[str], words: DocumentWords) -> bool:
    """Whether two to four words can be a person's name, if the text lists them among persons."""
    return has_shape(parts) and not any(words.is_common(part) or is_demonym(part) or head_kind(part) for part in parts)


def has_shape(parts: Sequence[str]) -> bool:
    """Whether two to four words are capitalised like a person's name."""
    shaped = all(_SHAPE.fullmatch(part) or _INITIAL.fullmatch(part) for part in parts)
    return shaped and 2 <= len(parts) <= 4 and len(parts[-1].strip(".")) > 1


def _has_office(name: Context) -> bool:
    role = _ROLE.match(name.behind)
    return bool(role and name.behind[:1] in ",(" and any(head_kind(word) == "person" for word in role["role"].split()))


def _is_addressed(name: Context) -> bool:
    return bool(_ADDRESSED.search(name.before)) and not _ARTICLE.search(name.before)
