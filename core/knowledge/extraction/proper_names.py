"""Finds a document's names by their capitals, and decides what each one is: *sentence, the document's words* → spans.

A name has a word that is no common word, or a head that only names have ("Aircraft Evaluation Group"). Its kind is shown
by its head, its form, or what the sentence says of it; a name without such a sign is a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.knowledge.extraction.document_words import DocumentWords, opens
from core.knowledge.extraction.gazetteer import place_key, place_labels
from core.knowledge.extraction.heads import head_kind, heads, is_demonym, kind_of_name
from core.knowledge.extraction.known_entities import bare_key
from core.knowledge.extraction.laws import law_key
from core.knowledge.extraction.lexicon import people
from core.knowledge.extraction.name_runs import Word, name_runs
from core.knowledge.extraction.patterns import Span
from core.knowledge.extraction.people import person_key
from core.knowledge.records import EntityKind
from core.language.entities.calendar_words import MONTHS, WEEKDAYS
from core.language.normalisation import fold

_GENERAL: frozenset[EntityKind] = frozenset(["organisation", "law", "programme"])
"""Kinds whose names may consist of common words."""
_NAMED_BY_OTHERS: frozenset[EntityKind] = frozenset(["term", "product", "law", "place", "person", "company"])
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ' -]{1,80}")
_ROMAN = re.compile(r"[IVX]{1,5}")
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th)")
_LEADING = (" in ", " at ", " near ", " from ", " to ", ", ", " of ")
_POST = frozenset(["PO", "P.O.", "P.O", "MC"])
SHORT = 5
"""Maximum letters of a word in capitals that counts as an abbreviation."""
LEAST_ALONE = 3
"""Minimum number of times that a document writes one word with a capital for it to be a name without another sign."""
_ADJECTIVE = re.compile(r"[A-Za-z]{3,30}(?:al|ic|ous|ive|ary|ern|ing|ed|ly)$")
LEAST_COMMON = 3
"""Minimum number of words of a name that has only common words."""
LONGEST = 80
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
_NEXT = re.compile(r" ([a-z][a-z-]{2,20})\b(?: ([a-z]{3,20})\b)?")
_APPOSITION = re.compile(r"(?:,| is| was| are| were) (?:an?|the|one of the) ([a-z][a-z' -]{2,60})")
_LIST = re.compile(
    r"\b([a-z]{3,20}) (?:such as|including|like|called|named|known as) (?:the )?(?:[\w'&-]{1,30},? (?:and |or )?){0,6}$"
)
_WHERE = re.compile(r"^,? (?P<place>[A-Z][\w.']{1,20}(?: [A-Z][a-z]{1,20})?)\b")
_STATE = re.compile(r"^, (?P<state>[A-Z]{2})\b")
_LOCATED = re.compile(
    r"\b(?:located|based|born|headquartered|lives?|lived|resid\w{2,4}|held|situated|city|town|village) (?:in|near|at|of) (?:the )?$"
)
_BRACKET = re.compile(r"\b([a-z]{3,20}) \($")
_ARTICLE = re.compile(r"\b(?:[Tt]he|an?|of|[Oo]ur|[Ii]ts) $")
_ADDRESSED = re.compile(r"\b(?:[Cc]ontact|[Tt]hank(?:s| you)(?: to)?|[Dd]ear|[Hh]i|[Hh]ello) $")
_DONE = re.compile(rf"\b(?:{'|'.join(sorted(heads().done))}) by (?:the )?$")
_SAYS = re.compile(
    r",? (?:has served|served as|serves|joined|was (?:named|appointed|elected|hired|born)|is (?:our|an?|the) (?:[A-Za-z-]{2,20} ){0,4}(?:[Oo]fficer|[Dd]irector|[Pp]resident|[Mm]anager|[Ee]ngineer|[Pp]rofessor)|certif|said|says|wrote|signed|joined|proposed|presented|chaired|thanked|asked|told|agreed|explained)"
)
_ROLE = re.compile(r",? (?:\(|the |our )?(?P<role>[A-Z]?[a-z-]{1,20}(?: [A-Z]?[a-z-]{1,20}){0,3})")
_SHAPE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)?(?:-[A-Z][a-z]+)?")
_INITIAL = re.compile(r"[A-Z]\.?")


def names_in(text: str, words: DocumentWords) -> Iterator[Span]:
    """Names in a sentence; those that another search has found are blanked."""
    for run in name_runs(text, words):
        if span := _name(text, run, words):
            yield span


def name_span(name: str, kind: EntityKind, start: int = 0) -> Span:
    """The span of a name whose kind is known."""
    end = start + len(name)
    if kind == "person":
        return Span(start, end, kind, name, person_key(name))
    if kind == "product":
        kept = [word for word in name.split() if fold(word) not in heads().made]
        label = " ".join(kept or [name])
        return Span(start, end, kind, label, fold(label), spelled=name if name != label else "")
    if kind == "place":
        key = place_key(name) or fold(name)
        return Span(start, end, kind, place_labels(key).get("en", name), key)
    return Span(start, end, kind, name, law_key(name) if kind == "law" else bare_key(name))


def is_name(parts: Sequence[str], words: DocumentWords) -> bool:
    """Whether one of the words is no common one."""
    return any(_is_proper(part, words) for part in parts)


def _name(text: str, run: list[Word], words: DocumentWords) -> Span | None:
    run = _without_opening(text, run, words)
    if not run:
        return None
    name = text[run[0].start : run[-1].end].rstrip(".'-/&")
    name = re.sub(r"'s?$", "", name)
    start, parts = run[0].start, name.split()
    if len(name) < 3 or len(name) > LONGEST or _is_date(parts):
        return None
    kind = _kind(text, start, name, parts, words)
    return name_span(name, kind, start) if kind else None


def _without_opening(text: str, run: list[Word], words: DocumentWords) -> list[Word]:
    """Without the word that begins the sentence, if it is a common one before a name."""
    while run and (_is_code(run[0].text) or (len(run) > 1 and run[0].text.isupper() and run[0].text in _POST)):
        run = run[1:]
    if not run:
        return run
    begins = opens(text[: run[0].start])
    if begins and len(run) > 1 and words.is_common(run[0].text) and not kind_of_name([word.text for word in run]):
        return _without_opening(text, run[1:], words)
    return run


def _kind(text: str, start: int, name: str, parts: list[str], words: DocumentWords) -> EntityKind | None:
    end = start + len(name)
    before, behind = text[max(0, start - 90) : start], text[end : end + 90]
    proper = [part for part in parts if _is_proper(part, words)]
    following = _NEXT.match(behind)
    if following and head_kind(following[1]) == "term" and not _ADJECTIVE.match(name) and (proper or place_key(name)):
        return "term"
    if place_key(name) is not None or (place_key(parts[0]) and "".join(parts[1:]).isdigit()):
        return None  # the search for places reads it, with what is around it
    if _is_reference(parts, words) or any(_ORDINAL.fullmatch(part) for part in parts):
        return None
    if len(parts) <= 3 and not name.isupper() and _is_before_place(behind) and before.endswith(_LEADING):
        return "place"
    kind = kind_of_name(parts)
    if kind == "person":
        kind = None
    if not proper and kind in ("company", "organisation") and is_demonym(parts[0]) and len(parts) > 1:
        return kind
    if not proper:
        if kind == "event" and last_is_number(parts) and len(parts) > LEAST_COMMON:
            return kind
        general = kind in _GENERAL and len(parts) >= LEAST_COMMON and not name.isupper()
        return kind if general and not opens(before) and fold(name) not in words.owned else None
    if _is_person(parts, before, behind, words):
        return "person"
    if kind is not None:
        return kind
    if len(parts) == 1 and not _stands_as_name(name, before, words):
        return None
    if behind.startswith(" et al"):
        return None
    said = _said_kind(name, parts, before, behind)
    if said is None and _ADDRESSED.search(before) and _looks_like_a_person(parts, proper, before, behind):
        return "person"
    if said is None and len(parts) == 1:
        return "term" if words.capital.get(fold(name), 0) >= LEAST_ALONE else None
    return said or ("term" if len(parts) <= 4 and len(proper) > 1 else None)


def last_is_number(parts: Sequence[str]) -> bool:
    return parts[-1].isdigit()


def _said_kind(name: str, parts: list[str], before: str, behind: str) -> EntityKind | None:
    """The kind that the words around the name say."""
    where = _WHERE.match(behind)
    if _STATE.match(behind) and _STATE.match(behind)["state"] in heads().states:  # type: ignore[index]
        return "company" if before.endswith("(") else "place"
    if where and _is_before_place(behind):
        return "company" if before.endswith("(") else "place"
    if said := _APPOSITION.match(behind):
        for word in re.split(r" (?:of|for|in|that|which|at|by|from|with|to|who)\b", said[1])[0].split()[::-1][:1]:
            if kind := head_kind(word):
                return kind
    if listed := _LIST.search(before):
        kind = head_kind(listed[1])
        if kind and kind != "person":
            return kind
    if _LOCATED.search(before):
        return "place"
    if following := _NEXT.match(behind):
        for word in (following[2], following[1]):
            kind = head_kind(word) if word else None
            if kind in _NAMED_BY_OTHERS and kind not in ("person", "company", "place"):
                return kind
    if _DONE.search(before) and not parts[-1].isdigit():
        return "company"
    if (named := _BRACKET.search(before)) and (kind := head_kind(named[1])) and kind != "person":
        return kind
    if (
        1 < len(parts) <= 4
        and parts[0][0].isalpha()
        and "&" not in name
        and any(sign.isdigit() for part in parts[1:] for sign in part)
    ):
        return "product"
    return None


def _is_before_place(behind: str) -> bool:
    where = _WHERE.match(behind)
    if where is None:
        return False
    return behind.startswith(", ") and place_key(where["place"]) is not None and _ends(behind, where)


def _ends(behind: str, where: re.Match[str]) -> bool:
    """Whether the place after the name is no part of a longer name."""
    return not re.match(r" [A-Z]", behind[where.end() :])


def _is_code(word: str) -> bool:
    return any(sign.isdigit() for sign in word) and "-" in word and word.upper() == word


def _is_person(parts: list[str], before: str, behind: str, words: DocumentWords) -> bool:
    """Two to four words like a person's name, of which one is a known given name, an initial, or the sentence shows a
    person."""
    if not 2 <= len(parts) <= 4 or not all(_SHAPE.fullmatch(part) or _INITIAL.fullmatch(part) for part in parts):
        return False
    if len(parts[-1].strip(".")) < 2 or head_kind(parts[-1]) or is_demonym(parts[-1]):
        return False
    given = fold(parts[0]).split("-")[0] in people().given_latin
    role = _ROLE.match(behind)
    has_role = bool(role and behind[:1] in ",(" and any(head_kind(word) == "person" for word in role["role"].split()))
    if words.is_common(parts[-1]) and not (given and has_role):
        return False
    if given or fold(parts[-1]) in words.titled:
        return True
    if words.is_common(parts[0]) or is_demonym(parts[0]):
        return False
    if len(parts) > 2 and any(_INITIAL.fullmatch(part) for part in parts[1:-1]):
        return True
    if _SAYS.match(behind):
        return True
    return has_role


def _looks_like_a_person(parts: list[str], proper: list[str], before: str, behind: str) -> bool:
    """Whether two or three words, none of them common, can be a person: no article before them, no noun after them."""
    return (
        2 <= len(parts) <= 3
        and len(proper) == len(parts)
        and all(_SHAPE.fullmatch(part) for part in parts)
        and not _ARTICLE.search(before)
        and not re.match(r" [a-z]{4}", behind)
    )


def _stands_as_name(name: str, before: str, words: DocumentWords) -> bool:
    """Whether one capitalised word is a name: no abbreviation, whose meaning the document would say, and not only
    capitalised because it begins a sentence."""
    if len(name) <= 3 or not _LATIN.fullmatch(name):
        return False
    if name.isupper() or is_demonym(name) or not any(sign.isalpha() for sign in name):
        return False
    if not name[0].isalpha() or any(sign.isdigit() for sign in name) or _ADJECTIVE.match(name):
        return False
    return not opens(before) or words.capital.get(fold(name), 0) > 0


def _is_proper(part: str, words: DocumentWords) -> bool:
    bare = part.strip(".'")
    return (
        len(bare) > 1
        and bare[0].isalpha()
        and not words.is_common(bare)
        and not is_demonym(bare)
        and fold(bare) not in _CALENDAR
        and head_kind(bare) is None
        and not (bare.isupper() and len(bare) <= SHORT)
    )


def _is_reference(parts: list[str], words: DocumentWords) -> bool:
    """Whether the words only refer to a part of a text: "Exhibit 32.1", "Table B"."""
    last = parts[-1]
    short = bool(_ROMAN.fullmatch(last)) or len(last) <= 2
    if len(parts) > 1 and short and fold(parts[-2]) in words.numbered:
        return True
    numbered = any(sign.isdigit() for sign in last) or len(last) == 1
    return numbered and not any(_is_proper(part, words) for part in parts[:-1]) and kind_of_name(parts) is None


def _is_date(parts: list[str]) -> bool:
    return all(fold(part).strip(".") in _CALENDAR or part.strip(".,").isdigit() for part in parts)
